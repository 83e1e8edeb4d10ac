"""What is not sure stays out of answers by every way, also through the words in which it was told."""

import pytest

from mnemic import Mnemic
from mnemic.extraction.analyse import Analyser
from tests.engine.told import recalled, tell

HEARSAY = [
    ("I heard that Tom lives in Lisbon.", "Where does Tom live?"),
    ("听说李雷住在西安。", "李雷住在哪里？"),
    ("Maybe Lea works at Initech.", "Where does Lea work?"),
]


@pytest.mark.parametrize(("told", "asked"), HEARSAY)
def test_hearsay_does_not_answer_through_its_turn(memory: Mnemic, told: str, asked: str) -> None:
    tell(memory, told)
    found = memory.recall(asked)
    assert (found.items, found.text) == ((), "")
    assert {kept_back.reason for kept_back in found.suppressed} == {"quarantined"}


@pytest.mark.parametrize(("told", "asked"), HEARSAY)
def test_deep_returns_hearsay_marked(memory: Mnemic, told: str, asked: str) -> None:
    tell(memory, told)
    found = memory.recall(asked, depth="deep")
    assert [(item.text, item.mark) for item in found.items] == [(told, "quarantined")]
    assert "quarantined]" in found.text


@pytest.mark.parametrize(("told", "asked"), HEARSAY)
def test_no_answer_reads_a_stored_text_again(
    memory: Mnemic, monkeypatch: pytest.MonkeyPatch, told: str, asked: str
) -> None:
    tell(memory, told)
    monkeypatch.delattr(Analyser, "analyse")
    assert memory.recall(asked).items == ()


def test_a_turn_that_also_says_something_sure_answers_unmarked(memory: Mnemic) -> None:
    tell(memory, "Ben lives in Berlin. I heard that Lea moved to Oslo.")
    (item,) = memory.recall("Where does Ben live?", depth="deep").items
    assert item.mark == ""


def test_what_was_taken_back_does_not_answer_through_its_turn(memory: Mnemic) -> None:
    tell(memory, "Ben lives in Berlin.", "Sorry, that was wrong: Ben lives in Bern.")
    assert not any("Berlin" in text for text in recalled(memory, "Where does Ben live?", depth="deep"))


@pytest.mark.parametrize("told", ["Ben is planning to take up the cello.", "李雷打算学大提琴。"])
def test_a_plan_that_fits_no_predicate_is_a_plan_and_no_fact(memory: Mnemic, told: str) -> None:
    tell(memory, told)
    found = memory.about("Ben" if told.isascii() else "李雷")
    assert [fact.value for fact in found.plans] == [told]
    assert found.facts == ()


@pytest.mark.parametrize(
    ("told", "joke", "name"),
    [
        ("Ben lives in Bergen.", "Just kidding", "Ben"),
        ("Ben lives in Bergen.", "I was only joking!", "Ben"),
        ("李雷住在苏州。", "开玩笑的", "李雷"),
        ("李雷住在苏州。", "逗你的", "李雷"),
    ],
)
def test_a_joke_told_in_the_next_message_takes_back_what_was_said(
    memory: Mnemic, told: str, joke: str, name: str
) -> None:
    _, receipt = tell(memory, told, joke)
    assert [each.older_text for each in receipt.replaced] == [told]
    assert memory.about(name).facts == ()
    assert not any(told in text for text in recalled(memory, told))


@pytest.mark.parametrize(
    ("before", "told", "joke", "name", "value"),
    [
        ("Ben lives in Oslo.", "Ben lives in Bergen now.", "Just kidding", "Ben", "Oslo"),
        ("李雷住在南京。", "李雷搬到苏州了。", "开玩笑的", "李雷", "南京"),
        ("Ben lives in Oslo.", "Sorry, Ben lives in Bergen.", "I was only joking!", "Ben", "Oslo"),
    ],
)
def test_what_a_joke_had_replaced_is_in_force_again(
    memory: Mnemic, before: str, told: str, joke: str, name: str, value: str
) -> None:
    tell(memory, before, told, joke)
    assert memory.about(name).profile == {"lives_in": (value,)}
    (back, taken) = memory.history(name, predicate="lives_in").chains[0].versions
    assert (back.valid_to, back.retired_at, back.replaced_by) == (None, None, "")
    assert taken.retired_at is not None


@pytest.mark.parametrize("reply", ["Not kidding", "Kidding me?", "没开玩笑", "Ben is always joking about it"])
def test_earnest_takes_nothing_back(memory: Mnemic, reply: str) -> None:
    _, receipt = tell(memory, "Ben lives in Bergen.", reply)
    assert receipt.replaced == ()


@pytest.mark.parametrize(
    ("text", "asked"),
    [
        ("Haha I'm the king of France now.", "Who is the king of France?"),
        ("哈哈我现在是火星市长", "火星市长是谁？"),
    ],
)
def test_what_is_laughed_at_is_given_back_with_a_mark_only(memory: Mnemic, text: str, asked: str) -> None:
    memory.remember(text)
    assert memory.recall(asked).items == ()
    assert all(item.mark for item in memory.recall(asked, depth="deep").items)
