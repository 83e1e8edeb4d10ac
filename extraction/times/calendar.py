"""Which day, week, month … a part means: its candidates in the calendar, and the one that is meant.

"March 3rd" without a year has a candidate in every year; tense, the words "last" and "next" and
nearness choose. All datetimes here are naive and local; ``find`` puts the offset back.
"""

from collections.abc import Callable, Iterator
from datetime import datetime

from mnemic.extraction.times.arithmetic import DAY, after, midnight, start_of
from mnemic.extraction.times.choice import choose
from mnemic.extraction.times.festivals import festival_day, nth_weekday
from mnemic.extraction.times.part import Part
from mnemic.extraction.times.span import Clock, Span, unit_span

_REACHES = (1, 10)
"""How many years, months or weeks around now are searched: first near, then far (29 February, "Friday 13th")."""


def day_span(part: Part, clock: Clock) -> Span | None:
    """Return the day, week, month … that the part names; None where it names none, or none exists."""
    if part.days is not None:
        return unit_span("day", clock.now + DAY * part.days)
    if part.decade is not None:
        return unit_span("decade", datetime(part.decade, 1, 1))
    for unit in ("month", "quarter", "week"):
        shift = getattr(part, unit + "s")
        if shift is not None:
            return _INSIDE[unit](part, after(unit, start_of(unit, clock.now), shift))
    for reach in _REACHES:
        if (span := choose(list(_candidates(part, clock.now, reach)), part, clock)) is not None:
            return span
    if part.weekday is not None and (part.month or part.day):  # they contradict each other: the date counts
        return day_span(part._replace(weekday=None), clock)
    return None


def _candidates(part: Part, now: datetime, reach: int) -> Iterator[Span]:
    """Yield what an open part could mean around now, earliest first."""
    if part.year is not None:
        found = [_in_year(part, datetime(part.year, 1, 1))]
    elif part.years is not None:
        found = [_in_year(part, datetime(now.year + part.years, 1, 1))]
    elif part.month and part.weekday is not None and not part.nth:
        found = [_in_year(part, datetime(now.year + count, 1, 1)) for count in (-1, 0, 1)]
    elif part.month or part.season is not None or part.quarter or part.half or part.festival or part.week:
        found = [_in_year(part, datetime(now.year + count, 1, 1)) for count in range(-reach, reach + 1)]
    elif part.day is not None or part.nth is not None:
        found = _around(part, now, "month", reach + 1)
    elif part.weekday is not None or part.weekend:
        found = _around(part, now, "week", reach)
    else:
        return
    for span in found:
        if span is not None and (part.weekday is None or part.nth or span.since.weekday() == part.weekday):
            yield span


def _around(part: Part, now: datetime, unit: str, reach: int) -> list[Span | None]:
    start = start_of(unit, now)
    return [_INSIDE[unit](part, after(unit, start, count)) for count in range(-reach, reach + 1)]


def _in_year(part: Part, start: datetime) -> Span | None:
    """Return what the part names in the year that begins at ``start``."""
    year = start.year
    if part.festival is not None:
        day = festival_day(part.festival, year)
        return None if day is None else unit_span("day", midnight(day) + DAY * ((part.nth or 1) - 1))
    if part.month is not None:
        return _in_month(part, datetime(year, part.month, 1))
    if part.season is not None:
        first = datetime(year, 3 * part.season + 3, 1)
        return Span(first, after("quarter", first), "season")
    if part.quarter is not None:
        return unit_span("quarter", datetime(year, 3 * part.quarter - 2, 1))
    if part.half is not None:
        first = datetime(year, 6 * part.half - 5, 1)
        return Span(first, after("half", first), "half", "date")
    if part.week is not None:
        return _nth_week(start, after("year", start), part.week)
    return unit_span("year", start)


def _in_month(part: Part, start: datetime) -> Span | None:
    """Return what the part names in the month from ``start``: a day, the nth weekday or week, all of it."""
    if part.day is not None:
        end = after("month", start)
        day = start + DAY * (part.day - 1) if part.day > 0 else end + DAY * part.day
        return unit_span("day", day) if day < end else None
    if part.week is not None:
        return _nth_week(start, after("month", start), part.week)
    if part.weekday is not None or part.weekend:
        nth = part.nth or 1
        found = nth_weekday(start.year, start.month, nth, 5 if part.weekend else part.weekday or 0)
        return None if found is None else _in_week(part, start_of("week", midnight(found)))
    return unit_span("month", start)


def _in_week(part: Part, start: datetime) -> Span | None:
    if part.weekday is not None:
        return unit_span("day", start + DAY * part.weekday)
    if part.weekend:
        return Span(start + DAY * 5, start + DAY * 7, "day")
    return unit_span("week", start)


def _in_quarter(part: Part, start: datetime) -> Span | None:
    return unit_span("quarter", start)


_INSIDE: dict[str, Callable[[Part, datetime], Span | None]] = {
    "month": _in_month,
    "quarter": _in_quarter,
    "week": _in_week,
}


def _nth_week(start: datetime, end: datetime, nth: int) -> Span | None:
    """Return the nth week of a month or year, the last for -1; a week lies where its Thursday does (ISO 8601)."""
    thursday = DAY * 3
    first = start_of("week", start + thursday) if start.weekday() <= 3 else start_of("week", start) + DAY * 7
    last = start_of("week", end - DAY * 4)
    week = first + DAY * 7 * (nth - 1) if nth > 0 else last + DAY * 7 * (nth + 1)
    return unit_span("week", week) if first <= week <= last else None
