"""Phrases that may be no time at all: "may", "the second", "12号", "三点". Their surroundings decide."""

import re

from mnemic.extraction.times.joining import Expression
from mnemic.extraction.times.lexicon import DATA
from mnemic.extraction.times.part import Part
from mnemic.extraction.times.token import Token

_NUMBERED, _POINTS = DATA["numbered"], DATA["points"]


def _alternatives(words: list[str]) -> str:
    return "|".join(re.escape(word) for word in words)


_NUMBERED_BEFORE = re.compile(
    rf"(?:{_alternatives(_NUMBERED['before'])})(?:{_alternatives(_NUMBERED['joined'])})?\s*$"
)
_NUMBERED_AFTER = re.compile(_alternatives(_NUMBERED["after"]))
_POINTS_BEFORE = re.compile(rf"(?:{_alternatives(_POINTS['before'])})\s*$")
_POINTS_AFTER = re.compile(_alternatives(_POINTS["after"]))
_WISH = re.compile("快乐|愉快")
_LEADS = "I<%^@"
_NEVER = "pGgZXt"


class Evidence:
    """Judges the weak phrases of one text by the tokens and words around them."""

    def __init__(self, text: str, folded: str, tokens: list[Token]) -> None:
        self._text = text
        self._folded = folded
        self._tokens = tokens

    def accepts(self, expression: Expression) -> bool:
        """Tell whether the phrase is meant as a time."""
        if expression.part is not None and expression.part.festival and _WISH.match(self._after(expression)):
            return False
        if not expression.weak:
            return True
        letters = "".join([token.letter for token in self._tokens[expression.first : expression.last]])
        if len(letters) == 1 and letters in _NEVER or "t" in letters:
            return False
        if letters.endswith("d"):
            return self._is_day(expression)
        if "h" in letters:
            return self._is_hour(expression, expression.part)
        if letters == "P" and not self._folded[self._tokens[expression.first].start].isascii():
            return True
        return self._led(expression) or self._capital(expression, letters) or self._plain_date(expression, letters)

    def _led(self, expression: Expression) -> bool:
        """Tell whether a preposition leads to the phrase, or 前, 后, 起 follow it."""
        before = self._tokens[expression.first - 1] if expression.first else None
        behind = self._tokens[expression.last] if expression.last < len(self._tokens) else None
        if behind is not None and behind.letter == "A" and behind.start == self._tokens[expression.last - 1].end:
            return True
        if before is None:
            return False
        word = self._folded[before.start : before.end]
        return before.letter in _LEADS or (before.letter == "t" and word.isalpha()) or word in DATA["leads"]

    def _capital(self, expression: Expression, letters: str) -> bool:
        """Tell whether "May" or "March" stands with a capital that no sentence start explains."""
        if letters != "a" or not expression.first or self._tokens[expression.first - 1].letter == ";":
            return False
        return self._text[self._tokens[expression.first].start].isupper()

    def _plain_date(self, expression: Expression, letters: str) -> bool:
        """Tell whether "4/22" is no fraction: few things are counted in 22nds, none where no noun follows."""
        part = expression.part
        behind = self._tokens[expression.last].letter if expression.last < len(self._tokens) else ";"
        return letters == "E" and part is not None and (part.day or 0) > 12 and behind != "_"

    def _is_day(self, expression: Expression) -> bool:
        """Tell whether "12号" is a day, not a house, a locker or a line."""
        if self._folded[self._tokens[expression.last - 1].start] == "日":
            return True
        return not (_NUMBERED_BEFORE.search(self._before(expression)) or _NUMBERED_AFTER.match(self._after(expression)))

    def _is_hour(self, expression: Expression, part: Part | None) -> bool:
        """Tell whether "三点" is an hour, not three points, and "一点" not a bit."""
        if expression.last - expression.first > 2 or self._led(expression):
            return True
        if part is not None and part.hour == 1 and self._folded[self._tokens[expression.first].start] == "一":
            return False
        return not (_POINTS_BEFORE.search(self._before(expression)) or _POINTS_AFTER.match(self._after(expression)))

    def _before(self, expression: Expression) -> str:
        start = self._tokens[expression.first].start
        return self._folded[max(0, start - 8) : start]

    def _after(self, expression: Expression) -> str:
        end = self._tokens[expression.last - 1].end
        return self._folded[end : end + 8].lstrip()
