"""Pairs of memories as the scorer sees them: what is alike ranks alike, in whatever order its words stand."""

from datetime import UTC, datetime

import pytest

from mnemic.engine.overrule import compare
from mnemic.engine.sides import Rarity, Side
from mnemic.graph.model import Kind, Memory

AT = datetime(2026, 3, 4, 10, tzinfo=UTC)
WORDS = ("spare", "key", "garden", "钥匙", "花园", "shed", "under", "pot", "red", "old")


def side(id: str, *terms: str, **fields: str) -> Side:
    memory = Memory(
        id=id,
        owner="ada",
        kind=Kind.FACT,
        text=" ".join(terms),
        summary="",
        at=AT,
        recorded_at=AT,
        valid_from=AT,
        terms=terms,
        **fields,  # type: ignore[arg-type]
    )
    return Side(memory, {})


@pytest.mark.parametrize("shift", range(len(WORDS)))
def test_equal_words_in_another_order_rank_equally(shift: int) -> None:
    rarity = Rarity(1234, {word: 3 * number + 1 for number, word in enumerate(WORDS)})
    turned = (*WORDS[shift:], *WORDS[:shift])
    pairs = compare(
        side("new", *WORDS, "gone"), [side("a", *WORDS), side("b", *turned), side("c", "red")], rarity
    )
    one, other, third = (pairs.row(number) for number in range(3))
    assert one == other
    assert one["rank by dice"] == 1.0
    assert third["rank by dice"] == pytest.approx(1 / 3, abs=1e-4)
    assert third["behind in dice"] > 0


def test_a_veto_leaves_no_probability() -> None:
    rarity = Rarity(10, {})
    liked = [side("old", "tea", subject="e1", predicate="likes", value="tea")]
    kept = compare(side("new", "milk", subject="e1", predicate="likes", value="milk"), liked, rarity)
    free = compare(side("new", "milk", subject="e1", predicate="lives_in", value="milk"), liked, rarity)
    assert kept.probabilities().tolist() == [0.0]
    assert 0 < free.probabilities()[0] < 1
