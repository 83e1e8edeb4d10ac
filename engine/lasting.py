"""Since when and until when a statement says that it holds, by the words beside its dates."""

import re
from collections.abc import Iterable
from datetime import datetime
from typing import NamedTuple

from mnemic.extraction.model import Value
from mnemic.extraction.times import boundary
from mnemic.extraction.times.lexicon import DATA, fold
from mnemic.extraction.times.tense import looks_back
from mnemic.extraction.wordlist import whole_words

_BETWEEN = re.compile(whole_words([*DATA["boundaries"]["before"]["until"], "to", "and"]) + "|[-–—~～]")
"""What joins the two ends of a range."""


class Lasting(NamedTuple):
    """The half-open interval ``[since, until)`` that a text names; None for an end that it leaves open."""

    since: datetime | None = None
    until: datetime | None = None


def lasting(text: str, dates: Iterable[Value], at: datetime) -> Lasting:
    """Return the interval that the ``dates`` of ``text`` bound, as they were meant at ``at``.

    "until 2022" holds through 2022, "before 2022" up to it. What was so until a time that is not over yet
    ended at the latest when it was told. Where only a past end is named, it held at least in the last stretch
    before it.
    """
    found = Lasting()
    for value in dates:
        if value.since is None or value.until is None or value.recurring:
            continue
        bound = boundary(text, value)
        if _is_range(value) and bound in ("since", "") and value.since < at:
            found = Lasting(value.since, _told(text, value, value.until, at))
        elif bound == "since":
            found = found._replace(since=value.since)
        elif bound == "until":
            until = _told(text, value, value.until, at)
            found = Lasting(found.since or (value.since if until <= at else None), until)
        elif bound == "by" and value.since <= at and looks_back(fold(text), value.start, value.end):
            length = value.until - value.since
            found = Lasting(found.since or value.since - length, value.since)
    return found if found.since is None or found.until is None or found.since < found.until else Lasting()


def due(dates: Iterable[Value], at: datetime) -> datetime | None:
    """Return until when a task is to be done: the end of the first coming time that its words name."""
    ends = (value.until for value in dates if value.until is not None and not value.recurring)
    return next((end for end in ends if end > at), None)


def _told(text: str, value: Value, until: datetime, at: datetime) -> datetime:
    return min(until, at) if looks_back(fold(text), value.start, value.end) else until


def _is_range(value: Value) -> bool:
    return value.kind == "span" and "/" in value.normal and bool(_BETWEEN.search(value.text))
