"""Sentences into statements: patterns of the predicates on frames, then plain sense by kinds, then answers."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import timedelta

from mnemic.extraction.answers import GUESS, answer
from mnemic.extraction.attributes import attribute
from mnemic.extraction.contrasts import corrected
from mnemic.extraction.cues import by_class
from mnemic.extraction.filling import Filler, Filling
from mnemic.extraction.frame import UNMARKED
from mnemic.extraction.modality import intends, statement_modality, unstated_modality
from mnemic.extraction.model import Mention, Modality, Source, Statement, Value
from mnemic.extraction.outline import Found, Outline
from mnemic.extraction.passage import Passage
from mnemic.extraction.relate import Relater
from mnemic.extraction.resolve import Focus, is_nobody
from mnemic.extraction.segment import Span
from mnemic.extraction.settling import covers, is_ban, relates, settled
from mnemic.extraction.tails import Tail, split, tail
from mnemic.extraction.times import boundary
from mnemic.extraction.width import level
from mnemic.extraction.wording import Pattern

DATED = frozenset({"deadline", "scheduled_at", "birthday", "task", "done", "happened"})
"""Predicates whose date is their object or their due date, so that a coming date makes no plan of them."""
TIMELESS = frozenset({"rule", "decided", "likes", "dislikes", "avoids", "knows", "family"})
"""Predicates of which a coming date makes no plan either: it is part of what is said."""
_LEAST_TOLD = 4
"""So many characters behind "told me" are told; fewer only end the sentence ("told me so")."""
_LEAST_SAID = 2
"""That in Chinese."""
_LEAST_HEARD = 4
"""So many words behind "I heard" are heard; fewer only add to what is said before ("I heard, since March")."""
_STRETCH, _AT_ONCE = timedelta(days=7), timedelta(days=2)
"""What lasts so long and begins so soon is under way ("for the next few months")."""
_BLANK = "□"
_AND_TOLD = re.compile(r"\b(?:and|but)\s+(?:then\s+)?(?:[\w']+\s+){1,2}$", re.IGNORECASE)
"""What joins to a sentence what somebody else tells in it."""
_TOLD_BY = re.compile(r"[，,；;]\s*[^，,；;]{0,4}$")
"""That in Chinese, where a comma is enough."""
_OPENS = re.compile(r"[，,；;]\s*(?:and\s+|but\s+|不过|但是?|而且)?$", re.IGNORECASE)
"""What hearsay without a teller begins behind."""
_STILL_SAID = re.compile(r"(?:\s+(?:any ?more|any longer))?\W*$|", re.IGNORECASE)
"""Words at the end of a slot that are about the statement."""
_UNTIL = re.compile(r"(?:until|till|to|since|at|before|到|至|自)\s*(?:the\s+)?$", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Sentence:
    """One sentence as read: its span, its cues, how it is meant, and what it states."""

    start: int
    end: int
    cues: Mapping[str, tuple[str, ...]]
    modality: Modality
    statements: tuple[Statement, ...]

    def serious(self) -> "Sentence":
        """Return the sentence without the joke that it names: it was what stood before it."""
        return replace(self, cues={name: words for name, words in self.cues.items() if name != "joke"})

    def supposed(self) -> "Sentence":
        """Return the sentence with all that it states as no more than supposed: it was a joke."""
        statements = tuple(replace(each, modality=Modality.HYPOTHETICAL) for each in self.statements)
        return replace(self, modality=Modality.HYPOTHETICAL, statements=statements)


def read_sentence(outline: Outline, focus: Focus) -> Sentence:
    """Return what a sentence states where ``focus`` was in view before it."""
    passage, grammar = outline.within(focus), outline.grammar
    cues, base = outline.cues, outline.base
    correction = corrected(passage, cues, base, grammar)
    if correction is not None:
        heard = (*cues.get("correction", ()), *cues.get("negation", ()))
        return Sentence(*passage.span, {**cues, "correction": heard}, base, (correction,))
    statements = tuple(_Reader(passage, outline).statements())
    if not statements:
        opening = grammar.cues.hear(passage.words(next(iter(outline.clauses), passage.span)))
        base = unstated_modality(base, cues, by_class(opening))
    return Sentence(*passage.span, cues, base, statements)


class _Reader:
    """Reads the statements of one sentence; what is found first (higher rank) keeps its place."""

    def __init__(self, passage: Passage, outline: Outline) -> None:
        self.passage, self.outline, self.grammar = passage, outline, outline.grammar
        self.cues, self.base, self.groups = outline.cues, outline.base, outline.groups
        self.found: list[Statement] = []

    def statements(self) -> list[Statement]:
        """Return the statements of the whole sentence, by position."""
        spans = self.outline.clauses
        if len(spans) > 1:
            self._read(self.passage.span, spanning=True)
        for clause in spans:
            self._attribute(clause)
            self._read(clause)
        if len(spans) > 1:
            self._read(self.passage.span)
        for clause in spans:
            self._relate(clause)
        self._answer()
        return sorted(settled(self.found), key=lambda s: (s.start, s.end, s.predicate))

    def _read(self, clause: Span, *, spanning: bool = False) -> None:
        """Take in what the patterns find in a clause; ``spanning``: only those that span several."""
        filler = self._filler(clause)
        for found in self.outline.found(clause):
            if found.pattern.spans or not spanning:
                self._take(found, filler)

    def _filler(self, clause: Span) -> Filler:
        """Return what fills the slots of a clause, with what the sentence has brought into view before it."""
        before = [m for m in self.passage.mentions if m.end <= clause[0]]
        made = [m for s in self.found if s.end <= clause[0] for m in made_by(s)]
        focus = self.passage.focus.seeing(before, self.grammar.is_thing).seeing(made, self.grammar.is_thing)
        topic = next((m for m in reversed(made) if m.kind == "person"), None)
        return Filler(self.passage, focus, self.grammar.inventory, self.groups, topic)

    def _answer(self) -> None:
        """Take the sentence as an answer to what was asked, unless it speaks of that slot in full."""
        for asked in self.passage.focus.asked:
            if any(s.predicate == asked.predicate for s in self.found):
                return
            answered = answer(asked, self.passage, self.base, self.grammar)
            if answered is not None:
                self.found.append(answered)
                return
        if not self.found and {"change", "correction", "proposal"} & self.cues.keys():
            self._correct()

    def _attribute(self, clause: Span) -> None:
        """Take a clause that begins with the name of a slot as one of the thing in view ("the deadline slipped …")."""
        named = attribute(self.passage.words(clause))
        if named is None or "negation" in by_class(self.grammar.cues.hear(self.passage.words(clause))):
            return
        focus = self._filler(clause).focus
        subject = next((told.subject for told in focus.told if told.predicate == named), None)
        if subject is None and focus.thing is not None and focus.thing.source is not Source.SHIPPED:
            subject = focus.thing
        if subject is not None:
            slot = Statement(subject=subject, predicate=named, value="", pattern=GUESS)
            passage = self.passage.part(clause)
            stated = answer(slot, passage, self._base(clause), self.grammar)
            if stated is not None and not is_nobody(stated.value):
                self.found.append(replace(stated, pattern=f"{named}: attribute"))

    def _correct(self) -> None:
        """Take the sentence as another value for what was told before: "could we make it the 15th?"."""
        for told in self.passage.focus.told:
            if not self.grammar.inventory[told.predicate].many:
                slot = replace(told, value="", object=None, replaces="", when=None, pattern=GUESS)
                corrected = answer(slot, self.passage, self.base, self.grammar)
                if corrected is not None:
                    self.found.append(replace(corrected, replaces=told.value))
                    return

    def _relate(self, clause: Span) -> None:
        """Relate what stands in the clause by its kinds, where no pattern has spoken of it, nor of a rule."""
        if any(s.predicate == "rule" and s.start < clause[1] and clause[0] < s.end for s in self.found):
            return
        taken = {s.value for s in self.found} | {s.replaces for s in self.found}
        relater = Relater(self.passage, self.grammar, self.cues)
        cues = by_class(self.grammar.cues.hear(self.passage.words(clause)))
        for statement, ends in relater.related(clause, self._filler(clause).focus, taken):
            itself = statement.subject.name == statement.value
            if itself or any(relates(old, statement) for old in self.found):
                continue
            dated = statement.predicate in DATED
            modality = statement_modality(
                self._base(clause),
                cues,
                cues,
                ends=ends,
                replaced=bool(statement.replaces),
                dated=dated,
                soon=not dated and self._is_ahead(clause),
            )
            when = statement.when or self._when(clause)
            self.found.append(replace(statement, modality=modality, when=when))

    def _take(self, found: Found, filler: Filler) -> None:
        """Turn a match into statements, unless they say nothing new or its slots cannot be filled."""
        predicate = found.pattern.predicate
        subjects = filler.subjects(predicate, found.match, found.frame)
        old = filler.filling(found.match, "old", found.frame, ()).words if found.has("old") else ""
        after = self._tail(found.end("o"))
        if predicate.name == "family" and subjects:  # whose "sister" is the one of whom it is said
            filler = replace(filler, focus=replace(filler.focus, speaker=subjects[0]))
        new = [
            statement
            for thing in filler.objects(predicate, found.match, found.frame)
            for subject in subjects
            if thing.words and thing.words != subject.name
            for statement in self._stated(found, subject, thing, old, after)
        ]
        idle = (_is_undone, _only_introduces)
        self.found += [s for s in new if not self._is_known(s) and not any(says(s) for says in idle)]

    def _tail(self, position: int) -> Tail | None:
        """Return what the words behind ``position`` set against it; "not kidding" sets nothing."""
        after = tail(self.passage, position)
        earnest = after is not None and "earnest" in by_class(
            self.grammar.cues.hear(self.passage.line.text[position : after.end])
        )
        return None if earnest else after

    def _stated(
        self, found: Found, subject: Mention, thing: Filling, old: str, after: Tail | None
    ) -> Iterator[Statement]:
        """Yield the statement of a match; and that its tail is not so, where that corrects somebody else."""
        words, given = (
            split(thing.words) if thing.mention is None and thing.when is None else (thing.words, "")
        )
        corrects = after is not None and (
            after.instead or "correction" in self.cues or self._is_told(found.pattern, after.words)
        )
        old = (
            subject.name
            if found.pattern.renames
            else old or given or (after.words if after and corrects else "")
        )
        start, end = found.frame.original(*found.match.span())
        statement = Statement(
            subject=subject,
            predicate=found.pattern.predicate.name,
            value=words,
            object=thing.mention,
            replaces="" if old == words else old,
            when=thing.when or self._when(found.clause),
            start=start,
            end=end,
            pattern=f"{found.pattern.predicate.name}: {found.pattern.source}",
        )
        if after is None and self._is_known(statement):
            return
        statement = replace(statement, modality=self._modality(found, statement))
        yield statement
        if after is not None and not corrects and statement.modality is Modality.ASSERTED:
            yield replace(
                statement,
                value=after.words,
                object=after.mention,
                modality=Modality.NEGATED,
                start=end,
                end=after.end,
            )

    def _is_told(self, pattern: Pattern, value: str) -> bool:
        """Tell whether the predicate of a pattern was said before to have this value."""
        told = self.passage.focus.told
        return any(each.predicate == pattern.predicate.name and each.value == value for each in told)

    def _when(self, clause: Span) -> Value | None:
        """Return the first moment spoken of in the clause, else in the sentence."""
        dated = [value for value in self.passage.values if value.since is not None]
        inside = [value for value in dated if clause[0] <= value.start < clause[1]]
        return next(iter(inside or dated), None)

    def _is_known(self, new: Statement) -> bool:
        """Tell whether a statement of higher rank already says this, or speaks of the same words."""
        denied = Modality.NEGATED if is_ban(new) else None
        return any(covers(old, new) for old in self.found if old.modality is not denied)

    def _modality(self, found: Found, statement: Statement) -> Modality:
        """Return how a statement is meant, by the words around its slots and those before it.

        What a rule forbids is a rule all the same.
        """
        if found.pattern.predicate.name == "rule" and found.pattern.loaded:
            return self._base(found.clause)
        clause = found.frame.text
        start, end = found.match.span()
        slots = [found.named(name) for name in found.match.re.groupindex]
        slots = [(left, right - _still_said(clause[left:right])) for left, right in slots]
        letters = [
            _BLANK if any(left <= i < right for left, right in slots) else letter
            for i, letter in enumerate(clause)
        ]
        wording = level("".join(letters[start:end]).translate(UNMARKED))
        for word in found.pattern.loaded:
            wording = wording.replace(word, _BLANK * len(word), 1)
        first, last = self._clauses_of(found.frame.original(start, end))
        lead = self.passage.line.text[max(found.clause[0], first) : found.frame.original(start, end)[0]]
        before = lead + wording
        rest = zip(clause[end:], found.frame.spans[end:], strict=True)
        after = "".join(letter for letter, (place, _) in rest if place < last)
        heard = self.grammar.cues.hear
        dated = statement.predicate in DATED | TIMELESS
        return statement_modality(
            self._base((first, last)),
            by_class(heard(before + after.translate(UNMARKED))),
            by_class(heard(before)),
            ends=found.pattern.ends,
            replaced=bool(statement.replaces),
            dated=dated,
            soon=not dated and self._is_ahead(found.clause, _span(found, "s")),
        )

    def _clauses_of(self, span: Span) -> Span:
        """Return where the first clause that a span touches begins, and where the last of them ends."""
        touched = [c for c in self.passage.clauses() if c[0] < span[1] and span[0] < c[1]]
        return (touched[0][0], touched[-1][1]) if touched else span

    def _base(self, clause: Span) -> Modality:
        """Return how the sentence is meant up to the end of a clause: "shout if …" behind it supposes nothing."""
        if self.base is Modality.REPORTED and self._is_before_told(clause):
            return Modality.ASSERTED
        if self.base is Modality.PROPOSED and self._is_before_proposed(clause):
            return Modality.ASSERTED
        if self.base is not Modality.HYPOTHETICAL:
            return self.base
        upto = self.passage.words((self.passage.span[0], clause[1]))
        return self.base if "hypothetical" in by_class(self.grammar.cues.hear(upto)) else self.outline.sure

    def _is_before_told(self, clause: Span) -> bool:
        """Tell whether a clause stands before what is hearsay: "she works at Bosch, and she told me that …"."""
        heard = [cue for cue in self.grammar.cues.hear(self.passage.text) if cue.name == "reported"]
        if not heard:
            return False
        text, first = self.passage.text, heard[0]
        before, told = text[: first.start], text[first.end :].strip()
        told_by = all(cue.word in self.cues.get("teller", ()) for cue in heard)
        if first.word.isascii():
            joins = _AND_TOLD.search(before) is not None if told_by else _OPENS.search(before) is not None
            tells = len(told) > _LEAST_TOLD if told_by else len(told.split()) >= _LEAST_HEARD
        else:
            joins = (_TOLD_BY if told_by else _OPENS).search(before) is not None
            tells = len(told) >= _LEAST_SAID
        return joins and tells and clause[1] - self.passage.span[0] <= first.start

    def _begins_ahead(self, value: Value) -> bool:
        """Tell whether a time, once, begins later than now; a long stretch that begins at once does not."""
        if value.since is None or value.since <= self.passage.line.at or value.recurring:
            return False
        length = value.until - value.since if value.until is not None else timedelta()
        return length < _STRETCH or value.since - self.passage.line.at > _AT_ONCE

    def _is_before_proposed(self, clause: Span) -> bool:
        """Tell whether a clause stands before what is proposed: "it fell to 10 today, let's see how that goes"."""
        text = self.passage.text
        first = next(cue for cue in self.grammar.cues.hear(text) if cue.name == "proposal")
        named = text[first.end :].strip(" ?？。.!！")
        return (
            bool(_OPENS.search(text[: first.start]))
            and len(named) >= _LEAST_SAID
            and (clause[1] - self.passage.span[0] <= first.start)
        )

    def _is_ahead(self, clause: Span, subject: Span = (0, 0)) -> bool:
        """Tell whether some date of a clause, outside of its subject, lies ahead of the speaker's clock.

        From when on something will be so is no plan, unless it says so: it is announced ("from the 1st the
        rent is 940").
        """
        intended = intends(by_class(self.grammar.cues.hear(self.passage.words(clause))))
        return any(
            self._begins_ahead(value)
            for value in self.passage.values
            if clause[0] <= value.start < clause[1] and not subject[0] <= value.start < subject[1]
            if not _UNTIL.search(self.passage.line.text[clause[0] : value.start])
            if intended or boundary(self.passage.line.text, value) != "since"
        )


def _still_said(words: str) -> int:
    """Return how many letters at the end of a slot are about the statement."""
    said = _STILL_SAID.search(words)
    return len(said[0]) if said else 0


def _span(found: Found, slot: str) -> Span:
    """Return where in the text a slot stands; nowhere if it is not filled."""
    return found.frame.original(*found.match.span(slot)) if found.has(slot) else (0, 0)


def made_by(statement: Statement) -> Iterator[Mention]:
    """Yield what a statement brings into view: its subject, and whom its words make."""
    if statement.subject.source is not Source.SPEAKER:
        yield statement.subject
    if statement.object is not None and statement.object.source is Source.PHRASE:
        yield statement.object


def _is_undone(statement: Statement) -> bool:
    """Tell whether it says that a deed was not done, which is no deed."""
    return statement.predicate == "done" and statement.modality in (Modality.NEGATED, Modality.ENDED)


def _only_introduces(statement: Statement) -> bool:
    """Tell whether it says no more than that there is such a thing ("our new service is called Tidetable")."""
    made = statement.object is not None and statement.object.source is Source.INTRODUCED
    return statement.predicate == "name" and made and statement.subject.source is Source.PHRASE
