"""Which of several things of a sort a text speaks of: staging or production, the early shift or the late one."""

import re
import tomllib
from collections.abc import Mapping
from functools import cache
from importlib.resources import files

from mnemic.extraction.text import fold
from mnemic.extraction.wordlist import whole_words

Ones = Mapping[str, frozenset[int]]
"""By sort: which of its things are named, by their places in the file."""


def ones(text: str) -> Ones:
    """Return the things of each sort that a text names; of sorts of which it names none nothing."""
    named: dict[str, frozenset[int]] = {}
    for found in _pattern().finditer(fold(text)):
        sort, one = _words()[found[0]]
        named[sort] = named.get(sort, frozenset()) | {one}
    return named


def told_apart(one: Ones, other: Ones) -> bool:
    """Tell whether two texts name different things of a sort, and no same one."""
    return any(sort in other and here.isdisjoint(other[sort]) for sort, here in one.items())


@cache
def _words() -> Mapping[str, tuple[str, int]]:
    raw = tomllib.loads(files("mnemic.dictionaries").joinpath("apart.toml").read_text(encoding="utf-8"))
    return {
        fold(word): (sort["name"], place)
        for sort in raw["sort"]
        for place, words in enumerate(sort["ones"])
        for word in words
    }


@cache
def _pattern() -> re.Pattern[str]:
    return re.compile(whole_words(tuple(_words())))
