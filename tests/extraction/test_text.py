import unicodedata
from itertools import pairwise

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from mnemic.extraction.text import PLAIN, Folded, fold, fold_with_offsets, is_boundary

TRICKY = "AzΣς中あ가ᄀ가ᅡᆨßİıſǰﬁ½…²ªＡＣ１！ｶﾞ゛が\u0301\u0323\u0345\u0327é़ক\u09be\u09d7👩\u200d💻🏽ﷺ\u202e\ud800\udc00 \u3000\t"
texts = st.text() | st.text(st.sampled_from(TRICKY)) | st.text(st.characters(exclude_categories=()))


def whole(text: str) -> str:
    return unicodedata.normalize("NFKC", text).casefold()


def spans_of(folded: Folded) -> list[tuple[int, int]]:
    return [folded.span(at, at + 1) for at in range(len(folded.folded))]


@pytest.mark.parametrize(
    ("text", "folded"),
    [
        ("ＡＣＭＥ　Ｃｏｒｐ", "acme corp"),
        ("  two \n\t blanks ", "two blanks"),
        ("Straße", "strasse"),
        ("oﬃce", "office"),
        ("cafe\u0301", "café"),
        ("\u1100\u1161\u11a8", "각"),
        ("", ""),
    ],
)
def test_names_that_differ_only_in_writing_fold_alike(text: str, folded: str) -> None:
    assert fold(text) == folded


@given(st.text(st.characters(codec="latin-1", exclude_characters="ß")) | st.text("中文かな가ＡＢ　ﬁ…１é "))
def test_folding_a_folded_name_changes_nothing(text: str) -> None:
    assert fold(fold(text)) == fold(text)


@pytest.mark.parametrize(
    ("text", "part", "original"),
    [
        ("用ＰＧ了", "pg", "ＰＧ"),
        ("……ＰＧ", "pg", "ＰＧ"),
        ("die Straße 7", "strasse", "Straße"),
        ("the oﬃce", "office", "oﬃce"),
        ("the oﬃce", "f", "ﬃ"),
        ("İstanbul", "stanbul", "stanbul"),
        ("İstanbul", "i", "İ"),
        ("cafe\u0301s", "é", "e\u0301"),
        ("👩\u200d💻🏽 Ada", "ada", "Ada"),
        ("ｶﾞｿﾘﾝ", "ガ", "ｶﾞ"),
        ("\u1112\u1161\u11ab글", "한", "\u1112\u1161\u11ab"),
        ("\u202eשלום½ Ada", "ada", "Ada"),
        ("\ud800… Ada", "ada", "Ada"),
        ("½", "2", "½"),
    ],
)
def test_a_folded_span_maps_to_the_characters_that_made_it(text: str, part: str, original: str) -> None:
    folded = fold_with_offsets(text)
    at = folded.folded.index(part)
    start, end = folded.span(at, at + len(part))
    assert text[start:end] == original


@given(texts)
@example("\u1100\u1161\u11a8")
@example("a\u0345\u0301")
def test_the_folded_text_is_the_whole_text_folded(text: str) -> None:
    assert fold_with_offsets(text).folded == whole(text)


@given(texts)
def test_clusters_folded_one_by_one_give_the_folded_text(text: str) -> None:
    clusters = dict.fromkeys(spans_of(fold_with_offsets(text)))
    assert "".join(whole(text[start:end]) for start, end in clusters) == whole(text)


@given(texts)
def test_mapped_spans_advance_and_cover_the_text_without_a_gap(text: str) -> None:
    clusters = list(dict.fromkeys(spans_of(fold_with_offsets(text))))
    edges = [0, *(end for _, end in clusters)]
    assert [start for start, _ in clusters] == edges[:-1]
    assert edges == sorted(set(edges))
    assert edges[-1] == len(text)


@given(texts, st.data())
def test_the_mapped_span_folds_to_something_that_contains_the_match(text: str, data: st.DataObject) -> None:
    folded = fold_with_offsets(text)
    end = data.draw(st.integers(0, len(folded.folded)))
    start = data.draw(st.integers(0, end))
    first, last = folded.span(start, end)
    assert 0 <= first <= last <= len(text)
    assert folded.folded[start:end] in whole(text[first:last])


def test_a_span_outside_the_folded_text_is_an_error() -> None:
    with pytest.raises(IndexError, match="3 folded characters"):
        fold_with_offsets("abc").span(2, 4)


def test_every_plain_character_is_a_boundary_and_folds_to_one() -> None:
    ranges = PLAIN.split("-")
    plain = set(ranges[0]) | {c for part in ranges for c in part}
    for left, right in pairwise(ranges):
        plain |= {chr(code) for code in range(ord(left[-1]), ord(right[0]) + 1)}
    wrong = [c for c in plain if len(whole(c)) != 1 or not is_boundary(c)]
    assert wrong == []


def test_no_boundary_changes_with_what_stands_before_it() -> None:
    before = ["a", "e\u0323", "\u1100", "가", "\u09c7", "か", "ｶ", "=", "\u0b92"]
    for code in range(0x30000):
        character = chr(code)
        if is_boundary(character):
            for left in before:
                assert whole(left + character) == whole(left) + whole(character), hex(code)
