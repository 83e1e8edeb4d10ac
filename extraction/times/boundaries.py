"""Whether a time is a start, an end or a limit: "since March", "周五前", "3月2号起"."""

import re
from typing import Literal

from mnemic.extraction.model import Value
from mnemic.extraction.times.lexicon import DATA, fold

Boundary = Literal["since", "until", "by", "at", ""]

_BOUNDARIES = DATA["boundaries"]
_NAMES: tuple[Boundary, ...] = ("since", "by", "until", "at")


def _alternatives(words: list[str]) -> str:
    """Join the words to a pattern, the longest first, Latin ones as whole words."""
    longest = sorted(words, key=len, reverse=True)
    return "|".join(
        rf"(?<![a-z]){re.escape(word)}(?![a-z])" if word.isascii() else re.escape(word) for word in longest
    )


_FILLERS = rf"(?:\s*(?:{_alternatives(_BOUNDARIES['fillers'])}))*\s*"
_BEFORE = re.compile(
    "(?:"
    + "|".join(f"(?P<{name}>{_alternatives(_BOUNDARIES['before'][name])})" for name in _NAMES)
    + f"){_FILLERS}$"
)
_AFTER = re.compile(
    r"\s*(?:"
    + "|".join(f"(?P<{name}>{_alternatives(words)})" for name, words in _BOUNDARIES["after"].items())
    + ")"
)
_OTHER = re.compile(
    rf"\s*(?:{_alternatives(_BOUNDARIES['other'])})|\s*起(?:{_alternatives(_BOUNDARIES['together'])})"
)
"""Words that begin like a mark but are none: 起床, 后来, and "下周一起去", which is "go together"."""

_WINDOW = 24


def boundary(text: str, value: Value) -> Boundary:
    """Return how the words beside ``value`` bound it in ``text``.

    ``since`` (since, from, starting, 从, …起, …以来), ``until`` (until, till, to, 到), ``by`` (by, before,
    …前), ``at`` (on, in, at, 在), or "" where none of them stands there. What follows the value decides
    before what precedes it: "从周五前" is a limit.
    """
    return boundary_at(fold(text), value.start, value.end)


def boundary_at(folded: str, start: int, end: int) -> Boundary:
    """Return how the folded text bounds the time at ``[start, end)``; see ``boundary``."""
    behind = _AFTER.match(folded, end)
    if behind is not None and not _OTHER.match(folded, end):
        return _name(behind)
    return _name(_BEFORE.search(folded[max(0, start - _WINDOW) : start]))


def _name(match: re.Match[str] | None) -> Boundary:
    found = match.lastgroup if match is not None else None
    return next((name for name in _NAMES if name == found), "")
