"""When a shown value says what was expected: ``matches(expected, value, names)``.

A value matches when, case, width and blanks aside,

1. it is one of the names of what is expected (the name itself, the aliases that the user's own dictionary
   or a shipped one gives it), or contains one as whole words: an edge in Latin letters or digits has to be
   the edge of a word, "C" is not in "C++" nor "Java" in "JavaScript"; between Chinese characters there is no
   such edge. Where that place is part of a longer name of something else ("上海" in "上海路") it does not
   count. Names of one or two Latin letters, which are easily words, must have their case inside a longer
   value ("Go" is not in "ready to go");
2. or the expected words are a number with its unit, an amount or a percentage, and it contains the same
   in other words ("45 天", "45 days");
3. or the expected words are a date or a time, and one in it says all that they say of year, date,
   weekday, hour and minute ("6 月 21 号", "2026-06-21").

The same rule serves what has to be shown and what must not be.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from datetime import UTC, datetime
from functools import cache, lru_cache
from unicodedata import normalize

from benchmarks.form import Name
from mnemic.extraction.model import Value
from mnemic.extraction.names import shipped
from mnemic.extraction.recognise import find_values
from mnemic.extraction.text import fold
from mnemic.extraction.times import find_times

Span = tuple[int, int]
Fields = frozenset[tuple[str, int]]

MEASURED = frozenset({"quantity", "money", "percent"})
DAY = ("year", "date", "weekday")
SAID_BY_GRAIN: Mapping[str, tuple[str, ...]] = {
    "day": DAY,
    "hour": (*DAY, "hour", "minute"),
    "minute": (*DAY, "hour", "minute"),
}
TELLING = frozenset({"date", "weekday", "hour"})
"""A time that says none of these is too little to go by."""

STANDPOINTS = (
    datetime(2024, 3, 4, 9, 7, tzinfo=UTC),
    datetime(2025, 8, 16, 14, 23, tzinfo=UTC),
    datetime(2027, 11, 26, 20, 41, tzinfo=UTC),
)
"""Moments that differ in every field: what is the same seen from all of them, the words themselves say."""

CJK = "\u3040-\u30ff\u3400-\u9fff\uac00-\ud7a3"
WORD = rf"[^\W{CJK}]"
_BLANK_BESIDE_CJK = re.compile(rf"(?<=[{CJK}]) | (?=[{CJK}])")


class Names:
    """The names that things have: each folded name leads to all names of what it may mean.

    What ``base`` knows counts where a name is not among the ``groups`` themselves.
    """

    def __init__(self, groups: Iterable[Iterable[str]], base: "Names | None" = None) -> None:
        self._alike: dict[str, set[str]] = {}
        self._base = base
        self._longer: dict[str, tuple[str, ...]] = {}
        for group in groups:
            names = {_plain(name) for name in group}
            for name in names:
                self._alike.setdefault(fold(name), set()).update(names)

    @classmethod
    def of(cls, dictionary: Iterable[Name]) -> "Names":
        """Return the names of a user's own dictionary, over those of the shipped ones."""
        return cls([(entry.name, *entry.aliases) for entry in dictionary], _shipped())

    def same_as(self, name: str) -> frozenset[str]:
        """Return ``name`` and all other names of what it may mean."""
        alike = self._alike.get(fold(name))
        if alike is not None:
            return frozenset({_plain(name), *alike})
        return self._base.same_as(name) if self._base else frozenset({_plain(name)})

    def longer(self, name: str) -> tuple[str, ...]:
        """Return the folded names of other things that contain this one."""
        key = fold(name)
        if key not in self._longer:
            own = {fold(other) for other in self.same_as(name)}
            beyond = self._base.longer(name) if self._base else ()
            around = {other for other in (*self._alike, *beyond) if key in other and other not in own}
            self._longer[key] = tuple(sorted(around))
        return self._longer[key]


@cache
def _shipped() -> Names:
    return Names((entry.name, *entry.aliases) for entry in shipped())


def matches(expected: str, value: str, names: Names) -> bool:
    """Tell whether ``value`` says what is expected, as the head of this module lays down."""
    return (
        any(_names(name, value, names) for name in names.same_as(expected))
        or _same_measure(expected, value)
        or _same_time(expected, value)
    )


def _names(name: str, value: str, names: Names) -> bool:
    """Tell whether ``value`` is ``name`` or contains it as whole words outside a longer name."""
    if fold(name) == fold(value):
        return True
    shown = _plain(value)
    taken = [
        span for other in names.longer(name) if other in shown.casefold() for span in _spans(other, shown)
    ]
    return any(
        not any(start <= at and end <= stop for start, stop in taken) for at, end in _spans(name, shown)
    )


def _spans(name: str, text: str) -> Iterator[Span]:
    """Yield where ``name`` stands in ``text`` as whole words."""
    return (match.span() for match in _pattern(name).finditer(text))


@lru_cache(maxsize=4096)
def _pattern(name: str) -> re.Pattern[str]:
    """Return what finds a plain name: guarded where an edge is a Latin letter or a digit."""
    short = len(name) <= 2 and name.isascii() and name.isalpha()
    body = f"(?:{name}|{name.upper()})" if short else re.escape(name)
    left = right = ""
    if re.match(WORD, name):
        left = rf"(?<!{WORD})(?<!{WORD}[.&])"
    if re.match(WORD, name[-1:]):
        right = rf"(?!{WORD}|\+\+|#|[.&]{WORD})"
    if short:
        right += r"(?!-\d)"
    if name[:1].isdigit():
        left += r"(?<!\d[,:])"
    if name[-1:].isdigit():
        right += r"(?![,:]\d|\s?%)"
    return re.compile(left + body + right, 0 if short else re.IGNORECASE)


def _plain(text: str) -> str:
    """Return ``text`` in plain width, with single blanks, and none beside a Chinese character."""
    return _BLANK_BESIDE_CJK.sub("", " ".join(normalize("NFKC", text).split()))


def _same_measure(expected: str, value: str) -> bool:
    """Tell whether the expected words are a measure that stands in ``value``, however written."""
    return any(
        (wanted.kind, wanted.normal) == (shown.kind, shown.normal)
        for wanted in _measures(expected)
        if _is_whole(wanted, expected)
        for shown in _measures(value)
    )


def _measures(text: str) -> list[Value]:
    return [value for value in find_values(text) if value.kind in MEASURED]


def _is_whole(found: Value, text: str) -> bool:
    return fold(found.text) == fold(text)


def _same_time(expected: str, value: str) -> bool:
    """Tell whether the expected words are a time, and one in ``value`` says all that it says."""
    return any(
        wanted <= said
        for time, wanted in _times(expected)
        if _is_whole(time, expected)
        for _, said in _times(value)
    )


@lru_cache(maxsize=4096)
def _times(text: str) -> tuple[tuple[Value, Fields], ...]:
    """Return each time in a text with what it says by its words alone, whenever they are read."""
    views = zip(*(find_times(text, at) for at in STANDPOINTS), strict=False)
    said = ((times[0], frozenset.intersection(*map(_fields, times))) for times in views)
    return tuple((time, fields) for time, fields in said if TELLING & {name for name, _ in fields})


def _fields(value: Value) -> Fields:
    """Return year, month and so on of a time, as fine as its grain is."""
    moment = value.since
    if moment is None:
        return frozenset()
    fields = {
        "year": moment.year,
        "date": moment.month * 100 + moment.day,
        "weekday": moment.weekday(),
        "hour": moment.hour,
        "minute": moment.minute,
    }
    return frozenset((name, fields[name]) for name in SAID_BY_GRAIN.get(value.grain, ()))
