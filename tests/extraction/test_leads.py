import pytest
from hypothesis import given

from mnemic.extraction.frame import MARKS, Frame
from mnemic.extraction.leads import core, uninverted
from tests.extraction.reading import frame, messages, patient


def shown(made: Frame) -> str:
    names = {mark: f"<{name}>" for name, mark in MARKS.items()}
    return "".join(names.get(letter, letter) for letter in made.text)


@pytest.mark.parametrize(
    ("text", "point"),
    [
        ("ok so Atlas is fine", "<thing> is fine"),
        ("apparently, Atlas is fine", "<thing> is fine"),
        ("by the way – Atlas is fine", "– <thing> is fine"),
        ("I think that Atlas is fine", "<thing> is fine"),
        ("Priya says Atlas is fine", "<thing> is fine"),
        ("can we move Atlas", "move <thing>"),
        ("对了，支付系统挺好", "<thing>挺好"),
        ("听客户说支付系统挺好", "<thing>挺好"),
        ("Atlas is fine", "<thing> is fine"),
        ("okapi food", "okapi food"),
        ("ok", "ok"),
        ("", ""),
    ],
)
def test_what_stands_before_the_point_is_taken_off(text: str, point: str) -> None:
    assert shown(core(frame(text))) == point


def test_a_question_is_read_as_its_statement_shortest_subject_first() -> None:
    turned = [shown(each) for each in uninverted(frame("was the old box moved to York"))]
    assert turned[2] == "the old box was moved to <place>"
    assert turned[0] == "the was old box moved to <place>"
    assert len(turned) == 4


@pytest.mark.parametrize("text", ["Atlas is fine", "does it run", "", "is"])
def test_what_does_not_begin_with_the_verb_is_not_turned(text: str) -> None:
    assert list(uninverted(frame(text))) == []


@patient
@given(messages)
def test_the_point_is_the_end_of_the_frame_and_has_no_lead(text: str) -> None:
    made = frame(text)
    point = core(made)
    assert made.text.endswith(point.text)
    assert point.text or not made.text
    assert core(point) == point
    assert len(point.text) == len(point.spans) == len(point.held)


@patient
@given(messages)
def test_turning_keeps_every_letter(text: str) -> None:
    made = frame(f"is {text}")
    for turned in uninverted(made):
        assert sorted(zip(turned.spans, turned.text, strict=True)) == sorted(
            zip(made.spans, made.text, strict=True)
        )
