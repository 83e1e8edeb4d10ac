"""Ranges: what each end lends the other, and the interval between the two."""

from mnemic.extraction.times import part as level
from mnemic.extraction.times.arithmetic import DAY
from mnemic.extraction.times.clocks import USUALLY_PM
from mnemic.extraction.times.part import Part, levels
from mnemic.extraction.times.resolve import resolve
from mnemic.extraction.times.span import Clock, Span

_DATE = level.YEAR | level.SEASON | level.WEEK | level.DAY | level.WEEKDAY | level.EVERY
_DATE_FIELDS = tuple(
    name
    for name in Part._fields
    if name not in ("part", "hour", "minute", "meridiem", "zone", "edge", "window", "origin", "now")
)
_COARSE_FIELDS = ("year", "years", "month", "months", "weeks", "turn")


def resolve_range(first: Part, last: Part, clock: Clock) -> Span | None:
    """Return the interval from the start of the first end to the close of the last; None if it is empty.

    A day, month or year at the end is counted in ("June 8 through 19"), a time of day is not ("9 to 5").
    """
    own_year = first.year
    first, last = lend(first, last), lend(last, first)
    first, last = _halves(first, last)
    if first.now and last.hour is not None and last.days is None and _bare(last):
        last = last._replace(meridiem=0 if clock.now.hour < last.hour else 12)
    start = resolve(first, clock._replace(past=True) if last.now else clock)
    if start is None:
        return None
    end = resolve(last, Clock(clock.now, clock.past, None if last == first else start.since))
    if end is None:
        return None
    until = end.since if last.hour is not None else end.until
    if until <= start.since and not levels(last) & _DATE:
        until += DAY
    if until <= start.since and own_year is None and first.year is not None:  # "Nov to Feb 2017"
        start = resolve(first._replace(year=first.year - 1), clock) or start
    if until <= start.since:
        return None
    return Span(start.since, until, start.grain, dated=start.dated or end.dated)


def lend(part: Part, other: Part) -> Part:
    """Fill what the part leaves out from its neighbour: the month of "4 to 22 June", the day of "5pm"."""
    mine, yours = levels(part), levels(other)
    if not mine & _DATE and not part.now:
        return _filled(part, other, _DATE_FIELDS)
    if mine & level.DAY and part.day is not None and not mine & level.SEASON and other.day is not None:
        return _filled(part, other, _COARSE_FIELDS)
    if mine & level.SEASON and part.year is None and part.years is None and yours & level.YEAR:
        return _filled(part, other, ("year", "years"))
    if part.weekday is not None and other.weekday is not None and part.weeks is None and part.turn is None:
        return _filled(part, other, ("weeks",))
    return part


def _filled(part: Part, other: Part, names: tuple[str, ...]) -> Part:
    lent = {name: getattr(other, name) for name in names if getattr(part, name) is None}
    return part._replace(**lent)


def _halves(first: Part, last: Part) -> tuple[Part, Part]:
    """Give an hour without a half of the day the one that makes the range short: "3-4pm", "11 to 1"."""
    if first.hour is None or last.hour is None:
        return first, last
    if _bare(first) and last.hour > 12:
        return first._replace(meridiem=12 * (first.hour == 12)), last
    if _bare(first) and last.meridiem is not None:
        fits = [half for half in (12, 0) if _minutes(first, half) < _minutes(last, last.meridiem)]
        return first._replace(meridiem=fits[0] if fits else None), last
    if _bare(last) and first.part is not None:
        return first, last._replace(part=first.part)
    if _bare(last) and first.part is None:
        usual = 12 if _bare(first) and (first.hour or 0) in USUALLY_PM else 0
        start = _minutes(first, usual if first.meridiem is None else first.meridiem)
        fits = [half for half in (0, 12) if _minutes(last, half) > start]
        return first, last._replace(meridiem=fits[0] if fits else None)
    return first, last


def _bare(part: Part) -> bool:
    return part.meridiem is None and part.part is None and 1 <= (part.hour or 0) <= 12


def _minutes(part: Part, half: int) -> int:
    hour = part.hour or 0
    return (hour % 12 + half if hour <= 12 else hour) * 60 + (part.minute or 0)
