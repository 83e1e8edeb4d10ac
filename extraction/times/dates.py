"""Builders for dates: "3月2号", "July 13-15", "the first Friday", "next week", "下个月底"."""

from collections.abc import Sequence

from mnemic.extraction.times.lengths import Built, Tokens, numbers, one
from mnemic.extraction.times.literals import full_year
from mnemic.extraction.times.part import Part
from mnemic.extraction.times.token import Token

_SHIFTED = {"year": "years", "quarter": "quarters", "month": "months", "week": "weeks", "day": "days"}
_NTH = {"week": "week", "quarter": "quarter", "day": "day"}


def ready(tokens: Tokens) -> Built:
    """A token that holds its part: a date in digits, 2026年."""
    return one(tokens, "DE").part


def year(tokens: Tokens) -> Built:
    """A bare number that may be a year."""
    return Part(year=tokens[-1].integer)


def month(tokens: Tokens) -> Built:
    """Read "March", "3月"."""
    return _month(tokens)


def _month(tokens: Tokens, *more: int) -> Part | None:
    name = next((token for token in tokens if token.letter in "Ma"), None)
    found = numbers(tokens)
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


def lunar_day(tokens: Tokens) -> Built:
    """Read a day of the first lunar month, "正月初三": counted from the spring festival."""
    number = numbers(tokens)[0]
    return Part(festival="spring festival", nth=number) if 1 <= number <= 30 else None


def nth(tokens: Tokens) -> Built:
    """Read "the first Friday", "third week", "4th quarter", "第二个周末"."""
    number, what = numbers(tokens)[0], one(tokens, "WwUk")
    if what.letter in "Ww":
        return Part(weekday=what.integer, nth=number)
    field = _NTH.get(what.name)
    return None if field is None else Part(**{field: number})


def relative(tokens: Tokens) -> Built:
    """Read "next week", "上周五", "this summer", "last Christmas", "下个月"."""
    turn, what = _last(tokens, "R>"), tokens[-1]
    if what.letter in "Uykmd":
        return _unit(what.name, turn.integer)
    if what.letter in "Ww":
        return _turned_weekday(what.integer, turn)
    if what.letter == "K":
        return Part(weeks=turn.integer, weekend=True)
    if what.letter in "DE":
        return what.part and what.part._replace(turn=turn.integer)
    field = "month" if what.letter in "Ma" else _FIELDS[what.letter]
    return Part(turn=turn.integer, **{field: what.name or what.integer})  # type: ignore[arg-type]


def _last(tokens: Sequence[Token], letters: str) -> Token:
    return one(list(reversed(tokens)), letters)


def _unit(unit: str, turn: int) -> Part:
    """A calendar unit so many away; units without calendar borders are stretches from now."""
    if unit in _SHIFTED:
        return Part(**{_SHIFTED[unit]: turn})
    if unit == "fortnight":
        return Part(window=turn or 1, away=(("week", 2),))
    years = {"decade": 10, "century": 100}.get(unit)
    amounts = (("year", float(years)),) if years else ((unit, 1.0),)
    return Part(window=turn or 1, away=amounts)


def _turned_weekday(weekday: int, turn: Token) -> Part:
    """ "上周五" counts calendar weeks, and so does "next Friday"; "last Friday" is the one before today."""
    if turn.name == "nth":
        return Part(weekday=weekday, nth=-1)
    if turn.name == "week" or turn.integer > 0:
        return Part(weekday=weekday, weeks=turn.integer)
    return Part(weekday=weekday, turn=turn.integer)


def after_next(tokens: Tokens) -> Built:
    """Read "the week after next", "Friday after next"."""
    if tokens[-2].letter in "Ww":
        return Part(weekday=tokens[-2].integer, turn=2)
    return _unit(tokens[-2].name, 2)


_FIELDS = {
    **{"T": "days", "Y": "years", "W": "weekday", "w": "weekday", "z": "season", "q": "half"},
    **{"P": "part", "p": "part", "S": "festival", "G": "edge", "g": "edge"},
    **{"K": "weekend", "X": "now"},
}


def single(tokens: Tokens) -> Built:
    """Read one word that says it all: "tomorrow", "去年", "Friday", "春节", "tonight"."""
    token = tokens[-1]
    if token.letter == "Z":
        return Part(zone=token.number)
    if token.letter == "Q":
        return Part(days=token.integer, part=token.name)
    value = token.letter in "KX" or token.name or token.integer
    return Part(**{_FIELDS[token.letter]: value})  # type: ignore[arg-type]  # a field of that type


def edge(tokens: Tokens) -> Built:
    """Read "end of the month", "月底", "下个月底", "3月底", "明年年初"."""
    named = next((token.name.split() for token in tokens if token.letter == "B"), None)
    if named is None:
        unit, end = one(tokens, "Uyk").name, one(tokens, "G").name
    else:
        unit, end = named
    found = numbers(tokens)
    if found:
        return Part(month=found[0], edge=end) if unit == "month" and 1 <= found[0] <= 12 else None
    turn = next((token.integer for token in tokens if token.letter == "R"), 0)
    return _unit(unit, turn)._replace(edge=end) if unit in _SHIFTED else None


def decade(tokens: Tokens) -> Built:
    """Read "90年代" and "20世纪80年代"."""
    found = numbers(tokens)
    if found[-1] % 10 or found[-1] > 90:
        return None
    return Part(decade=(found[0] - 1) * 100 + found[1] if len(found) > 1 else full_year(f"{found[0]:02}"))
