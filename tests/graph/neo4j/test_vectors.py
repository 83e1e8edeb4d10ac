"""Vectors on a server that many tenants share: an index never takes away what is a tenant's own."""

from collections.abc import Iterator
from typing import Any
from uuid import uuid4

import numpy as np
import pytest

from mnemic.graph.model import Layer, State, Vector
from mnemic.graph.neo4j import Neo4jStore, indexes
from mnemic.graph.store import Probe, Store
from tests.graph.builders import delta, embedded, memory, nominated, view
from tests.servers.shared import Access

TENANTS, EACH, TINY, DIMENSION = 20, 120, 15, 24
QUERY: Vector = np.eye(DIMENSION, dtype=np.float32)[0]


def near(seed: int, count: int, spread: float) -> list[Vector]:
    """Return vectors around the query; the smaller the spread, the nearer."""
    random = np.random.default_rng(seed)
    rows = QUERY + spread * random.normal(size=(count, DIMENSION)).astype(np.float32)
    return list(rows / np.linalg.norm(rows, axis=1, keepdims=True))


def fill(store: Store, vectors: list[Vector], **rest: Any) -> None:
    rows = [memory(f"m{number:04}", number, **rest) for number in range(len(vectors))]
    store.apply(delta(*rows, *(embedded(row.id, each) for row, each in zip(rows, vectors, strict=True))))


_filled: dict[str, list[Neo4jStore]] = {}


@pytest.fixture(scope="module", autouse=True)
def _closed() -> Iterator[None]:
    """Close in the end what the tests share."""
    yield
    for store in (store for stores in _filled.values() for store in stores):
        store.close()
    _filled.clear()


@pytest.fixture
def tenants(access: Access, monkeypatch: pytest.MonkeyPatch) -> list[Neo4jStore]:
    """Twenty tenants whose vectors are all nearer to the query than those of the last, which has few."""
    monkeypatch.setattr(indexes, "EXACT_UP_TO", 10)
    if access.address not in _filled:
        stores = [opened(access) for _ in range(TENANTS)]
        for number, store in enumerate(stores[:-1]):
            fill(store, near(number, EACH, 0.05))
        fill(stores[-1], near(TENANTS, TINY, 0.5))
        _filled[access.address] = stores
    return _filled[access.address]


def opened(access: Access) -> Neo4jStore:
    """Open a store for a tenant of its own."""
    store = Neo4jStore.open(
        access.address, tenant=f"acme-{uuid4()}", user=access.user, password=access.password
    )
    store.adopt("test", DIMENSION)
    return store


def until_indexed(store: Neo4jStore) -> None:
    """Ask until the index, which is made in the background, answers."""
    for _ in range(200):
        store.gather(view(), Probe(vector=QUERY, limit=5))
        if store._indexes._ready(Layer.MEMORY):
            return
    raise AssertionError("the index does not come online")


def test_a_tiny_tenant_among_twenty_finds_all_that_it_has(tenants: list[Neo4jStore]) -> None:
    tiny, large = tenants[-1], tenants[0]
    until_indexed(tiny)
    for _ in range(4):
        found = tiny.gather(view(), Probe(vector=QUERY, limit=TINY))
        assert len(nominated(found, "vector")) == TINY
        found = large.gather(view(), Probe(vector=QUERY, limit=100))
        assert len(nominated(found, "vector")) == 100


def test_an_index_finds_what_comparing_all_finds(tenants: list[Neo4jStore]) -> None:
    store, limit = tenants[0], 20
    rows = dict(zip((f"m{number:04}" for number in range(EACH)), near(0, EACH, 0.05), strict=True))
    best = sorted(rows, key=lambda id: -float(rows[id] @ QUERY))[:limit]
    until_indexed(store)
    found = nominated(store.gather(view(), Probe(vector=QUERY, limit=limit)), "vector")
    assert len(found & set(best)) >= 0.9 * limit


def test_hidden_rows_that_are_nearer_take_no_places(access: Access, tenants: list[Neo4jStore]) -> None:
    with opened(access) as store:
        fill(store, near(99, 90, 0.01), state=State.ARCHIVED)
        shown = [memory(f"s{number}", number) for number in range(5)]
        far = near(98, 5, 2.0)
        store.apply(delta(*shown, *(embedded(row.id, each) for row, each in zip(shown, far, strict=True))))
        until_indexed(store)
        for _ in range(4):
            found = store.gather(view(), Probe(vector=QUERY, limit=5))
            assert nominated(found, "vector") == {row.id for row in shown}


def test_an_index_that_is_being_filled_is_not_asked(
    tenants: list[Neo4jStore], monkeypatch: pytest.MonkeyPatch
) -> None:
    store = tenants[0]
    store.gather(view(), Probe(vector=QUERY, limit=5))
    monkeypatch.setattr(store._indexes, "_ready", lambda layer: False)
    found = store.gather(view(), Probe(vector=QUERY, limit=50))
    assert len(nominated(found, "vector")) == 50
