import pytest
from hypothesis import given
from hypothesis import strategies as st

from mnemic.extraction.terms import LONGEST, stop_terms, terms


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", ()),
        ("Migrating services, migrated service", ("migrat", "servic", "migrat", "servic")),
        ("支付系统", ("支付", "付系", "系统")),
        ("王", ("王",)),
        ("用PG了", ("用", "pg", "了")),
        ("ＰＧ１４", ("pg14",)),
        ("C++ and C# and F#", ("c++", "and", "c#", "and", "f#")),
        ("c#代码 c/c++", ("c#", "代码", "c", "c++")),
        ("C++11", ("c++", "11")),
        ("notepad++", ("notepad++",)),
        ("issue#12", ("issu", "12")),
        (".NET, ASP.NET", (".net", "net", "asp.net", "asp", "net")),
        ("wait...and …and", ("wait", "and", "and")),
        ("Node.js", ("node.js", "node", "js")),
        ("Python 3.11", ("python", "3.11")),
        ("v2.3 v4", ("v2.3", "2.3", "v4", "4")),
        ("SR-2023-052", ("sr-2023-052", "sr", "2023", "052")),
        ("10:30", ("10:30",)),
        ("PostgreSQL-based", ("postgresql", "base")),
        ("R&D", ("r&d",)),
        ("get_user", ("get_user", "get", "user")),
        ("Atlas's Atlas’s", ("atla", "atla")),
        ("don’t", ("don't",)),
        ("İstanbul", ("i̇stanbul",)),
        ("серверы ок", ("серверы", "ок")),
        ("👍🏽 …！", ()),
    ],
)
def test_terms_of(text: str, expected: tuple[str, ...]) -> None:
    assert terms(text) == expected


def test_terms_repeat_and_keep_stop_words() -> None:
    assert terms("the cat and the hat") == ("the", "cat", "and", "the", "hat")


def test_encoded_data_is_cut() -> None:
    assert terms("x" * 5000) == ("x" * LONGEST,)


@given(st.text() | st.text("aZ9.-_&:+#'’ 中ー가é\u0301\ud800İ"))
def test_terms_are_short_single_words_that_can_be_stored(text: str) -> None:
    for term in terms(text):
        assert 0 < len(term) <= LONGEST
        assert term.split() == [term]
        assert term.encode("utf-8")


@given(st.text(st.characters(codec="utf-8"), max_size=30))
def test_writing_in_capitals_or_full_width_gives_the_same_terms(text: str) -> None:
    plain = "".join(c for c in text if c.isascii())
    wide = "".join(chr(ord(c) + 0xFEE0) if "!" <= c <= "~" else c for c in plain)
    assert terms(plain) == terms(plain.upper()) == terms(wide)


@pytest.mark.parametrize("word", ["the", "doing", "don't", "了", "的", "吗", "什么", "是的", "我们"])
def test_function_words_are_stop_terms(word: str) -> None:
    assert set(terms(word)) <= stop_terms()


@pytest.mark.parametrize("word", ["upgrade", "three", "上海", "支付", "go", "c", "不同"])
def test_words_with_content_are_not(word: str) -> None:
    assert not set(terms(word)) & stop_terms()
