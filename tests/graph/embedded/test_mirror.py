"""The shelves in memory: always what the file says, whichever way vectors are kept."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from mnemic.graph.embedded import EmbeddedStore, books, mirror, vectors
from mnemic.graph.embedded.gather import gather
from mnemic.graph.embedded.picture import Picture
from mnemic.graph.model import Embedded, GraphDelta, Layer, Memory, State
from mnemic.graph.store import Probe, Store
from tests.graph.builders import delta, embedded, entity, memory, nominated, vector, view

Open = Callable[[], EmbeddedStore]


@pytest.fixture
def reopen(tmp_path: Path) -> Open:
    """Open one file again and again: each is a reader of its own, as another process would be."""

    def reopened() -> EmbeddedStore:
        store = EmbeddedStore.open(tmp_path / "acme.db", tenant="acme")
        store.adopt("test-embedder", 8)
        return store

    return reopened


def found(store: Store, **rest: Any) -> set[str]:
    """Return what words and vectors nominate; they must agree."""
    gathered = store.gather(view(), Probe(terms=("plan",), vector=vector(1), **rest))
    words = nominated(gathered, "words")
    assert nominated(gathered, "vector") == words
    return words


def row(id: str, at: float = 0, **rest: Any) -> tuple[Memory, Embedded]:
    return memory(id, at, terms=("plan",), **rest), embedded(id, vector(1))


def test_a_reader_sees_what_another_wrote(reopen: Open) -> None:
    with reopen() as reader, reopen() as writer:
        assert found(reader) == set()
        writer.apply(delta(*row("m1"), *row("m2")))
        assert found(reader) == {"m1", "m2"}
        writer.apply(delta(memory("m1", terms=("plan",), state=State.ARCHIVED)))
        assert found(reader) == {"m2"}
        writer.erase(memories=["m2"])
        writer.apply(delta(*row("m3")))
        assert found(reader) == {"m3"}
        writer.apply(delta(memory("m1", terms=("plan",))))
        assert found(reader) == {"m1", "m3"}


def test_a_reader_that_is_too_far_behind_starts_anew(reopen: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(books, "LOG_KEPT", 10)
    with reopen() as reader, reopen() as writer:
        writer.apply(delta(*row("m0")))
        assert found(reader) == {"m0"}
        for number in range(1, 30):
            writer.apply(delta(*row(f"m{number}")))
        writer.erase(memories=["m0"])
        assert len(writer.changes()) == 10
        assert found(reader) == {f"m{number}" for number in range(1, 30)}


def test_a_transaction_of_a_reader_that_is_too_far_behind(
    reopen: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(books, "LOG_KEPT", 10)
    with reopen() as store:
        store.apply(delta(*row("m0")))
        assert found(store) == {"m0"}

        def work(inner: Store) -> None:
            inner.apply(delta(*(each for number in range(1, 20) for each in row(f"m{number}"))))
            inner.erase(memories=["m0"])
            assert found(inner) == {f"m{number}" for number in range(1, 20)}

        store.transact("ada", work)
        assert found(store) == {f"m{number}" for number in range(1, 20)}


def test_a_transaction_may_be_the_first_to_look(reopen: Open) -> None:
    with reopen() as store:
        store.apply(delta(*row("m1")))
    with reopen() as store:

        def work(inner: Store) -> set[str]:
            inner.apply(delta(*row("m2")))
            return found(inner)

        assert store.transact("ada", work) == {"m1", "m2"}
        store.apply(delta(*row("m3")))
        assert found(store) == {"m1", "m2", "m3"}
    with reopen() as store:

        def fails(inner: Store) -> None:
            inner.apply(delta(*row("m4")))
            assert found(inner) == {"m1", "m2", "m3", "m4"}
            raise KeyError

        with pytest.raises(KeyError):
            store.transact("ada", fails)
        assert found(store) == {"m1", "m2", "m3"}
        store.apply(delta(*row("m5")))
        assert found(store) == {"m1", "m2", "m3", "m5"}


def test_a_reader_of_an_old_picture_is_not_told_the_news(reopen: Open) -> None:
    probe = Probe(terms=("plan",), vector=vector(1))
    with reopen() as store:
        store.apply(delta(*row("m1"), memory("m2", terms=("plan",), state=State.ARCHIVED)))
        with store._connections.reading() as db:
            assert found(store) == {"m1"}
            old = db.execute("SELECT count(*) FROM memory").get
            store.apply(delta(*row("m2"), *row("m3")))
            assert found(store) == {"m1", "m2", "m3"}
            late = gather(Picture(db, store._mirrors), view(), probe)
            assert (old, nominated(late, "vector")) == (2, {"m1"})


def test_a_transaction_keeps_apart_only_what_it_wrote_itself(reopen: Open) -> None:
    with reopen() as store, reopen() as other:
        store.apply(delta(*row("first")))
        assert found(store) == {"first"}
        other.apply(delta(*(each for number in range(9) for each in row(f"m{number}"))))

        def work(inner: Store) -> None:
            inner.apply(delta(*row("mine")))
            assert len(found(inner)) == 11
            assert len(store._mirrors._own[Layer.MEMORY].touched) == 1

        store.transact("ada", work)


def test_another_embedder_in_another_process_is_noticed(reopen: Open) -> None:
    with reopen() as reader, reopen() as writer:
        writer.apply(delta(*row("m1")))
        assert found(reader) == {"m1"}
        writer.adopt("wider", 9)
        query = np.eye(9, dtype=np.float32)[0]
        writer.apply(
            GraphDelta(vectors=(Embedded(layer=Layer.MEMORY, id="m1", summary=query, detail=query),))
        )
        assert nominated(reader.gather(view(), Probe(vector=query)), "vector") == {"m1"}


def test_rows_that_were_erased_in_numbers_are_packed_away(
    reopen: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(mirror, "WORTH_PACKING", 10)
    with reopen() as store:
        store.apply(delta(*(each for number in range(40) for each in row(f"m{number:02}"))))
        assert len(found(store)) == 40
        store.erase(memories=[f"m{number:02}" for number in range(30)])
        assert found(store) == {f"m{number:02}" for number in range(30, 40)}
        store.apply(delta(*row("m99"), memory("m30", terms=("plan",), state=State.ARCHIVED)))
        assert found(store) == {f"m{number:02}" for number in range(31, 40)} | {"m99"}


@pytest.fixture
def signs_only(monkeypatch: pytest.MonkeyPatch) -> None:
    """Keep only signs from 50 rows on, and look at few."""
    monkeypatch.setattr(mirror, "EXACT_ROWS", 50)
    monkeypatch.setattr(vectors, "AT_LEAST", 20)


def scattered(count: int) -> list[Memory | Embedded]:
    random = np.random.default_rng(3)
    rows: list[Memory | Embedded] = []
    for number in range(count):
        rows += [
            memory(f"m{number:03}", number, owner=("ada", "bob")[number % 2], session=f"s{number % 3}"),
            embedded(
                f"m{number:03}", vector(9, *random.standard_normal(7)), vector(9, *random.standard_normal(7))
            ),
        ]
    return rows


PROBES = (
    Probe(vector=vector(9, 1, -1), limit=4),
    Probe(vector=vector(9, 0, 0, 2), limit=4, sessions=frozenset({"s1"})),
    Probe(vector=vector(9, -1, 0, 0, 1), limit=3, hidden=2),
)


def test_signs_and_exact_search_nominate_the_same(
    tmp_path: Path, signs_only: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    with EmbeddedStore.open(tmp_path / "signs.db", tenant="acme") as store:
        store.adopt("test-embedder", 8)
        store.apply(delta(*scattered(160)))
        signs = [store.gather(view(valid=120), probe) for probe in PROBES]
    monkeypatch.setattr(mirror, "EXACT_ROWS", 20_000)
    with EmbeddedStore.open(tmp_path / "signs.db", tenant="acme") as store:
        exact = [store.gather(view(valid=120), probe) for probe in PROBES]

    for first, second in zip(signs, exact, strict=True):
        assert nominated(first, "vector") == nominated(second, "vector") != set()


def test_a_layer_that_grows_goes_over_to_signs_and_stays_fresh(reopen: Open, signs_only: None) -> None:
    rows = scattered(160)
    with reopen() as growing:
        for start in range(0, len(rows), 40):
            growing.apply(delta(*rows[start : start + 40]))
            for probe in PROBES:
                growing.gather(view(), probe)
        growing.erase(memories=["m100"])
        growing.apply(delta(memory("m000", state=State.ARCHIVED), embedded("m002", vector(9, 1, -1))))
        with reopen() as fresh:
            for probe in PROBES:
                old, new = growing.gather(view(), probe), fresh.gather(view(), probe)
                assert nominated(old, "vector") == nominated(new, "vector")
        assert "m002" in nominated(growing.gather(view(), PROBES[0]), "vector")


def test_a_transaction_over_signs_sees_its_own_vectors(reopen: Open, signs_only: None) -> None:
    with reopen() as store:
        store.apply(delta(*scattered(160)))
        store.gather(view(), PROBES[0])

        def work(inner: Store) -> set[str]:
            inner.apply(
                delta(memory("new"), embedded("new", vector(9, 1, -1)), memory("m000", state=State.MERGED))
            )
            return nominated(inner.gather(view(), PROBES[0]), "vector")

        inside = store.transact("ada", work)
        assert "new" in inside
        assert nominated(store.gather(view(), PROBES[0]), "vector") == inside


def test_rows_without_vectors_do_not_disturb(reopen: Open) -> None:
    with reopen() as store:
        store.apply(delta(entity("e1"), memory("bare", terms=("plan",)), *row("m1")))
        gathered = store.gather(view(), Probe(terms=("plan",), vector=vector(1)))
        assert nominated(gathered, "words") == {"bare", "m1"}
        assert nominated(gathered, "vector") == {"m1"}
