"""The floor decides whether there is an answer at all; what stands beside the best need only be worth it."""

from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mnemic import Mnemic
from mnemic.engine.question import Question, understand
from mnemic.engine.rank import Ranked
from mnemic.engine.suppress import keep_back
from mnemic.extraction.embedders import e5
from mnemic.graph.model import Layer
from mnemic.graph.store import Around, Candidate
from tests.engine.told import door, tell

TOLD = (
    "The spare key hangs in the barn.",
    "Lea lives in Oslo.",
    "Ben plays the cello.",
    "Rent is due on the third.",
    "Sam is allergic to nuts.",
    "The ferry leaves at six.",
)
FLOOR = 0.1


@pytest.fixture(scope="module")
def stocked() -> Iterator[tuple[Mnemic, Question, list[Candidate]]]:
    """Things that have nothing to do with each other, and a question. Read only."""
    with door() as memory:
        tell(memory, *TOLD)
        view = memory.core.view(memory.scope)
        rows = memory.core.store.scan(view, Layer.MEMORY)
        question = understand(memory.core, view, "Where is the spare key?")
        yield memory, question, [Candidate(row, frozenset({"words"})) for row in rows]


@given(scores=st.lists(st.floats(0.0, 1.0), min_size=len(TOLD), max_size=len(TOLD)))
def test_the_best_must_reach_the_floor_and_the_rest_a_share_of_the_best(
    stocked: tuple[Mnemic, Question, list[Candidate]], scores: list[float]
) -> None:
    memory, question, candidates = stocked
    ranked = [Ranked(c, {}, score) for c, score in zip(candidates, scores, strict=True)]
    view = memory.core.view(memory.scope)
    kept = keep_back(memory.core, view, question, ranked, Around(), FLOOR, limit=9)
    best = max(scores)
    shown = [score for score in scores if score >= 0.2 * best] if best >= FLOOR else []
    assert [item.score for item in kept.items] == sorted(shown, reverse=True)


def test_where_nothing_shares_a_word_with_the_question_that_is_a_feature() -> None:
    with door(embedder=e5.NAME) as memory:
        tell(memory, "我对花生过敏。", "我周五飞奥斯陆。")
        strange = memory.recall("What food am I allergic to?").items
        shared = memory.recall("我对什么过敏？").items
    assert strange
    assert all(item.why.channels["strange"] for item in strange)
    assert shared
    assert not any("strange" in item.why.channels for item in shared)
