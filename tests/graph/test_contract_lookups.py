"""Contract of the look-ups: entities, memories, turns, slot, timeline, replacements."""

from typing import Any

import pytest

from mnemic.graph.model import Kind, State
from mnemic.graph.store import Store
from tests.graph.builders import day, delta, entity, ids, memory, mentions, replaces, turn, view


def test_entities_are_found_by_id_key_or_handle_ordered_by_id(store: Store) -> None:
    store.apply(
        delta(
            entity("e3", key="person:ada", handles=("ada", "lovelace")),
            entity("e1", key="project:x", handles=("x", "")),
            entity("e2", "bob", key="person:ada", handles=("ada",)),
            entity("e4", "team", key="person:ada", handles=("ada",)),
        )
    )
    everyone = view("ada", "bob", "team")
    assert ids(store.entities(everyone, keys=["person:ada"])) == ["e2", "e3", "e4"]
    assert ids(store.entities(view("ada", "team"), handles=["ada"])) == ["e3", "e4"]
    assert ids(store.entities(view(), ids=["e1", "e2"], handles=["lovelace"], keys=["nothing"])) == [
        "e1",
        "e3",
    ]
    assert ids(store.entities(view(), handles=[""])) == ["e1"]
    assert ids(store.entities(view(), ids=["nobody"])) == []
    assert ids(store.entities(everyone)) == ["e1", "e2", "e3", "e4"]
    assert store.entities(view("nobody")) == []


def test_memories_are_found_by_id_or_source_ordered_by_time_then_id(store: Store) -> None:
    store.apply(
        delta(
            *(turn("t1"), turn("t2", 1)),
            memory("m3", 1, sources=("t1",)),
            memory("m2", 3, sources=("t1", "t2")),
            memory("m1", 3),
            memory("m4", 2, "bob", sources=("t1",)),
        )
    )
    assert ids(store.memories(view(), ids=["m1", "m2", "m3", "m4"])) == ["m3", "m1", "m2"]
    assert ids(store.memories(view(), turns=["t1"])) == ["m3", "m2"]
    assert ids(store.memories(view(), ids=["m1"], turns=["t2"])) == ["m1", "m2"]
    assert store.memories(view()) == []


def test_memories_can_leave_out_what_is_hidden(store: Store) -> None:
    store.apply(delta(memory("m1"), memory("m2", state=State.MERGED), memory("m3", 2000)))
    everything = ["m1", "m2", "m3"]
    assert ids(store.memories(view(), ids=everything)) == everything
    assert ids(store.memories(view(), ids=everything, hidden=False)) == ["m1"]


def test_turns_come_in_session_order(store: Store) -> None:
    order = [3, 0, 2, 1]
    store.apply(
        delta(
            *(turn(f"t{number}", number, at=day(9 - number)) for number in order),
            turn("other", 0, session="elsewhere"),
            turn("theirs", 0, "bob"),
        )
    )
    assert ids(store.turns(view(), session="standup")) == ["t0", "t1", "t2", "t3"]
    assert ids(store.turns(view(), session="standup", last=2)) == ["t2", "t3"]
    assert ids(store.turns(view(), session="standup", last=0)) == []
    assert ids(store.turns(view(), session="standup", last=99)) == ["t0", "t1", "t2", "t3"]
    assert ids(store.turns(view(), ids=["t3", "theirs", "t1"])) == ["t1", "t3"]
    assert store.turns(view(), session="nowhere") == store.turns(view()) == []


def test_a_turn_is_found_by_id_whatever_the_moment_of_the_view(store: Store) -> None:
    store.apply(delta(turn("t1", 5)))
    assert ids(store.turns(view(valid=1, known=1), ids=["t1"])) == ["t1"]


def test_a_slot_holds_every_statement_about_it_in_order(store: Store) -> None:
    uses = {"subject": "e1", "predicate": "uses_database"}
    store.apply(
        delta(
            memory("m3", 2, recorded_at=day(5), **uses),
            memory("m1", 2, recorded_at=day(3), **uses),
            memory("m2", 1, state=State.SUPERSEDED, valid_to=day(2), **uses),
            memory("m4", 4, subject="e1", predicate="owner"),
            memory("m5", 4, subject="e2", predicate="uses_database"),
            memory("m6", 4, "bob", **uses),
            memory("m7", 4),
        )
    )
    assert ids(store.slot(view(), "e1", "uses_database")) == ["m2", "m1", "m3"]
    assert ids(store.slot(view(), "e1")) == ["m2", "m1", "m3", "m4"]
    assert store.slot(view(), "") == store.slot(view(), "nobody") == []


@pytest.mark.parametrize(
    ("asked", "expected"),
    [
        ({}, ["m4", "m3", "m2", "m1"]),
        ({"limit": 2}, ["m4", "m3"]),
        ({"since": day(2), "until": day(3)}, ["m2"]),
        ({"until": day(3)}, ["m2", "m1"]),
        ({"kinds": frozenset({"task", "event"})}, ["m3"]),
        ({"entities": ["e1", "e2"]}, ["m4", "m2", "m1"]),
        ({"entities": ["e1"], "since": day(2), "limit": 1}, ["m2"]),
        ({"entities": ["nobody"]}, []),
        ({"hidden": True}, ["later", "m4", "m3", "m2", "m1", "gone"]),
        ({"entities": ["e2"], "hidden": True}, ["later", "m4", "gone"]),
    ],
)
def test_a_timeline_is_newest_first(store: Store, asked: dict[str, Any], expected: list[str]) -> None:
    store.apply(
        delta(
            *(entity("e1"), entity("e2")),
            memory("m1", 1, mentions=mentions("e1")),
            memory("m2", 2, mentions=mentions("e1")),
            memory("m3", 3, kind=Kind.TASK),
            memory("m4", 4, mentions=mentions("e2", "e2")),
            memory("later", 2000, mentions=mentions("e2")),
            memory("gone", 0, state=State.ARCHIVED, mentions=mentions("e2")),
            memory("theirs", 4, "bob", mentions=mentions("e1")),
        )
    )
    assert ids(store.timeline(view(), **asked)) == expected


def test_a_timeline_orders_equal_times_by_id(store: Store) -> None:
    store.apply(delta(memory("b", 1), memory("c", 1), memory("a", 1)))
    assert ids(store.timeline(view(), limit=2)) == ["a", "b"]


def test_replacements_touch_on_either_end_oldest_first(store: Store) -> None:
    later, earlier = replaces("m2", "m1", 5), replaces("m3", "m2", 2)
    store.apply(delta(memory("m1"), memory("m2"), memory("m3"), later, earlier))

    assert store.replacements(view(), ["m2"]) == [earlier, later]
    assert store.replacements(view(), ["m1"]) == [later]
    assert store.replacements(view(), ["m3", "nobody"]) == [earlier]
    assert store.replacements(view(), []) == []


def test_a_replacement_shows_only_to_who_may_read_both_ends(store: Store) -> None:
    store.apply(delta(memory("ours", owner="team"), memory("mine"), replaces("mine", "ours")))

    assert store.replacements(view("team"), ["ours"]) == []
    assert store.replacements(view("ada"), ["mine"]) == []
    assert len(store.replacements(view("ada", "team"), ["ours"])) == 1
