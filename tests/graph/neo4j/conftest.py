import time
from collections.abc import Callable, Iterator
from uuid import uuid4

import pytest

from mnemic.graph.model import Layer
from mnemic.graph.neo4j import Neo4jStore
from tests.graph.builders import DIMENSION, EMBEDDER
from tests.servers.shared import SERVERS, Access

Open = Callable[..., Neo4jStore]


def until_online(store: Neo4jStore, *layers: Layer) -> None:
    """Wait for the vector indexes of ``layers``, which are made in the background."""
    for _ in range(600):
        store._indexes.look()
        if all(store._indexes._answers(layer) for layer in layers):
            return
        time.sleep(0.05)
    raise AssertionError("the index does not come online")


@pytest.fixture(params=SERVERS)
def access(request: pytest.FixtureRequest, server: Callable[[str], Access]) -> Access:
    """Every server that the tests run on."""
    return server(request.param)


@pytest.fixture
def opened(access: Access) -> Iterator[Open]:
    """Open stores of one new tenant; the first takes up an embedder."""
    tenant, stores = f"acme-{uuid4()}", list[Neo4jStore]()

    def open_store(**options: object) -> Neo4jStore:
        given = {"tenant": tenant, "user": access.user, "password": access.password} | options
        store = Neo4jStore.open(access.address, **given)  # type: ignore[arg-type]
        stores.append(store)
        if len(stores) == 1:
            store.adopt(EMBEDDER, DIMENSION)
        return store

    yield open_store
    for store in stores:
        store.close()
