from pathlib import Path

import pytest

from mnemic import EmbedderMismatch, InvalidInput, Mnemic, UnknownName
from mnemic.api.changeover import change_over
from mnemic.extraction.embedders import registry
from mnemic.extraction.embedders.fixed import FixedEmbedder


class Quick(FixedEmbedder):
    """A quick embedder under a name of its own: what is tested is the change itself."""

    name = "quick"


@pytest.fixture
def place(tmp_path: Path) -> Path:
    path = tmp_path / "memory.db"
    for user in ("ada", "tom"):
        with Mnemic(path, user=user, embedder="none") as memory:
            for number in range(20):
                memory.remember(f"Project {user}{number} uses Postgres.", session="work")
    return path


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(registry, "_EMBEDDERS", {Quick.name: Quick})
    registry.embedder.cache_clear()


def test_every_user_gets_vectors_for_turns_and_memories(place: Path) -> None:
    steps = list(change_over(place, embedder=Quick.name))
    with Mnemic(place, user="ada") as memory:
        stats = memory.stats()
    assert steps[-1][0] == steps[-1][1] == stats.turns + stats.memories == stats.vectors
    assert stats.embedder == Quick.name


def test_it_goes_on_where_it_was_stopped(place: Path) -> None:
    steps = change_over(place, embedder=Quick.name)
    first, total = next(steps)
    del steps
    assert 0 < first < total
    again = list(change_over(place, embedder=Quick.name))
    assert again[-1] == (total - first, total - first)


def test_a_second_call_has_nothing_to_do(place: Path) -> None:
    list(change_over(place, embedder=Quick.name))
    assert list(change_over(place, embedder=Quick.name)) == []


def test_an_empty_store_is_adopted(tmp_path: Path) -> None:
    with pytest.raises(InvalidInput, match="no store"):
        list(change_over(tmp_path / "new.db", embedder=Quick.name))
    Mnemic(tmp_path / "new.db", user="ada", embedder="none").close()
    assert list(change_over(tmp_path / "new.db", embedder=Quick.name)) == []


def test_recall_works_afterwards_with_the_new_vectors(place: Path) -> None:
    list(change_over(place, embedder=Quick.name))
    with Mnemic(place, user="ada") as memory:
        item = memory.recall("What does Project ada7 use?").items[0]
    assert "ada7" in item.text
    assert "summary" in item.why.channels


def test_another_embedder_is_refused_until_then(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    list(change_over(place, embedder=Quick.name))
    monkeypatch.setattr(registry, "_EMBEDDERS", {Quick.name: lambda: Quick(32)})
    registry.embedder.cache_clear()
    with pytest.raises(EmbedderMismatch, match="reembed"):
        Mnemic(place, user="ada", embedder=Quick.name)


@pytest.mark.parametrize(("name", "error"), [("none", InvalidInput), ("nonsense", UnknownName)])
def test_what_makes_no_vectors_is_refused(place: Path, name: str, error: type[Exception]) -> None:
    with pytest.raises(error, match="embedder"):
        list(change_over(place, embedder=name))
