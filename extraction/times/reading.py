"""From an expression to a value: its tense, its interval in the speaker's time zone, its normal form."""

from dataclasses import replace
from datetime import datetime, timedelta

from mnemic.extraction.model import Value
from mnemic.extraction.times.boundaries import boundary_at
from mnemic.extraction.times.calendar import Clock, Span
from mnemic.extraction.times.joining import Expression
from mnemic.extraction.times.lengths import Length
from mnemic.extraction.times.normal import duration, interval, recurrence
from mnemic.extraction.times.part import Part
from mnemic.extraction.times.ranges import resolve_range
from mnemic.extraction.times.resolve import day_level, resolve
from mnemic.extraction.times.tense import looks_back

_CURRENT = {"week": "weeks", "month": "months", "quarter": "quarters", "year": "years"}


class Reader:
    """Reads the expressions of one folded text against one clock."""

    def __init__(self, text: str, folded: str, at: datetime, past: bool | None) -> None:
        self._text = text
        self._folded = folded
        self._at = at
        self._now = at.replace(tzinfo=None)
        self._past = past

    def read(self, expression: Expression, start: int, end: int) -> Value | None:
        """Return what the expression at ``[start, end)`` says; None where the calendar has no such time."""
        value = Value(start=start, end=end, text=self._text[start:end], kind="quantity", normal="")
        if expression.length is not None:
            return _quantity(value, expression.length)
        if expression.part is None or (expression.part.now and expression.to is None):
            return None
        try:
            return self._time(value, expression.part, expression.to)
        except (ValueError, OverflowError):  # a year that the calendar does not reach
            return None

    def _time(self, value: Value, part: Part, to: Part | None) -> Value | None:
        bound = boundary_at(self._folded, value.start, value.end)
        clock = Clock(self._now, self._tense(value, bound))
        if part.every is not None:
            return self._recurring(value, part, to, clock)
        zone = part.zone if part.zone is not None else to and to.zone
        away = timedelta() if zone is None else timedelta(hours=zone) - (self._at.utcoffset() or timedelta())
        clock = replace(clock, now=clock.now + away)
        span = resolve(part, clock, due=bound == "by") if to is None else resolve_range(part, to, clock)
        return span and self._placed(value, replace(span, since=span.since - away, until=span.until - away))

    def _tense(self, value: Value, bound: str) -> bool | None:
        if self._past is not None:
            return self._past
        looks = looks_back(self._folded, value.start, value.end)
        if bound == "by":
            return False
        return looks

    def _placed(self, value: Value, span: Span) -> Value:
        zone = self._at.tzinfo
        since, until = span.since.replace(tzinfo=zone), span.until.replace(tzinfo=zone)
        return replace(value, kind=span.kind, normal=interval(span), since=since, until=until, grain=span.grain)

    def _recurring(self, value: Value, part: Part, to: Part | None, clock: Clock) -> Value | None:
        """A value that recurs, placed on its next occurrence."""
        once = part._replace(every=None, each=None)
        clock = replace(clock, past=False)
        if part.each is not None:
            choices = [once._replace(weekday=day) for day in part.each]
        elif day_level(once):
            choices = [once]
        else:
            unit = (part.every or "").partition("/")[0]
            field = "days" if once != Part() else _CURRENT.get(unit, "days")
            choices = [once._replace(**{field: 0})]
        spans = [resolve(choice, clock) if to is None else resolve_range(choice, to, clock) for choice in choices]
        span = min((each for each in spans if each is not None), key=lambda each: each.since, default=None)
        return span and replace(self._placed(value, span), normal=recurrence(part, to), recurring=True)


def _quantity(value: Value, length: Length) -> Value:
    """The value of a length; a vague one is put at the middle of its range ("a few days": P3D)."""
    amounts = length.amounts
    if length.least is not None:
        amounts = tuple((unit, (low + high) // 2) for (unit, high), (_, low) in zip(amounts, length.least, strict=True))
    return replace(value, normal=duration(amounts), grain=amounts[-1][0])
