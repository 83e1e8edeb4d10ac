"""On which days a holiday falls: a fixed date, the nth weekday of a month, from Easter, or by table."""

from collections.abc import Mapping
from datetime import date, timedelta
from functools import lru_cache
from typing import Any

from dateutil.easter import easter

from mnemic.extraction.times.lexicon import DATA

_RULES: Mapping[str, Mapping[str, Any]] = DATA["festivals"]


@lru_cache(maxsize=512)
def festival_day(name: str, year: int) -> date | None:
    """Return the day of the holiday in the year; None for a year that its table does not hold."""
    rule = _RULES[name]
    if "on" in rule:
        return date.fromisoformat(f"{year:04}-{rule['on']}")
    if "nth" in rule:
        month, nth, weekday = rule["nth"]
        day = nth_weekday(year, month, nth, weekday)
        return day and day + timedelta(days=rule.get("add", 0))
    if "easter" in rule:
        return easter(year) + timedelta(days=rule["easter"])
    return next((day for day in map(date.fromisoformat, rule["dates"]) if day.year == year), None)


def nth_weekday(year: int, month: int, nth: int, weekday: int) -> date | None:
    """Return the nth such weekday of the month (Monday is 0), the last for -1; None where there is none."""
    if nth < 0:
        last = date(year + month // 12, month % 12 + 1, 1) - timedelta(days=1)
        return last - timedelta(days=(last.weekday() - weekday) % 7 - 7 * (nth + 1))
    first = date(year, month, 1)
    day = first + timedelta(days=(weekday - first.weekday()) % 7 + 7 * (nth - 1))
    return day if day.month == month else None
