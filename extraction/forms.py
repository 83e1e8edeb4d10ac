"""The forms of known names: how each may be written, and what must stand around it in a text."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum

from mnemic.errors import InvalidInput
from mnemic.extraction.model import Source
from mnemic.extraction.text import CJK, LETTER, fold

_BORDER = re.compile(rf"(?<=[{CJK}]) ?(?={LETTER})|(?<={LETTER}) ?(?=[{CJK}])")
_ASCII = frozenset("abcdefghijklmnopqrstuvwxyz0123456789")
_LETTER = re.compile(LETTER)
_NUMBERED = re.compile(r"\d[-._/]|[-._/]\d|\A\d+\Z")

_AFTER_WORD = rf"(?<!{LETTER})(?<!_)(?<!\w\.)(?<!{LETTER}['’@])"  # O'Reilly, main.go, a@acme are one word
_BEFORE_WORD = (
    rf"(?!{LETTER}|_|[.@]{LETTER}|-\d)"  # nor are redis.conf, atlas@acme, Atlas-2
    rf"(?!\+\+|\#(?!{LETTER}))"  # C++ and C# are not C
    rf"(?!['’](?!(?:s|ll|d|ve|re|m)(?!{LETTER})){LETTER})"  # C'mon is not C, but Ada's is Ada
)
_WORD_START = re.compile(_AFTER_WORD)
_WORD_END = re.compile(_BEFORE_WORD)
_ID_START = re.compile(rf"{_AFTER_WORD}(?<!\d[-.])(?<!(?<!{LETTER}){LETTER}[-.])")
_ID_END = re.compile(rf"{_BEFORE_WORD}(?![-./](?:{LETTER}*\d|{LETTER}(?!{LETTER})))")


@dataclass(frozen=True, slots=True)
class Entry:
    """A known entity. ``ambiguous`` lists those of its forms that are common words as well.

    Raises ``InvalidInput`` when the name, the kind or an alias is blank.
    """

    name: str
    kind: str
    aliases: tuple[str, ...] = ()
    ambiguous: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        labelled = [("name", self.name), ("kind", self.kind), *(("aliases", form) for form in self.aliases)]
        for field, words in labelled:
            if not fold(words):
                raise InvalidInput(field, f"is blank in the entry {self.name!r}", "write a word there")


class Guard(StrEnum):
    """Why a form needs evidence that the entity is meant, if it does."""

    NONE = ""
    COMMON = "common"
    OWN = "own"
    EVERYDAY = "everyday"


@dataclass(frozen=True, slots=True)
class Form:
    """One way to write an entity.

    ``guard``: ``COMMON`` for a shipped name that is a common word too, ``OWN`` for the tenant's own entry
    of the same thing, ``EVERYDAY`` for a tenant's name that is an everyday word if it is not capitalised.
    """

    written: str
    entry: Entry
    source: Source
    guard: Guard = Guard.NONE


@dataclass(frozen=True, slots=True)
class Pattern:
    """A folded form: all that it can mean, and the edges that the text must have around it.

    ``numbered`` marks ids such as SR-2023-052.
    """

    length: int
    forms: tuple[Form, ...]
    start: re.Pattern[str] | None
    end: re.Pattern[str] | None
    numbered: bool

    def stands(self, text: str, start: int) -> bool:
        """Tell whether the form, which ``text`` has at ``start``, is a word there and not part of one."""
        end = start + self.length
        if (self.start and text[start - 1 : start] in _ASCII) or (self.end and text[end : end + 1] in _ASCII):
            return False  # nearly always the reason, and quick to see
        return (not self.start or self.start.match(text, start) is not None) and (
            not self.end or self.end.match(text, end) is not None
        )

    def form(self, written: str) -> Form:
        """Return the form that is written like this, else the first."""
        return next((form for form in self.forms if form.written == written), self.forms[0])


def patterns(forms: Iterable[Form]) -> dict[str, Pattern]:
    """Return the patterns of ``forms`` by their folded text, the forms of each in the order given."""
    grouped: dict[str, list[Form]] = {}
    for form in forms:
        for folded in spellings(form.written):
            grouped.setdefault(folded, []).append(form)
    return {folded: _pattern(folded, tuple(same)) for folded, same in grouped.items()}


def spellings(written: str) -> Iterator[str]:
    """Yield the folded form, with and without blanks where Han meets Latin: both are usual."""
    folded = fold(written)
    yield from dict.fromkeys((folded, _BORDER.sub("", folded), _BORDER.sub(" ", folded)))


def _pattern(folded: str, forms: tuple[Form, ...]) -> Pattern:
    """Choose the edges: none beside a Han character or a sign, stricter ones for ids such as SR-2023-052."""
    numbered = _NUMBERED.search(folded) is not None
    start = _ID_START if numbered else _WORD_START
    end = _ID_END if numbered else _WORD_END
    return Pattern(
        length=len(folded),
        forms=forms,
        start=start if _LETTER.match(folded) else None,
        end=end if _LETTER.match(folded[-1]) else None,
        numbered=numbered,
    )
