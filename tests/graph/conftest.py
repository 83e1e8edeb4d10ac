"""Every store runs the contract suite: a further store is a further entry in ``STORES``."""

from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from uuid import uuid4

import pytest

from mnemic.graph.embedded import EmbeddedStore
from mnemic.graph.neo4j import Neo4jStore
from mnemic.graph.store import Store
from tests.graph.builders import DIMENSION, EMBEDDER
from tests.servers.shared import SERVERS, Access

RAW_KEY = "raw:" + "2b" * 32
"""A key as such: deriving one from a passphrase would take most of the suite's time."""

Start = Callable[[str], Access]


def on_server(name: str, folder: Path, start: Start) -> Store:
    """Open a store on a server; a tenant of its own keeps it apart from all others there."""
    access = start(name)
    return Neo4jStore.open(
        access.address, tenant=f"acme-{uuid4()}", user=access.user, password=access.password
    )


STORES: dict[str, Callable[[Path, Start], Store]] = {
    "memory": lambda folder, start: EmbeddedStore.open(":memory:", tenant="acme"),
    "file": lambda folder, start: EmbeddedStore.open(folder / "acme.db", tenant="acme"),
    "encrypted": lambda folder, start: EmbeddedStore.open(folder / "acme.db", tenant="acme", key=RAW_KEY),
    **{name: partial(on_server, name) for name in SERVERS},
}


@pytest.fixture(params=STORES)
def bare_store(request: pytest.FixtureRequest, tmp_path: Path, server: Start) -> Iterator[Store]:
    """A store that nothing has been written to."""
    with STORES[request.param](tmp_path, server) as store:
        yield store


@pytest.fixture
def store(bare_store: Store) -> Store:
    """A store that has taken up an embedder."""
    bare_store.adopt(EMBEDDER, DIMENSION)
    return bare_store
