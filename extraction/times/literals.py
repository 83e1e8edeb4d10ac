"""What is written in digits: ISO and slashed dates, clock times, ordinals, quarters, plain numbers.

Digits that are no time (versions, identifiers, telephone numbers, amounts of money) are recognised here
too, so that nothing else reads a date into them. The shapes are tried in order, the first wins.
"""

import re
from collections.abc import Callable, Iterator
from datetime import datetime
from functools import partial

from mnemic.extraction.times.lexicon import LETTERS
from mnemic.extraction.times.part import Part
from mnemic.extraction.times.token import Token

Match = re.Match[str]
Made = tuple[str, Part | None, float]
"""The kind of token that a shape makes, its part and its number."""

_START = re.compile(r"(?<![a-z0-9_$€£¥#])(?:\d|[qh][1-4]|fy(?=[ ']?\d))")
_MERIDIEM = r"(?P<r>[ap]) (?: m\b | mpm\b | [ ]m\b | \.[ ]?m\b\.? | [ ]\.[ ]m[ ]\. )"
_PIVOT = 70


def literals(text: str) -> Iterator[Token]:
    """Yield a token for everything in the folded text that is written in digits, left to right."""
    at = 0
    while start := _START.search(text, at):
        at = start.end()
        for pattern, make in _SHAPES:
            if (match := pattern.match(text, start.start())) is not None:
                kind, part, number = make(match)
                yield Token(match.start(), match.end(), LETTERS[kind], number=number, part=part)
                at = match.end()
                break


def full_year(digits: str) -> int:
    """Return the year that "2026" or "26" means; two digits from 70 on are of the last century."""
    year = int(digits)
    return year if len(digits) > 2 else year + (2000 if year < _PIVOT else 1900)


def _junk(match: Match) -> Made:
    return "ignore", None, 0


def _moment(match: Match) -> Made:
    try:
        moment = datetime.fromisoformat(match[0].upper())
    except ValueError:
        return _junk(match)
    offset = moment.utcoffset()
    zone = None if offset is None else offset.total_seconds() / 3600
    day = Part(
        year=moment.year,
        month=moment.month,
        day=moment.day,
        hour=moment.hour,
        minute=moment.minute,
        meridiem=12 if moment.hour == 12 else 0,
        zone=zone,
    )
    return "date", day, 0


def _dated(kind: str, year: str | None, month: int, day: int) -> Made:
    """Make a date, month first; the other way round where only that can be."""
    if month > 12 and day <= 12:
        month, day = day, month
    if not (1 <= month <= 12 and 1 <= day <= 31):
        return "ignore", None, 0
    return kind, Part(year=None if year is None else full_year(year), month=month, day=day), day


def _year_month_day(match: Match) -> Made:
    month = int(match["m"])
    return _dated("date", match["y"], month, int(match["d"])) if month <= 12 else _junk(match)


def _day_month_year(match: Match) -> Made:
    first, second = int(match["m"]), int(match["d"])
    if match["s"] == ".":
        first, second = second, first
    return _dated("date", match["y"], first, second)


def _month_day(match: Match) -> Made:
    return _dated("weak_date", None, int(match["m"]), int(match["d"]))


def _year_month(match: Match) -> Made:
    return "date", Part(year=int(match["y"]), month=int(match["m"])), 0


def _clock(kind: str, match: Match) -> Made:
    hour, minute = int(match["h"]), match["i"]
    half = match.groupdict().get("r")
    if hour > 24 or (half and hour > 23):
        return _junk(match)
    meridiem = {"a": 0, "p": 12}[half] if half else (0 if match["h"].startswith("0") else None)
    return kind, Part(hour=hour, minute=int(minute) if minute else None, meridiem=meridiem), 0


def _decade(match: Match) -> Made:
    return "date", Part(decade=full_year(match["y"] + "0")), 0


def _quarter(match: Match) -> Made:
    year = match["y"] or match["z"]
    number, years = int(match["n"]), None if year is None else full_year(year)
    if match["k"] == "q":
        return "date", Part(quarter=number, year=years), 0
    return ("date", Part(half=number, year=years), 0) if years and number <= 2 else _junk(match)


def _fiscal(match: Match) -> Made:
    return "date", Part(year=full_year(match["y"])), 0


