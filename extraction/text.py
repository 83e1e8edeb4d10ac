"""Folding: the form in which text is compared, and the way back to the text as it was written.

Folding is NFKC (full-width letters, ligatures and compatibility forms become plain ones, marks join
their letters) followed by full case folding. Both can change the number of characters, so a match in
folded text needs :class:`Folded` to say where it stands in the original.

Case folding looks at one character at a time, and normalisation never reaches across a *boundary*: a
character whose decomposition begins with one that neither carries a combining class nor composes with
what precedes it (UAX #15, "Stability of concatenation"). So a text may be cut at its boundaries into
clusters, each cluster folded alone, and the pieces joined: the result is the folded text. A folded
character maps to the whole cluster that it came from.
"""

import re
import unicodedata
from collections.abc import Iterator
from functools import cache, cached_property

PLAIN = (
    "\x00-\xa7\xa9-\xae\xb0-\xb3\xb5-\xb7\xb9-\xbb\xbf-\xde\xe0-\xff"  # ASCII, Latin-1
    "\u0391-\u03a1\u03a3-\u03a9\u03b1-\u03c9\u0410-\u044f"  # Greek, Cyrillic
    "\u200b-\u200d\u2010\u2013-\u2016\u2018-\u201f\u2022\ufe0f"  # dashes, quotes, joiners
    "\u3001-\u3029\u3041-\u3096\u30a1-\u30fe\u3400-\u9fff\uac00-\ud7a3"  # kana, Han, Hangul
    "\uff01-\uff5e\U0001f300-\U0001f64f\U0001f680-\U0001f6ff\U0001f900-\U0001f9ff"  # full width, emoji
)
"""Ranges (for a character class) whose characters are boundaries and fold to one character each."""

CJK = "\u3005\u3007\u3041-\u3096\u309d\u309e\u30a1-\u30fa\u30fc-\u30fe\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7a3\uf900-\ufaff\U00020000-\U0003ffff"
"""Ranges (for a character class) of the scripts that are written without blanks: Han, kana, Hangul."""

_HAN = re.compile("[\u3400-\u4dbf\u4e00-\u9fff]")

LETTER = rf"[^\W_{CJK}]"
"""One letter or digit of a script that parts its words by blanks."""

_ALL_PLAIN = re.compile(f"[{PLAIN}]*")
_UNSETTLED = re.compile(f"[{PLAIN}]?[^{PLAIN}]+")


_SEEN_BESIDE = "\x00-\u024f\u2000-\u206f\u3000-\u9fff\uff00-\uffef"
UNSEEN = re.compile(f"(?<![^{_SEEN_BESIDE}])[\u00ad\u200b-\u200d\u2060\ufeff]+(?![^{_SEEN_BESIDE}])")
"""Characters that nobody sees, beside plain letters; joiners of emoji and of scripts that need them stay."""


def visible(text: str) -> str:
    r"""Return a text without the characters that nobody sees.

    >>> visible("Ber\u200blin")
    'Berlin'
    """
    return text if text.isascii() else UNSEEN.sub("", text)


def fold(text: str) -> str:
    """Return the form by which names are compared: folded, without what nobody sees, white space as one blank.

    >>> fold("  ＡＣＭＥ\u3000Straße ")
    'acme strasse'
    """
    return " ".join(unicodedata.normalize("NFKC", visible(text)).casefold().split())


class Folded:
    """A text with its folded form: ``folded == unicodedata.normalize("NFKC", text).casefold()``."""

    __slots__ = ("__dict__", "folded", "text")

    def __init__(self, text: str) -> None:
        self.text = text
        self.folded = text.lower() if text.isascii() else unicodedata.normalize("NFKC", text).casefold()

    def span(self, start: int, end: int) -> tuple[int, int]:
        """Return the span of the original from which the folded span ``[start, end)`` came.

        It covers whole clusters, so folding it gives at least the folded span. An empty span maps to an
        empty one. Raises ``IndexError`` unless ``0 <= start <= end <= len(folded)``.
        """
        if not 0 <= start <= end <= len(self.folded):
            raise IndexError(f"[{start}, {end}) is not a span of {len(self.folded)} folded characters")
        if self._settled:
            return start, end
        starts, ends = self._origins
        first = starts[start] if start < len(starts) else len(self.text)
        return first, ends[end - 1] if end > start else first

    @cached_property
    def _settled(self) -> bool:
        """Tell whether each character folds to one by itself, so that offsets agree."""
        return self.text.isascii() or _ALL_PLAIN.fullmatch(self.text) is not None

    @cached_property
    def _origins(self) -> tuple[list[int], list[int]]:
        """For each folded character, where its cluster starts and where it ends in the original."""
        starts: list[int] = []
        ends: list[int] = []
        done = 0
        for stretch in _UNSETTLED.finditer(self.text):
            starts.extend(range(done, stretch.start()))
            ends.extend(range(done + 1, stretch.start() + 1))
            for start, end in _clusters(self.text, *stretch.span()):
                width = len(unicodedata.normalize("NFKC", self.text[start:end]).casefold())
                starts.extend([start] * width)
                ends.extend([end] * width)
            done = stretch.end()
        starts.extend(range(done, len(self.text)))
        ends.extend(range(done + 1, len(self.text) + 1))
        return starts, ends


def fold_with_offsets(text: str) -> Folded:
    """Return ``text`` with its folded form and the way back; blanks stay as they are.

    >>> folded = fold_with_offsets("the ﬁrst ＰＧ")
    >>> folded.folded, folded.span(4, 5), folded.span(10, 12)
    ('the first pg', (4, 5), (9, 11))
    """
    return Folded(text)


def _clusters(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Cut ``text[start:end]`` at its boundaries."""
    first = start
    for at in range(start + 1, end):
        if is_boundary(text[at]):
            yield first, at
            first = at
    yield first, end


def is_boundary(character: str) -> bool:
    """Tell whether ``character`` is normalised independently of all that stands before it."""
    first = unicodedata.normalize("NFKD", character)[0]
    return unicodedata.combining(first) == 0 and first not in _joining()


@cache
def _joining() -> frozenset[str]:
    """Return the characters that may compose with the one before: Hangul vowels and finals, vowel signs."""
    seconds = {chr(code) for block in (range(0x1161, 0x1176), range(0x11A8, 0x11C3)) for code in block}
    for code in range(0x20000):  # what composes lies in the first two planes
        parts = unicodedata.decomposition(chr(code)).split()
        if len(parts) == 2 and not parts[0].startswith("<"):
            seconds.add(chr(int(parts[1], 16)))
    return frozenset(seconds)


def tongue(text: str) -> str:
    """Return the language of a text: ``zh`` where a Chinese character stands in it, else ``en``."""
    return "zh" if _HAN.search(text) else "en"
