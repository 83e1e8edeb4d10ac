"""From an expression to a value: its tense, its interval in the speaker's time zone, its normal form."""

from datetime import datetime, timedelta

from mnemic.extraction.model import Value
from mnemic.extraction.times.boundaries import boundary_at
from mnemic.extraction.times.joining import Expression
from mnemic.extraction.times.lengths import Length
from mnemic.extraction.times.normal import duration, interval, recurrence
from mnemic.extraction.times.part import Part, saying
from mnemic.extraction.times.ranges import resolve_range
from mnemic.extraction.times.resolve import day_level, resolve
from mnemic.extraction.times.span import Clock, Span
from mnemic.extraction.times.tense import looks_back
from mnemic.extraction.times.token import Token

_CURRENT = {"week": "weeks", "month": "months", "quarter": "quarters", "year": "years"}


class Reader:
    """Reads the expressions of one folded text against one clock."""

    def __init__(self, text: str, folded: str, at: datetime, past: bool | None) -> None:
        self._text = text
        self._folded = folded
        self._at = at
        self._now = at.replace(tzinfo=None)
        self._past = past

    def read(self, expression: Expression, tokens: list[Token]) -> Value | None:
        """Return what the expression among the tokens says; None where the calendar has no such time."""
        start, end = tokens[expression.first].start, tokens[expression.last - 1].end
        if expression.length is not None:
            return self._quantity(start, end, expression.length)
        if expression.part is None or (expression.part.now and expression.to is None):
            return None
        try:
            return self._time(start, end, expression.part, expression.to)
        except (ValueError, OverflowError):  # a year that the calendar does not reach
            return None

    def _quantity(self, start: int, end: int, length: Length) -> Value:
        """Return the value of a length; a vague one is put at the middle of its range ("a few days": P3D)."""
        amounts = length.amounts
        if length.least is not None:
            pairs = zip(amounts, length.least, strict=True)
            amounts = tuple((unit, (low + high) // 2) for (unit, high), (_, low) in pairs)
        text, normal = self._text[start:end], duration(amounts)
        return Value(start=start, end=end, text=text, kind="quantity", normal=normal, grain=amounts[-1][0])

    def _time(self, start: int, end: int, part: Part, to: Part | None) -> Value | None:
        bound = boundary_at(self._folded, start, end)
        clock = Clock(self._now, self._tense(start, end, bound))
        if part.every is not None:
            next_one = self._next(part, to, clock)
            return next_one and self._placed(start, end, next_one, recurrence(part, to), recurring=True)
        zone = part.zone if part.zone is not None else to and to.zone
        away = timedelta() if zone is None else timedelta(hours=zone) - (self._at.utcoffset() or timedelta())
        clock = clock._replace(now=clock.now + away)
        span = resolve(part, clock, due=bound == "by") if to is None else resolve_range(part, to, clock)
        if span is None or span.until <= span.since:
            return None
        span = span._replace(since=span.since - away, until=span.until - away)
        return self._placed(start, end, span, interval(span))

    def _tense(self, start: int, end: int, bound: str) -> bool | None:
        if self._past is not None:
            return self._past
        return False if bound == "by" else looks_back(self._folded, start, end)

    def _placed(self, start: int, end: int, span: Span, normal: str, *, recurring: bool = False) -> Value:
        """Return the span as a value in the speaker's time zone."""
        zone = self._at.tzinfo
        return Value(
            start=start,
            end=end,
            text=self._text[start:end],
            kind=span.kind,
            normal=normal,
            since=span.since.replace(tzinfo=zone),
            until=span.until.replace(tzinfo=zone),
            grain=span.grain,
            recurring=recurring,
        )

    def _next(self, part: Part, to: Part | None, clock: Clock) -> Span | None:
        """Return the next occurrence of what recurs."""
        once = part._replace(every=None, each=None)
        clock = clock._replace(past=False)
        if part.each is not None:
            choices = [once._replace(weekday=day) for day in part.each]
        elif day_level(once):
            choices = [once]
        else:
            unit = (part.every or "").partition("/")[0]
            field = "days" if once != Part() else _CURRENT.get(unit, "days")
            choices = [saying(once, **{field: 0})]
        spans = [
            resolve(choice, clock) if to is None else resolve_range(choice, to, clock) for choice in choices
        ]
        return min(filter(None, spans), key=lambda span: span.since, default=None)
