"""Contract of the records beside the graph: compare-and-set, order, leases, removal."""

from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from mnemic.errors import InvalidInput, NotFound, StoreError
from mnemic.graph.clock import BEGINNING
from mnemic.graph.records import DEAD, DONE, OPEN, Record, Which
from mnemic.graph.store import INDEXED, Store
from tests.graph.builders import day, delta, memory, turn

ALL = Which(owners=None)


def record(id: str, **rest: Any) -> Record:
    return Record(**({"kind": "job", "id": id, "owner": "ada"} | rest))


def put(store: Store, *rows: Record) -> list[Record]:
    kept = [store.keep(row, version=0) for row in rows]
    assert None not in kept
    return [row for row in kept if row is not None]


def ids(rows: list[Record]) -> list[str]:
    return [row.id for row in rows]


def taken(store: Store, now: float = 1, kind: str = "job") -> str | None:
    """Return the id of what is taken on that day, for one day."""
    found = store.take(kind, now=day(now), until=day(now + 1))
    return found.id if found is not None else None


# -- compare and set ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "row",
    [
        record("a"),
        record("任务-🧵", owner="", body='{"text": "他说：“好”\\n\\u0000"}', lane="ada/站会", state="dead", due=day(3.5)),
        record("b" * 3000, kind="key", body="x" * 200_000, owner="Zoë", due=BEGINNING),
    ],
)  # fmt: skip
def test_a_record_comes_back_as_it_was_kept(bare_store: Store, row: Record) -> None:
    kept = bare_store.keep(row, version=0)
    assert kept is not None
    assert kept == replace(row, version=1, born=kept.born)
    assert bare_store.kept(row.kind, Which(owners=[row.owner], ids=[row.id])) == [kept]


def test_one_of_two_writers_wins(bare_store: Store) -> None:
    (first,) = put(bare_store, record("a", body="1"))
    assert bare_store.keep(record("a", body="2"), version=0) is None
    second = bare_store.keep(record("a", body="3"), version=first.version)
    assert second is not None
    assert (second.body, second.version, second.born) == ("3", 2, first.born)
    assert bare_store.keep(record("a", body="4"), version=first.version) is None
    assert bare_store.keep(record("b"), version=1) is None
    assert bare_store.kept("job", ALL) == [second]


def test_the_same_id_of_another_kind_is_another_record(bare_store: Store) -> None:
    put(bare_store, record("a"), record("a", kind="key"))
    assert bare_store.stats().records == {"job": 1, "key": 1}
    assert bare_store.drop("job", ALL) == 1
    assert [row.kind for row in bare_store.kept("key", ALL)] == ["key"]


def test_a_change_keeps_the_place_in_the_order(bare_store: Store) -> None:
    first, *_ = put(bare_store, record("c"), record("a"), record("b"))
    bare_store.keep(record("c", state=DEAD), version=first.version)
    assert ids(bare_store.kept("job", ALL)) == ["c", "a", "b"]


def test_a_dropped_place_is_not_given_again(bare_store: Store) -> None:
    _, last = put(bare_store, record("a"), record("b"))
    bare_store.drop("job", ALL)
    (new,) = put(bare_store, record("c"))
    assert new.born > last.born


@pytest.mark.parametrize(
    ("row", "field"),
    [
        (record(" "), "id"),
        (record("a", kind=""), "kind"),
        (record("a", state=""), "state"),
        (record("a", state="s" * 31), "state"),
        (record("a" * INDEXED), "id"),
        (record("a", lane="b" * INDEXED), "lane"),
        (record("a", owner="字" * INDEXED), "owner"),
        (record("a", due=day(1).replace(tzinfo=None)), "due"),
        (record("a", body="\ud800"), "record"),
    ],
)
def test_what_cannot_be_kept_is_refused(bare_store: Store, row: Record, field: str) -> None:
    with pytest.raises(InvalidInput) as refused:
        bare_store.keep(row, version=0)
    assert refused.value.field == field
    assert bare_store.stats().records == {}


def test_records_are_not_in_the_change_log_and_no_part_of_the_graph(bare_store: Store) -> None:
    before = bare_store.stats()
    (row,) = put(bare_store, record("a"))
    assert replace(bare_store.stats(), bytes=0, records={}) == replace(before, bytes=0)
    assert bare_store.erase(owners=["ada"]) == 0
    assert bare_store.kept("job", ALL) == []
    assert bare_store.keep(row, version=row.version) is None, "who was erased does not come back"


