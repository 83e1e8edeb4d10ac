import re

import pytest

from mnemic.extraction.wordlist import any_of, whole_words


def test_the_longest_word_is_taken_and_signs_mean_themselves() -> None:
    found = re.compile(any_of(["go", "go on", "c++", "go"]))
    assert found.findall("go on, c++ or go") == ["go on", "c++", "go"]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("no", True),
        ("NO!", True),
        ("nothing", False),
        ("piano", False),
        ("PG不是MySQL", True),
        ("没no", True),
    ],
)
def test_latin_words_stand_alone_and_chinese_ones_anywhere(text: str, found: bool) -> None:
    assert (re.search(whole_words(["no", "不是"]), text) is not None) == found


def test_one_language_is_enough() -> None:
    assert re.fullmatch(whole_words(["no"]), "no")
    assert re.fullmatch(whole_words(["不是"]), "不是")
