"""A clause as a frame: each mention and value becomes one placeholder character of its group.

"支付从 MySQL 换成 PG 了" becomes "◈从◆换成◆了", so that a pattern can ask for a technology without knowing
any. Every position of a frame knows which span of the original text it stands for.
"""

import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass

from mnemic.extraction.model import Mention, Value
from mnemic.extraction.predicates import Inventory

GROUPS = ("tech", "platform", "language", "person", "place", "org", "team", "pet", "thing")
VALUES = {
    "date": "date",
    "time": "date",
    "span": "date",
    "money": "money",
    "quantity": "number",
    "percent": "number",
    "version": "version",
    "url": "contact",
    "email": "contact",
    "phone": "contact",
    "handle": "contact",
    "id": "id",
}
_BASE = 0xE100
MARKS = {
    name: chr(_BASE + i)
    for i, name in enumerate((*GROUPS, "date", "money", "number", "version", "contact", "id"))
}
ENTITY_MARKS = "".join(MARKS[group] for group in GROUPS)
_RESERVED = {ord(mark): " " for mark in MARKS.values()}


@dataclass(frozen=True, slots=True)
class Frame:
    """``text`` with placeholders; position ``i`` stands for ``spans[i]`` of the original, and for ``held[i]``."""

    text: str
    spans: tuple[tuple[int, int], ...]
    held: tuple[Mention | Value | None, ...]

    def original(self, start: int, end: int) -> tuple[int, int]:
        """Return the span of the original text behind the frame positions ``[start, end)``."""
        return (self.spans[start][0], self.spans[end - 1][1]) if start < end else (0, 0)

    def sole(self, start: int, end: int) -> Mention | Value | None:
        """Return what is held where ``[start, end)`` is one placeholder, else None."""
        return self.held[start] if end - start == 1 else None

    def mention_in(self, start: int, end: int) -> Mention | None:
        """Return the last mention within ``[start, end)``: the head of "the payment service's PostgreSQL"."""
        inside = [held for held in self.held[start:end] if isinstance(held, Mention)]
        return inside[-1] if inside else None


def build_frame(
    text: str,
    start: int,
    end: int,
    held: Sequence[Mention | Value],
    inventory: Inventory,
    technical: frozenset[str],
) -> Frame:
    """Return the frame of ``text[start:end]``; ``held`` are its mentions and values, without overlaps.

    ``technical`` names the kinds of the shipped technology file.
    """
    letters: list[str] = []
    spans: list[tuple[int, int]] = []
    kept: list[Mention | Value | None] = []
    position = start
    for item in sorted((h for h in held if start <= h.start and h.end <= end), key=lambda h: h.start):
        if item.start < position:
            continue
        _copy(text, position, item.start, letters, spans, kept)
        letters.append(_mark(item, inventory, technical))
        spans.append((item.start, item.end))
        kept.append(item)
        position = item.end
    _copy(text, position, end, letters, spans, kept)
    return Frame("".join(letters), tuple(spans), tuple(kept))


def _mark(item: Mention | Value, inventory: Inventory, technical: frozenset[str]) -> str:
    if isinstance(item, Value):
        return MARKS[VALUES.get(item.kind, "number")]
    return MARKS[inventory.group(item.kind, item.kind in technical)]


def _copy(
    text: str,
    start: int,
    end: int,
    letters: list[str],
    spans: list[tuple[int, int]],
    kept: list[Mention | Value | None],
) -> None:
    """Copy plain text, full-width forms made narrow, one position for one character."""
    for index in range(start, end):
        letter = text[index]
        if letter > "\x7f":
            narrow = unicodedata.normalize("NFKC", letter).translate(_RESERVED)
            letter = narrow if len(narrow) == 1 else letter
        letters.append({"’": "'", "‘": "'"}.get(letter, letter))
        spans.append((index, index + 1))
        kept.append(None)
