"""Families of words that mean the same or nearly so: which a question names, and whether a text names one of them."""

import re
import tomllib
from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import files

from mnemic.extraction.text import fold
from mnemic.extraction.wordlist import any_of


def kindred(question: str) -> Sequence[re.Pattern[str]]:
    """Return, for each family of which ``question`` names a word, the pattern of its words on folded text."""
    named = {family for found in _any_word().finditer(fold(question)) for family in _words()[_stem(found)]}
    return [_patterns()[family] for family in sorted(named)]


def _stem(found: re.Match[str]) -> str:
    return found["word"]


@cache
def _families() -> Sequence[Sequence[str]]:
    raw = tomllib.loads(files("mnemic.dictionaries").joinpath("kindred.toml").read_text(encoding="utf-8"))
    return [[fold(word) for word in family] for family in raw["families"]]


@cache
def _words() -> Mapping[str, Sequence[int]]:
    """Return by word the families that it stands in."""
    places: dict[str, list[int]] = {}
    for number, family in enumerate(_families()):
        for word in family:
            places.setdefault(word, []).append(number)
    return places


@cache
def _any_word() -> re.Pattern[str]:
    return re.compile(_whole(list(_words())))


@cache
def _patterns() -> Sequence[re.Pattern[str]]:
    return [re.compile(_whole(family)) for family in _families()]


def _whole(words: Sequence[str]) -> str:
    """Return a pattern of any of ``words``; Latin ones match whole, with an "s" at their end or not."""
    latin = any_of(word for word in words if word.isascii())
    other = any_of(word for word in words if not word.isascii())
    whole = rf"(?<![a-z0-9])(?:{latin})(?=s?(?![a-z0-9]))" if latin else ""
    return f"(?P<word>{'|'.join(filter(None, (whole, other)))})"
