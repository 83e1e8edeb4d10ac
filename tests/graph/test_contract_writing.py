"""Contract of the verbs that write: apply, transact, adopt."""

from dataclasses import replace
from datetime import datetime, timedelta, timezone
from typing import Any

import numpy as np
import pytest

from mnemic.errors import EmbedderMismatch, InvalidInput, NotFound
from mnemic.graph.model import Entity, Episode, GraphDelta, Kind, Layer, Memory, Mention, Name, State, Turn
from mnemic.graph.store import INDEXED, Probe, Store
from tests.graph.builders import (
    DIMENSION,
    EMBEDDER,
    day,
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

FULL_ENTITY = Entity(
    id="e1",
    owner="ada",
    key="project:付款服务",
    name="付款服务",
    kind="project",
    aliases=("payment service", "C++"),
    handles=("付款服务", "payment service", ""),
    profile={"uses_database": ("PostgreSQL", "MySQL"), "owner": ()},
    profile_updated_at=day(3),
)
FULL_TURN = Turn(
    id="t1",
    owner="ada",
    session="standup",
    position=4,
    speaker="Ada",
    role="user",
    text="We moved.\n我们换了 \x00 🎉 'quoted' \"double\"",
    at=day(1),
    recorded_at=day(2),
    terms=("moved", "c++", "换了", "", "two words", "\ue02b", "Ä"),
    metadata={"channel": "#dev", "depth": {"n": [1, 2.5, None, True]}},
)
FULL_MEMORY = Memory(
    id="m1",
    owner="ada",
    kind=Kind.DECISION,
    text="The payment service uses PostgreSQL.",
    summary="付款服务用 PostgreSQL",
    at=day(1),
    recorded_at=day(2),
    valid_from=day(1) + timedelta(microseconds=1),
    state=State.SUPERSEDED,
    retired_at=day(8),
    valid_to=day(7),
    closed_at=day(6),
    expires_at=day(9),
    subject="e1",
    predicate="uses_database",
    object="e2",
    value="PostgreSQL",
    modality="planned",
    importance=0.75,
    confidence=0.5,
    pinned=True,
    speaker="Ada",
    session="standup",
    terms=("payment", "service", "service"),
    cues=("change",),
    tags=("work", "数据库"),
    mentions=(
        Mention("e1", 4, 19, "payment service", "subject"),
        Mention("e2", 25, 35, "PostgreSQL", "object"),
    ),
    episodes=(Episode("e1", "uses_database", "e2"),),
    sources=("t1",),
    metadata={"by": "rule"},
    access_count=3,
    last_accessed_at=day(5),
)


def seen(store: Store) -> tuple[list[Any], ...]:
    everything = view()
    return (
        list(store.scan(everything, Layer.TURN)),
        list(store.scan(everything, Layer.MEMORY)),
        store.entities(everything),
        store.names(),
    )


def test_rows_come_back_as_they_were_written(store: Store) -> None:
    store.apply(delta(FULL_TURN, FULL_ENTITY, entity("e2"), FULL_MEMORY))

    assert store.turns(view(), ids=["t1"]) == [FULL_TURN]
    assert store.entities(view(), ids=["e1"]) == [FULL_ENTITY]
    assert store.memories(view(), ids=["m1"]) == [FULL_MEMORY]


def test_a_row_with_only_what_it_must_have_comes_back(store: Store) -> None:
    bare = memory("m1")
    store.apply(delta(bare))

    assert store.memories(view(), ids=["m1"]) == [bare]


def test_times_are_kept_to_the_microsecond_and_a_turn_keeps_its_offset(store: Store) -> None:
    at = datetime(2026, 3, 1, 9, 30, 0, 123456, tzinfo=timezone(timedelta(hours=5, minutes=45)))
    store.apply(delta(turn("t1", at=at), turn("t2", 1, at=at - timedelta(days=36500))))

    first, second = store.turns(view(), ids=["t1", "t2"])
    assert (first.at, first.at.utcoffset()) == (at, timedelta(hours=5, minutes=45))
    assert second.at == at - timedelta(days=36500)


def test_a_naive_time_is_refused_with_its_field(store: Store) -> None:
    with pytest.raises(InvalidInput, match="valid_to") as refused:
        store.apply(delta(memory("m1", valid_to=datetime(2026, 1, 1))))
    assert refused.value.field == "valid_to"


def test_a_time_that_utc_cannot_show_is_refused(store: Store) -> None:
    far = datetime(9999, 12, 31, 23, tzinfo=timezone(timedelta(hours=-5)))
    with pytest.raises(InvalidInput, match="expires_at"):
        store.apply(delta(memory("m1", expires_at=far)))


def test_metadata_that_json_cannot_hold_is_refused(store: Store) -> None:
    for bad in ({"x": object()}, {"x": float("nan")}):
        with pytest.raises(InvalidInput, match="metadata"):
            store.apply(delta(memory("m1", metadata=bad)))
    assert store.memories(view(), ids=["m1"]) == []


def test_half_of_a_character_is_refused(store: Store) -> None:
    with pytest.raises(InvalidInput):
        store.apply(delta(memory("m1", text="broken \ud83d")))
    with pytest.raises(InvalidInput):
        store.apply(delta(memory("m1", terms=("\ud83d",))))


def test_applying_twice_equals_once(store: Store) -> None:
    change = delta(
        *(FULL_TURN, FULL_ENTITY, entity("e2"), FULL_MEMORY, memory("m2"), replaces("m2", "m1")),
        embedded("m1", vector(1)),
        names=(Name(name="Atlas", kind="project"),),
    )
    store.apply(change)
    once, stats = seen(store), store.stats()
    corpus = store.gather(view(), Probe(terms=("payment",))).corpus
    store.apply(change)

    assert seen(store) == once
    assert (store.stats().memories, store.stats().vectors) == (stats.memories, stats.vectors)
    again = store.gather(view(), Probe(terms=("payment",))).corpus
    assert (again.size, again.length, again.frequency) == (corpus.size, corpus.length, corpus.frequency)
    assert store.replacements(view(), ["m1"]) == [replaces("m2", "m1")]


def test_a_replaced_row_leaves_nothing_of_the_old_one(store: Store) -> None:
    store.apply(
        delta(
            *(entity("e1"), entity("e2"), entity("e3"), turn("t1"), turn("t2", 1)),
            memory(
                "m1", terms=("old",), mentions=mentions("e1"), episodes=(uses("e1", "e2"),), sources=("t1",)
            ),
        )
    )
    new = memory("m1", terms=("new",), mentions=mentions("e3"), episodes=(uses("e2", "e3"),), sources=("t2",))
    store.apply(delta(new))

    found = store.gather(view(), Probe(terms=("old", "new"), entities=("e1",)))
    assert nominated(found, "words") == {"m1"}
    assert nominated(found, "entities") == set()
    assert found.corpus.frequency == {"old": 0, "new": 1}
    assert store.memories(view(), turns=["t1"]) == []
    assert store.memories(view(), turns=["t2"]) == [new]
    assert store.expand(view(), ["e1"], hops=1).memories == ()
    assert set(store.expand(view(), ["e2"], hops=1).entities) == {"e2", "e3"}


def test_replaced_handles_are_gone(store: Store) -> None:
    store.apply(delta(entity("e1", handles=("ada", "a")), entity("e2", handles=("ada",))))
    store.apply(delta(entity("e1", handles=("ada lovelace",))))

    assert ids(store.entities(view(), handles=["ada"])) == ["e2"]
    assert ids(store.entities(view(), handles=["ada lovelace"])) == ["e1"]


def test_a_row_may_change_its_owner(store: Store) -> None:
    mine = memory("m1", terms=("plan", "plan"))
    store.apply(delta(mine, embedded("m1", vector(1))))
    store.apply(delta(replace(mine, owner="team")))

    probe = Probe(terms=("plan",), vector=vector(1))
    left, found = store.gather(view("ada"), probe), store.gather(view("team"), probe)
    assert left.candidates == ()
    assert (left.corpus.size, left.corpus.length, left.corpus.centre) == (0, 0, None)
    assert {"words", "vector"} == found.candidates[0].channels
    assert (found.corpus.size, found.corpus.length, found.corpus.frequency) == (1, 2, {"plan": 1})
    assert found.corpus.centre is not None


@pytest.mark.parametrize(
    "dangling",
    [
        delta(memory("m1", mentions=mentions("nobody"))),
        delta(entity("e1"), memory("m1", episodes=(uses("e1", "nobody"),))),
        delta(entity("e1"), memory("m1", episodes=(uses("nobody", "e1"),))),
        delta(memory("m1", sources=("nobody",))),
        delta(memory("m1"), replaces("m1", "nobody")),
        delta(memory("m1"), replaces("nobody", "m1")),
        delta(memory("m1"), embedded("nobody", vector(1))),
        delta(turn("t1"), embedded("nobody", vector(1), layer=Layer.TURN)),
    ],
)
def test_an_edge_into_nothing_is_refused_and_nothing_is_kept(store: Store, dangling: GraphDelta) -> None:
    with pytest.raises(NotFound, match="nobody"):
        store.apply(dangling)

    assert seen(store) == ([], [], [], [])
    assert store.changes() == []


def test_edges_may_lead_to_rows_of_the_same_delta(store: Store) -> None:
    store.apply(
        delta(
            *(replaces("m2", "m1"), memory("m2", mentions=mentions("e1"), sources=("t1",)), memory("m1")),
            *(entity("e1"), turn("t1"), embedded("m1", vector(1))),
        )
    )
    assert store.stats().memories == 2


def test_replaces_edges_can_be_reverted(store: Store) -> None:
    store.apply(delta(memory("m1"), memory("m2"), memory("m3"), replaces("m2", "m1"), replaces("m3", "m2")))
    store.apply(GraphDelta(reverted=(("m2", "m1"), ("m1", "m3"), ("nobody", "m1"))))

    assert store.replacements(view(), ["m1", "m2", "m3"]) == [replaces("m3", "m2")]


def test_a_replaces_edge_is_replaced(store: Store) -> None:
    better = replaces("m2", "m1", 3, reason="said so", cue="correction", score=0.5, features={"near": 0.25})
    store.apply(delta(memory("m1"), memory("m2"), replaces("m2", "m1")))
    store.apply(delta(better))

    assert store.replacements(view(), ["m2"]) == [better]


def test_names_are_kept_replaced_and_dropped(store: Store) -> None:
    atlas, zeus = Name(name="Atlas", kind="project", aliases=("地图集",)), Name(name="Zeus", kind="person")
    store.apply(GraphDelta(names=(zeus, atlas)))
    assert store.names() == [atlas, zeus]

    changed = Name(name="Zeus", kind="project", aliases=("Z",))
    store.apply(GraphDelta(names=(changed,), dropped_names=(("", "Atlas"), ("", "nobody"))))
    assert store.names() == [changed]


def test_a_name_of_no_kind_is_kept_for_its_owner(store: Store) -> None:
    refused = Name(name="Sprint", kind="", owner="ada")
    store.apply(GraphDelta(names=(refused,)))
    assert store.names() == []
    assert store.names(view("ada")) == [refused]
    store.erase(owners=["ada"])
    assert store.names(view("ada")) == []


def test_vectors_come_back_and_are_replaced(store: Store) -> None:
    store.apply(delta(memory("m1"), embedded("m1", vector(1, 2), vector(2, 1))))
    store.apply(delta(embedded("m1", vector(3, 1))))

    (found,) = store.vectors(Layer.MEMORY, ["m1"])
    np.testing.assert_allclose(found.summary, vector(3, 1), atol=1e-3)
    np.testing.assert_allclose(found.detail, vector(3, 1), atol=1e-3)
    assert found.summary.dtype == np.float32


def test_a_vector_of_another_dimension_is_refused(store: Store) -> None:
    with pytest.raises(EmbedderMismatch, match=f"{DIMENSION} dimensions"):
        store.apply(delta(memory("m1"), embedded("m1", np.ones(3, np.float32))))
    assert store.memories(view(), ids=["m1"]) == []


def test_a_vector_before_any_embedder_is_refused(bare_store: Store) -> None:
    with pytest.raises(EmbedderMismatch):
        bare_store.apply(delta(memory("m1"), embedded("m1", vector(1))))


def test_a_vector_of_no_numbers_is_refused(store: Store) -> None:
    broken = np.full(DIMENSION, np.nan, np.float32)
    with pytest.raises(InvalidInput, match="m1"):
        store.apply(delta(memory("m1"), embedded("m1", broken)))


def test_adopting_another_embedder_drops_the_vectors(store: Store) -> None:
    store.apply(
        delta(
            memory("m1"), turn("t1"), embedded("m1", vector(1)), embedded("t1", vector(1), layer=Layer.TURN)
        )
    )
    store.gather(view(), Probe(vector=vector(1)))
    store.adopt(EMBEDDER, DIMENSION)
    assert store.stats().vectors == 2

    store.adopt("another", 3)
    stats = store.stats()
    assert (stats.vectors, stats.embedder, stats.dimension) == (0, "another", 3)
    query = np.array([1, 0, 0], np.float32)
    empty = store.gather(view(), Probe(vector=query))
    assert (empty.candidates, empty.corpus.centre) == ((), None)

    store.apply(delta(embedded("m1", query)))
    assert nominated(store.gather(view(), Probe(vector=query)), "vector") == {"m1"}


def test_a_transaction_sees_its_own_writes_and_returns_what_its_work_returns(store: Store) -> None:
    store.apply(delta(entity("e1"), memory("m0", terms=("old",)), embedded("m0", vector(0, 1))))
    probe = Probe(terms=("new", "old"), vector=vector(1), entities=("e1",), salient=True)

    def work(inner: Store) -> set[str]:
        inner.apply(delta(memory("m1", terms=("new",), mentions=mentions("e1")), embedded("m1", vector(1))))
        inner.apply(delta(memory("m0", 1, terms=("new",))))
        assert inner.memories(view(), ids=["m1"])
        assert inner.expand(view(), ["e1"], hops=0).memories
        found = inner.gather(view(), probe)
        assert found.corpus.frequency == {"new": 2, "old": 0}
        assert nominated(found, "vector") == {"m0", "m1"}
        assert nominated(found, "entities") == {"m1"}
        return nominated(found, "words")

    assert store.transact("ada", work) == {"m0", "m1"}
    assert nominated(store.gather(view(), probe), "words") == {"m0", "m1"}


def test_what_a_transaction_changed_does_not_crowd_out_the_rest(store: Store) -> None:
    rows = [memory(f"m{number}", number, terms=("plan",)) for number in range(4)]
    near = [vector(1), vector(1, 0.1), vector(1, 0.2), vector(1, 0.3)]
    store.apply(delta(*rows, *map(embedded, ids(rows), near)))
    probe = Probe(terms=("plan",), vector=vector(1), limit=1)
    assert nominated(store.gather(view(), probe), "words") == {"m3"}

    def work(inner: Store) -> None:
        inner.apply(delta(replace(rows[3], state=State.ARCHIVED), embedded("m0", vector(0, 1))))
        inner.erase(memories=["m1"])
        found = inner.gather(view(), probe)
        assert nominated(found, "words") == nominated(found, "vector") == {"m2"}

    store.transact("ada", work)
    found = store.gather(view(), probe)
    assert nominated(found, "words") == nominated(found, "vector") == {"m2"}


def test_when_the_work_of_a_transaction_fails_nothing_stays(store: Store) -> None:
    store.apply(delta(memory("m0", terms=("old",)), embedded("m0", vector(1))))
    probe = Probe(terms=("old", "new"), vector=vector(1))
    before = (seen(store), store.gather(view(), probe).corpus.frequency, store.changes())

    def work(inner: Store) -> None:
        inner.gather(view(), probe)
        inner.apply(
            delta(memory("m1", terms=("new",)), embedded("m1", vector(1)), memory("m0", terms=("new",)))
        )
        inner.erase(memories=["m0"])
        assert nominated(inner.gather(view(), probe), "words") == {"m1"}
        raise KeyError("stop")

    with pytest.raises(KeyError, match="stop"):
        store.transact("ada", work)

    found = store.gather(view(), probe)
    assert (seen(store), found.corpus.frequency, store.changes()) == before
    assert nominated(found, "words") == nominated(found, "vector") == {"m0"}

    store.apply(delta(memory("m2", terms=("new",)), embedded("m2", vector(1))))
    found = store.gather(view(), probe)
    assert nominated(found, "words") == nominated(found, "vector") == {"m0", "m2"}


def test_transactions_join(store: Store) -> None:
    def fails(inner: Store) -> None:
        inner.apply(delta(memory("inner")))
        raise KeyError("inner")

    def work(outer: Store) -> None:
        outer.apply(delta(memory("m1")))
        outer.transact("ada", lambda inner: inner.apply(delta(memory("m2"))))
        with pytest.raises(KeyError):
            outer.transact("ada", fails)
        assert outer.memories(view(), ids=["inner"]) == []
        outer.apply(delta(memory("m3")))

    store.transact("ada", work)
    assert [row.id for row in store.scan(view(), Layer.MEMORY)] == ["m1", "m2", "m3"]


def test_what_an_undone_part_of_a_transaction_saw_is_forgotten(store: Store) -> None:
    probe = Probe(terms=("plan",), vector=vector(1))

    def write(inner: Store, id: str, state: State = State.ACTIVE) -> set[str]:
        inner.apply(delta(memory(id, terms=("plan",), state=state), embedded(id, vector(1))))
        found = inner.gather(view(), probe)
        assert nominated(found, "words") == nominated(found, "vector")
        return nominated(found, "vector")

    def fails(inner: Store) -> None:
        assert write(inner, "undone", State.ARCHIVED) == {"m1"}
        raise KeyError

    def work(outer: Store) -> None:
        assert write(outer, "m1") == {"m1"}
        with pytest.raises(KeyError):
            outer.transact("ada", fails)
        assert write(outer, "m2") == {"m1", "m2"}

    store.transact("ada", work)
    assert nominated(store.gather(view(), probe), "vector") == {"m1", "m2"}


def test_an_apply_that_fails_inside_a_transaction_leaves_nothing_of_itself(store: Store) -> None:
    def work(inner: Store) -> None:
        inner.apply(delta(memory("m1", terms=("kept",))))
        with pytest.raises(NotFound):
            inner.apply(delta(memory("m2", terms=("kept",)), memory("m3", mentions=mentions("nobody"))))
        inner.apply(delta(memory("m4", terms=("kept",))))
        assert nominated(inner.gather(view(), Probe(terms=("kept",))), "words") == {"m1", "m4"}

    store.transact("ada", work)
    assert nominated(store.gather(view(), Probe(terms=("kept",))), "words") == {"m1", "m4"}


_LONG = "长" * 3_000
"""More bytes than letters."""


@pytest.mark.parametrize(
    ("field", "long"),
    [
        ("id", delta(turn(_LONG))),
        ("id", delta(memory(_LONG))),
        ("id", delta(entity(_LONG, handles=()))),
        ("owner", delta(memory("m1", owner=_LONG))),
        ("session", delta(turn("t1", session=_LONG))),
        ("subject", delta(memory("m1", subject=_LONG, predicate="uses"))),
        ("predicate", delta(memory("m1", subject="e1", predicate=_LONG))),
        ("subject", delta(memory("m1", subject=_LONG[:1400], predicate=_LONG[:1399]))),
        ("key", delta(entity("e1", key=_LONG))),
        ("handles", delta(entity("e1", handles=("short", _LONG)))),
        ("name", delta(names=(Name(name=_LONG, kind="project"),))),
    ],
)
def test_what_no_server_could_index_is_refused_by_every_store_and_named(
    store: Store, field: str, long: GraphDelta
) -> None:
    before = store.stats()
    with pytest.raises(InvalidInput, match="too long") as refused:
        store.apply(replace(long, turns=(turn("t0"), *long.turns)))
    assert refused.value.field == field
    assert store.stats() == before


def test_what_a_server_can_just_index_is_kept_by_every_store(store: Store) -> None:
    longest = next(n for n in range(INDEXED, 0, -1) if _takes(store, n))
    assert longest >= INDEXED - 100
    told, text = "t" * longest, "x" * longest
    store.apply(
        delta(
            *(turn(told), turn("t1", session=text), memory(told), memory("m1", subject=text, predicate="")),
            *(entity(told, key="k", handles=()), entity("e1", key=text, handles=(text,))),
            names=(Name(name=text, kind="project", owner="ada"),),
        )
    )
    assert ids(store.turns(view(), session=text)) == ["t1"]
    assert ids(store.slot(view(), text)) == ["m1"]
    assert ids(store.memories(view(), ids=[told])) == [told]
    assert ids(store.entities(view(), handles=[text])) == ids(store.entities(view(), keys=[text])) == ["e1"]
    assert [name.name for name in store.names(view())] == [text]


def _takes(store: Store, length: int) -> bool:
    """Tell whether the store takes a name of ada's that is so long; its tenant's name counts as well."""
    try:
        store.apply(delta(names=(Name(name="x" * length, kind="project", owner="ada"),)))
    except InvalidInput:
        return False
    return True
