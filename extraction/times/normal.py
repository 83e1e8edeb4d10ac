"""The comparable form of a time: "2026-06-21", "2026-06-21T18:00", "2026-W23", "18:00", "weekly:mon@20:00"."""

from datetime import datetime

from mnemic.extraction.times.part import Amounts, Part
from mnemic.extraction.times.resolve import hour_of
from mnemic.extraction.times.span import Span

_DAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
_DESIGNATORS = {
    **{
        "century": "00Y",
        "decade": "0Y",
        "year": "Y",
        "quarter": "Q",
        "month": "M",
        "week": "W",
        "workday": "BD",
    },
    **{"day": "D", "hour": "H", "minute": "M", "second": "S"},
}
_ORDER = tuple(_DESIGNATORS)


def interval(span: Span) -> str:
    """Return a calendar unit or a time of day in short, any other stretch as two ends, the second exclusive."""
    since = span.since.isoformat()
    if span.kind == "time":
        return since[:16] if span.dated else since[11:16]
    if span.kind == "date":
        return _unit(span.since, span.grain)
    if not span.dated:
        return f"{since[11:16]}/{span.until.isoformat()[11:16]}"
    width = 16 if _has_clock(span.since) or _has_clock(span.until) else 10
    return f"{since[:width]}/{span.until.isoformat()[:width]}"


def _unit(start: datetime, grain: str) -> str:
    day = start.isoformat()[:10]
    if grain == "week":
        year, week, _ = start.isocalendar()
        return f"{year:04}-W{week:02}"
    if grain == "quarter":
        return f"{day[:4]}-Q{(start.month + 2) // 3}"
    if grain == "half":
        return f"{day[:4]}-H{1 if start.month <= 6 else 2}"
    return day[: {"year": 4, "month": 7}.get(grain, 10)]


def _has_clock(moment: datetime) -> bool:
    return (moment.hour, moment.minute) != (0, 0)


def duration(amounts: Amounts) -> str:
    """Return an ISO 8601 duration: "P1Y3M", "PT1.5H"; working days as "P3BD"."""
    written = {"date": "", "time": ""}
    for unit, amount in sorted(amounts, key=lambda pair: _ORDER.index(pair[0])):
        clock = unit in ("hour", "minute", "second")
        written["time" if clock else "date"] += f"{amount:g}{_DESIGNATORS[unit]}"
    return "P" + written["date"] + ("T" + written["time"] if written["time"] else "")


def recurrence(part: Part, to: Part | None = None) -> str:
    """Return the rhythm, its members and its time of day: "daily", "weekly:mon,wed@20:00", "monthly:15"."""
    unit, _, times = (part.every or "day").partition("/")
    members = ""
    if part.each is not None:
        members = ":" + ",".join(_DAYS[day] for day in part.each)
    elif part.weekday is not None:
        members = f":{part.nth or ''}{_DAYS[part.weekday]}"
    elif part.festival is not None:
        members = ":" + part.festival
    elif part.month is not None:
        members = f":{part.month:02}" + (f"-{part.day:02}" if part.day else "")
    elif part.day is not None:
        members = f":{part.day}"
    clock = "-".join(filter(None, [_time_of_day(part), _time_of_day(to)]))
    return (
        ("daily" if unit == "day" else f"{unit}ly")
        + (f"/{times}" if times else "")
        + members
        + (f"@{clock}" if clock else "")
    )


def _time_of_day(part: Part | None) -> str:
    if part is None or part.hour is None:
        return "" if part is None else part.part or ""
    return f"{hour_of(part) % 24:02}:{part.minute or 0:02}"
