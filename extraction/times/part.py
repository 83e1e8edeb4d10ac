"""What a piece of a time expression says, before anything is computed: a set of calendar fields.

"next week", "Friday" and "3pm" are three parts; unified they are one. Two parts unify when they
speak of different levels of the calendar (the idea of SUTime: Chang and Manning, LREC 2012).
"""

from typing import Any, NamedTuple

Amounts = tuple[tuple[str, float], ...]
"""A length of time: unit names and how many of each, as ``(("year", 1), ("month", 3))``."""


class Part(NamedTuple):
    """Calendar fields; ``None`` where nothing was said. Plurals count from now (``weeks=1``: next week).

    ``turn`` says which way an otherwise open field looks: -1 "last Friday", 0 "this", 1 "next".
    ``nth`` picks the nth weekday of a month, -1 the last. ``away`` is a distance from now, or from
    ``origin``; ``least`` its nearer end where it is vague; ``window`` a stretch of ``away`` that ends
    now (-1), or begins tomorrow (1) or now (2). ``every`` names the rhythm of what recurs, ``each`` its members.
    """

    year: int | None = None
    years: int | None = None
    decade: int | None = None
    quarter: int | None = None
    quarters: int | None = None
    half: int | None = None
    season: int | None = None
    month: int | None = None
    months: int | None = None
    festival: str | None = None
    week: int | None = None
    weeks: int | None = None
    day: int | None = None
    days: int | None = None
    weekend: bool | None = None
    now: bool | None = None
    away: Amounts | None = None
    least: Amounts | None = None
    window: int | None = None
    origin: "Part | None" = None
    weekday: int | None = None
    nth: int | None = None
    turn: int | None = None
    part: str | None = None
    hour: int | None = None
    minute: int | None = None
    meridiem: int | None = None
    zone: float | None = None
    edge: str | None = None
    every: str | None = None
    each: tuple[int, ...] | None = None


NOTHING = Part()
"""The part that says nothing."""


def saying(part: Part = NOTHING, /, **fields: Any) -> Part:
    """Return the part with fields whose names were found out only now."""
    return part._replace(**fields)


YEAR, SEASON, WEEK, DAY, WEEKDAY, PART, CLOCK, ZONE, EDGE, SPAN, EVERY = (1 << bit for bit in range(11))
"""The levels of the calendar that a part can speak of, as bits."""

_LEVEL_OF = {
    **dict.fromkeys(("year", "years", "decade"), YEAR),
    **dict.fromkeys(("quarter", "quarters", "half", "season", "month", "months", "festival"), SEASON),
    **dict.fromkeys(("week", "weeks"), WEEK),
    **dict.fromkeys(("day", "days", "weekend", "now", "away"), DAY),
    **dict.fromkeys(("window", "origin"), SPAN),
    **{"weekday": WEEKDAY, "part": PART, "hour": CLOCK, "zone": ZONE, "edge": EDGE, "every": EVERY},
}
_LEVELS = tuple(_LEVEL_OF.get(name, 0) for name in Part._fields)
_COARSE = YEAR | SEASON | WEEK


def levels(part: Part) -> int:
    """Return the levels that the part speaks of, as bits."""
    found = 0
    for value, level in zip(part, _LEVELS, strict=True):
        if value is not None:
            found |= level
    return found


def unify(one: Part, two: Part) -> Part | None:
    """Return the part that says what both say, or None where they cannot be one expression."""
    mine, yours = levels(one), levels(two)
    if mine & yours or not _goes_together(one, two, mine | yours):
        return None
    pairs = list(zip(one, two, strict=True))
    if any(left is not None and right is not None and left != right for left, right in pairs):
        return None
    both = Part._make([right if left is None else left for left, right in pairs])
    if both.turn == -1 and both.nth is None and both.weekday is not None and (mine | yours) & (SEASON | YEAR):
        return both._replace(turn=None, nth=-1)  # "last Friday of July"
    return both


def _goes_together(one: Part, two: Part, both: int) -> bool:
    """Tell whether people say the union: no clock on a whole month, no weekday on "three days ago"."""
    if both & SPAN or (both & WEEK and both & DAY) or (both & ZONE and not both & CLOCK):
        return False
    if both & EVERY and (both & (WEEK | YEAR) or one.days is not None or two.days is not None):
        return False
    a_day = both & (DAY | WEEKDAY | EVERY) or one.festival or two.festival
    if both & (PART | CLOCK) and both & _COARSE and not a_day:
        return False
    if one.days is not None or two.days is not None or one.away is not None or two.away is not None:
        return not both & (_COARSE | WEEKDAY)
    if both & WEEKDAY and both & (SEASON | YEAR):
        picked = one.nth or two.nth or one.turn == -1 or two.turn == -1
        return bool(both & DAY or picked)
    return True
