"""Recall with vectors keeps what recall without them keeps."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from mnemic import EmbedderMismatch, FixedEmbedder, Mnemic
from tests.engine.told import as_user, door, recalled, rows, stored_id, tell, values

QUESTION = "Where does Ben live?"


@pytest.fixture
def near() -> Iterator[Mnemic]:
    """A memory whose embedder finds texts with equal words near."""
    with door(embedder=FixedEmbedder()) as memory:
        yield memory


def test_every_row_has_its_vectors(near: Mnemic) -> None:
    tell(near, "Ben lives in Berlin.", "Thanks!", "Lea lives in Oslo. Sam owns checkout.")
    stats = near.stats()
    assert (stats.embedder, stats.dimension) == ("fixed", 64)
    assert stats.vectors == stats.memories + stats.turns


def test_an_item_shows_how_near_it_was(near: Mnemic) -> None:
    tell(near, "Ben lives in Berlin.", "Lea lives in Oslo.", "Checkout uses Postgres.")
    item = near.recall(QUESTION).items[0]
    assert item.text == "Ben lives in Berlin."
    assert item.why.channels["summary"] > 0
    assert item.why.channels["detail"] > 0


@pytest.mark.parametrize("depth", ["warm", "deep", "auto"])
def test_a_replaced_value_does_not_come_back_by_likeness(near: Mnemic, depth: str) -> None:
    tell(near, "Ben lives in Berlin.", "Ben lives in Paris.")
    for query in ("Ben lives in Berlin.", QUESTION):
        assert "Ben lives in Berlin." not in recalled(near, query, depth=depth)
    assert recalled(near, QUESTION) == ["Ben lives in Paris."]


@pytest.mark.parametrize("depth", ["warm", "deep", "auto"])
def test_a_private_memory_is_near_to_its_owner_alone(near: Mnemic, depth: str) -> None:
    tell(near, "Ben lives in Berlin.")
    bob = as_user(near, "bob")
    found = bob.recall("Ben lives in Berlin.", depth=depth)
    assert (found.items, found.suppressed) == ((), ())
    assert found.nothing is not None
    assert found.nothing.nearest == ""


@pytest.mark.parametrize("depth", ["warm", "deep", "auto"])
def test_a_forgotten_memory_is_near_to_nothing(near: Mnemic, depth: str) -> None:
    (told,) = tell(near, "Ben lives in Berlin.")
    near.forget(stored_id(told))
    assert near.stats().vectors == 0
    assert recalled(near, "Ben lives in Berlin.", depth=depth) == []


def test_vectors_change_nothing_of_what_is_remembered(near: Mnemic) -> None:
    told = [
        "Ben lives in Berlin.",
        "Ben lives in Paris.",
        "Checkout uses Postgres.",
        "结算服务换成了 MySQL。",
    ]
    with door() as plain:
        tell(near, *told)
        tell(plain, *told)
        assert rows(near, "turn", "entity", "name") == rows(plain, "turn", "entity", "name")
        assert values(near, "Ben", "lives_in") == values(plain, "Ben", "lives_in") == ["Paris"]
        assert values(near, "checkout", "uses") == values(plain, "checkout", "uses") == ["MySQL"]


def test_a_store_refuses_the_vectors_of_another_embedder(tmp_path: Path) -> None:
    with door(tmp_path / "memory.db", embedder=FixedEmbedder()) as memory:
        memory.remember("Ben lives in Berlin.")
    with pytest.raises(EmbedderMismatch, match=r"64.*32"):
        door(tmp_path / "memory.db", embedder=FixedEmbedder(32))
    with door(tmp_path / "memory.db", embedder=FixedEmbedder()) as memory:
        assert recalled(memory, QUESTION) == ["Ben lives in Berlin."]
