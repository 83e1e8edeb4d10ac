"""Sentences built to say one value of one thing in one respect, whatever the words: "The author of X is Y".

Where no predicate is known, the build itself tells the slot: a definite head ("the author of X", "X's author",
"X was born in the city of") and what is said of it. Two sentences of one head share a slot. The builds and
their words are data: ``dictionaries/frames.toml``.
"""

import re
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib.resources import files

from mnemic.extraction.terms import stop_terms, terms
from mnemic.extraction.text import visible
from mnemic.extraction.wordlist import any_of, whole_words

_END = " \t\n.。!！"
_NAME = re.compile(r"[A-Z\d]|[《「\"“]")


@dataclass(frozen=True, slots=True)
class Frame:
    """What a sentence says: ``key`` are the terms of the thing and the respect, ``value`` is said of them.

    ``sort`` is what sort of value it is: ``name`` (or number), ``words``, or ``classed`` where the head says
    of which sort values are, so that any two are of one. ``own``: the thing is the speaker's own ("my dentist"). ``named``: thing or value are told by a name or number.
    """

    key: frozenset[str]
    value: str
    sort: str
    own: bool = False
    named: bool = False

    def rivals(self, other: "Frame") -> bool:
        """Tell whether both say something of the same thing in the same respect, and not the same."""
        return self.key == other.key and self.value.casefold() != other.value.casefold()


@lru_cache(maxsize=4096)
def frame(text: str) -> Frame | None:
    """Return the frame of a sentence; None where it has none.

    >>> frame("The author of Dune is Frank Herbert.").value
    'Frank Herbert'
    """
    shown = visible(text).strip(_END)
    for sort, pattern in _shipped().patterns:
        found = pattern.fullmatch(shown)
        if found is not None:
            return _frame(found, sort)
    return None


def _frame(found: re.Match[str], sort: str) -> Frame | None:
    """Return what a match tells, unless its head has many values or its value only adds or denies."""
    head = " ".join(filter(None, (found["head"], found.groupdict().get("tail"))))
    value = found["value"].strip(_END)
    key = frozenset(terms(head)) - stop_terms() - _shipped().passing
    own = _shipped().own.match(head) is not None
    if len(key) + own < 2 or _shipped().many.search(head) or _shipped().loose.search(value):
        return None
    names = _NAME.search(value) is not None
    return Frame(
        key, value, sort or ("name" if names else "words"), own, names or bool(_NAME.search(head, 1))
    )


@dataclass(frozen=True, slots=True)
class _Builds:
    """The data of the file, ready for use: patterns with the sort of their values."""

    patterns: Sequence[tuple[str, re.Pattern[str]]]
    many: re.Pattern[str]
    loose: re.Pattern[str]
    own: re.Pattern[str]
    passing: frozenset[str]


@cache
def _shipped() -> _Builds:
    raw = tomllib.loads(files("mnemic.dictionaries").joinpath("frames.toml").read_text(encoding="utf-8"))
    words: Mapping[str, list[str]] = raw["words"]
    lists = {name: rf"(?:{any_of(words[name])})" for name in ("be", "sort", "attribute", "made", "holding")}
    lists["opening"] = rf"(?:{any_of(words['opening'])})\b"
    patterns = [
        ("classed" if sort == "classed" else "", re.compile(_filled(pattern, lists), re.IGNORECASE))
        for sort in ("classed", "plain")
        for pattern in raw["frames"][sort]
    ]
    passing = frozenset(term for word in words["passing"] for term in terms(word))
    return _Builds(
        patterns,
        many=re.compile(
            rf"(?<![A-Za-z])(?:{any_of(words['many'])})(?![a-z])"
        ),  # as written: in titles they are names
        loose=re.compile(whole_words(words["loose"])),
        own=re.compile(whole_words(words["own"])),
        passing=passing,
    )


def _filled(pattern: str, lists: Mapping[str, str]) -> str:
    for name, words in lists.items():
        pattern = pattern.replace(f"{{{name}}}", words)
    return pattern
