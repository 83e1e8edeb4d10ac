"""Questions and their answers: "who looks after Atlas?" leaves a slot open, and "me, since May" fills it.

What a question sounds like and what may fill its slot is data: ``questions`` and ``fills`` of a predicate.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cache

from mnemic.extraction.cues import by_class
from mnemic.extraction.filling import Filler, Filling
from mnemic.extraction.frame import MARKS, Frame
from mnemic.extraction.grammar import Grammar
from mnemic.extraction.modality import is_question
from mnemic.extraction.model import Mention, Modality, Source, Statement
from mnemic.extraction.outline import Outline, frames
from mnemic.extraction.passage import Passage
from mnemic.extraction.predicates import word_of
from mnemic.extraction.resolve import Focus
from mnemic.extraction.text import tongue
from mnemic.extraction.width import level
from mnemic.extraction.wording import Pattern

_LONGEST = 40
"""Words that answer a question are no longer than this many characters."""
_SURE = frozenset(MARKS) | {"=role"}
"""Kinds of slot that are known by what stands there, not by its place."""
GUESS = "guess"
"""The pattern of a question that is guessed: only what is known by its kind answers it."""
_DOING = frozenset({"task", "done", "works_on"})
"""Predicates whose question may name what is done and leave open who does it."""


def questions(outline: Outline, focus: Focus, read: Sequence[Statement]) -> tuple[Statement, ...]:
    """Return what a sentence may ask where ``focus`` was in view; ``read`` is what it was read to state.

    The likeliest comes first.

    A question is known by its wording; else it asks whether what it states is so; else the words by which
    a predicate is asked for, and whom the sentence names, let guess.
    """
    passage, grammar = outline.within(focus), outline.grammar
    filler = Filler(passage, focus, grammar.inventory, outline.groups)
    found = [_asked(each.pattern, each.match, each.frame, filler) for each in outline.asked]
    worded = {asked.predicate: asked for asked in reversed(found) if asked is not None}
    if worded:
        return tuple(reversed(worded.values()))
    whether = tuple(statement for statement in read if statement.modality is Modality.ASKED)
    if whether and not word_of("asking").search(passage.text):
        return whether[:1]
    cues = by_class(grammar.cues.hear(passage.text))
    return tuple(_guessed(passage, filler, grammar)) if is_question(passage.text, cues) else ()


def _guessed(passage: Passage, filler: Filler, grammar: Grammar) -> Iterator[Statement]:
    """Yield an open statement for each predicate whose asking words a question has, with whom it may be of."""
    text = level(passage.text)
    for predicate in grammar.inventory.predicates.values():
        if not set(predicate.fills) & _SURE or not any(_stands(word, text) for word in predicate.asks):
            continue
        fitting = [m for m in passage.mentions if grammar.fits(m, frozenset(predicate.subject))]
        subject = next(iter(fitting), None)
        if subject is None and "person" in predicate.subject:
            subject = filler.focus.addressee
        if subject is None:
            subject = filler.focus.thing
        if subject is not None:
            yield Statement(
                subject=subject, predicate=predicate.name, value="", modality=Modality.ASKED, pattern=GUESS
            )


def _stands(word: str, text: str) -> bool:
    edge = r"(?<![a-z])" if word[0].isascii() else ""
    close = r"(?![a-z])" if word[-1].isascii() else ""
    return re.search(f"{edge}{re.escape(word)}{close}", text) is not None


def answer(asked: Statement, passage: Passage, base: Modality, grammar: Grammar) -> Statement | None:
    """Return the statement that a sentence makes by answering ``asked``; None if it answers nothing."""
    if base is Modality.ASKED or _has_words("unknown", passage.text):
        return None
    if not asked.subject.name:
        filled = _filled(grammar.inventory["owner"].fills, "owner", passage, grammar)
        if filled is None or filled.mention is None:
            return None
        return _answered(replace(asked, subject=filled.mention), base, passage)
    fills = grammar.inventory[asked.predicate].fills
    if asked.value:
        return _ruled(asked, passage, base, grammar)
    if asked.pattern == GUESS:
        fills = tuple(kind for kind in fills if kind in _SURE)
    filled = _filled(fills, asked.predicate, passage, grammar)
    if filled is None or filled.words in ("", asked.subject.name):
        return None
    found = replace(asked, value=filled.words, object=filled.mention, when=filled.when, replaces=filled.old)
    return _answered(found, base, passage)


def _ruled(asked: Statement, passage: Passage, base: Modality, grammar: Grammar) -> Statement | None:
    """Return what a sentence makes of the statement that was asked about: so, not so, or so of something else."""
    verdict = _verdict(passage, grammar)
    if verdict is not Modality.ASSERTED:
        fills = tuple(kind for kind in grammar.inventory[asked.predicate].fills if kind in _SURE)
        other = _filled(fills, asked.predicate, passage, grammar)
        if other is not None and other.words not in ("", asked.value, asked.subject.name):
            found = replace(asked, value=other.words, object=other.mention, when=other.when)
            return _answered(replace(found, replaces=asked.value), base, passage)
    if verdict is None:
        return None
    return _answered(asked, base if verdict is Modality.ASSERTED else verdict, passage)


def _asked(pattern: Pattern, match: re.Match[str], frame: Frame, filler: Filler) -> Statement | None:
    """Return the question that a match asks."""
    predicate = pattern.predicate
    things = filler.objects(predicate, match, frame) if "o" in match.re.groupindex else []
    value = things[0] if things else Filling(None, "")
    if "s" in match.re.groupindex:
        subjects = filler.subjects(predicate, match, frame)
    elif predicate.name == "done" and filler.focus.addressee is not None:
        subjects = [filler.focus.addressee]
    else:
        subjects = [_ANYBODY] if value.words and predicate.name in _DOING else []
    if not subjects:
        return None
    return Statement(
        subject=subjects[0],
        predicate=predicate.name,
        value=value.words,
        object=value.mention,
        modality=Modality.ASKED,
    )


def _answered(statement: Statement, modality: Modality, passage: Passage) -> Statement:
    moment = next((value for value in passage.values if value.since is not None), None)
    return replace(
        statement,
        modality=modality,
        when=statement.when or moment,
        start=passage.span[0],
        end=passage.span[1],
        pattern=f"{statement.predicate}: answer",
    )


def _filled(fills: Sequence[str], name: str, passage: Passage, grammar: Grammar) -> Filling | None:
    """Return what fills the slot of the predicate ``name``: the first clause that holds something of its kind."""
    predicate = grammar.inventory[name]
    groups = {m.name: grammar.groups(m) for m in passage.mentions}
    filler = Filler(passage, passage.focus, grammar.inventory, groups)
    fittings = grammar.patterns.fillings(predicate, fills, tongue(passage.text))
    for clause in passage.clauses():
        if _is_denied(passage.words(clause)):
            continue
        for fitting in fittings:
            for frame in frames(passage, clause, grammar):
                match = fitting.search(frame.text)
                if match is not None and not (len(match["o"]) > 1 and word_of("tells").search(frame.words)):
                    filled = filler.filling(match, "o", frame, predicate.object)
                    if len(filled.words) <= _LONGEST:
                        return replace(filled, old=_old(match, frame, filler))
    return None


def _old(match: re.Match[str], frame: Frame, filler: Filler) -> str:
    """Return the value that the clause says was there before: of the same kind, behind "from"."""
    mark = match["o"]
    if len(mark) != 1:
        return ""
    found = re.search(rf"(?:从|from|was|之前是|原来是)\s*(?P<old>{mark})", frame.text)
    return filler.filling(found, "old", frame, ()).words if found else ""


def _verdict(passage: Passage, grammar: Grammar) -> Modality | None:
    """Return what a yes or no makes of the statement asked for."""
    first = passage.words(next(iter(passage.clauses()), passage.span))
    cues = by_class(grammar.cues.hear(first))
    if "end" in cues:
        return Modality.ENDED
    if _has_words("no", first, start=True):
        return Modality.NEGATED
    if _has_words("yes", first, start=True) or "done" in cues:
        return Modality.ASSERTED
    return None


def _is_denied(words: str) -> bool:
    return _has_words("no", words, start=True)


def _has_words(name: str, text: str, *, start: bool = False) -> bool:
    """Tell whether one of a class of words is in a text, or begins it."""
    return (_opening(name).match if start else word_of(name).search)(level(text)) is not None


@cache
def _opening(name: str) -> re.Pattern[str]:
    """Return what matches a word of a class where it begins a text."""
    return re.compile(rf"\W*{word_of(name).pattern}")


_ANYBODY = Mention(start=0, end=0, text="", name="", kind="person", source=Source.PHRASE)
"""Whoever it is that a question asks for."""
