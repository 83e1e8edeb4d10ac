"""Which stretch of time a question asks about: "what did we decide last spring?"."""

import re
from datetime import datetime, timedelta
from typing import NamedTuple

from mnemic.extraction.model import Value
from mnemic.extraction.times.boundaries import boundary
from mnemic.extraction.times.find import find_times
from mnemic.extraction.times.lexicon import DATA, fold
from mnemic.extraction.times.tense import looks_back

_LATELY = DATA["recent"]
_RECENT = re.compile(
    "|".join(rf"\b{re.escape(word)}\b" if word.isascii() else re.escape(word) for word in _LATELY["words"])
)
_ABOUT = re.compile(r"\bfrom(?: the)?\s*$")
"""The "from" of "notes from March" tells of which time something is, not since when."""

_JOINED = re.compile(rf"\s*(?:{'|'.join(map(re.escape, DATA['joined']))})?(?: the)?\s*")


class Range(NamedTuple):
    """The half-open interval ``[since, until)`` of aware datetimes; None for an end that is open."""

    since: datetime | None
    until: datetime | None


def query_range(text: str, at: datetime) -> Range | None:
    """Return the stretch of time that a question asks about, or None if it names none.

    A question to a memory looks back unless its words look ahead: "in May" is the last May. Times joined
    by "and" or "or" are asked about together; of several others the first counts. "since March" and
    "before May" are open at one end.

    Raises:
        InvalidInput: ``at`` has no offset.

    """
    ahead = looks_back(fold(text), 0, 0) is False
    dated = [value for value in find_times(text, at, past=None if ahead else True) if _says_when(value)]
    if not dated:
        return _recent(text, at)
    asked = [dated[0]]
    for value in dated[1:]:
        if not _JOINED.fullmatch(fold(text[asked[-1].end : value.start])):
            break
        asked.append(value)
    return _bounded(text, asked)


def _says_when(value: Value) -> bool:
    """Tell whether the value narrows a question: not a length, a rhythm or a time of any day."""
    return value.since is not None and not value.recurring and (value.kind != "time" or "T" in value.normal)


def _bounded(text: str, asked: list[Value]) -> Range:
    since = min(value.since for value in asked if value.since is not None)
    until = max(value.until for value in asked if value.until is not None)
    bound = boundary(text, asked[0]) if len(asked) == 1 and asked[0].kind != "span" else ""
    if bound == "since" and not _ABOUT.search(fold(text[: asked[0].start])):
        return Range(since, None)
    if bound in ("by", "until"):
        return Range(None, since if bound == "by" else until)
    return Range(since, until)


def _recent(text: str, at: datetime) -> Range | None:
    if not _RECENT.search(fold(text)):
        return None
    midnight = at.replace(hour=0, minute=0, second=0, microsecond=0)
    return Range(midnight - timedelta(days=_LATELY["days"]), midnight + timedelta(days=1))
