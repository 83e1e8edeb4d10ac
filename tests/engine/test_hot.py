"""The conversation that a question stands in: it completes the question, and is kept nowhere."""

import pytest

from mnemic import Mnemic
from tests.engine.told import recalled, tell


@pytest.mark.parametrize(
    ("told", "before", "question"),
    [
        ("The blue box is in the cellar.", ["tell me about the blue box"], "where is it?"),
        ("蓝色的箱子在地下室。", ["说说蓝色的箱子"], "它在哪儿？"),
        (
            "checkout runs on PostgreSQL.",
            ["how is checkout doing?", "Fine, nothing is open."],
            "what does it run on?",
        ),
        ("Ben lives in Bergen.", ["is Ben coming?", "He said yes."], "where does he live?"),
    ],
)
def test_a_question_leans_on_what_was_spoken_of(
    memory: Mnemic, told: str, before: list[str], question: str
) -> None:
    tell(memory, told, "Mia lives in Lund.", "atlas runs on MySQL.")
    found = memory.recall(question, conversation=before)
    assert found.items[0].text == told
    assert found.query == question


def test_a_question_that_names_somebody_or_asks_of_oneself_stands_alone(memory: Mnemic) -> None:
    tell(memory, "Ben lives in Bergen.", "Mia lives in Lund.", "I live in Oslo.")
    for question in ("Where does Mia live?", "Where do I live?"):
        assert recalled(memory, question, conversation=["what about Ben?"]) == recalled(memory, question)


def test_the_conversation_is_kept_nowhere(memory: Mnemic) -> None:
    before = memory.stats()
    memory.recall("where is it?", conversation=["the blue box"])
    assert memory.stats() == before
