"""Calendar arithmetic on naive local datetimes: units, their borders, and moving by them."""

from datetime import date, datetime, timedelta

from dateutil.relativedelta import relativedelta

from mnemic.extraction.times.part import Amounts

_MONTHS = {"month": 1, "quarter": 3, "half": 6, "year": 12, "decade": 120, "century": 1200}
_LENGTHS = {
    "minute": timedelta(minutes=1),
    "hour": timedelta(hours=1),
    "day": timedelta(days=1),
    "week": timedelta(weeks=1),
}
_EVEN = {
    "second": timedelta(seconds=1),
    **_LENGTHS,
}
DAY = timedelta(days=1)


def midnight(day: date) -> datetime:
    """Return the first moment of the day."""
    return datetime(day.year, day.month, day.day)


def start_of(unit: str, moment: datetime) -> datetime:
    """Return the first moment of the calendar unit that holds ``moment``; weeks begin on Monday."""
    if unit == "minute":
        return moment.replace(second=0, microsecond=0)
    if unit == "hour":
        return moment.replace(minute=0, second=0, microsecond=0)
    day = midnight(moment)
    if unit == "day":
        return day
    if unit == "week":
        return day - DAY * day.weekday()
    span = _MONTHS[unit]
    first = (day.year * 12 + day.month - 1) // span * span if span <= 12 else day.year // (span // 12) * span
    return datetime(first // 12, first % 12 + 1, 1)


def after(unit: str, start: datetime, count: int = 1) -> datetime:
    """Return the start of the unit ``count`` units after the one that begins at ``start``."""
    if unit in _MONTHS:
        months = start.year * 12 + start.month - 1 + _MONTHS[unit] * count
        return datetime(months // 12, months % 12 + 1, 1)
    return start + _LENGTHS[unit] * count


def moved(moment: datetime, amounts: Amounts) -> datetime:
    """Return the moment moved by signed amounts; half a year is six months, half a month 15 days."""
    for unit, amount in sorted(amounts, key=lambda pair: -_MONTHS.get(pair[0], 0)):
        if unit == "workday":
            moment = _workdays(moment, round(amount))
        elif unit in _MONTHS:
            months = amount * _MONTHS[unit]
            moment += relativedelta(months=int(months)) + timedelta(days=round((months - int(months)) * 30))
        else:
            moment += _EVEN[unit] * amount
    return moment


def _workdays(moment: datetime, count: int) -> datetime:
    step = DAY if count > 0 else -DAY
    for _ in range(abs(count)):
        moment += step
        while moment.weekday() >= 5:
            moment += step
    return moment


def is_daily(amounts: Amounts) -> bool:
    """Tell whether the amounts are of days or longer units only."""
    return not any(unit in ("second", "minute", "hour") for unit, _ in amounts)