def test_a_record_is_kept_with_the_transaction(store: Store) -> None:
    def work(inner: Store) -> None:
        inner.apply(delta(memory("m1")))
        assert inner.keep(record("a"), version=0) is not None
        assert inner.keep(record("b"), version=7) is None
        assert ids(inner.kept("job", ALL)) == ["a"]
        raise KeyError("stop")

    with pytest.raises(KeyError):
        store.transact("ada", work)
    assert store.kept("job", ALL) == []
    put(store, record("a"))


# -- lists --------------------------------------------------------------------------------------------


@pytest.fixture
def many(bare_store: Store) -> Store:
    put(
        bare_store,
        *(record(f"a{number}", lane="l", state=OPEN if number % 2 else DONE, due=day(number)) for number in range(6)),
        record("b0", owner="bob", lane="l"),
        record("t0", owner=""),
        record("k0", kind="key"),
    )  # fmt: skip
    return bare_store


@pytest.mark.parametrize(
    ("which", "found"),
    [
        (ALL, "a0 a1 a2 a3 a4 a5 b0 t0"),
        (Which(owners=["ada"]), "a0 a1 a2 a3 a4 a5"),
        (Which(owners=["bob", ""]), "b0 t0"),
        (Which(owners=[]), ""),
        (Which(owners=["nobody"]), ""),
        (Which(owners=None, ids=["t0", "a3", "k0", "x"]), "a3 t0"),
        (Which(owners=["ada"], ids=["t0", "a3"]), "a3"),
        (Which(owners=None, ids=[]), ""),
        (Which(owners=None, states=[DONE]), "a0 a2 a4"),
        (Which(owners=["ada"], states=[OPEN, DEAD]), "a1 a3 a5"),
        (Which(owners=None, states=[]), ""),
        (Which(owners=None, lane="l"), "a1 a3 a5 b0"),
        (Which(owners=["bob"], lane="l"), "b0"),
        (Which(owners=None, lane=""), "t0"),
        (Which(owners=None, lane="l", states=[DONE]), ""),
        (Which(owners=None, states=[DONE], before=day(4)), "a0 a2"),
        (Which(owners=["ada"], before=day(2)), "a0 a1"),
        (Which(owners=None, ids=["a0", "a5"], before=day(5)), "a0"),
        (Which(owners=None, before=day(-9)), "b0 t0"),
    ],
)
def test_what_passes_all_filters_is_listed_counted_and_dropped(many: Store, which: Which, found: str) -> None:
    named = found.split()
    assert ids(many.kept("job", which)) == named
    assert ids(many.kept("job", which, newest=True)) == named[::-1]
    assert many.count("job", which) == len(named)
    assert many.drop("job", which) == len(named)
    assert many.count("job", which) == 0
    assert many.count("job", ALL) == 8 - len(named)
    assert many.count("key", ALL) == 1


@pytest.mark.parametrize("newest", [False, True])
@pytest.mark.parametrize("which", [ALL, Which(owners=["ada"]), Which(owners=None, states=[OPEN, DONE])])
def test_pages_hold_everything_once(many: Store, which: Which, newest: bool) -> None:
    whole, pages = many.kept("job", which, newest=newest), list[Record]()
    after: int | None = None
    while page := many.kept("job", which, after=after, limit=3, newest=newest):
        assert len(page) <= 3
        pages += page
        after = page[-1].born
    assert pages == whole
    assert many.kept("job", which, limit=0, newest=newest) == []


# -- leases -------------------------------------------------------------------------------------------


def test_the_oldest_that_is_due_is_taken_and_not_before_its_time(bare_store: Store) -> None:
    put(bare_store, record("later", due=day(5)), record("b"), record("a"), record("done", state=DONE))
    assert [taken(bare_store) for _ in range(3)] == ["b", "a", None]
    assert taken(bare_store, 4, kind="key") is None
    assert [taken(bare_store, 5) for _ in range(4)] == ["later", "b", "a", None]


