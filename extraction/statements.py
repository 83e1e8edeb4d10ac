"""Sentences into statements: patterns of the predicates on frames, then plain sense by kinds."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from mnemic.extraction.cues import Cues, by_class
from mnemic.extraction.frame import Frame, build_frame
from mnemic.extraction.modality import sentence_modality, statement_modality
from mnemic.extraction.model import Line, Mention, Modality, Source, Statement, Value
from mnemic.extraction.patterns import Pattern, PatternBook
from mnemic.extraction.predicates import ANY, Inventory, Predicate
from mnemic.extraction.resolve import Focus, clean_words, phrase_mention, resolve_dropped, resolve_pronoun
from mnemic.extraction.segment import Span, clauses

DATED = frozenset({"deadline", "scheduled_at", "birthday", "task", "done", "happened"})
"""Predicates whose date is their object or their due date, so that a coming date makes no plan of them."""

_BY_KINDS = {"language": "written_in", "platform": "runs_on", "tech": "uses"}


@dataclass(frozen=True, slots=True)
class Grammar:
    """All that reading a sentence needs: the predicates, their patterns, the cues, the technology kinds."""

    inventory: Inventory
    patterns: PatternBook
    cues: Cues
    technical: frozenset[str]

    def groups(self, mention: Mention) -> str:
        """Return the group of a mention's kind."""
        return self.inventory.group(mention.kind, mention.kind in self.technical)


@dataclass(frozen=True, slots=True)
class Sentence:
    """One sentence as read: its span, its cues, how it is meant, and what it states."""

    start: int
    end: int
    cues: Mapping[str, tuple[str, ...]]
    modality: Modality
    statements: tuple[Statement, ...]


def read_sentence(
    line: Line,
    span: Span,
    mentions: Sequence[Mention],
    values: Sequence[Value],
    focus: Focus,
    grammar: Grammar,
) -> Sentence:
    """Return what the sentence ``line.text[span]`` states.

    ``mentions`` and ``values`` lie inside the sentence and do not overlap; ``focus`` is what was in view
    before it.
    """
    text = line.text[span[0] : span[1]]
    cues = by_class(grammar.cues.hear(text.casefold() if len(text.casefold()) == len(text) else text.lower()))
    base = sentence_modality(text, cues)
    reader = _Reader(line, span, mentions, values, focus, grammar, cues, base)
    return Sentence(span[0], span[1], cues, base, tuple(reader.statements()))


