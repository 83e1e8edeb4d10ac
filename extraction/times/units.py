"""Builders for units of the calendar: "next week", "上周五", "the first Friday", "下个月底", "tomorrow"."""

from collections.abc import Sequence

from mnemic.extraction.times.lengths import Built, Tokens, numbers, one
from mnemic.extraction.times.literals import full_year
from mnemic.extraction.times.part import Part, saying
from mnemic.extraction.times.token import Token

_SHIFTED = {"year": "years", "quarter": "quarters", "month": "months", "week": "weeks", "day": "days"}
_NTH = {"week": "week", "quarter": "quarter", "day": "day"}


def nth(tokens: Tokens) -> Built:
    """Read "the first Friday", "third week", "4th quarter", "第二个周末"."""
    number, what = numbers(tokens)[0], one(tokens, "WwUk")
    if what.letter in "Ww":
        return Part(weekday=what.integer, nth=number)
    field = _NTH.get(what.name)
    return None if field is None else saying(**{field: number})


def numbered(tokens: Tokens) -> Built:
    """Read "year 2008", "week 31"."""
    unit, number = one(tokens, "U").name, numbers(tokens)[0]
    if unit == "week":
        return Part(week=number) if 1 <= number <= 53 else None
    return Part(year=number) if unit == "year" and number else None


def last_of(tokens: Tokens) -> Built:
    """Read "last week" and "last day" before "of": those that end something, not those before now."""
    turn, what = _last(tokens, "R>"), tokens[-1]
    field = "weekend" if what.letter == "K" else _NTH.get(what.name)
    if turn.integer != -1 or field is None or field == "quarter":
        return relative(tokens)
    return Part(weekend=True, nth=-1) if field == "weekend" else saying(**{field: -1})


def holding(tokens: Tokens) -> Built:
    """Read "the week of", which names the week around the day that follows."""
    unit = one(tokens, "U").name
    return Part(edge=unit) if unit in ("week", "month") else None


def rest_of(tokens: Tokens) -> Built:
    """Read "later this week"."""
    shifted = _unit(tokens[-1].name, one(tokens, "R").integer)
    return None if shifted.window else shifted._replace(edge="rest")


def relative(tokens: Tokens) -> Built:
    """Read "next week", "上周五", "this summer", "last Christmas", "下个月"."""
    what = tokens[-1]
    if tokens[0].letter in "oI":  # "of the month"
        return _unit(what.name, 0)
    turn = _last(tokens, "R>")
    if what.letter in "Uykmd":
        if what.name == "day" and turn.integer < 0 and not turn.name:
            return None  # "her last day" is no yesterday
        return _unit(what.name, turn.integer)
    if what.letter in "Ww":
        return _turned_weekday(what.integer, turn)
    if what.letter == "K":
        return Part(weeks=turn.integer, weekend=True)
    if what.letter in "DE":
        return what.part and what.part._replace(turn=turn.integer)
    field = "month" if what.letter in "Ma" else _FIELDS[what.letter]
    return saying(turn=turn.integer, **{field: what.name or what.integer})


def _last(tokens: Sequence[Token], letters: str) -> Token:
    return one(list(reversed(tokens)), letters)


def _unit(unit: str, turn: int) -> Part:
    """Return a calendar unit so many away; units without calendar borders are stretches from now."""
    if unit in _SHIFTED:
        return saying(**{_SHIFTED[unit]: turn})
    if unit == "fortnight":
        return Part(window=turn or 1, away=(("week", 2),))
    years = {"decade": 10, "century": 100}.get(unit)
    amounts = (("year", float(years)),) if years else ((unit, 1.0),)
    return Part(window=turn or 1, away=amounts)


def _turned_weekday(weekday: int, turn: Token) -> Part:
    """Count weeks for "上周五" and "next Friday"; look back from today for "last Friday"."""
    if turn.name == "nth":
        return Part(weekday=weekday, nth=-1)
    if turn.name == "coming":
        return Part(weekday=weekday, turn=0)
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
    return saying(**{_FIELDS[token.letter]: value})


def edge(tokens: Tokens) -> Built:
    """Read "end of the month", "月底", "下个月底", "3月底", "明年年初", "2025年年底"."""
    named = next((token.name.split() for token in tokens if token.letter == "B"), None)
    if named is None:
        unit, end = one(tokens, "Uyk").name, one(tokens, "G").name
    else:
        unit, end = named
    found = numbers(tokens)
    if found and unit == "year":
        return Part(year=full_year(f"{found[0]:02}"), edge=end)
    if found:
        return Part(month=found[0], edge=end) if unit == "month" and 1 <= found[0] <= 12 else None
    said = next((token.part or Part(years=token.integer) for token in tokens if token.letter in "YD"), None)
    if said is not None:
        return said._replace(edge=end) if unit == "year" else None
    turn = next((token.integer for token in tokens if token.letter == "R"), 0)
    return _unit(unit, turn)._replace(edge=end) if unit in _SHIFTED else None


def end_of_day(tokens: Tokens) -> Built:
    """Read "EOD Thursday", "tomorrow EOD"."""
    unit, end = one(tokens, "B").name.split()
    day = single([one(tokens, "WT")])
    return day._replace(edge=end) if unit == "day" and isinstance(day, Part) else None
