"""From a part to an interval: the day it names, narrowed by "early", by a part of the day, by the clock."""

from datetime import datetime, timedelta

from mnemic.extraction.times.arithmetic import DAY, after, is_daily, midnight, moved, start_of
from mnemic.extraction.times.calendar import day_span
from mnemic.extraction.times.clocks import USUALLY_PM
from mnemic.extraction.times.lexicon import DATA
from mnemic.extraction.times.part import Part
from mnemic.extraction.times.span import Clock, Span, unit_span

_HOUR = timedelta(hours=1)
_PARTS: dict[str, list[int]] = DATA["parts"]
_EDGES: dict[str, dict[str, list[int]]] = DATA["edges"]
_EDGE_UNITS = {"day": "hour", "week": "day", "month": "day"}
"""In what the shares of a unit are counted; of all others, in months."""


def resolve(part: Part, clock: Clock, *, due: bool = False) -> Span | None:
    """Return what the part means against the clock; None where the calendar has no such time.

    ``due`` says that the time is a limit ("by the end of March"): the last day of an end counts.
    """
    if part.now:
        return Span(clock.now, clock.now + timedelta(minutes=1), "minute", "time")
    if part.window is not None:
        return _window(part, clock.now)
    span = _away(part, clock) if part.away is not None else day_span(part, clock)
    if span is not None and part.edge is not None:
        span = _edged(span, part.edge, clock, due=due)
    if part.hour is None and part.part is None:
        return span
    if span is None:
        if day_level(part):
            return None
        return _undated(part, clock)
    return _timed(part, span, clock)


def day_level(part: Part) -> bool:
    """Tell whether the part names a day or something longer, not only a time of day."""
    return part._replace(part=None, hour=None, minute=None, meridiem=None, zone=None) != Part()


def _window(part: Part, now: datetime) -> Span:
    amounts = part.away or ()
    backward = tuple((unit, -amount) for unit, amount in amounts)
    grain = amounts[0][0]
    if not is_daily(amounts):
        now = start_of("minute", now)
        return (
            Span(moved(now, backward), now, grain)
            if part.window == -1
            else Span(now, moved(now, amounts), grain)
        )
    today = midnight(now)
    if part.window == -1:
        return Span(moved(today, backward), today + DAY, grain)
    first = today + DAY if part.window == 1 else today
    return Span(first, moved(today + DAY, amounts), grain)


def _away(part: Part, clock: Clock) -> Span | None:
    """Return the moment so far from now or from the origin, a stretch where the distance is vague."""
    origin = clock.now
    if part.origin is not None:
        base = resolve(part.origin, clock)
        if base is None:
            return None
        origin = base.since
    far = moved(origin, part.away or ())
    near = moved(origin, part.least) if part.least is not None else far
    grain, kind = ("day", "date") if is_daily(part.away or ()) else ("minute", "time")
    since, last = start_of(grain, min(far, near)), start_of(grain, max(far, near))
    return Span(since, after(grain, last), grain, kind if since == last else "span")


def _edged(span: Span, edge: str, clock: Clock, *, due: bool) -> Span | None:
    """Return the early, middle or late share of a span, its rest, or the week or month around its start."""
    if edge in ("week", "month"):
        return unit_span(edge, span.since)
    if edge == "rest":
        if span.grain == "day" and span.since <= clock.now < span.until:
            return Span(start_of("minute", clock.now), span.until, "hour")
        return span._replace(kind="span", since=max(span.since, min(clock.today, span.until - DAY)))
    if edge == "earlier":
        return span._replace(kind="span", until=min(span.until, max(clock.today, span.since + DAY)))
    if edge == "end" and due and span.grain != "day":
        return unit_span("day", span.until - DAY)
    if span.grain not in _EDGES:
        return None
    unit = _EDGE_UNITS.get(span.grain, "month")
    first, last = _EDGES[span.grain][edge]
    return Span(after(unit, span.since, first), min(span.until, after(unit, span.since, last)), unit)


def _timed(part: Part, span: Span, clock: Clock) -> Span:
    """Return the part of the day, or the time of day, on the first day of the span."""
    day = midnight(span.since)
    if part.hour is None:
        first, last = _PARTS[part.part or "morning"]
        return Span(day + _HOUR * first, day + _HOUR * last, "hour", dated=span.dated)
    gone = day + _HOUR * (part.hour + 1) <= clock.now < day + DAY
    hour = hour_of(part, later=gone and clock.past is False and span.dated)
    since = day + _HOUR * hour + timedelta(minutes=part.minute or 0)
    length, grain = (_HOUR, "hour") if part.minute is None else (timedelta(minutes=1), "minute")
    return Span(since, since + length, grain, "time", span.dated)


def _undated(part: Part, clock: Clock) -> Span:
    """Place a time of day alone: today, or on the day before or after where tense says so."""
    today = unit_span("day", clock.now)._replace(dated=False)
    span = _timed(part, today, clock)
    if clock.past and span.since > clock.now:
        return span._replace(since=span.since - DAY, until=span.until - DAY)
    if clock.past is False and span.until <= clock.now:
        return span._replace(since=span.since + DAY, until=span.until + DAY)
    return span


def hour_of(part: Part, *, later: bool = False) -> int:
    """Return the hour, 0 to 30, that a bare "8", "8pm" or "晚上8点" means; past 24 it is of the next day.

    ``later`` says that the morning hour of a bare number has gone by.
    """
    hour = part.hour or 0
    if part.meridiem is not None and (part.part is None or part.meridiem):
        return hour % 12 + part.meridiem if hour < 13 and (part.meridiem or hour == 12) else hour
    if hour > 12:
        return hour
    if part.part is not None:
        first, last = _PARTS[part.part]
        choices = [hour % 12, hour % 12 + 12, hour % 12 + 24]
        return min(choices, key=lambda choice: max(first - choice, choice - last, 0))
    return hour + 12 if hour in USUALLY_PM or (later and hour < 12) else hour
