"""What one sentence shows whatever is in view: its cues, its clauses as frames, and what patterns find in them.

A line is read several times, as a message and as what stands before the next ones, each time with another
focus. What does not depend on that is worked out once.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property

from mnemic.extraction.cues import by_class
from mnemic.extraction.frame import ENTITY_MARKS, Frame, build_frame
from mnemic.extraction.grammar import Grammar
from mnemic.extraction.leads import core, uninverted
from mnemic.extraction.modality import sentence_modality
from mnemic.extraction.model import Mention, Modality
from mnemic.extraction.passage import Passage
from mnemic.extraction.resolve import Focus, is_nobody
from mnemic.extraction.segment import Span, clause_verbs
from mnemic.extraction.wording import Pattern

_WHO = re.compile(r"who\s+", re.IGNORECASE)
_NAMED = re.compile(r"\b([A-Z][a-z]+(?: [A-Z][a-z]+)?),\s+$")
_AND = re.compile(r"\sand\s+$", re.IGNORECASE)
_SUBJECT = re.compile(rf"(i|we|he|she|they|[{ENTITY_MARKS}])(?:'s|'ve|'re)?\s", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Found:
    """A match of a pattern: where, in which frame of which clause."""

    pattern: Pattern
    match: re.Match[str]
    frame: Frame
    clause: Span

    def has(self, slot: str) -> bool:
        """Tell whether the pattern has the slot, filled."""
        return slot in self.match.re.groupindex and self.match[slot] is not None

    def named(self, slot: str) -> Span:
        """Return where in the frame the words of a slot stand: of a subject, the name at their end alone.

        What is before it ("maybe Atlas") may tell how the statement is meant, as does "nobody".
        """
        start, end = self.match.span(slot)
        if slot == "s" and is_nobody(self.match[slot] or ""):
            return start, start
        if slot == "s" and start < end and isinstance(self.frame.held[end - 1], Mention):
            return end - 1, end
        return start, end

    def end(self, slot: str) -> int:
        """Return where in the text the words of a slot, or else of the match, end."""
        span = self.match.span(slot) if self.has(slot) else self.match.span()
        return self.frame.original(*span)[1]


class Outline:
    """The outline of a sentence; what is in view of its ``passage`` does not count."""

    def __init__(self, passage: Passage, grammar: Grammar) -> None:
        self._passage, self.grammar = passage, grammar
        self._found: dict[Span, tuple[Found, ...]] = {}

    def within(self, focus: Focus) -> Passage:
        """Return the sentence with what was in view before it."""
        return replace(self._passage, focus=focus)

    @cached_property
    def clauses(self) -> list[Span]:
        """The clauses of the sentence."""
        return self._passage.clauses()

    @cached_property
    def groups(self) -> Mapping[str, str]:
        """The groups of its mentions, by name."""
        return {m.name: self.grammar.groups(m) for m in self._passage.mentions}

    @cached_property
    def cues(self) -> Mapping[str, tuple[str, ...]]:
        """Its cues; what names somebody else as its source is hearsay ("Ben says", "per Ben")."""
        heard = self.grammar.cues.hear(self._passage.text)
        cues = by_class(heard)
        start = self._passage.span[0]
        people = [m for m in self._passage.mentions if self.grammar.groups(m) in ("person", "org")]
        ends = {m.end - start for m in people if self.grammar.groups(m) == "person"}
        begins = {m.start - start for m in people}
        told = [
            cue.word
            for cue in heard
            if (cue.name == "teller" and {cue.start, cue.start - 1} & ends)
            or (cue.name == "origin" and cue.end + 1 in begins)
        ]
        return {**cues, "reported": (*cues.get("reported", ()), *told)} if told else cues

    @cached_property
    def base(self) -> Modality:
        """How it is meant as a whole."""
        return sentence_modality(self._passage.text, self.cues)

    @cached_property
    def sure(self) -> Modality:
        """How it is meant but for what supposes."""
        cues = {name: words for name, words in self.cues.items() if name != "hypothetical"}
        return sentence_modality(self._passage.text, cues)

    def found(self, clause: Span) -> tuple[Found, ...]:
        """Return what the patterns find in a clause, frame by frame."""
        if clause not in self._found:
            self._found[clause] = tuple(
                Found(pattern, match, frame, clause)
                for frame in self._frames(clause)
                for pattern, match in self.grammar.patterns.match(frame)
            )
        return self._found[clause]

    @cached_property
    def asked(self) -> tuple[Found, ...]:
        """What the patterns of questions find in it."""
        return tuple(
            Found(pattern, match, frame, clause)
            for clause in dict.fromkeys([*self.clauses, self._passage.span])
            for frame in frames(self._passage, clause, self.grammar)
            for pattern, match in self.grammar.patterns.match(frame, asking=True)
        )

    def _frames(self, clause: Span) -> Iterator[Frame]:
        """Yield the frames of a clause: without its leads, as it is, and a question's as a statement's."""
        frame = build_frame(self._passage.line.text, *clause, self._passage.held, self.grammar.groups)
        point = core(frame)
        if joined := self._joined(clause, point) or self._relative(frame):
            frame = point = joined
        turned = list(uninverted(point)) if self.base in (Modality.ASKED, Modality.PROPOSED) else []
        whole = [frame] if point is not frame else []
        for reading in [*(turned or [point]), *whole]:
            yield reading.shaded(self.grammar.skip)

    def _joined(self, clause: Span, point: Frame) -> Frame | None:
        """Return the frame of what "and" joins to a clause before it, with that clause's subject ("and bought …")."""
        start = self._passage.span[0]
        if clause[0] == start or not point.text.lower().startswith(
            tuple(f"{verb} " for verb in clause_verbs())
        ):
            return None
        if not _AND.search(self._passage.line.text, start, clause[0]):
            return None
        first = core(
            build_frame(self._passage.line.text, start, clause[0], self._passage.held, self.grammar.groups)
        )
        subject = _SUBJECT.match(first.text)
        if subject is None:
            return None
        return point.behind_subject(
            Frame(subject[1], first.spans[: subject.end(1)], first.held[: subject.end(1)])
        )

    def _relative(self, frame: Frame) -> Frame | None:
        """Return the frame of what "who" tells of the person named right before it ("Julia, who works …")."""
        who = _WHO.match(frame.text)
        if who is None:
            return None
        at = frame.spans[0][0]
        name = _NAMED.search(self._passage.line.text, self._passage.span[0], at)
        if name is None or name.end() != at:
            return None
        start, end = name.span(1)
        held = [
            m
            for m in self._passage.mentions
            if start <= m.start and m.end == end and self.groups[m.name] == "person"
        ]
        subject = build_frame(
            self._passage.line.text, held[0].start if held else start, end, held, self.grammar.groups
        )
        return frame.behind(who.end()).behind_subject(subject, stands=True)


def frames(passage: Passage, clause: Span, grammar: Grammar) -> Iterator[Frame]:
    """Yield the frames of a clause as it is said: without its leads, then with them."""
    frame = build_frame(passage.line.text, *clause, passage.held, grammar.groups)
    point = core(frame)
    yield point.shaded(grammar.skip)
    if point is not frame:
        yield frame.shaded(grammar.skip)
