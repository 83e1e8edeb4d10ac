"""Contract of upkeep: scan, vectors, changes, stats, close, and use from many threads."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Event, Thread

import numpy as np
import pytest

from mnemic.errors import StoreError
from mnemic.graph.model import GraphDelta, Layer, Name, State
from mnemic.graph.store import Head, Probe, Store
from tests.graph.builders import (
    DIMENSION,
    EMBEDDER,
    delta,
    embedded,
    entity,
    ids,
    memory,
    mentions,
    nominated,
    replaces,
    turn,
    uses,
    vector,
    view,
)


def test_a_scan_yields_every_readable_row_by_id(store: Store) -> None:
    store.apply(
        delta(
            *(
                memory(f"m{number:04}", state=State.ARCHIVED if number % 2 else State.ACTIVE)
                for number in range(1200)
            ),
            memory("theirs", owner="bob"),
            turn("t1"),
        )
    )
    assert [row.id for row in store.scan(view(), Layer.MEMORY)] == [f"m{number:04}" for number in range(1200)]
    assert [row.id for row in store.scan(view(), Layer.MEMORY, after="m1197")] == ["m1198", "m1199"]
    assert [row.id for row in store.scan(view(), Layer.TURN)] == ["t1"]


def test_a_scan_can_be_written_to_meanwhile(store: Store) -> None:
    store.apply(delta(*(memory(f"m{number}") for number in range(5))))
    for row in store.scan(view(), Layer.MEMORY, unembedded=True):
        store.apply(delta(embedded(row.id, vector(1))))

    assert store.stats().vectors == 5
    assert list(store.scan(view(), Layer.MEMORY, unembedded=True)) == []


def test_vectors_are_read_by_layer_and_id(store: Store) -> None:
    store.apply(
        delta(
            *(memory("m1"), memory("m2"), turn("t1")),
            embedded("m2", vector(1), vector(0, 1)),
            embedded("t1", vector(0, 0, 1), layer=Layer.TURN),
        )
    )
    (found,) = store.vectors(Layer.MEMORY, ["m1", "m2", "t1"])
    assert (found.layer, found.id) == (Layer.MEMORY, "m2")
    np.testing.assert_allclose(found.detail, vector(0, 1), atol=1e-3)
    assert [each.id for each in store.vectors(Layer.TURN, ["t1", "m2"])] == ["t1"]
    assert store.vectors(Layer.TURN, []) == []


def test_the_change_log_tells_what_changed_in_order(store: Store) -> None:
    store.apply(delta(entity("e1"), memory("m1"), turn("t1", owner="bob"), embedded("m1", vector(1))))
    store.apply(GraphDelta(names=(Name(name="Atlas", kind="project"),)))
    first = store.changes()

    assert {(each.owner, each.kind, each.id) for each in first} == {
        ("ada", "entity", "e1"),
        ("ada", "memory", "m1"),
        ("bob", "turn", "t1"),
        ("ada", "vector", "m1"),
        ("", "name", ""),
    }
    assert [each.sequence for each in first] == sorted({each.sequence for each in first})

    store.apply(delta(memory("m2"), memory("m1", state=State.ARCHIVED)))
    later = store.changes(first[-1].sequence)
    assert {each.id for each in later} == {"m1", "m2"}
    assert store.changes(first[-1].sequence, limit=1) == later[:1]
    assert store.changes(later[-1].sequence) == []


def test_a_write_that_changes_nothing_is_not_logged(store: Store) -> None:
    change = delta(memory("m1"), entity("e1"), turn("t1"), embedded("m1", vector(1)))
    store.apply(change)
    before = store.changes()
    store.apply(change)
    assert store.changes() == before


def test_stats_count_everything(store: Store) -> None:
    store.apply(
        delta(
            *(
                entity("e1"),
                turn("t1"),
                turn("t2", 1),
                memory("m1"),
                memory("m2", owner="bob"),
                replaces("m2", "m1"),
            ),
            *(embedded("m1", vector(1)), embedded("t1", vector(1), layer=Layer.TURN)),
            names=(Name(name="Atlas", kind="project"),),
        )
    )
    stats = store.stats()
    assert (stats.turns, stats.memories, stats.entities, stats.replaces) == (2, 2, 1, 1)
    assert (stats.vectors, stats.names, stats.embedder, stats.dimension) == (2, 1, EMBEDDER, DIMENSION)
    assert stats.schema >= 1
    assert stats.bytes >= 0
    assert store.head() == Head(stats.embedder, stats.dimension, stats.sequence)


def test_a_new_store_counts_nothing(bare_store: Store) -> None:
    stats = bare_store.stats()
    assert (stats.turns, stats.memories, stats.vectors, stats.embedder, stats.dimension) == (0, 0, 0, "", 0)


@pytest.mark.parametrize(
    "use",
    [
        lambda store: store.apply(delta(memory("m1"))),
        lambda store: store.transact("ada", lambda inner: None),
        lambda store: store.erase(memories=["m1"]),
        lambda store: store.gather(view(), Probe()),
        lambda store: store.expand(view(), [], hops=1),
        lambda store: store.entities(view()),
        lambda store: list(store.scan(view(), Layer.MEMORY)),
        lambda store: store.stats(),
    ],
)
def test_a_closed_store_says_so(bare_store: Store, use: Callable[[Store], object]) -> None:
    bare_store.close()
    bare_store.close()
    with pytest.raises(StoreError, match="closed"):
        use(bare_store)


def test_many_threads_write_and_read_at_once(store: Store) -> None:
    store.apply(delta(entity("e1"), entity("e2")))
    probe = Probe(terms=("plan",), vector=vector(1), entities=("e1",), limit=1000)

    def write(thread: int) -> None:
        for number in range(10):
            row = memory(
                f"m{thread}-{number}",
                number,
                terms=("plan",),
                mentions=mentions("e1"),
                episodes=(uses("e1", "e2"),),
            )
            store.apply(delta(row, embedded(row.id, vector(1))))

    def read(_: int) -> None:
        for _ in range(10):
            found = store.gather(view(), probe)
            words, near = nominated(found, "words"), nominated(found, "vector")
            assert words == near
            assert len(words) <= found.corpus.size
            store.expand(view(), ["e1"], hops=1)

    with ThreadPoolExecutor(8) as pool:
        for done in [*pool.map(write, range(4)), *pool.map(read, range(4))]:
            assert done is None
    assert len(nominated(store.gather(view(), probe), "words")) == 40
    assert store.stats().memories == 40


def test_steps_of_one_owner_never_overlap(store: Store) -> None:
    store.apply(delta(memory("counter", access_count=0)))

    def increment(_: int) -> None:
        def work(inner: Store) -> None:
            (row,) = inner.memories(view(), ids=["counter"])
            inner.apply(delta(memory("counter", access_count=row.access_count + 1)))

        store.transact("ada", work)

    with ThreadPoolExecutor(6) as pool:
        list(pool.map(increment, range(30)))
    assert store.memories(view(), ids=["counter"])[0].access_count == 30


def test_no_other_thread_sees_what_is_not_committed(store: Store) -> None:
    wrote, checked = Event(), Event()
    seen: list[list[str]] = []
    probe = Probe(terms=("plan",), vector=vector(1))

    def look() -> None:
        wrote.wait(5)
        found = store.gather(view(), probe)
        seen.append([*ids(store.memories(view(), ids=["m1"])), *nominated(found, "words")])
        checked.set()

    def work(inner: Store) -> None:
        inner.apply(delta(memory("m1", terms=("plan",)), embedded("m1", vector(1))))
        assert nominated(inner.gather(view(), probe), "vector") == {"m1"}
        wrote.set()
        checked.wait(0.3)
        raise KeyError("stop")

    reader = Thread(target=look)
    reader.start()
    with pytest.raises(KeyError):
        store.transact("ada", work)
    reader.join(5)
    assert seen == [[]]
