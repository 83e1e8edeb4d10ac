"""Rows and postings that are kept in memory: never anything but what the file says."""

from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mnemic.graph.embedded import EmbeddedStore, decoded, postings, read
from mnemic.graph.embedded.picture import Picture
from mnemic.graph.model import Layer, State
from mnemic.graph.store import Probe, Store
from tests.graph.builders import delta, entity, memory, nominated, turn, view

WORDS = ("red", "blue", "old")


@pytest.fixture
def store(tmp_path: Path) -> EmbeddedStore:
    return EmbeddedStore.open(tmp_path / "acme.db", tenant="acme")


def seen(store: Store) -> tuple[object, ...]:
    """Return all that a reader can learn of memories, entities and words."""
    found = store.gather(view("ada", "bob"), Probe(terms=WORDS, limit=50, hidden=50))
    return (
        store.memories(view("ada", "bob"), ids=[f"m{number}" for number in range(6)]),
        store.entities(view("ada", "bob")),
        found.corpus,
        sorted((candidate.row.id, candidate.row.terms, candidate.channels) for candidate in found.candidates),
    )


class Undone(Exception):
    """Takes a transaction back."""


def change(store: Store, step: tuple[str, int, tuple[str, ...]]) -> None:
    kind, number, words = step
    owner = ("ada", "bob")[number % 2]
    if kind == "erase":
        store.erase(memories=[f"m{number}"])
    elif kind == "end":
        store.apply(delta(memory(f"m{number}", owner=owner, terms=words, state=State.ARCHIVED)))
    else:
        named = entity(f"e{number}", owner=owner, aliases=words)
        store.apply(delta(named, memory(f"m{number}", owner=owner, terms=words)))


def transact(store: Store, steps: Sequence[Any], *, keep: bool) -> None:
    def work(inner: Store) -> None:
        for step in steps:
            change(inner, step)
            seen(inner)
        if not keep:
            raise Undone

    if keep:
        store.transact("ada", work)
    else:
        with pytest.raises(Undone):
            store.transact("ada", work)


STEPS = st.lists(
    st.tuples(
        st.sampled_from(("put", "end", "erase")),
        st.integers(0, 5),
        st.lists(st.sampled_from(WORDS), max_size=3).map(tuple),
    ),
    min_size=1,
    max_size=4,
)


@settings(max_examples=25, deadline=None)
@given(st.lists(st.tuples(STEPS, st.sampled_from(("mine", "undone", "another's"))), max_size=5))
def test_a_store_that_was_open_all_along_says_what_one_just_opened_says(rounds: Sequence[Any]) -> None:
    with TemporaryDirectory() as folder:
        place = Path(folder, "acme.db")
        with (
            EmbeddedStore.open(place, tenant="acme") as old,
            EmbeddedStore.open(place, tenant="acme") as other,
        ):
            for steps, whose in rounds:
                seen(old)
                transact(other if whose == "another's" else old, steps, keep=whose != "undone")
                with EmbeddedStore.open(place, tenant="acme") as fresh:
                    assert seen(old) == seen(fresh)


def test_a_reader_of_an_old_picture_gets_the_old_rows(store: EmbeddedStore) -> None:
    with store:
        store.apply(delta(memory("m1", text="before")))
        with store._connections.reading() as db:
            picture = Picture(db, store._mirrors)
            assert read.memories(picture, view(), ["m1"], [], hidden=True)[0].text == "before"
            store.apply(delta(memory("m1", text="after")))
            assert store.memories(view(), ids=["m1"])[0].text == "after"
            assert read.memories(picture, view(), ["m1"], [], hidden=True)[0].text == "before"
        assert store.memories(view(), ids=["m1"])[0].text == "after"


def test_rows_of_others_are_not_handed_out_because_they_are_kept(store: EmbeddedStore) -> None:
    with store:
        store.apply(delta(turn("t1"), memory("m1", sources=("t1",)), entity("e1")))
        assert store.memories(view("ada"), ids=["m1"])
        assert store.memories(view("bob"), ids=["m1"]) == []
        assert store.entities(view("ada"), ids=["e1"])
        assert store.entities(view("bob"), ids=["e1"]) == []
        assert store.turns(view("ada"), ids=["t1"])
        assert store.turns(view("bob"), ids=["t1"]) == []


def test_erased_texts_are_forgotten_at_once(store: EmbeddedStore) -> None:
    with store:
        store.apply(delta(memory("m1", text="quillfish")))
        assert store.memories(view(), ids=["m1"])
        store.erase(memories=["m1"])
        assert not store._mirrors.decoded["memory"]._rows


def test_only_so_many_rows_are_kept(store: EmbeddedStore, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(decoded, "KEPT", 10)
    with store:
        store.apply(delta(*(memory(f"m{number}", number) for number in range(30))))
        assert len(store.timeline(view())) == 30
        assert len(store._mirrors.decoded["memory"]._rows) == 10
        assert len(store.timeline(view())) == 30


def test_only_so_many_postings_are_kept(store: EmbeddedStore, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(postings, "KEPT", 40)
    with store:
        store.apply(delta(*(memory(f"m{number}", terms=WORDS) for number in range(30))))
        for _ in range(2):
            found = store.gather(view(), Probe(terms=WORDS, limit=40))
            assert found.corpus.frequency == dict.fromkeys(WORDS, 30)
            assert len(nominated(found, "words")) == 30
        shelf = store._mirrors._shared[Layer.MEMORY].shelf
        assert len(shelf.postings._slots) < len(WORDS)
