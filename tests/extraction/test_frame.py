import ahocorasick
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mnemic.extraction.frame import ENTITY_MARKS, MARKS, SKIP_CLOSE, SKIP_OPEN, build_frame, framed
from mnemic.extraction.model import Mention, Source
from tests.extraction.reading import frame, messages, passage, patient


@pytest.fixture(scope="module")
def skip() -> ahocorasick.Automaton:
    automaton = ahocorasick.Automaton()
    for word in ("now", "no longer", "now and then", "已经"):
        automaton.add_word(word, word)
    automaton.make_automaton()
    return automaton


def shown(text: str) -> str:
    """Return the frame of a text, with the groups of its placeholders in brackets."""
    names = {mark: f"<{name}>" for name, mark in MARKS.items()}
    return "".join(names.get(letter, letter) for letter in frame(text).text)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Atlas moved from MySQL to PG", "<thing> moved from <tech> to <tech>"),
        ("支付从 MySQL 换成 PG 了", "<thing>从 <tech> 换成 <tech> 了"),
        ("Priya lives in Berlin", "<person> lives in <place>"),
        ("due 2026-05-01, costs $40", "due <date>, costs <money>"),
        ("Go v1.2 on Linux", "<language> <version> on <platform>"),
        ("mail a@b.io or @陈默", "mail <contact> or @<person>"),
        ("it’s （ｏｋ）", "it's (ok)"),
    ],
)
def test_names_and_values_become_placeholders(text: str, expected: str) -> None:
    assert shown(text) == expected


def test_a_placeholder_in_the_text_itself_stands_for_nothing() -> None:
    assert frame(f"a{MARKS['tech']}b{SKIP_OPEN}").text == "a b "


def test_of_overlapping_names_the_first_is_held() -> None:
    names = [
        Mention(
            start=start, end=end, text="Atlas one"[start:end], name="x", kind="project", source=Source.TENANT
        )
        for start, end in ((0, 5), (2, 9))
    ]
    made = build_frame("Atlas one", 0, 9, names, lambda _: "thing")
    assert made.text == MARKS["thing"] + " one"


def test_only_what_lies_in_the_clause_is_held() -> None:
    text = "Atlas, Marlin"
    made = build_frame(text, 7, len(text), passage(text).held, lambda _: "thing")
    assert made.text == MARKS["thing"]
    assert made.original(0, 1) == (7, 13)


def test_skipped_words_get_marks_and_the_longest_counts(skip: ahocorasick.Automaton) -> None:
    shaded = frame("it is now and then 已经 nowhere").shaded(skip)
    assert shaded.text == f"it is {SKIP_OPEN}now and then{SKIP_CLOSE} {SKIP_OPEN}已经{SKIP_CLOSE} nowhere"
    assert shaded.words == "it is now and then 已经 nowhere"


def test_a_question_can_be_put_as_a_statement() -> None:
    turned = frame("is Marlin written").moved(3, 4)
    assert turned.text == f"{MARKS['thing']} is written"
    assert turned.original(0, 1) == (3, 9)


def test_what_a_slot_holds() -> None:
    made = frame("the Atlas PG")
    place = made.text.index(MARKS["thing"])
    assert made.sole(place, place + 1) == passage("the Atlas PG").mentions[0]
    assert made.sole(0, 3) is None
    assert made.original(2, 2) == (0, 0)


@patient
@given(messages)
def test_every_position_knows_its_span_of_the_original(text: str) -> None:
    made = frame(text)
    assert len(made.text) == len(made.spans) == len(made.held)
    position = 0
    for letter, (start, end), held in zip(made.text, made.spans, made.held, strict=True):
        assert start == position
        position = end
        assert held is not None or (letter == framed(text[start]) and end == start + 1)
        assert held is None or (held.start, held.end) == (start, end)
        assert (letter in MARKS.values()) == (held is not None)
    assert position == len(text)


@patient
@given(messages)
def test_shading_adds_marks_and_nothing_else(skip: ahocorasick.Automaton, text: str) -> None:
    made = frame(text)
    shaded = made.shaded(skip)
    assert shaded.words == made.text
    kept = [i for i, letter in enumerate(shaded.text) if letter not in (SKIP_OPEN, SKIP_CLOSE)]
    assert tuple(shaded.spans[i] for i in kept) == made.spans
    assert tuple(shaded.held[i] for i in kept) == made.held


@patient
@given(messages, st.data())
def test_moving_and_cutting_keep_each_letter_with_its_span(text: str, data: st.DataObject) -> None:
    made = frame(text)
    start = data.draw(st.integers(1, max(1, len(made.text) - 1)))
    end = data.draw(st.integers(start, max(start, len(made.text))))
    if end <= len(made.text):
        moved = made.moved(start, end)
        assert sorted(zip(moved.spans, moved.text, strict=True)) == sorted(
            zip(made.spans, made.text, strict=True)
        )
    rest = made.behind(start)
    assert (rest.text, rest.spans, rest.held) == (made.text[start:], made.spans[start:], made.held[start:])


def test_entities_have_marks_that_values_have_not() -> None:
    assert {MARKS["date"], MARKS["money"], MARKS["contact"]}.isdisjoint(ENTITY_MARKS)
    assert len(set(MARKS.values())) == len(MARKS)
