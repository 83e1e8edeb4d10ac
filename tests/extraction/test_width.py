import pytest
from hypothesis import given

from mnemic.extraction.width import level, narrow
from tests.extraction.reading import messages


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("ｖ２．３", "v2.3"),
        ("𝐆𝐨 １２", "Go 12"),
        ("٣ days", "3 days"),
        ("a\u00a0b\u3000c", "a b c"),
        ("，：；！？（）", "，：；！？（）"),
        ("½ ㍿ ﬁ 中文", "½ ㍿ ﬁ 中文"),
    ],
)
def test_wide_forms_become_plain_where_that_is_one_character(text: str, plain: str) -> None:
    assert narrow(text) == plain


@pytest.mark.parametrize(
    ("text", "levelled"),
    [
        ("Don’t", "don't"),
        ("ＮＯ ＬＯＮＧＥＲ", "no longer"),
        ("İstanbul", "İstanbul"),
        ("ΑΣ", "ασ"),
        ("ẞ", "ß"),
    ],
)
def test_levelled_text_is_in_lower_case_with_straight_apostrophes(text: str, levelled: str) -> None:
    assert level(text) == levelled


@given(messages)
def test_neither_changes_the_length_and_both_are_done_once(text: str) -> None:
    assert len(narrow(text)) == len(level(text)) == len(text)
    assert narrow(narrow(text)) == narrow(text)
    assert level(level(text)) == level(text)


@given(messages)
def test_every_character_is_levelled_by_itself(text: str) -> None:
    assert level(text) == "".join(map(level, text))
