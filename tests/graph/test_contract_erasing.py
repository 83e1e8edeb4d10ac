"""Contract of erase: what is erased is gone from every door."""

from dataclasses import replace

import pytest

from mnemic.graph.model import GraphDelta, Layer, Memory, Name
from mnemic.graph.store import Probe, Store
from tests.graph.builders import (
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
def filled(store: Store) -> Store:
    """Two memories of one turn about two entities, one replacing the other; and rows of bob."""
    store.apply(
        delta(
            *(entity("e1"), entity("e2"), turn("t1", terms=("moved",)), turn("t2", 1)),
            memory(
                "m1",
                terms=("mysql", "database"),
                mentions=mentions("e1", "e2"),
                episodes=(uses("e1", "e2"),),
                sources=("t1", "t2"),
            ),
            memory("m2", 1, terms=("postgres", "database"), mentions=mentions("e1"), sources=("t1",)),
            replaces("m2", "m1"),
            *(embedded("m1", vector(1), vector(1, 1)), embedded("m2", vector(0, 1))),
            embedded("t1", vector(1), layer=Layer.TURN),
            *(entity("f1", "bob"), memory("n1", owner="bob", terms=("database",), mentions=mentions("f1"))),
            embedded("n1", vector(0, 0, 1)),
        )
    )
    return store


def one(store: Store, id: str) -> Memory:
    (found,) = store.memories(view(), ids=[id])
    return found


def test_an_erased_memory_is_gone_from_every_door(filled: Store) -> None:
    everywhere = Probe(
        terms=("database",), vector=vector(1), entities=("e1",), salient=True, since=view().valid.min
    )
    everywhere = Probe(terms=("database",), vector=vector(1), entities=("e1",), salient=True, hidden=10)
    assert len(filled.gather(view(), everywhere).candidates) == 2

    assert filled.erase(memories=["m1"]) == 1

    found = filled.gather(view(), everywhere)
    assert [each.row.id for each in found.candidates] == ["m2"]
    assert (found.corpus.size, found.corpus.length, found.corpus.frequency) == (1, 2, {"database": 1})
    assert ids(filled.memories(view(), ids=["m1", "m2"], turns=["t1", "t2"])) == ["m2"]
    assert ids(filled.timeline(view(), hidden=True)) == ["m2"]
    assert filled.replacements(view(), ["m1", "m2"]) == []
    assert filled.vectors(Layer.MEMORY, ["m1"]) == []
    assert filled.expand(view(), ["e1"], hops=1).degree == {"e1": 1}
    assert [row.id for row in filled.scan(view(), Layer.MEMORY)] == ["m2"]


def test_an_erased_turn_is_gone_and_no_memory_names_it_as_its_source(filled: Store) -> None:
    assert filled.erase(turns=["t1"]) == 1

    assert ids(filled.turns(view(), session="standup")) == ["t2"]
    assert (one(filled, "m1").sources, one(filled, "m2").sources) == (("t2",), ())
    assert nominated(filled.gather(view(), Probe(layer=Layer.TURN, terms=("moved",))), "words") == set()
    assert filled.gather(view(), Probe(layer=Layer.TURN)).corpus.centre is None


def test_an_erased_entity_is_gone_and_no_memory_mentions_it(filled: Store) -> None:
    before = one(filled, "m1")
    assert filled.erase(entities=["e2"]) == 1

    after = one(filled, "m1")
    assert ids(filled.entities(view())) == ["e1"]
    assert filled.entities(view(), handles=["e2"]) == []
    assert (after.mentions, after.episodes) == (mentions("e1"), ())
    assert (after.text, after.terms, after.sources) == (before.text, before.terms, before.sources)
    assert set(filled.expand(view(), ["e1"], hops=2).entities) == {"e1"}


def test_erasing_an_owner_removes_all_that_they_own_and_nothing_else(filled: Store) -> None:
    everything = view("ada", "bob", "team")
    assert filled.erase(owners=["ada"]) == 6

    assert ids(filled.entities(everything)) == ["f1"]
    assert [row.id for row in filled.scan(everything, Layer.MEMORY)] == ["n1"]
    assert list(filled.scan(everything, Layer.TURN)) == []
    found = filled.gather(everything, Probe(terms=("database",), vector=vector(1)))
    assert [each.row.id for each in found.candidates] == ["n1"]
    assert (found.corpus.size, found.corpus.frequency) == (1, {"database": 1})


def test_an_erased_owner_can_begin_anew(filled: Store) -> None:
    filled.erase(owners=["ada"])
    filled.apply(delta(memory("m9", terms=("database",)), embedded("m9", vector(1))))

    found = filled.gather(view(), Probe(terms=("database", "mysql"), vector=vector(1)))
    assert [each.row.id for each in found.candidates] == ["m9"]
    assert (found.corpus.size, found.corpus.length, found.corpus.frequency) == (
        1,
        1,
        {"database": 1, "mysql": 0},
    )


def test_other_owners_lose_their_edges_to_what_is_erased(store: Store) -> None:
    store.apply(
        delta(
            *(entity("shared", "team"), turn("said", owner="team"), memory("base", owner="team")),
            memory("mine", mentions=mentions("shared"), sources=("said",)),
            replaces("mine", "base"),
        )
    )
    store.erase(owners=["team"])

    kept = one(store, "mine")
    assert (kept.mentions, kept.sources) == ((), ())
    assert store.replacements(view("ada", "team"), ["mine"]) == []


def test_what_is_not_there_is_a_no_op(filled: Store) -> None:
    before = filled.changes()
    assert filled.erase(owners=["nobody"], memories=["x"], turns=["x"], entities=["x"]) == 0
    assert filled.erase() == 0
    assert filled.changes() == before


def test_an_id_named_twice_counts_once(filled: Store) -> None:
    assert filled.erase(owners=["bob"], memories=["n1", "n1"], entities=["f1"]) == 2


def test_the_change_log_keeps_the_ids(filled: Store) -> None:
    last = filled.changes()[-1].sequence
    filled.erase(memories=["m1"], turns=["t1"], entities=["e2"])

    erased = [(each.kind, each.id) for each in filled.changes(last) if each.kind == "erased"]
    assert sorted(erased) == [("erased", "e2"), ("erased", "m1"), ("erased", "t1")]


def test_the_change_log_forgets_who_was_erased(filled: Store) -> None:
    filled.apply(delta(names=(Name(name="Zeus", kind="person", owner="bob"),)))

    def erase_all(inner: Store) -> None:
        inner.apply(delta(memory("n2", owner="bob")))
        inner.erase(owners=["bob"])

    filled.transact("bob", erase_all)
    assert {each.owner for each in filled.changes()} == {"ada", ""}
    assert {each.id for each in filled.changes() if each.owner == ""} == {""}


def test_the_mean_of_the_vectors_is_exact_after_erasing(filled: Store) -> None:
    filled.erase(memories=["m1"])
    centre = filled.gather(view(), Probe()).corpus.centre
    (left,) = filled.vectors(Layer.MEMORY, ["m2"])
    assert centre is not None
    assert centre.tolist() == left.detail.tolist()


def test_what_a_transaction_wrote_over_and_erased_is_not_there_for_it(store: Store) -> None:
    def rows(text: str) -> GraphDelta:
        return delta(turn("t1", text=text), entity("e1", name=text), memory("m1", text=text))

    def work(inner: Store) -> None:
        inner.apply(rows("new"))
        assert inner.erase(memories=["m1"], turns=["t1"], entities=["e1"]) == 3
        probe = Probe(since=day(-1), salient=True)
        assert inner.gather(view(), probe).candidates == ()
        assert inner.gather(view(), replace(probe, layer=Layer.TURN)).candidates == ()
        assert inner.timeline(view()) == []
        assert inner.entities(view()) == []
        assert inner.turns(view(), session="standup") == []
        assert [list(inner.scan(view(), layer)) for layer in Layer] == [[], []]

    store.apply(rows("old"))
    store.transact("ada", work)
    assert store.timeline(view()) == []
    assert store.entities(view()) == []