def _ordinal(match: Match) -> Made:
    return "ordinal", None, int(match["n"])


def _number(match: Match) -> Made:
    if len(match[0]) > 6 or "." in match[0]:
        return ("decimal", None, float(match[0])) if len(match[0]) <= 6 else _junk(match)
    if len(match[0]) > 2 and match[0].startswith("0"):
        return _junk(match)
    value = int(match[0])
    return "year_number" if 1000 <= value < 2200 and len(match[0]) == 4 else "number", None, value


_SHAPES: tuple[tuple[re.Pattern[str], Callable[[Match], Made]], ...] = tuple(
    (re.compile(pattern + r"(?![0-9_])", re.VERBOSE), make)
    for pattern, make in (
        (r"\d{4}-\d\d-\d\d t \d\d:\d\d (?: :\d\d (?:\.\d+)? )? (?: z | [+-]\d\d:\d\d )?", _moment),
        (r"(?P<y>\d{4}) (?P<s>[-/.]) (?P<m>\d\d?) (?P=s) (?P<d>\d\d?)", _year_month_day),
        (r"(?P<y>[12]\d{3}) [ ] (?P<m>[01]\d) [ ] (?P<d>[0-3]\d)", _year_month_day),
        (r"(?P<m>\d\d?) (?P<s>[-/.]) (?P<d>\d\d?) (?P=s) (?P<y>\d{4} | (?<=/)\d\d)", _day_month_year),
        (r"(?P<m>\d\d?) (?P<s>/) (?P<d>\d\d?) ,[ ]? (?P<y>\d{4})", _day_month_year),
        (
            r"""\d+ (?:[./-]\d+){3,} | \d+ (?:-\d+){2,} | \d+ (?:\.\d+){2,} | \d{1,3} (?:,\d{3})+ (?:\.\d+)? | \d+ (?:\.\d+)? [ ]?%
            | \d{3} [- ] \d{3,4} [- ] \d{4} | \d : 1""",
            _junk,
        ),
        (
            r"(?: (?P<y>\d{4}|\d\d) [ -]? )? (?P<k>[qh]) (?P<n>[1-4]) (?: [ -]?(?:of[ ])?(?P<z>[12]\d{3}) )? (?![a-z])",
            _quarter,
        ),
        (r"fy [ ]? '? (?P<y>[12]\d{3}|\d\d)", _fiscal),
        (
            rf"(?P<h>\d\d?) (?: [.:]? (?P<i>[0-5]\d) )? (?: :[0-5]\d )? [ ]? \.? {_MERIDIEM}",
            partial(_clock, "clock"),
        ),
        (r"(?P<h>\d\d?) : (?P<i>[0-5]\d) (?: :[0-5]\d )? (?P<r>[ap]) (?![a-z])", partial(_clock, "clock")),
        (r"(?P<h>\d\d?) : (?P<i>[0-5]\d) (?: :[0-5]\d )? (?!:)", partial(_clock, "clock")),
        (r"(?P<h>\d\d?) h (?P<i>[0-5]\d) (?![a-z])", partial(_clock, "clock")),
        (r"(?P<h>\d\d?) (?P<i>) (?P<r>[ap]) (?![a-z0-9'])", partial(_clock, "weak_clock")),
        (r"(?P<y>[12]\d{3}) [ ]?[-/][ ]? (?P<m>0?[1-9]|1[0-2]) (?![-/:\d])", _year_month),
        (r"(?P<m>0?[1-9]|1[0-2]) [ ]?[-/][ ]? (?P<y>[12]\d{3})", _year_month),
        (r"(?P<m>\d\d?) / (?P<d>\d\d?) (?! /?\d )", _month_day),
        (r"(?P<m>0\d) - (?P<d>[0-3]\d) (?! -?\d )", _month_day),
        (r"(?P<y>(?:1[5-9]|20)\d) 0 '? s\b", _decade),
        (r"(?: (?<=the[ ]) | (?<=the[ ]') ) (?P<y>[2-9]) 0 '? s\b", _decade),
        (r"(?P<n>\d\d?) (?:st|nd|rd|th)\b", _ordinal),
        (r"\d+ (?:\.\d+)?", _number),
    )
)
