from itertools import pairwise

import pytest
from hypothesis import example, given

from mnemic.extraction.segment import clauses, sentences, shipped_abbreviations
from tests.extraction.reading import messages, patient


def parts(text: str) -> list[str]:
    return [text[start:end] for start, end in sentences(text)]


def clauses_of(text: str) -> list[str]:
    return [text[start:end] for start, end in clauses(text, 0, len(text))]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", []),
        (" \n\t", []),
        ("One line", ["One line"]),
        ("One. Two! Three?", ["One.", "Two!", "Three?"]),
        ("第一句。第二句！第三句？没了", ["第一句。", "第二句！", "第三句？", "没了"]),
        ("first\n\nsecond\r\nthird", ["first", "second", "third"]),
        ("ask Mrs. Okafor about it. Now", ["ask Mrs. Okafor about it.", "Now"]),
        ("tools, e.g. ruff. Done", ["tools, e.g. ruff.", "Done"]),
        ("really?! yes", ["really?!", "yes"]),
        ("v2.3 costs $3.50. ok", ["v2.3 costs $3.50.", "ok"]),
        ("half \ud800 sign. Next", ["half \ud800 sign.", "Next"]),
    ],
)
def test_sentences(text: str, expected: list[str]) -> None:
    assert parts(text) == expected


def test_no_sentence_ends_within_what_is_whole() -> None:
    text = "see https://x.io/a?b. then go"
    start = text.index("https")
    end = text.index(" then")
    assert parts(text)[0] != text
    assert [text[left:right] for left, right in sentences(text, [(start, end + 6)])] == [text]


def test_a_line_ends_a_sentence_even_behind_an_abbreviation() -> None:
    assert parts("that was Mrs.\nNext") == ["that was Mrs.", "Next"]


def test_abbreviations_are_written_as_they_are_compared() -> None:
    assert all(word == word.casefold() and word.endswith(".") for word in shipped_abbreviations())


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("we moved, it is fine", ["we moved", "it is fine"]),
        ("搬了，挺好；就这样", ["搬了", "挺好", "就这样"]),
        ("1,020 people", ["1,020 people"]),
        ("tea – no milk", ["tea", "no milk"]),
        ("not this but that", ["not this", "that"]),
        ("I left and she stayed", ["I left", "she stayed"]),
        ("I left and don’t ask", ["I left", "don’t ask"]),
        ("salt and pepper", ["salt and pepper"]),
        (", ,", []),
    ],
)
def test_clauses(text: str, expected: list[str]) -> None:
    assert clauses_of(text) == expected


@patient
@given(messages)
@example("a.\ud800 b")
@example("。。\n。")
def test_sentences_are_in_order_and_leave_only_blanks_out(text: str) -> None:
    spans = sentences(text)
    assert all(0 <= start < end <= len(text) for start, end in spans)
    assert all(one[1] <= two[0] for one, two in pairwise(spans))
    assert all(text[start:end].strip() == text[start:end] for start, end in spans)
    inside = {position for start, end in spans for position in range(start, end)}
    assert all(text[position].isspace() for position in range(len(text)) if position not in inside)


@patient
@given(messages)
def test_clauses_lie_within_their_sentence_in_order(text: str) -> None:
    for start, end in sentences(text):
        spans = clauses(text, start, end)
        assert all(start <= left < right <= end for left, right in spans)
        assert all(one[1] <= two[0] for one, two in pairwise(spans))


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("we won 🎉 dinner is on me", ["we won", "dinner is on me"]),
        ("搬完了 😴 明天见", ["搬完了", "明天见"]),
        ("I ❤️ pizza", ["I ❤️ pizza"]),
        ("we won 🎉", ["we won 🎉"]),
    ],
)
def test_a_face_closes_a_clause_and_a_heart_does_not(text: str, parts: list[str]) -> None:
    assert [text[start:end] for start, end in clauses(text, 0, len(text))] == parts
