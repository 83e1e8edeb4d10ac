"""The small notation in which ``predicates.toml`` writes wordings, parsed and put into regular expressions.

The notation is explained at the head of that file: words, ``{slots}``, ``(a|b)``, ``[optional]``,
``<classes>`` of words. Between two parts there may stand words that change nothing about who stands
where (adverbs, auxiliaries, dates): the skipped words.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby

from mnemic.extraction.frame import MARKS, SKIP_CLOSE, SKIP_OPEN, framed

_TOKEN = re.compile(r"\s+|\{[^}]*\}|<\w+>|[\[\]()|]|[^\s{}<>\[\]()|]+")


@dataclass(frozen=True, slots=True)
class Word:
    """Literal text."""

    text: str
    spaced: bool


@dataclass(frozen=True, slots=True)
class Slot:
    """A slot: its ``name`` ("s", "o", "old"; none for a gap), a "!" or "?" behind it, and its ``types``."""

    name: str
    marked: bool
    types: tuple[str, ...]
    spaced: bool
    unsaid: bool = False

    @property
    def is_plain(self) -> bool:
        """Tell whether the slot takes words as they stand."""
        return "text" in self.types or (self.name == "o" and not self.types)


@dataclass(frozen=True, slots=True)
class Choice:
    """Alternatives; ``optional``: or nothing."""

    parts: tuple[tuple["Item", ...], ...]
    optional: bool
    spaced: bool


Item = Word | Slot | Choice
Words = Mapping[str, Sequence[str]]


def parse(source: str, words: Words) -> tuple[Item, ...]:
    """Return the items of a pattern; ``words`` are the classes that ``<name>`` stands for."""
    tokens = iter(_TOKEN.findall(source))
    return _sequence(tokens, words)[0]


def slots(items: Sequence[Item]) -> Iterator[Slot]:
    """Yield all slots of a pattern, wherever they stand in it."""
    for item in items:
        if isinstance(item, Slot):
            yield item
        elif isinstance(item, Choice):
            for part in item.parts:
                yield from slots(part)


def phrases(items: Sequence[Item]) -> Iterator[str]:
    """Yield the runs of words in a pattern, of its alternatives each ("can't stand")."""
    run: list[str] = []
    for item in items:
        if isinstance(item, Word):
            run.append(item.text)
            continue
        if isinstance(item, Choice):
            for part in item.parts:
                yield from phrases(part)
        if run:
            yield " ".join(run)
        run = []
    if run:
        yield " ".join(run)


def anchors(items: Sequence[Item]) -> list[tuple[str, ...]]:
    """Return sets of words, of each of which one must occur where the pattern matches.

    First comes the most telling one: whose shortest word is longest.
    """
    sets = [found for found in map(_anchor, items) if found and all(found)]
    return sorted(sets, key=lambda found: -min(map(len, found)))


def literal_length(items: Sequence[Item]) -> int:
    """Return how much of a pattern is literal text, for ranking."""
    return sum(min(map(len, found)) for found in map(_anchor, items) if found)


def _anchor(item: Item) -> tuple[str, ...]:
    if isinstance(item, Word):
        return (item.text.lower(),) if item.text not in "^$" else ()
    if isinstance(item, Slot) or item.optional:
        return ()
    chosen = [anchors(part) for part in item.parts]
    return tuple(word for found in chosen for word in found[0]) if all(chosen) else ()


def _sequence(tokens: Iterator[str], words: Words) -> tuple[tuple[Item, ...], str]:
    """Read items up to a closing bracket or a bar; return them and what closed them."""
    items: list[Item] = []
    spaced = False
    for token in tokens:
        if token.isspace():
            spaced = bool(items)
        elif token in "])|":
            return tuple(items), token
        else:
            items.append(_item(token, tokens, words, spaced))
            spaced = False
    return tuple(items), ""


def _item(token: str, tokens: Iterator[str], words: Words, spaced: bool) -> Item:
    if token in "[(":
        parts: list[tuple[Item, ...]] = []
        closed = "|"
        while closed == "|":
            part, closed = _sequence(tokens, words)
            parts.append(part)
        return Choice(tuple(parts), token == "[", spaced)
    if token.startswith("<"):
        ordered = sorted(words[token[1:-1]], key=len, reverse=True)
        return Choice(tuple(parse(word, words) for word in ordered), False, spaced)
    if token.startswith("{"):
        name, _, wanted = token[1:-1].partition(":")
        kinds = tuple(wanted.split("|")) if wanted else ()
        return Slot(name.rstrip("!?_"), "!" in name, kinds, spaced, unsaid="?" in name)
    return Word("".join(map(framed, token)), spaced)


@dataclass(frozen=True, slots=True)
class Tongue:
    """How the parts of a pattern join in one language: ``joint`` is what may stand between two of them.

    Before words that are taken as they stand (``plain`` slots) it is ``blank``. ``skip`` are the letters of
    which skipped words are made, ``whole`` longer words: a word of one letter is not found at the end of one.
    """

    joint: str
    blank: str
    skip: frozenset[str] = frozenset()
    whole: tuple[str, ...] = ()

    @property
    def start(self) -> str:
        """Return what stands before the first part where a clause begins with it."""
        return rf"^{EDGE}"

    @property
    def close(self) -> str:
        """Return what stands behind the last part where a clause ends with it."""
        return rf"{self.joint}(?:[哈啊呢吧呀哦嘛啦吗么]|找找|看看|翻翻|{EDGE})*$"

    def sequence(self, items: Sequence[Item], fill: Mapping[Slot, str]) -> str:
        """Return the expression of a pattern; ``fill`` has that of each of its slots."""
        pieces = (self._piece(item, fill, first=not index) for index, item in enumerate(items))
        return "".join(pieces)

    def word(self, text: str) -> str:
        """Return the expression of a word, which may itself hold skipped words.

        A Latin one gets its boundaries, so that "is" is not found in "this", nor 住 in 记住.
        """
        left = _LEFT if _is_latin(text[0]) else ""
        right = _RIGHT if _is_latin(text[-1]) else ""
        if text.isascii():
            return f"{left}{_BRACKETS}{_spelled(text)}{_BRACKETS}{right}"
        longer = (
            [word[:-1] for word in self.whole if word[1:] and word.endswith(text)] if len(text) == 1 else []
        )
        within = "".join(rf"(?<!{before})" for before in longer)
        if not any(letter in text for letter in self.skip):
            return within + re.escape(text)
        return _BRACKETS + within + _BRACKETS.join(map(re.escape, text)) + _BRACKETS

    def any_word(self, texts: Iterable[str]) -> str:
        """Return the expression of one of several words, tried in this order; neighbours share their boundaries."""
        bodies: list[str] = []
        for whole, run in groupby(texts, key=_is_whole):
            if whole:
                bodies.append(f"{_LEFT}{_BRACKETS}(?:{'|'.join(map(_spelled, run))}){_BRACKETS}{_RIGHT}")
            else:
                bodies.extend(map(self.word, run))
        return "|".join(bodies)

    def _piece(self, item: Item, fill: Mapping[Slot, str], *, first: bool) -> str:
        joint = self.joint if item.spaced and not first else ""
        if isinstance(item, Word):
            return {"^": self.start, "$": self.close}.get(item.text) or joint + self.word(item.text)
        if isinstance(item, Slot):
            return (self.blank if joint and item.is_plain else joint) + fill[item]
        body = "|".join(
            self.any_word(part[0].text for part in run if isinstance(part[0], Word))
            if single
            else "|".join(self.sequence(part, fill) for part in run)
            for single, run in groupby(item.parts, key=_is_word)
        )
        return f"(?:{joint}(?:{body}))?" if item.optional else f"{joint}(?:{body})"


EDGE = r"[^\w\ue000-\uf8ff]*"
"""What may stand before the first word of a clause: blanks and punctuation."""
_BRACKETS = f"[{SKIP_OPEN}{SKIP_CLOSE}]*"
_LEFT, _RIGHT = r"(?<![a-z0-9])", r"(?![a-z0-9]|'t(?![a-z]))"
"""The boundaries of a Latin word."""
_PARTS = re.compile(r"(?=[ '])|(?<= )")
"""Where in a Latin word or run of words a skipped word may begin or end."""
_SKIPPED = f"{SKIP_OPEN}[^{SKIP_CLOSE}]*{SKIP_CLOSE}"
_ENGLISH_DATE = rf"(?:(?:on|in|as of|since|from|by|until|till|at|starting|effective|over|this|for|the)\s+){{0,2}}{MARKS['date']}"
_CHINESE_DATE = rf"[从自在到等于]?{MARKS['date']}(?:开始|以后|之后|以前|之前|[起前后内的])?"
_DATES = {"en": _ENGLISH_DATE, "zh": _CHINESE_DATE}


def tongue(language: str, skip: Sequence[str], whole: Sequence[str] = ()) -> Tongue:
    """Return how parts join in ``language``: by blanks, by the words ``skip``, by dates; ``whole`` stay whole."""
    article = (
        r"(?:(?<!\w)(?:the|a|an|our|its own)\s+(?:(?:old|new|good old|little)\s+)?)?"
        if language == "en"
        else ""
    )
    return Tongue(
        rf"\s*(?:(?:{_SKIPPED}|{_DATES[language]})\s*)*{article}",
        r"\s*",
        frozenset("".join(skip)),
        tuple(whole),
    )


def _spelled(text: str) -> str:
    """Return the expression of an ASCII word without its boundaries."""
    return _BRACKETS.join(map(re.escape, _PARTS.split(text)))


def _is_whole(text: str) -> bool:
    return text.isascii() and _is_latin(text[0]) and _is_latin(text[-1])


def _is_word(part: Sequence[Item]) -> bool:
    """Tell whether an alternative is a word and no more."""
    return len(part) == 1 and isinstance(part[0], Word) and part[0].text not in "^$"


def _is_latin(letter: str) -> bool:
    return letter.isascii() and letter.isalnum()