def test_a_lease_says_until_when_and_is_a_change(bare_store: Store) -> None:
    (kept,) = put(bare_store, record("a", lane="l"))
    lease = bare_store.take("job", now=day(1), until=day(2))
    assert lease == replace(kept, version=2, due=day(2))
    assert bare_store.kept("job", ALL) == [lease]
    assert bare_store.keep(replace(kept, state=DONE), version=kept.version) is None


def test_an_expired_lease_is_taken_again_and_its_first_holder_loses(bare_store: Store) -> None:
    put(bare_store, record("a"))
    late = bare_store.take("job", now=day(1), until=day(2))
    assert bare_store.take("job", now=day(1.9), until=day(3)) is None
    second = bare_store.take("job", now=day(2), until=day(3))
    assert late is not None
    assert second is not None
    assert bare_store.keep(replace(late, state=DONE), version=late.version) is None
    assert bare_store.keep(replace(second, state=DONE), version=second.version) is not None
    assert taken(bare_store, 9) is None


def test_a_lane_is_taken_in_order_and_does_not_hold_up_another(bare_store: Store) -> None:
    put(bare_store, record("x1", lane="x"), record("x2", lane="x"), record("y1", lane="y"), record("free"))
    first = bare_store.take("job", now=day(1), until=day(2))
    assert first is not None
    assert [first.id, taken(bare_store), taken(bare_store), taken(bare_store)] == ["x1", "y1", "free", None]
    assert bare_store.keep(replace(first, state=DONE), version=first.version) is not None
    assert [taken(bare_store), taken(bare_store)] == ["x2", None]


def test_a_lane_waits_for_what_is_put_off_and_goes_on_after_what_is_given_up(bare_store: Store) -> None:
    put(bare_store, record("x1", lane="x"), record("x2", lane="x"))
    first = bare_store.take("job", now=day(1), until=day(2))
    assert first is not None
    off = bare_store.keep(replace(first, due=day(7)), version=first.version)
    assert taken(bare_store, 6) is None
    assert off is not None
    assert bare_store.keep(replace(off, state=DEAD), version=off.version) is not None
    assert taken(bare_store, 6) == "x2"


def test_a_lane_of_another_kind_is_another_lane(bare_store: Store) -> None:
    put(bare_store, record("a", lane="x", due=day(9)), record("b", lane="x", kind="mail"))
    assert taken(bare_store, kind="mail") == "b"


@pytest.mark.parametrize("lanes", [1, 3, 40])
def test_of_many_takers_one_gets_it(bare_store: Store, lanes: int) -> None:
    count, takers = 40, 8
    put(bare_store, *(record(f"{number}", lane=f"l{number % lanes}") for number in range(count)))
    order: list[str] = []

    def work(_: int) -> list[str]:
        mine = []
        while len(order) < count:
            lease = bare_store.take("job", now=day(1), until=day(2))
            if lease is None:
                continue
            mine.append(lease.id)
            order.append(lease.id)  # while it is leased, no other of its lane is
            assert bare_store.keep(replace(lease, state=DONE), version=lease.version) is not None
        return mine

    with ThreadPoolExecutor(takers) as pool:
        got = Counter(id for mine in pool.map(work, range(takers)) for id in mine)
    assert got == Counter(f"{number}" for number in range(count))
    for lane in range(lanes):
        assert [id for id in order if int(id) % lanes == lane] == [f"{n}" for n in range(lane, count, lanes)]
    assert bare_store.count("job", Which(owners=None, states=[DONE])) == count


def test_of_many_who_change_one_version_one_wins(bare_store: Store) -> None:
    (row,) = put(bare_store, record("a"))
    with ThreadPoolExecutor(8) as pool:
        won = list(
            pool.map(
                lambda n: bare_store.keep(replace(row, body=f"{n}"), version=row.version) is not None,
                range(16),
            )
        )
        new = list(pool.map(lambda n: bare_store.keep(record("b"), version=0) is not None, range(16)))
    assert (won.count(True), new.count(True)) == (1, 1)


# -- a model that the stores must agree with ----------------------------------------------------------


def _plain_take(rows: list[Record], now: float) -> Record | None:
    """The slow readable version of what ``take`` picks."""
    open_ = [row for row in rows if row.state == OPEN]
    for row in open_:
        first = not row.lane or next(each for each in open_ if each.lane == row.lane) is row
        if first and row.due <= day(now):
            return row
    return None


