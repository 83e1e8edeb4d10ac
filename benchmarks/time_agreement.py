"""When a found time means what a data set says: one test for each way of saying it."""

from collections.abc import Callable, Iterable
from datetime import datetime, timedelta

from mnemic.extraction.model import Value

Agrees = Callable[[Value], bool]


def starts_at(moment: datetime, grain: str) -> Agrees:
    """Agree where the value starts at the moment, as far as the grain tells."""
    width = {"year": 4, "quarter": 7, "month": 7, "week": 10, "day": 10, "hour": 13}.get(grain, 16)
    said = moment.isoformat()

    def agrees(value: Value) -> bool:
        if value.since is None:
            return False
        ours = value.since.isoformat()
        if value.kind == "time" and "T" not in value.normal and not value.recurring:
            return ours[11:16] == said[11:16]
        return ours[:width] == said[:width]

    return agrees


def stretches(since: datetime, until: datetime) -> Agrees:
    """Agree where both ends do, give or take one unit at the end and a day at the start."""
    unit = timedelta(days=1) if until - since >= timedelta(days=1) else timedelta(hours=1)
    if since.day == until.day == 1 and (since.hour, until.hour) == (0, 0):
        unit = timedelta(days=366 if since.month == until.month == 1 else 31)
    if until - since < timedelta(hours=1):
        unit = timedelta(minutes=1)

    def agrees(value: Value) -> bool:
        if value.since is None or value.until is None:
            return False
        ours, ends = (moment.replace(tzinfo=None) for moment in (value.since, value.until))
        early = min(unit, timedelta(days=1))
        return abs(ours - since) <= early and abs(ends - until) <= unit

    return agrees


def half_of_day(since: datetime, until: datetime) -> Agrees:
    """Agree where the value overlaps the part of the day on the same day."""

    def agrees(value: Value) -> bool:
        if value.since is None or value.until is None:
            return False
        ours, ends = (moment.replace(tzinfo=None) for moment in (value.since, value.until))
        return ours < until and ends > since and ends - ours <= timedelta(days=1)

    return agrees


def bounded(moment: datetime) -> Agrees:
    """Agree where the value begins or ends at the limit."""

    def agrees(value: Value) -> bool:
        ends = [each.replace(tzinfo=None) for each in (value.since, value.until) if each is not None]
        return any(abs(each - moment) < timedelta(minutes=1) for each in ends)

    return agrees


def lasts(iso: str) -> Agrees:
    """Agree where the length has the same ISO form."""
    return lambda value: value.kind == "quantity" and value.normal == iso


def recurs(value: Value) -> bool:
    return value.recurring


def any_of(tests: Iterable[Agrees]) -> Agrees | None:
    """Agree where one of the tests does; None without tests."""
    tests = list(tests)
    return (lambda value: any(test(value) for test in tests)) if tests else None
