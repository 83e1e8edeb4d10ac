"""Numbers as people write them, Chinese and Arabic mixed: "八千", "三万五", "3.5 万", "1,020", "40k"."""

import re
from collections.abc import Mapping
from decimal import Decimal

_PIECE = re.compile(r"[0-9][0-9,]*(?:\.[0-9]+)?|\S")
_WORD = re.compile(r"[a-z]+")
_TEN, _MYRIAD = 10, 10_000


class Numerals:
    """Reads numerals; ``digits``, ``scales`` and ``words`` give what each is worth ("五": 5, "万": 10000)."""

    def __init__(
        self, digits: Mapping[str, int], scales: Mapping[str, int], words: Mapping[str, float]
    ) -> None:
        self._digits = digits
        self._scales = scales
        self._words = {word: Decimal(str(worth)) for word, worth in words.items()}
        signs = "".join(digits)
        self._neighbours = re.compile(f"([{signs}])([{signs}])")

    def span(self, numeral: str) -> tuple[Decimal, Decimal]:
        """Return the least and the most that ``numeral`` may mean: "两三百" is 200 to 300."""
        for pair in self._neighbours.finditer(numeral):
            first, second = self._digits[pair[1]], self._digits[pair[2]]
            if 0 < first == second - 1 and self._is_spoken(numeral):
                low = numeral[: pair.end() - 1] + numeral[pair.end() :]
                high = numeral[: pair.start()] + numeral[pair.start() + 1 :]
                return self.read(low), self.read(high)
        worth = self.read(numeral)
        return worth, worth

    def read(self, numeral: str) -> Decimal:
        """Return what ``numeral`` is worth; signs that are neither digit nor scale count for nothing.

        A last digit without its scale takes the next smaller one, as in speech: 三万五 is 35000, and a
        zero before it prevents that: 三万零五 is 30005. Without any scale the signs are read one by one:
        二〇二六 is 2026. 点 is a decimal point.
        """
        if numeral in self._words or _WORD.match(numeral.lower()):
            return self._read_words(numeral)
        whole, point, rest = numeral.partition("点")
        if point:
            return self._with_point(whole, rest)
        pieces: list[str] = _PIECE.findall(numeral)
        if any(piece in self._scales for piece in pieces):
            return self._with_scales(pieces)
        return Decimal("".join(self._figures(piece) for piece in pieces) or "0")

    def _is_spoken(self, numeral: str) -> bool:
        """Tell "两三" and "十五六" from figures read one by one ("一二三四")."""
        return len(numeral) == len("两三") or any(sign in self._scales for sign in numeral)

    def _figures(self, piece: str) -> str:
        """Return one piece without scales in Arabic figures."""
        return str(self._digits[piece]) if piece in self._digits else piece.replace(",", "")

    def _with_point(self, whole: str, rest: str) -> Decimal:
        """Return "一点五" times the scales that follow it."""
        figures = "".join(self._figures(sign) for sign in rest if sign not in self._scales)
        worth = Decimal(f"{self.read(whole)}.{figures or '0'}")
        for sign in rest:
            worth *= self._scales.get(sign, 1)
        return worth

    def _with_scales(self, pieces: list[str]) -> Decimal:
        done = section = Decimal(0)  # what 万 and 亿 have closed, and what stands after them
        figure: Decimal | None = None
        last, zero = 1, False
        for piece in pieces:
            scale = self._scales.get(piece, 0)
            if not scale:
                figure = Decimal(self._figures(piece))
                zero = zero or figure == 0
                continue
            if scale < _MYRIAD:
                section += (Decimal(1) if figure is None else figure) * scale
            else:
                section += figure or 0
                if scale > _MYRIAD:  # 亿 multiplies a 万 before it too
                    done, section = Decimal(0), done + section
                done, section = done + (section or Decimal(1)) * scale, Decimal(0)
            figure, last, zero = None, scale, False
        if figure is None:
            return done + section
        elided = last > _TEN and not zero and len(pieces[-1]) == 1
        return done + section + figure * (last // _TEN if elided else 1)

    def _read_words(self, numeral: str) -> Decimal:
        """Return "twenty-five", "two hundred", "one and a half"."""
        total = current = Decimal(0)
        for word in _WORD.findall(numeral.lower()) or [numeral]:
            worth = self._words.get(word, Decimal(0))
            if worth < 100:
                current += worth
            elif worth == 100:
                current = (current or 1) * worth
            else:
                total, current = total + (current or 1) * worth, Decimal(0)
        return total + current


def written(number: Decimal) -> str:
    """Return ``number`` in the one form in which equal numbers are equal strings: no zeros at the end.

    >>> written(Decimal("9.50")), written(Decimal("4E+4"))
    ('9.5', '40000')
    """
    plain = f"{number:f}"
    return plain.rstrip("0").rstrip(".") if "." in plain else plain
