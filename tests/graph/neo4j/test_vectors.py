"""Vectors on a server that many tenants share: an index never takes away what is a tenant's own."""

from collections.abc import Iterator
from typing import Any
from uuid import uuid4

import numpy as np
import pytest

from mnemic.errors import EmbedderMismatch
from mnemic.graph.model import Layer, State, Vector
from mnemic.graph.neo4j import Neo4jStore, gather, indexes
from mnemic.graph.neo4j.queries.recall import Search, gathering
from mnemic.graph.store import Probe, Store
from tests.graph.builders import delta, embedded, memory, nominated, view
from tests.graph.neo4j.conftest import until_online
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


def opened(access: Access, tenant: str = "") -> Neo4jStore:
    """Open a store, for a tenant of its own where none is named."""
    store = Neo4jStore.open(
        access.address, tenant=tenant or f"acme-{uuid4()}", user=access.user, password=access.password
    )
    store.adopt("test", DIMENSION)
    return store


def until_indexed(store: Neo4jStore) -> None:
    """Ask until the index, which is made in the background, answers."""
    store.gather(view(), Probe(vector=QUERY, limit=5))
    store._indexes.prepare()
    until_online(store, Layer.MEMORY)
    store.gather(view(), Probe(vector=QUERY, limit=5))


def test_a_tiny_tenant_among_twenty_finds_all_that_it_has(tenants: list[Neo4jStore]) -> None:
    tiny, large = tenants[TENANTS - 1], tenants[0]
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


@pytest.fixture
def nearest(access: Access, tenants: list[Neo4jStore]) -> Neo4jStore:
    """One more tenant, whose vectors are nearer than all others': an index never comes out short for it."""
    if len(tenants) == TENANTS:
        tenants.append(opened(access))
        fill(tenants[-1], near(77, 60, 0.001))
    return tenants[-1]


@pytest.fixture
def searches(monkeypatch: pytest.MonkeyPatch) -> list[Search]:
    """How vectors were searched, in the order of the statements that answered."""
    made: list[Search] = []

    def noted(layer: Layer, search: Search, hops: int | None) -> str:
        made.append(search)
        return gathering(layer, search, hops)

    monkeypatch.setattr(gather, "gathering", noted)
    return made


def test_a_filter_that_lets_few_through_costs_one_more_question_and_no_index(
    nearest: Neo4jStore, searches: list[Search]
) -> None:
    until_indexed(nearest)
    searches.clear()
    nearest.gather(view(), Probe(vector=QUERY, limit=5, sessions=frozenset({"elsewhere"})))
    assert len(searches) == 2
    nearest.gather(view(), Probe(vector=QUERY, limit=5))
    assert (len(searches), searches[-1]) == (3, nearest._indexes._way)


def test_a_store_that_was_just_opened_knows_that_an_index_pays(
    access: Access, nearest: Neo4jStore, searches: list[Search]
) -> None:
    until_indexed(nearest)
    searches.clear()
    with opened(access, nearest._tenant) as store:
        store.gather(view(), Probe(vector=QUERY, limit=5))
    assert searches == [store._indexes._way]


def test_a_reader_of_few_vectors_is_answered_by_comparing_them_in_the_same_statement(
    access: Access, nearest: Neo4jStore, searches: list[Search]
) -> None:
    until_indexed(nearest)
    with opened(access) as few:
        fill(few, near(1, 3, 2.0))
        tenant = few._tenant
    searches.clear()
    with opened(access, tenant) as store:
        found = store.gather(view(), Probe(vector=QUERY, limit=5))
    assert len(nominated(found, "vector")) == 3
    assert searches == [store._indexes._way]


def test_a_transaction_finds_by_the_index_and_among_what_it_wrote(
    nearest: Neo4jStore, searches: list[Search]
) -> None:
    until_indexed(nearest)
    searches.clear()
    (best,) = nominated(nearest.gather(view(), Probe(vector=QUERY, limit=1)), "vector")
    nearer = memory("nearer", 1)

    def work(inside: Store) -> None:
        assert nominated(inside.gather(view(), Probe(vector=QUERY, limit=1)), "vector") == {best}
        inside.apply(delta(nearer, embedded("nearer", QUERY)))
        assert nominated(inside.gather(view(), Probe(vector=QUERY, limit=1)), "vector") == {"nearer"}
        raise RuntimeError

    with pytest.raises(RuntimeError):
        nearest.transact("ada", work)
    assert searches[1:] == [Search.GIVEN, Search.GIVEN]


def test_an_index_that_was_dropped_is_done_without(
    access: Access, nearest: Neo4jStore, searches: list[Search]
) -> None:
    until_indexed(nearest)
    name, _ = nearest._indexes._names[Layer.MEMORY]
    nearest._connection.change_schema(f"DROP INDEX {name}")
    searches.clear()
    found = nearest.gather(view(), Probe(vector=QUERY, limit=20))
    assert len(nominated(found, "vector")) == 20
    assert searches == [nearest._indexes._way, Search.EXACT]
    nearest.apply(delta(memory("one more", 99)))
    until_indexed(nearest)


def test_a_vector_of_nothing_is_near_nothing_and_breaks_nothing(access: Access) -> None:
    with opened(access) as store:
        nothing = np.zeros(DIMENSION, np.float32)
        store.apply(delta(memory("m1"), memory("m2", 1), embedded("m1", nothing), embedded("m2", QUERY)))
        found = store.gather(view(), Probe(vector=QUERY, limit=5))
        assert nominated(found, "vector") == {"m2"}
        assert store.stats().vectors == 2


def test_an_index_that_is_being_filled_or_has_failed_is_done_without(
    tenants: list[Neo4jStore],
    searches: list[Search],
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    store = tenants[0]
    until_indexed(store)
    for state in ("POPULATING", "FAILED"):
        shown = [[name, state] for name, _ in store._indexes._names.values()]
        with monkeypatch.context() as faked:
            faked.setattr(store._connection, "read_apart", lambda *_, shown=shown: shown)
            store._indexes.look()
        searches.clear()
        found = store.gather(view(), Probe(vector=QUERY, limit=50))
        assert len(nominated(found, "vector")) == 50
        assert searches == [Search.EXACT]
        store.transact("ada", lambda inside: None)
    assert "has failed" in caplog.text
    until_indexed(store)


def test_vectors_of_an_embedder_that_somebody_changes_meanwhile_are_not_written(access: Access) -> None:
    with opened(access) as store, opened(access, store._tenant) as other:

        def work(inside: Store) -> None:
            inside.apply(delta(memory("m1", owner="bob"), embedded("m1", QUERY)))
            other.adopt("another", 3)

        with pytest.raises(EmbedderMismatch, match="another"):
            store.transact("bob", work)
        assert store.stats().vectors == 0
        assert store.head().dimension == 3
        other.apply(delta(memory("m1", owner="bob"), embedded("m1", QUERY[:3])))
        assert nominated(other.gather(view("bob"), Probe(vector=QUERY[:3])), "vector") == {"m1"}