class _Reader:
    """Reads the statements of one sentence; what is found first (higher rank) keeps its place."""

    def __init__(
        self,
        line: Line,
        span: Span,
        mentions: Sequence[Mention],
        values: Sequence[Value],
        focus: Focus,
        grammar: Grammar,
        cues: Mapping[str, tuple[str, ...]],
        base: Modality,
    ) -> None:
        self.line, self.span, self.mentions, self.values = line, span, mentions, values
        self.focus, self.grammar, self.cues, self.base = focus, grammar, cues, base
        self.found: list[Statement] = []

    def statements(self) -> list[Statement]:
        """Return the statements of the whole sentence, by position."""
        spans = clauses(self.line.text, *self.span)
        whole = [self.span] if len(spans) > 1 else []
        for clause in [*spans, *whole]:
            frame = self._frame(clause)
            for pattern, match in self.grammar.patterns.match(frame):
                self._take(pattern, match, frame, clause)
        self.found.extend(self._by_kinds(spans))
        return sorted(self.found, key=lambda s: (s.start, s.end, s.predicate))

    def _frame(self, clause: Span) -> Frame:
        held: list[Mention | Value] = [*self.mentions, *self.values]
        return build_frame(self.line.text, *clause, held, self.grammar.inventory, self.grammar.technical)

    def _take(self, pattern: Pattern, match: re.Match[str], frame: Frame, clause: Span) -> None:
        """Turn a match into a statement, unless it says nothing new or its slots cannot be filled."""
        subject = self._subject(pattern.predicate, match, frame, clause)
        thing, words, when = self._object(match, frame)
        if subject is None or not words or words == subject.name:
            return
        start, end = frame.original(*match.span())
        old = self._old(match, frame)
        statement = Statement(
            subject=subject,
            predicate=pattern.predicate.name,
            value=words,
            object=thing,
            replaces=old,
            when=when or self._when(clause),
            start=start,
            end=end,
            pattern=f"{pattern.predicate.name}: {pattern.source}",
        )
        if not self._is_known(statement):
            self.found.append(self._judged(statement, pattern.predicate, pattern.ends, clause))

    def _subject(
        self, predicate: Predicate, match: re.Match[str], frame: Frame, clause: Span
    ) -> Mention | None:
        wants = predicate.subject
        if "s" not in match.re.groupindex or match["s"] is None:
            before = [m for m in self.mentions if m.end <= frame.original(*match.span())[0]]
            groups = {m.kind: self.grammar.groups(m) for m in before}
            return resolve_dropped(self.focus, wants, before, groups)
        span = match.span("s")
        held = frame.sole(*span)
        if isinstance(held, Mention):
            return held
        word = match["s"]
        pronoun = resolve_pronoun(word, self.focus, wants)
        if pronoun is not None or len(word) < 2:
            return pronoun
        return phrase_mention(self.line.text, *frame.original(*span), self.focus)

    def _object(self, match: re.Match[str], frame: Frame) -> tuple[Mention | None, str, Value | None]:
        if "o" not in match.re.groupindex or match["o"] is None:
            return None, "", None
        span = match.span("o")
        held = frame.sole(*span)
        if isinstance(held, Mention):
            return held, held.name, None
        if isinstance(held, Value):
            return None, clean_words(held.text), held if held.since is not None else None
        person = resolve_pronoun(match["o"], self.focus, ("person",))
        if person is not None:
            return person, person.name, None
        start, end = frame.original(*span)
        return None, clean_words(self.line.text[start:end]), None

    def _old(self, match: re.Match[str], frame: Frame) -> str:
        if "old" not in match.re.groupindex or match["old"] is None:
            return ""
        held = frame.sole(*match.span("old"))
        if isinstance(held, Mention):
            return held.name
        start, end = frame.original(*match.span("old"))
        return clean_words(self.line.text[start:end])

    def _when(self, clause: Span) -> Value | None:
        """Return the first moment spoken of in the clause, else in the sentence."""
        dated = [value for value in self.values if value.since is not None]
        inside = [value for value in dated if clause[0] <= value.start < clause[1]]
        return next(iter(inside or dated), None)

    def _is_known(self, new: Statement) -> bool:
        """Tell whether a statement of higher rank already says this, or speaks of the same words."""
        for old in self.found:
            same_object = old.value == new.value and old.subject.name == new.subject.name
            if old.predicate == new.predicate and (
                same_object or (old.start < new.end and new.start < old.end)
            ):
                return True
            if same_object and old.start < new.end and new.start < old.end:
                return True
            if new.object is None and old.start <= new.start and new.end <= old.end:
                return True
        return False

    def _judged(self, statement: Statement, predicate: Predicate, ends: bool, clause: Span) -> Statement:
        """Return the statement with its modality and with the span that its dates give it."""
        text = self.line.text[clause[0] : clause[1]]
        cues = by_class(self.grammar.cues.hear(text.lower()))
        dated = predicate.name in DATED
        ahead = (
            statement.when is not None
            and statement.when.since is not None
            and statement.when.since > self.line.at
        )
        modality = statement_modality(
            self.base,
            cues,
            ends=ends,
            replaced=bool(statement.replaces),
            dated=dated,
            values=self.values,
            soon=ahead and not dated,
        )
        return replace(statement, modality=modality)

    def _by_kinds(self, spans: Sequence[Span]) -> list[Statement]:
        """Relate a thing and a technology that stand in one clause where no pattern did, if there is one of each."""
        made: list[Statement] = []
        for clause in spans:
            inside = [m for m in self.mentions if clause[0] <= m.start < clause[1]]
            technologies = [
                m for m in inside if m.kind in self.grammar.technical and m.source is not Source.TENANT
            ]
            things = [m for m in inside if self.grammar.groups(m) == "thing"]
            if len(technologies) != 1 or len(things) != 1 or self._speaks_of(technologies[0]):
                continue
            technology, thing = technologies[0], things[0]
            predicate = self.grammar.inventory[_BY_KINDS[self.grammar.groups(technology)]]
            statement = Statement(
                subject=thing,
                predicate=predicate.name,
                value=technology.name,
                object=technology,
                when=self._when(clause),
                start=clause[0],
                end=clause[1],
                pattern="by kinds",
            )
            made.append(self._judged(statement, predicate, False, clause))
        return made

    def _speaks_of(self, technology: Mention) -> bool:
        return any(technology.name in (s.value, s.replaces) for s in self.found)


def subject_groups(predicate: Predicate) -> frozenset[str]:
    """Return the groups whose mentions may be the subject; all of them where anything may."""
    return frozenset() if ANY in predicate.subject else frozenset(predicate.subject)
