import pytest
from hypothesis import given
from hypothesis import strategies as st

from mnemic.extraction.tails import split, tail
from tests.extraction.reading import messages, passage, patient


@pytest.mark.parametrize(
    ("text", "behind", "words", "instead"),
    [
        ("runs on Linux instead of Windows", "Linux", "Windows", True),
        ("runs on Linux now, rather than on it", "Linux", "on it", True),
        ("in York, not New York", "York", "New York", False),
        ("uses Redis, not the old Memcached", "Redis", "Memcached", False),
        ("due 2026-05-01 not 2026-06-01", "2026-05-01", "2026-06-01", False),
        ("用PG而不是MySQL", "PG", "MySQL", True),
        ("用PG 不是 MySQL", "PG", "MySQL", False),
        ("放柜子而不是抽屉里", "柜子", "抽屉里", True),
    ],
)
def test_the_other_value_behind_a_value(text: str, behind: str, words: str, instead: bool) -> None:
    found = tail(passage(text), text.index(behind) + len(behind))
    assert found is not None
    assert (found.words, found.instead) == (words, instead)
    assert found.mention is None or found.mention.name == words


@pytest.mark.parametrize(
    "text", ["Linux", "Linux now", "Linux nothing else", "Linux insteadof it", "Linux not"]
)
def test_nothing_is_set_against_it(text: str) -> None:
    assert tail(passage(text), len("Linux")) is None


@pytest.mark.parametrize(
    ("words", "parts"),
    [
        ("the drawer instead of the shelf", ("the drawer", "shelf")),
        ("tea rather than coffee", ("tea", "coffee")),
        ("放柜子而不是抽屉", ("放柜子", "抽屉")),
        ("tea, not coffee", ("tea, not coffee", "")),
        ("instead of coffee", ("instead of coffee", "")),
        ("", ("", "")),
    ],
)
def test_words_are_split_where_one_thing_stands_for_another(words: str, parts: tuple[str, str]) -> None:
    assert split(words) == parts


@patient
@given(messages, st.data())
def test_a_tail_lies_behind_its_position(text: str, data: st.DataObject) -> None:
    position = data.draw(st.integers(0, len(text)))
    found = tail(passage(text), position)
    assert found is None or position < found.end <= len(text)


@patient
@given(messages)
def test_what_is_kept_of_words_begins_them(text: str) -> None:
    kept, given_up = split(text)
    assert text.startswith(kept)
    assert given_up in text
