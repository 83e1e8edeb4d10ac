"""The words of times.json as one automaton, each with the class of token that it makes.

A class is a letter, so that a text becomes a short string of letters and the grammar a set of
regular expressions over it. ``LETTERS`` is the whole alphabet.
"""

import json
from collections.abc import Iterator
from importlib.resources import files
from typing import Any, NamedTuple

import ahocorasick

LETTERS = {
    "number": "N", "year_number": "n", "decimal": "v", "few": "f", "half": "b", "article": "1", "classifier": "c",
    "ordinal": "O", "unit": "U", "year_mark": "y", "month_mark": "m", "day_mark": "d", "hour_mark": "h",
    "minute_mark": "i", "quarter": "k", "decade_mark": "x", "weekday": "W", "weak_weekday": "w", "weekdays": "V",
    "month": "M", "weak_month": "a", "lunar_month": "l", "day": "T", "now": "X", "year": "Y", "relative": "R",
    "past": ">", "after_next": "!", "window_past": "L", "window_next": "F", "part": "P", "weak_part": "p", "parts": '"',
    "day_part": "Q", "edge": "G", "edge_after": "g", "unit_edge": "B", "half_year": "q", "season": "z",
    "weekend": "K", "ago": "A", "ago_only": "u", "later": "~", "within": "H", "offset": "%", "inside": "I", "every": "J", "how_often": "j",
    "range": "t", "to": "=", "dash": "-", "and": "&", "between": "^", "glue": "o", "the": "#", "at": "@", "comma": ",", "stop": ";",
    "meridiem": "r", "clock": "C", "sharp": "s", "zone": "Z", "lead": "<", "small_word": "+", "rank": "$", "ignore": "_",
    "festival": "S", "date": "D", "weak_date": "E", "weak_clock": "e", "other": "_",
}  # fmt: skip
"""The class of each kind of token; what the classes hold is in times.json."""


class Entry(NamedTuple):
    """A word's class letter and its value: a number, a name, or both."""

    letter: str
    number: float = 0
    name: str = ""


def _load() -> dict[str, Any]:
    text = files("mnemic.dictionaries").joinpath("times.json").read_text(encoding="utf-8")
    return json.loads(text)  # type: ignore[no-any-return]  # the file is ours; a test checks its shape


DATA = _load()


def _entry(kind: str, value: str) -> Entry:
    """Make an entry of a class name and the value's spelling: ``7``, ``month``, ``-1 evening``, ``12:00``."""
    number, _, name = value.partition(" ")
    try:
        return Entry(LETTERS[kind], float(number), name)
    except ValueError:
        return Entry(LETTERS[kind], name=value)


def _entries() -> Iterator[tuple[str, Entry]]:
    for kind, values in DATA["words"].items():
        for value, words in values.items():
            for word in words:
                yield word, _entry(kind, value)
    for name, festival in DATA["festivals"].items():
        for word in festival["words"]:
            yield word, Entry(LETTERS["festival"], name=name)


def _automaton() -> ahocorasick.Automaton:
    automaton = ahocorasick.Automaton()
    for word, entry in _entries():
        automaton.add_word(word, (len(word), entry))
    automaton.make_automaton()
    return automaton


WORDS = _automaton()
"""Finds the words of a folded text: ``iter`` yields ``(last index, (length, Entry))``."""

_WIDE = {code: code - 0xFEE0 for code in range(0xFF01, 0xFF5F)}
_CAPITALS = {code: code + 32 for code in range(ord("A"), ord("Z") + 1)}
_FOLD = (
    {code: _CAPITALS.get(narrow, narrow) for code, narrow in _WIDE.items()}
    | _CAPITALS
    | {0x3000: 32, 0xA0: 32, ord("’"): ord("'")}
    | {ord(old): new for old, new in zip(DATA["traditional"], DATA["simplified"], strict=True)}
)


def fold(text: str) -> str:
    """Return the text in lower case, half width and simplified characters, code point by code point."""
    return text.translate(_FOLD)
