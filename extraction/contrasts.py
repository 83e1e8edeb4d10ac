"""Corrections that name both values and nothing else: "sorry, Thursday, not Wednesday" said of what was told."""

import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cache
from importlib.resources import files

from mnemic.extraction.answers import GUESS, answer
from mnemic.extraction.grammar import Grammar
from mnemic.extraction.model import Mention, Modality, Statement
from mnemic.extraction.passage import Passage
from mnemic.extraction.predicates import word_of
from mnemic.extraction.resolve import clean_words
from mnemic.extraction.segment import Span
from mnemic.extraction.text import fold

_LONGEST = 40
"""A value that is set against another is no longer than this many characters."""


def corrected(
    passage: Passage, cues: Mapping[str, tuple[str, ...]], base: Modality, grammar: Grammar
) -> Statement | None:
    """Return what was told before as a sentence corrects it, the new value in the place of the old one.

    The old value tells which statement is meant. Where a cue says that something was wrong, and no statement
    has that value, it is the last one whose slot takes the new value.
    """
    if base is Modality.ASKED:
        return None
    told = passage.focus.told
    for new, old in _contrasted(passage):
        words = _value(passage, old)
        meant = [each for each in told if _is_said(words, each.value)]
        if not meant and "correction" in cues:
            meant = [each for each in told if not grammar.inventory[each.predicate].many]
        for each in meant:
            statement = _with_value(each, passage.part(new), base, grammar)
            if statement is not None:
                return replace(statement, start=passage.span[0], end=passage.span[1])
    return _renewed(passage, base, grammar) if "correction" in cues else None


def _renewed(passage: Passage, base: Modality, grammar: Grammar) -> Statement | None:
    """Return what was told last whose slot takes the one value that a sentence corrects it to."""
    match = _contrasts().alone.fullmatch(passage.line.text, *passage.span)
    if match is None:
        return None
    start, end = _bare(passage.line.text, match.span("new"))
    item = passage.item_at(start)
    if item is None or item.end != end:
        return None
    for told in passage.focus.told:
        if told.object is None and grammar.inventory[told.predicate].many:
            continue
        statement = _with_value(told, passage.part((start, end)), base, grammar)
        if statement is not None and statement.value != told.value:
            return replace(statement, start=passage.span[0], end=passage.span[1])
    return None


def _contrasted(passage: Passage) -> Iterator[tuple[Span, Span]]:
    """Yield the spans of the new and of the old value, as each wording that fits the sentence sees them."""
    for wording in _contrasts().wordings:
        match = wording.fullmatch(passage.line.text, *passage.span)
        if match is not None:
            new, old = (_bare(passage.line.text, match.span(name)) for name in ("new", "old"))
            if all(0 < right - left <= _LONGEST for left, right in (new, old)):
                yield new, old


def _bare(text: str, span: Span) -> Span:
    """Return the span of a value without the words that stand before it."""
    before = _contrasts().before.match(text, *span)
    return (before.end(), span[1]) if before is not None and before.end() < span[1] else span


def _value(passage: Passage, span: Span) -> str:
    """Return the words of a value; the canonical name where it is one."""
    item = passage.item_at(span[0])
    return (
        item.name if isinstance(item, Mention) and item.end == span[1] else clean_words(passage.words(span))
    )


def _is_said(words: str, value: str) -> bool:
    """Tell whether a told value is what the words name, or holds it ("Wednesday at 3pm")."""
    said, told = fold(words), fold(value)
    return said == told or (len(said) > 1 and (said in told or told in said))


def _with_value(told: Statement, new: Passage, base: Modality, grammar: Grammar) -> Statement | None:
    """Return a told statement with another value; None where its slot does not take that."""
    slot = replace(told, value="", object=None, replaces="", when=None, pattern=GUESS)
    found = answer(slot, new, base, grammar)
    if found is None:
        words = clean_words(new.text)
        if told.object is not None or new.held or not words or word_of("tells").search(words):
            return None
        found = replace(slot, value=words, modality=base)
    elif word_of("tells").search(new.text):
        return None
    return replace(found, replaces=told.value, pattern=f"{told.predicate}: correction")


@dataclass(frozen=True, slots=True)
class _Contrasts:
    """The contents of ``contrasts.toml``: whole sentences, those of a new value alone, and what stands before a value."""

    wordings: tuple[re.Pattern[str], ...]
    alone: re.Pattern[str]
    before: re.Pattern[str]


@cache
def _contrasts() -> _Contrasts:
    raw = tomllib.loads(files("mnemic.dictionaries").joinpath("contrasts.toml").read_text(encoding="utf-8"))
    return _Contrasts(
        wordings=tuple(
            re.compile(f"{raw['lead']}(?:{wording}){raw['close']}", re.IGNORECASE)
            for wording in raw["wordings"]
        ),
        alone=re.compile(f"{raw['lead']}{raw['alone']}{raw['close']}", re.IGNORECASE),
        before=re.compile(raw["before"], re.IGNORECASE),
    )
