"""Contract of a whole recall in one probe: names looked up, the graph walked, what stands around."""

from dataclasses import replace
from itertools import pairwise

import pytest

from mnemic.graph.model import DOUBT, UNDONE, Layer, Name, State
from mnemic.graph.store import CHAIN, Around, Probe, Store
from tests.graph.builders import (
    candidate,
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


@pytest.fixture
def told(store: Store) -> Store:
    """Two keys, where the spare one is, a plan that was overruled, and what is far away."""
    store.apply(
        delta(
            *(entity("key", handles=("key",)), entity("spare", handles=("spare key",))),
            *(
                entity("hall", kind="place"),
                entity("house", kind="place"),
                entity("team", "team", key="thing:key"),
            ),
            turn("t1", terms=("kept",)),
            memory(
                "m1",
                1,
                mentions=mentions("spare", "hall"),
                episodes=(uses("spare", "hall"),),
                sources=("t1",),
            ),
            memory(
                "m2", 2, mentions=mentions("hall", "house"), episodes=(uses("hall", "house"),), tags=("far",)
            ),
            memory("m3", 3, mentions=mentions("key")),
            memory("old", 4, terms=("plan",), state=State.SUPERSEDED, valid_to=day(5), closed_at=day(5)),
            memory("new", 5, mentions=mentions("house"), sources=("t1",)),
            *(replaces("new", "old", 5, features={"names": 1.0}), embedded("m2", vector(1))),
            *(memory("bob", 5, "bob"), replaces("bob", "m1")),
        )
    )
    return store


def test_names_are_looked_up_without_parts_of_vague_ones(told: Store) -> None:
    probe = Probe(handles=("key", "spare key", "unknown"), vague="thing")
    assert ids(told.gather(view(), probe).named) == ["spare"]
    assert ids(told.gather(view(), replace(probe, vague="place")).named) == ["key", "spare"]
    assert nominated(told.gather(view(), probe), "entities") == {"m1"}
    assert told.gather(view("bob"), probe).named == ()


def test_a_walk_brings_what_only_it_reaches(told: Store) -> None:
    probe = Probe(handles=("spare key",), hops=2)
    found = told.gather(view(), probe)
    walked = told.expand(view(), ["spare"], hops=2)
    assert found.subgraph == walked
    assert nominated(found, "graph") == {"m2"}
    assert candidate(found, "m2").summary is not None
    passing = told.gather(view(), replace(probe, tags=frozenset({"near"})))
    assert (ids(each.row for each in passing.candidates), passing.subgraph) == ([], walked)
    assert told.gather(view(), Probe(entities=("spare",))).subgraph.entities == {}


def test_what_stands_around_comes_with_the_candidates(told: Store) -> None:
    found = told.gather(view(), Probe(terms=("plan",), hidden=5, around=True))
    assert ids(each.row for each in found.candidates) == ["old"]
    assert found.around.edges == (replaces("new", "old", 5),)
    assert list(found.around.memories) == ["new"]
    assert list(found.around.entities) == ["house"]
    assert told.gather(view(), Probe(terms=("plan",), hidden=5)).around == Around()


def test_a_chain_of_overruling_comes_to_its_end(told: Store) -> None:
    told.apply(
        delta(
            *(memory(id, 6 + n) for n, id in enumerate(("next", "last", "other", "back", "apart"))),
            *(replaces("next", "new", 6), replaces("last", "next", 7), replaces("old", "last", 8)),
            *(replaces("other", "last", 7, reason=DOUBT), replaces("back", "next", 5, reason=DOUBT)),
            *(replaces("apart", "last", 8, reason=UNDONE), replaces("apart", "next", 8, reason=UNDONE)),
        )
    )
    around = told.gather(view(), Probe(terms=("plan",), hidden=5, around=True)).around
    assert [(edge.newer, edge.older) for edge in around.edges] == [
        *(("new", "old"), ("next", "new"), ("last", "next"), ("old", "last"))
    ]
    assert around.memories.keys() == {"new", "next", "last"}


def test_a_chain_of_overruling_is_followed_so_far_and_no_further(store: Store) -> None:
    names = [f"m{n:02}" for n in range(CHAIN + 3)]
    store.apply(
        delta(
            memory(names[0], terms=("plan",)),
            *(memory(name) for name in names[1:]),
            *(replaces(newer, older, n) for n, (older, newer) in enumerate(pairwise(names))),
        )
    )
    around = store.gather(view(), Probe(terms=("plan",), around=True)).around
    assert sorted(around.memories) == names[1 : CHAIN + 1]


def test_around_turns_stand_the_memories_that_they_told(told: Store) -> None:
    found = told.gather(view(), Probe(layer=Layer.TURN, terms=("kept",), around=True)).around
    assert found.memories.keys() == {"m1", "new"}
    assert found.edges == (replaces("new", "old", 5),)
    assert found.entities.keys() == {"spare", "hall", "house"}


def test_an_answer_tells_whose_names_have_changed(told: Store) -> None:
    before = told.stats().sequence
    told.apply(
        delta(names=(Name(name="Zeus", kind="person", owner="bob"), Name(name="Atlas", kind="project")))
    )
    told.apply(delta(memory("m9")))
    around = told.gather(view(), Probe(around=True, heard=before)).around
    assert (around.renamed, around.sequence) == (frozenset({"bob", ""}), told.stats().sequence)
    assert told.changes()[-1].sequence == around.sequence
    assert told.gather(view(), Probe(around=True, heard=around.sequence)).around.renamed == frozenset()
