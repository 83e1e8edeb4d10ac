import pytest

from mnemic.extraction.times.lexicon import DATA, LETTERS, fold
from mnemic.extraction.times.numbers import chinese_number, english_numbers


def test_the_file_says_where_it_comes_from_and_under_which_license() -> None:
    assert DATA["license"] == "Apache-2.0"
    assert DATA["source"]


def test_every_class_of_words_has_a_letter() -> None:
    assert set(DATA["words"]) <= set(LETTERS)


def test_no_two_classes_share_a_letter() -> None:
    named = {name: letter for name, letter in LETTERS.items() if name not in ("ignore", "other")}
    assert len(set(named.values())) == len(named)


def test_words_are_written_as_folding_writes_them() -> None:
    words = [word for values in DATA["words"].values() for group in values.values() for word in group]
    words += [word for festival in DATA["festivals"].values() for word in festival["words"]]
    assert [word for word in words if fold(word) != word] == []


def test_no_word_has_two_meanings() -> None:
    seen: dict[str, str] = {}
    for kind, values in DATA["words"].items():
        for value, words in values.items():
            for word in words:
                assert seen.setdefault(word, f"{kind} {value}") == f"{kind} {value}"


def test_folding_keeps_every_offset() -> None:
    text = "ＡＢＣ１２３，下週三　İstanbul ﬁ"
    assert len(fold(text)) == len(text)


@pytest.mark.parametrize(
    ("numeral", "value"),
    [
        ("十", 10),
        ("二十三", 23),
        ("廿三", 23),
        ("一百零八", 108),
        ("两千零四", 2004),
        ("二零二六", 2026),
        ("三万", 30000),
    ],
)
def test_chinese_numerals_read_by_place_or_digit_by_digit(numeral: str, value: int) -> None:
    assert chinese_number(numeral) == value


@pytest.mark.parametrize(
    ("words", "numbers"),
    [
        ([20, 1], [21]),
        ([7, 30], [7, 30]),
        ([19, 90, 9], [1999]),
        ([2, 1000, 18], [2018]),
        ([1, 1000, 7, 100, 80, 9], [1789]),
        ([20, 18], [2018]),
        ([15, 30], [15, 30]),
        ([100], [100]),
    ],
)
def test_number_words_group_into_numbers(words: list[int], numbers: list[int]) -> None:
    assert [number for number, _ in english_numbers(words)] == numbers