steps = st.lists(
    st.one_of(
        st.tuples(st.just("keep"), st.sampled_from("abcdefgh"), st.sampled_from(["", "l", "m"])),
        st.tuples(st.just("take"), st.integers(0, 6), st.integers(1, 3)),
        st.tuples(st.just("end"), st.sampled_from([OPEN, DONE, DEAD]), st.integers(0, 8)),
        st.tuples(st.just("drop"), st.sampled_from("abcdefgh"), st.just(0)),
    ),
    max_size=25,
)


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(steps=steps)
def test_a_store_takes_what_a_plain_list_would(bare_store: Store, steps: list[tuple[str, Any, Any]]) -> None:
    bare_store.drop("job", ALL)
    rows: list[Record] = []
    for step, one, other in steps:
        if step == "keep":
            kept = bare_store.keep(record(one, lane=other), version=0)
            assert (kept is None) == any(row.id == one for row in rows)
            rows += [kept] if kept is not None else []
        elif step == "take":
            expected = _plain_take(rows, one)
            lease = bare_store.take("job", now=day(one), until=day(one + other))
            assert (lease and lease.id) == (expected and expected.id)
            rows = [lease if lease is not None and row.id == lease.id else row for row in rows]
        elif step == "end" and rows:
            row = rows[other % len(rows)]
            new = bare_store.keep(replace(row, state=one, due=day(other)), version=row.version)
            assert new is not None
            rows = [new if each is row else each for each in rows]
        elif step == "drop":
            bare_store.drop("job", Which(owners=None, ids=[one]))
            rows = [row for row in rows if row.id != one]
    assert bare_store.kept("job", ALL) == rows


# -- what they are about ------------------------------------------------------------------------------


@pytest.fixture
def told(store: Store) -> Store:
    store.apply(delta(turn("t1"), turn("t2", 1), turn("b1", owner="bob")))
    return store


def test_a_record_goes_with_a_turn_that_it_is_about(told: Store) -> None:
    put(told, record("a", about=("t1", "t2")), record("b", about=("t2",)), record("c"))
    assert told.kept("job", Which(owners=None, ids=["a"]))[0].about == ("t1", "t2")
    assert told.erase(turns=["t1"]) == 1
    assert ids(told.kept("job", ALL)) == ["b", "c"]
    told.transact("ada", lambda inner: inner.erase(turns=["t2"]))
    assert ids(told.kept("job", ALL)) == ["c"]


def test_a_turn_that_is_not_there_is_told(told: Store) -> None:
    (row,) = put(told, record("a", about=("t1",)))
    with pytest.raises(NotFound):
        told.keep(record("b", about=("t1", "gone")), version=0)
    with pytest.raises(NotFound):
        told.keep(replace(row, body="2", about=("gone",)), version=row.version)
    assert told.kept("job", ALL) == [row]


def test_what_a_record_is_about_may_change(told: Store) -> None:
    (row,) = put(told, record("a", about=("t1",)))
    changed = told.keep(replace(row, about=("t2", "b1")), version=row.version)
    assert changed is not None
    assert set(changed.about) == {"t2", "b1"}
    told.erase(turns=["t1"])
    assert told.kept("job", ALL) == [changed]
    told.erase(owners=["bob"])
    assert told.kept("job", ALL) == []


def test_a_turn_written_anew_keeps_its_records(told: Store) -> None:
    put(told, record("a", about=("t1",)))
    told.apply(delta(turn("t1", text="otherwise")))
    assert told.kept("job", ALL)[0].about == ("t1",)


def test_erasing_an_owner_removes_their_records_alone(told: Store) -> None:
    put(told, record("a"), record("b", owner="bob"), record("c", owner=""), record("k", kind="key"))
    told.erase(owners=["ada"])
    assert told.stats().records == {"job": 2}
    assert ids(told.kept("job", ALL)) == ["b", "c"]


@pytest.mark.parametrize(
    "use",
    [
        lambda store: store.keep(record("a"), version=0),
        lambda store: store.kept("job", ALL),
        lambda store: store.count("job", ALL),
        lambda store: store.take("job", now=day(0), until=day(0) + timedelta(1)),
        lambda store: store.drop("job", ALL),
    ],
)
def test_a_closed_store_says_so(bare_store: Store, use: Any) -> None:
    bare_store.close()
    with pytest.raises(StoreError, match="closed"):
        use(bare_store)
