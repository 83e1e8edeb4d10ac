"""Lengths of time, and what every builder needs: from the tokens of one rule to what they say."""

from collections.abc import Sequence
from dataclasses import dataclass

from mnemic.extraction.times.part import Amounts, Part
from mnemic.extraction.times.token import Token

Tokens = Sequence[Token]


@dataclass(frozen=True, slots=True)
class Length:
    """A length of time; ``least`` is its lower end where it is vague ("a few days")."""

    amounts: Amounts
    least: Amounts | None = None

    def signed(self, sign: int) -> Part:
        """Return the moment this far away: before now (-1) or after it (1)."""
        return Part(away=_times(self.amounts, sign), least=self.least and _times(self.least, sign))

    def window(self, sign: int) -> Part:
        """Return the stretch of this length that ends now (-1), or begins tomorrow (1) or now (2)."""
        return Part(window=sign, away=self.amounts)


@dataclass(frozen=True, slots=True)
class Offset:
    """A length that is counted from what follows it: "two days after"."""

    length: Length
    sign: int


Built = Part | tuple[Part, Part] | Length | Offset | None
"""A builder's answer: one time, two ends of a range, a length, an offset; None where the numbers fit nothing."""


def _times(amounts: Amounts, factor: int) -> Amounts:
    return tuple((unit, amount * factor) for unit, amount in amounts)


def numbers(tokens: Tokens, letters: str = "NnvO") -> list[int]:
    """Return the whole numbers among the tokens."""
    return [token.integer for token in tokens if token.letter in letters]


def one(tokens: Tokens, letters: str) -> Token:
    """Return the first token of these letters."""
    return next(token for token in tokens if token.letter in letters)


def length(tokens: Tokens) -> Length:
    """Read amounts and units: "a few days", "两年半", "an hour and a half", "1 year 2 months"."""
    amounts: list[tuple[str, float]] = []
    least: list[tuple[str, float]] = []
    amount = low = 0.0
    for token in tokens:
        if token.letter in "Uymi":
            unit, factor = ("week", 2.0) if token.name == "fortnight" else (token.name, 1.0)
            amounts.append((unit, (amount or 1) * factor))
            least.append((unit, (low or amount or 1) * factor))
            amount = low = 0.0
        elif token.letter == "b":
            if amounts and not amount:
                amounts[-1] = (amounts[-1][0], amounts[-1][1] + 0.5)
                least[-1] = amounts[-1]
            else:
                amount += 0.5
        elif token.letter == "f":
            low, amount = token.number, float(token.name)
        elif token.letter in "NnvO":
            amount += token.number
    vague = None if amounts == least else tuple(least)
    return Length(tuple(amounts), vague)


def ago(tokens: Tokens) -> Built:
    """Read "three days ago", "三天前", "in two weeks", "an hour later"."""
    sign = next((token.integer for token in tokens if token.letter in "Au~"), 1)
    return length(tokens).signed(sign)


def weekdays_away(tokens: Tokens) -> Built:
    """Read "two sundays from now": that many of the weekday on."""
    return Part(weekday=one(tokens, "WV").integer, turn=one(tokens, "Au~%").integer * numbers(tokens)[0])


def window(tokens: Tokens) -> Built:
    """Read a stretch that touches now: "last two weeks", "最近三天", "within 5 days", "前两天"."""
    sign = next((token.integer for token in tokens if token.letter in "R>LFA"), 1)
    if any(token.letter == "H" for token in tokens):
        sign = 2
    return length(tokens).window(max(sign, -1)) if sign else None


def offset(tokens: Tokens) -> Built:
    """Read "two days after", which needs something to be counted from."""
    return Offset(length(tokens), one(tokens, "%").integer)
