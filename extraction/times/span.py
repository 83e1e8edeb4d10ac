"""What is known when a time is computed: the clock it is said by, and the span that comes of it."""

from datetime import datetime
from typing import NamedTuple

from mnemic.extraction.times.arithmetic import after, midnight, start_of


class Span(NamedTuple):
    """The half-open interval ``[since, until)`` and its precision; not ``dated`` where no day was named.

    ``kind`` is ``date`` for one calendar unit, ``time`` for a time of day, ``span`` for any other stretch.
    """

    since: datetime
    until: datetime
    grain: str
    kind: str = "span"
    dated: bool = True


class Clock(NamedTuple):
    """When something was said and how it looks at time: back (``past``), ahead, or unknown.

    ``pivot`` is a moment before which nothing open may lie: the start of the range that is being ended.
    """

    now: datetime
    past: bool | None = None
    pivot: datetime | None = None

    @property
    def today(self) -> datetime:
        """The first moment of the day."""
        return midnight(self.now)


def unit_span(unit: str, moment: datetime) -> Span:
    """Return the calendar unit that holds the moment."""
    start = start_of(unit, moment)
    return Span(start, after(unit, start), unit, "span" if unit == "decade" else "date")
