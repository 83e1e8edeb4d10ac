"""Which of several candidates is meant: tense, "last" and "next", and nearness decide."""

from collections.abc import Sequence
from datetime import timedelta

from mnemic.extraction.times.arithmetic import DAY, midnight
from mnemic.extraction.times.part import Part
from mnemic.extraction.times.span import Clock, Span

_FRESH = timedelta(days=62)
"""How long a date without a year, and without any word of tense, is still taken to be the one gone by."""


def choose(found: Sequence[Span], part: Part, clock: Clock) -> Span | None:
    """Choose among candidates in order: by "last"/"next", by the range it ends, by tense, by nearness."""
    if not found or part.year is not None or part.years is not None:
        return found[0] if found else None
    if part.turn and not part.nth:
        return _turned(found, part.turn, clock)
    if clock.pivot is not None:
        return next((span for span in found if span.since >= midnight(clock.pivot)), None)
    if (
        part.turn == 0
        or part.half is not None
        or (part.week and not part.month)
        or (part.quarter is not None and clock.past is None)
    ):
        return _this(found, part, clock)
    return _by_tense(found, part, clock)


def _turned(found: Sequence[Span], turn: int, clock: Clock) -> Span | None:
    """Return the nth candidate wholly before today, or wholly after it."""
    if turn < 0:  # nobody calls yesterday "last Friday"
        latest = clock.today - DAY if found[0].grain == "day" else clock.today
        past = [span for span in found if span.until <= latest]
        return past[turn] if len(past) >= -turn else None
    ahead = [span for span in found if span.since > clock.now]
    return ahead[turn - 1] if len(ahead) >= turn else None


def _this(found: Sequence[Span], part: Part, clock: Clock) -> Span | None:
    """Take the coming one for "this Friday", that of this year for "this September" and "Q3"."""
    if part.weekday is not None and part.month is None:
        return _by_tense(found, part, clock)
    return next((span for span in found if span.since.year == clock.now.year), None)


def _by_tense(found: Sequence[Span], part: Part, clock: Clock) -> Span | None:
    past = [
        span
        for span in found
        if span.since <= clock.now and (part.weekday is None or span.until <= clock.today)
    ]
    ahead = [span for span in found if span.until > clock.today]
    if clock.past is None and past and ahead and (part.month or part.season is not None):
        back, forward = clock.today - past[-1].until, ahead[0].since - clock.today
        return past[-1] if back < _FRESH and back * 4 < forward else ahead[0]
    if clock.past or (clock.past is None and not ahead):
        return past[-1] if past else None
    return ahead[0] if ahead else None
