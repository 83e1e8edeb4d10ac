"""Builders for dates: "3月2号", "July 13-15", "the 19th", "May", "90年代"."""

from mnemic.extraction.times.lengths import Built, Tokens, numbers, one
from mnemic.extraction.times.literals import full_year
from mnemic.extraction.times.part import Part


def ready(tokens: Tokens) -> Built:
    """Take the part that a token holds: a date in digits, 2026年."""
    return one(tokens, "DE").part


def year(tokens: Tokens) -> Built:
    """Read a bare number that may be a year."""
    return Part(year=tokens[-1].integer)


def month(tokens: Tokens) -> Built:
    """Read "March", "3月"."""
    return _month(tokens)


def _month(tokens: Tokens) -> Part | None:
    name = next((token for token in tokens if token.letter in "Ma"), None)
    found = numbers(tokens)
    if name is None and tokens[0].name == "两":  # 二月 is a month, 两月 are two
        return None
    month = name.integer if name else found.pop(0)
    return Part(month=month) if 1 <= month <= 12 else None


def month_day(tokens: Tokens) -> Built:
    """Read a month and a day in either order: "March 3rd", "the 3rd of March", "3月3号"."""
    name = next((token for token in tokens if token.letter in "Ma"), None)
    month, day = (name.integer, numbers(tokens)[0]) if name else tuple(numbers(tokens)[:2])
    return Part(month=month, day=day) if 1 <= month <= 12 and 1 <= day <= 31 else None


def month_days(tokens: Tokens) -> Built:
    """Read a month with two days: "July 13-15", "13 to 15 July", "一月19到20日", "4 to January 22"."""
    name = next((token for token in tokens if token.letter in "Ma"), None)
    found = numbers(tokens)
    month = name.integer if name else found.pop(0)
    if not 1 <= month <= 12 or not all(1 <= day <= 31 for day in found):
        return None
    return Part(month=month, day=found[0]), Part(month=month, day=found[1])


def day(tokens: Tokens) -> Built:
    """Read a day of some month: "12号", "the 19th"."""
    number = numbers(tokens)[0]
    return Part(day=number) if 1 <= number <= 31 else None


def days(tokens: Tokens) -> Built:
    """Read two days of some month: "1到3号"."""
    first, last = numbers(tokens)
    return (Part(day=first), Part(day=last)) if 1 <= first <= 31 and 1 <= last <= 31 else None


def day_of_shifted(tokens: Tokens) -> Built:
    """Read "20th of next month", "4 to 23 of this month"."""
    if one(tokens, "U").name != "month" or not all(1 <= number <= 31 for number in numbers(tokens)):
        return None
    shift = one(tokens, "R").integer
    first, *rest = [Part(months=shift, day=number) for number in numbers(tokens)]
    return (first, rest[0]) if rest else first


def dashed(tokens: Tokens) -> Built:
    """Read "05-Aug-2016", "2019/aug/01", "Dec-2018"."""
    month = one(tokens, "Ma").integer
    found = [token for token in tokens if token.letter in "nNO"]
    year = next((token for token in found if token.letter == "n"), found[-1])
    rest = [token.integer for token in found if token is not year]
    written = year.integer if year.letter == "n" else full_year(f"{year.integer:02}")
    if rest and not 1 <= rest[0] <= 31:
        return None
    return Part(year=written, month=month, day=rest[0] if rest else None)


def lunar_day(tokens: Tokens) -> Built:
    """Read a day of the first lunar month, "正月初三": counted from the spring festival."""
    number = numbers(tokens)[0]
    return Part(festival="spring festival", nth=number) if 1 <= number <= 30 else None


def decade(tokens: Tokens) -> Built:
    """Read "90年代" and "20世纪80年代"."""
    found = numbers(tokens)
    if found[-1] % 10 or found[-1] > 90:
        return None
    return Part(decade=(found[0] - 1) * 100 + found[1] if len(found) > 1 else full_year(f"{found[0]:02}"))
