"""Sentences into statements: patterns of the predicates on frames, then plain sense by kinds."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from mnemic.extraction.cues import Cues, by_class
from mnemic.extraction.frame import VALUES, Frame, build_frame
from mnemic.extraction.modality import sentence_modality, statement_modality
from mnemic.extraction.model import Line, Mention, Modality, Statement, Value
from mnemic.extraction.patterns import Pattern, PatternBook
from mnemic.extraction.predicates import Inventory, Predicate
from mnemic.extraction.resolve import Focus, clean_words, phrase_mention, resolve_dropped, resolve_pronoun
from mnemic.extraction.segment import Span, clauses
from mnemic.extraction.senses import NEW, OLD, Sense, Senses

DATED = frozenset({"deadline", "scheduled_at", "birthday", "task", "done", "happened"})
"""Predicates whose date is their object or their due date, so that a coming date makes no plan of them."""


@dataclass(frozen=True, slots=True)
class Grammar:
    """All that reading a sentence needs: the predicates, their patterns, the cues, the technology kinds."""

    inventory: Inventory
    patterns: PatternBook
    cues: Cues
    senses: Senses
    technical: frozenset[str]

    def groups(self, mention: Mention) -> str:
        """Return the group of a mention's kind."""
        return self.inventory.group(mention.kind, mention.kind in self.technical)

    def fits(self, mention: Mention, groups: frozenset[str]) -> bool:
        """Tell whether a mention belongs to one of ``groups``; platforms and languages are technologies too."""
        group = self.groups(mention)
        return group in groups or (group in ("platform", "language") and "tech" in groups)


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
    cues = by_class(grammar.cues.hear(_folded(text)))
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
        for clause in spans:
            self._by_sense(clause)
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
        cues = by_class(self.grammar.cues.hear(_folded(text)))
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

    def _by_sense(self, clause: Span) -> None:
        """Relate what stands in the clause by its kinds, where no pattern has spoken of it."""
        folded = _folded(self.line.text[clause[0] : clause[1]])
        for sense in self.grammar.senses.called(folded):
            predicate = self.grammar.inventory[sense.predicate]
            objects = self._candidates(sense.object, clause, sense.first)
            subjects = [m for m in self._candidates(sense.subject, clause, False) if isinstance(m, Mention)]
            taken = {s.value for s in self.found} | {s.replaces for s in self.found}
            objects = [o for o in objects if o not in subjects[:1] and _value_of(o) not in taken]
            subject = self._sense_subject(sense, subjects, clause)
            if subject is not None and objects:
                self.found.extend(self._related(predicate, subject, objects, folded, clause))

    def _candidates(self, groups: frozenset[str], clause: Span, first: bool) -> list[Mention | Value]:
        """Return the mentions and values of a clause that belong to ``groups``; the speaker where "I" is meant."""
        inside = [m for m in self.mentions if clause[0] <= m.start < clause[1]]
        found: list[Mention | Value] = [m for m in inside if self.grammar.fits(m, groups)]
        found += [v for v in self.values if clause[0] <= v.start < clause[1] and VALUES.get(v.kind) in groups]
        if not found and first and "person" in groups and self._says_first(clause):
            found.append(self.focus.speaker)
        return sorted(found, key=lambda item: item.start)

    def _says_first(self, clause: Span) -> bool:
        return "first" in by_class(self.grammar.cues.hear(_folded(self.line.text[clause[0] : clause[1]])))

    def _sense_subject(self, sense: Sense, subjects: Sequence[Mention], clause: Span) -> Mention | None:
        """Return the subject of a sense: named in the clause, or in view where a word calls for it."""
        if subjects:
            return subjects[0]
        if "person" in sense.subject:
            return self.focus.speaker if sense.first and self._says_first(clause) else None
        before = [m for m in self.mentions if m.end <= clause[0]]
        changes = "change" in self.cues or "now" in self.cues
        if not sense.worded and not changes:
            return None
        groups = {m.kind: self.grammar.groups(m) for m in before}
        return resolve_dropped(self.focus, tuple(sense.subject), before, groups)

    def _related(
        self,
        predicate: Predicate,
        subject: Mention,
        objects: Sequence[Mention | Value],
        folded: str,
        clause: Span,
    ) -> list[Statement]:
        """Return the statements of a sense: what comes, with what gives way; or only what ended."""
        turns = [(item, self._turn(item, folded, clause)) for item in objects if item != subject]
        old = [item for item, turn in turns if turn == OLD]
        come = [item for item, turn in turns if turn == NEW] or [item for item, turn in turns if turn == ""]
        if not come:
            return [self._sensed(predicate, subject, item, "", True, clause) for item in old[:1]]
        replaced = _value_of(old[0]) if old else ""
        chosen = come if predicate.many else come[-1:]
        return [self._sensed(predicate, subject, item, replaced, False, clause) for item in chosen]

    def _turn(self, item: Mention | Value, folded: str, clause: Span) -> str:
        if item.start == item.end:
            return ""
        return self.grammar.senses.polarity(folded, item.start - clause[0], item.end - clause[0])

    def _sensed(
        self,
        predicate: Predicate,
        subject: Mention,
        item: Mention | Value,
        old: str,
        ends: bool,
        clause: Span,
    ) -> Statement:
        statement = Statement(
            subject=subject,
            predicate=predicate.name,
            value=_value_of(item),
            object=item if isinstance(item, Mention) else None,
            replaces=old,
            when=item if isinstance(item, Value) and item.since is not None else self._when(clause),
            start=clause[0],
            end=clause[1],
            pattern=f"{predicate.name}: by sense",
        )
        return self._judged(statement, predicate, ends, clause)


def _value_of(item: Mention | Value) -> str:
    return item.name if isinstance(item, Mention) else clean_words(item.text)


def _folded(text: str) -> str:
    """Return the text in lower case, as long as it is."""
    lower = text.lower()
    return lower if len(lower) == len(text) else text
