"""A clause as a frame: each mention and value becomes one placeholder character of its group.

"支付从 MySQL 换成 PG 了" becomes "◈从◆换成◆了", so that a pattern can ask for a technology without knowing
any. Every position of a frame knows which span of the original text it stands for.
"""

import unicodedata
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import ahocorasick

from mnemic.extraction.model import Mention, Value

GROUPS = ("tech", "platform", "language", "person", "place", "room", "org", "team", "pet", "thing")
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
SKIP_OPEN, SKIP_CLOSE = chr(_BASE + 0x40), chr(_BASE + 0x41)
"""What stands around a skipped word: one that patterns may pass over."""
UNMARKED = dict.fromkeys(map(ord, (SKIP_OPEN, SKIP_CLOSE)))
"""For ``str.translate``: takes these marks away."""
_APOSTROPHES = {"’": "'", "‘": "'"}
_RESERVED = {ord(mark): " " for mark in (*MARKS.values(), SKIP_OPEN, SKIP_CLOSE)}


@dataclass(frozen=True, slots=True)
class Frame:
    """``text`` with placeholders; position ``i`` stands for ``spans[i]`` of the original, and for ``held[i]``."""

    text: str
    spans: tuple[tuple[int, int], ...]
    held: tuple[Mention | Value | None, ...]

    def original(self, start: int, end: int) -> tuple[int, int]:
        """Return the span of the original text behind the frame positions ``[start, end)``."""
        spans = self.spans[start:end]
        return (min(left for left, _ in spans), max(right for _, right in spans)) if spans else (0, 0)

    @property
    def words(self) -> str:
        """Return the text without the marks around skipped words."""
        return self.text.translate(UNMARKED)

    def behind(self, position: int) -> "Frame":
        """Return the rest of the frame from ``position`` on."""
        return Frame(self.text[position:], self.spans[position:], self.held[position:])

    def behind_subject(self, subject: "Frame", *, stands: bool = False) -> "Frame":
        """Return the frame with the subject of an earlier clause before it, as if it had been said there again.

        If it ``stands`` there, next to the clause, it keeps its place.
        """
        at = (self.spans[0][0],) * 2
        text = f"{subject.text} {self.text}"
        blank: tuple[None] = (None,)
        places = (*subject.spans, at) if stands else (at,) * (len(subject.text) + 1)
        return Frame(text, (*places, *self.spans), (*subject.held, *blank, *self.held))

    def moved(self, start: int, end: int) -> "Frame":
        """Return the frame with ``[start, end)`` before what precedes it, parted by the blank before it."""
        order = [*range(start, end), start - 1, *range(start - 1), *range(end, len(self.text))]
        return Frame(
            "".join(self.text[i] for i in order),
            tuple(self.spans[i] for i in order),
            tuple(self.held[i] for i in order),
        )

    def sole(self, start: int, end: int) -> Mention | Value | None:
        """Return what is held where ``[start, end)`` is one placeholder, else None."""
        return self.held[start] if end - start == 1 else None

    def shaded(self, skip: "ahocorasick.Automaton") -> "Frame":
        """Return the frame with marks around the words of ``skip``, the leftmost and longest of them."""
        letters: list[str] = []
        spans: list[tuple[int, int]] = []
        held: list[Mention | Value | None] = []
        position = 0
        for start, end in (
            _skipped(self.text.lower(), skip) if len(self.text.lower()) == len(self.text) else ()
        ):
            for mark, upto in ((SKIP_OPEN, start), (SKIP_CLOSE, end)):
                letters += [*self.text[position:upto], mark]
                spans += [
                    *self.spans[position:upto],
                    (self.spans[upto - 1][1] if upto else self.spans[0][0],) * 2,
                ]
                held += [*self.held[position:upto], None]
                position = upto
        letters += self.text[position:]
        return Frame("".join(letters), (*spans, *self.spans[position:]), (*held, *self.held[position:]))


_LATIN = frozenset("abcdefghijklmnopqrstuvwxyz0123456789")


def _skipped(text: str, skip: "ahocorasick.Automaton") -> Iterator[tuple[int, int]]:
    """Yield the spans of skipped words, whole ones where they are Latin; a blank word keeps what it spells whole."""
    for last, word in skip.iter_long(text):
        start, end = last + 1 - len(word), last + 1
        if word and is_whole(text, start, end):
            yield start, end


def is_whole(text: str, start: int, end: int) -> bool:
    """Tell whether no Latin word of lower-case ``text`` runs across an edge of ``[start, end)``."""
    return not (
        (text[start] in _LATIN and text[start - 1 : start] in _LATIN)
        or (text[end - 1] in _LATIN and text[end : end + 1] in _LATIN)
    )


def build_frame(
    text: str,
    start: int,
    end: int,
    held: Sequence[Mention | Value],
    group: Callable[[Mention], str],
) -> Frame:
    """Return the frame of ``text[start:end]``; ``held`` are its mentions and values, without overlaps.

    ``group`` tells the group of a mention.
    """
    letters: list[str] = []
    spans: list[tuple[int, int]] = []
    kept: list[Mention | Value | None] = []
    position = start
    for item in sorted((h for h in held if start <= h.start and h.end <= end), key=lambda h: h.start):
        if item.start < position:
            continue
        _copy(text, position, item.start, letters, spans, kept)
        letters.append(MARKS[VALUES.get(item.kind, "number") if isinstance(item, Value) else group(item)])
        spans.append((item.start, item.end))
        kept.append(item)
        position = item.end
    _copy(text, position, end, letters, spans, kept)
    return Frame("".join(letters), tuple(spans), tuple(kept))


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
        letters.append(framed(text[index]))
        spans.append((index, index + 1))
        kept.append(None)


def framed(letter: str) -> str:
    """Return a character as frames show it: full-width forms and curly apostrophes plain, no placeholder."""
    if letter > "\x7f":
        plain = unicodedata.normalize("NFKC", letter).translate(_RESERVED)
        letter = plain if len(plain) == 1 else letter
    return _APOSTROPHES.get(letter, letter)
