"""Questions leave a slot open; what is said next may fill it."""

import pytest
from hypothesis import given

from mnemic.extraction.analyse import shipped_grammar
from mnemic.extraction.answers import GUESS, answer, questions
from mnemic.extraction.model import Mention, Modality, Source, Statement
from mnemic.extraction.outline import Outline
from mnemic.extraction.resolve import Focus
from tests.extraction.reading import ADA, brief, messages, passage, patient, person, statements, thing


def asked(text: str) -> list[tuple[str, str, str]]:
    """Return what a sentence asks as (subject, predicate, value)."""
    focus = Focus(speaker=ADA, addressee=person("Tomas"))
    found = questions(Outline(passage(text), shipped_grammar()), focus, ())
    return [(each.subject.name, each.predicate, each.value) for each in found]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("who owns Atlas?", ("Atlas", "owner", "")),
        ("支付系统现在谁负责？", ("支付系统", "owner", "")),
        ("when is the Atlas deadline?", ("Atlas", "deadline", "")),
        ("where do you live?", ("Tomas", "lives_in", "")),
        ("how much does Atlas cost?", ("Atlas", "price", "")),
    ],
)
def test_what_a_question_asks(text: str, expected: tuple[str, str, str]) -> None:
    assert expected in asked(text)


def test_the_reading_with_most_of_its_words_comes_first() -> None:
    assert asked("when is the Atlas deadline?")[0] == ("Atlas", "deadline", "")
    assert asked("how much does Atlas cost?")[0] == ("Atlas", "price", "")


@pytest.mark.parametrize("text", ["Atlas is fine", "nice day, isn't it?", ""])
def test_what_asks_for_no_slot(text: str) -> None:
    assert asked(text) == []


@pytest.mark.parametrize(
    ("question", "reply", "expected"),
    [
        ("who owns Atlas?", "Priya, since May", ("Atlas", "owner", "Priya", "asserted")),
        ("who owns Atlas?", "me", ("Atlas", "owner", "Ada", "asserted")),
        ("支付系统现在谁负责？", "林悦", ("支付系统", "owner", "林悦", "asserted")),
        ("does Atlas run on Kubernetes?", "yes", ("Atlas", "runs_on", "Kubernetes", "asserted")),
        ("does Atlas run on Kubernetes?", "no, it doesn’t", ("Atlas", "runs_on", "Kubernetes", "negated")),
        ("does Atlas run on Kubernetes?", "not any more", ("Atlas", "runs_on", "Kubernetes", "ended")),
        ("how much does Atlas cost?", "$40", ("Atlas", "price", "$40", "asserted")),
        ("where do you live?", "in Berlin", ("Ada", "lives_in", "Berlin", "asserted")),
    ],
)
def test_an_answer_fills_the_slot(question: str, reply: str, expected: tuple[str, str, str, str]) -> None:
    assert brief(reply, ("Tomas", question)) == [expected]


@pytest.mark.parametrize(
    "reply", ["no idea", "I don’t know", "ask Priya", "不知道", "who else?", "let me check", "lovely weather"]
)
def test_what_is_no_answer_states_nothing(reply: str) -> None:
    assert brief(reply, ("Tomas", "who owns Atlas?")) == []


def test_one_does_not_answer_oneself() -> None:
    assert brief("Priya", ("Ada", "who owns Atlas?")) == []


@pytest.mark.parametrize("reply", [",", "…", "!", "\ud800"])
def test_signs_answer_nothing(reply: str) -> None:
    assert brief(reply, ("Tomas", "does Atlas run on Kubernetes?")) == []


def test_an_answer_stands_near_its_question() -> None:
    assert brief("Hm. Well. Hm. Priya", ("Tomas", "who owns Atlas?")) == []
    assert brief("Hm. Priya", ("Tomas", "who owns Atlas?")) == [("Atlas", "owner", "Priya", "asserted")]
    assert brief("Priya", ("Tomas", "who owns Atlas?"), ("Ada", "hm")) == []


def test_an_answer_that_says_where_it_came_from_names_the_old_value() -> None:
    (found,) = statements("$50 from $40", ("Tomas", "how much does Atlas cost?"))
    assert (found.value, found.replaces) == ("$50", "$40")


def test_another_value_corrects_what_was_just_told() -> None:
    (found,) = statements("could we make it the 15th?", ("Ada", "the Atlas deadline is March 12"))
    assert (found.predicate, found.value, found.replaces) == ("deadline", "the 15th", "March 12")
    assert found.modality is Modality.PROPOSED


def test_a_guessed_question_is_answered_only_by_what_is_known_by_its_kind() -> None:
    grammar = shipped_grammar()
    guess = Statement(subject=thing("Atlas"), predicate="owner", value="", pattern=GUESS)
    filled = answer(guess, passage("Priya"), Modality.ASSERTED, grammar)
    assert filled is not None
    assert filled.value == "Priya"
    assert answer(guess, passage("the blue one"), Modality.ASSERTED, grammar) is None


ANYBODY = Mention(start=0, end=0, text="", name="", kind="person", source=Source.PHRASE)
OPEN = (
    Statement(subject=thing("Atlas"), predicate="owner", value=""),
    Statement(subject=thing("Atlas"), predicate="located_at", value=""),
    Statement(subject=thing("Atlas"), predicate="runs_on", value="Linux"),
    Statement(subject=ANYBODY, predicate="works_on", value="Atlas"),
)


@patient
@given(messages)
def test_any_text_answers_or_does_not(text: str) -> None:
    seen = passage(text)
    questions(Outline(seen, shipped_grammar()), seen.focus, ())
    for slot in OPEN:
        filled = answer(slot, seen, Modality.ASSERTED, shipped_grammar())
        if filled is not None:
            assert filled.value
            assert filled.subject.name
            assert (filled.start, filled.end) == seen.span
            assert filled.predicate == slot.predicate
