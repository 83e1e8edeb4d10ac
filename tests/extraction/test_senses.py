import pytest
from hypothesis import given
from hypothesis import strategies as st

from mnemic.extraction.senses import NEW, OLD, shipped_senses
from mnemic.extraction.width import level
from tests.extraction.reading import messages, patient


def turn(text: str, name: str) -> str:
    start = text.index(name)
    return shipped_senses().polarity(text, start, start + len(name))


@pytest.mark.parametrize(
    ("text", "name", "expected"),
    [
        ("from mysql to pg", "mysql", OLD),
        ("from mysql to pg", "pg", NEW),
        ("instead of the mysql", "mysql", OLD),
        ("instead of “mysql”", "mysql", OLD),
        ("pg is gone", "pg", OLD),
        ("now pg", "pg", NEW),
        ("mysql换成pg", "mysql", OLD),
        ("mysql换成pg", "pg", NEW),
        ("mysql不用了", "mysql", OLD),
        ("pg", "pg", ""),
        ("upfrom mysql", "mysql", ""),
        ("pg is gonerish", "pg", ""),
    ],
)
def test_words_around_a_name_tell_whether_it_comes_or_gives_way(text: str, name: str, expected: str) -> None:
    assert turn(text, name) == expected


def test_a_sense_is_called_by_its_words_or_asks_for_none() -> None:
    senses = shipped_senses()
    wordless = [sense for sense in senses.rows if not sense.worded]
    assert senses.called("") == wordless
    called = {sense.predicate for sense in senses.called("priya maintains it")}
    assert "owner" in called
    assert "owner" not in {sense.predicate for sense in senses.called("maintainstream")}
    assert "owner" in {sense.predicate for sense in senses.called("林悦负责")}


def test_senses_are_called_in_the_order_of_the_file() -> None:
    senses = shipped_senses()
    called = senses.called("we live at work, owned by, costs, due, joined")
    assert [row for row in senses.rows if row in called] == called


@patient
@given(messages, st.data())
def test_any_place_of_any_text_has_one_turn(text: str, data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, len(text)))
    assert shipped_senses().polarity(level(text), start, end) in {OLD, NEW, ""}
