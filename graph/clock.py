"""Clocks and half-open intervals: aware datetimes only, UTC inside the stores, offsets at the edges."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from mnemic.errors import InvalidInput

Clock = Callable[[], datetime]
"""Tells the present as an aware datetime; injected, so that the same input gives the same memory.

Its offset is the reader's: "today" is meant in it, and days are written in it.
"""


BEGINNING = datetime.min.replace(tzinfo=UTC) + timedelta(days=1)
"""Since when holds what nobody told the beginning of; within the calendar by a day, so that each zone can write it."""


def system_clock() -> datetime:
    """Return the machine's present, with the offset that holds where it is."""
    return datetime.now(UTC).astimezone()


@dataclass(slots=True)
class ManualClock:
    """A clock that stands where it is put: for tests, replays and imports.

    >>> clock = ManualClock(datetime(2026, 3, 2, tzinfo=UTC))
    >>> clock().isoformat()
    '2026-03-02T00:00:00+00:00'
    """

    now: datetime

    def __call__(self) -> datetime:
        """Return the instant it was put to."""
        return self.now


def require_aware(moment: datetime, field: str) -> datetime:
    """Return ``moment`` as it is, or raise ``InvalidInput`` when it has no UTC offset."""
    if moment.tzinfo is None or moment.utcoffset() is None:
        raise InvalidInput(
            field, f"{moment.isoformat()} has no UTC offset", "pass an aware datetime, e.g. with +00:00"
        )
    return moment


@dataclass(frozen=True, slots=True)
class Interval:
    """The half-open span ``[start, end)``; an ``end`` of None is open, a ``start`` of None began always.

    Raises ``InvalidInput`` when an end is naive or the span is reversed. An empty span
    (``start == end``) is allowed and contains nothing.
    """

    start: datetime | None = None
    end: datetime | None = None

    def __post_init__(self) -> None:
        for name, moment in (("start", self.start), ("end", self.end)):
            if moment is not None:
                require_aware(moment, name)
        if self.start is not None and self.end is not None and self.end < self.start:
            raise InvalidInput(
                "end", f"{self.end.isoformat()} is before the start {self.start.isoformat()}", "swap them"
            )

    def contains(self, moment: datetime) -> bool:
        """Tell whether ``moment`` lies inside."""
        return (self.start is None or self.start <= moment) and (self.end is None or moment < self.end)

    def overlaps(self, other: "Interval") -> bool:
        """Tell whether some moment lies in both."""
        return (
            _before(self.start, other.end)
            and _before(other.start, self.end)
            and not (self.is_empty or other.is_empty)
        )

    @property
    def is_empty(self) -> bool:
        """Tell whether no moment lies inside."""
        return self.start is not None and self.start == self.end


def _before(start: datetime | None, end: datetime | None) -> bool:
    return start is None or end is None or start < end
