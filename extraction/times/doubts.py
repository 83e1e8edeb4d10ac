"""Phrases that may be no time at all: "may", "the second", "12号", "三点". Their surroundings decide.

Each rule of the grammar names the doubt that its phrases are under; here is one test for each doubt.
"""

import re
from collections.abc import Callable

from mnemic.extraction.times.joining import Expression
from mnemic.extraction.times.lexicon import DATA
from mnemic.extraction.times.token import Token

_NUMBERED, _POINTS = DATA["numbered"], DATA["points"]
_NEAR = 8
"""How many characters beside a phrase are looked at."""


def _any(words: list[str]) -> str:
    return f"(?:{'|'.join(map(re.escape, words))})"


_NUMBERED_BEFORE = re.compile(rf"{_any(_NUMBERED['before'])}{_any(_NUMBERED['joined'])}?\s*$")
_DAY_AFTER = re.compile(rf"$|\W|(?!{_any(_NUMBERED['places'])}){_any(_NUMBERED['after'])}")
_POINTS_BEFORE = re.compile(rf"{_any(_POINTS['before'])}\s*$")
_POINTS_AFTER = re.compile(_any(_POINTS["after"]))
_COUNTED_BEFORE = re.compile(f"{_any(DATA['counted'])}$")
_WISH_BEFORE = re.compile(rf"\b{_any(DATA['wishes']['before'])}\s*$")
_WISH_AFTER = re.compile(_any(DATA["wishes"]["after"]))
_LASTING = re.compile(rf"\b{_any(DATA['lasting'])}\b")


class Evidence:
    """Judges the doubtful phrases of one text by the tokens and words around them."""

    def __init__(self, text: str, folded: str, tokens: list[Token]) -> None:
        self._text = text
        self._folded = folded
        self._tokens = tokens
        self._tests: dict[str, Callable[[Expression], bool]] = {
            "alone": lambda phrase: False,
            "led": self._led,
            "latin": lambda phrase: not self._word(phrase.first).isascii() or self._led(phrase),
            "hour": self._is_hour,
            "points": self._is_not_points,
            "numbered": self._is_day,
            "ordinal": self._is_ordinal_day,
            "weekday": self._is_weekday,
            "month": self._is_month,
            "fraction": self._is_not_fraction,
            "rate": self._lasts,
            "nights": lambda phrase: self._letter(phrase.first - 1) not in "Nf",
            "unit": lambda phrase: phrase.part is not None and phrase.part.quarter is not None,
        }

    def accepts(self, phrase: Expression) -> bool:
        """Tell whether the phrase is meant as a time."""
        festival = phrase.part is not None and phrase.part.festival
        if festival and (self._is_wish(phrase) or _COUNTED_BEFORE.search(self._before(phrase))):
            return False
        return not phrase.doubt or self._tests[phrase.doubt](phrase)

    @property
    def doubts(self) -> frozenset[str]:
        """The doubts that can be settled."""
        return frozenset(self._tests)

    def _led(self, phrase: Expression) -> bool:
        """Tell whether a preposition leads to the phrase, or 前 or 后 follow it at once."""
        at = phrase.first - 1
        if at > 0 and self._letter(at) == "#":
            at -= 1
        if at >= 0 and (self._letter(at) in "I<%^@t=" or self._word(at) in DATA["leads"]):
            return True
        return self._letter(phrase.last) == "A" and not self._after(phrase).startswith(" ")

    def _is_wish(self, phrase: Expression) -> bool:
        """Tell whether the holiday is wished, not dated: "happy Easter", "新年快乐"."""
        return bool(_WISH_AFTER.match(self._after(phrase)) or _WISH_BEFORE.search(self._before(phrase)))

    def _is_hour(self, phrase: Expression) -> bool:
        """Tell whether "at 7" is an hour, not a price, an age or a place."""
        part = phrase.part
        return part is not None and 1 <= (part.hour or 0) <= 12 and part.minute is None

    def _is_not_points(self, phrase: Expression) -> bool:
        """Tell whether "三点" is an hour, not three points, and "一点" not a bit."""
        if phrase.last - phrase.first > 2 or self._led(phrase):
            return True
        if self._word(phrase.first) == "一":
            return False
        return not (
            _POINTS_BEFORE.search(self._before(phrase)) or _POINTS_AFTER.match(self._after(phrase).lstrip())
        )

    def _is_day(self, phrase: Expression) -> bool:
        """Tell whether "12号" is a day, not a house, a locker or a line."""
        if self._word(phrase.last - 1) == "日":
            return True
        after = self._after(phrase).lstrip()
        return bool(_DAY_AFTER.match(after)) and not _NUMBERED_BEFORE.search(self._before(phrase))

    def _is_ordinal_day(self, phrase: Expression) -> bool:
        """Tell whether "the 19th" or "on the first" is a day: a word in itself ("the first") ranks anything."""
        if self._word(phrase.first - 1) == "on":
            return True
        written = self._word(phrase.last - 1)[0].isdigit()
        return written and (self._letter(phrase.first) == "#" or self._led(phrase))

    def _is_weekday(self, phrase: Expression) -> bool:
        """Tell whether "sat" or "sun" is a day: right after "on", "by", "since", not "in the sun"."""
        return self._letter(phrase.first - 1) in "<%t=" or self._word(phrase.first - 1) == "on"

    def _is_month(self, phrase: Expression) -> bool:
        """Tell whether "in may", "5 may" or "last march" speaks of the month, as "this may" and "one may" do not."""
        tokens = self._tokens[phrase.first : phrase.last]
        if self._starts_with_capital(tokens[-1]) and self._letter(phrase.first - 1) not in ";":
            return True
        if len(tokens) == 1:
            return self._led(phrase)
        return any(
            (token.letter == "N" and (token.number > 9 or self._folded[token.start].isdigit()))
            or (token.letter in "R>" and token.number != 0)
            for token in tokens
        )

    def _is_not_fraction(self, phrase: Expression) -> bool:
        """Tell whether "4/22" is a date: it is led to, or of days so late that nobody counts in them."""
        behind = self._letter(phrase.last)
        if self._led(phrase):
            return behind not in "Uyh"
        return phrase.part is not None and (phrase.part.day or 0) > 12 and behind != "_"

    def _lasts(self, phrase: Expression) -> bool:
        """Tell whether "a week" is a length, not a rate as in "twice a week"."""
        start, end = self._tokens[phrase.first].start, self._tokens[phrase.last - 1].end
        return bool(_LASTING.search(self._folded[max(0, start - _NEAR) : end]))

    def _starts_with_capital(self, token: Token) -> bool:
        return self._text[token.start].isupper()

    def _letter(self, at: int) -> str:
        """Return the letter of a token, that of a stop beyond the ends."""
        return self._tokens[at].letter if 0 <= at < len(self._tokens) else ";"

    def _word(self, at: int) -> str:
        """Return the folded text of a token, nothing beyond the ends."""
        return (
            self._folded[self._tokens[at].start : self._tokens[at].end] if 0 <= at < len(self._tokens) else ""
        )

    def _before(self, phrase: Expression) -> str:
        start = self._tokens[phrase.first].start
        return self._folded[max(0, start - _NEAR) : start]

    def _after(self, phrase: Expression) -> str:
        end = self._tokens[phrase.last - 1].end
        return self._folded[end : end + _NEAR]
