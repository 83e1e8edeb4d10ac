"""Plain sense: what follows from who stands beside whom in a clause, where no wording was recognised."""

from collections.abc import Mapping, Sequence

from mnemic.extraction.cues import by_class
from mnemic.extraction.frame import VALUES
from mnemic.extraction.grammar import Grammar
from mnemic.extraction.model import Mention, Statement, Value
from mnemic.extraction.passage import Passage
from mnemic.extraction.predicates import Predicate
from mnemic.extraction.resolve import Focus, clean_words, resolve_dropped
from mnemic.extraction.segment import Span
from mnemic.extraction.senses import NEW, OLD, Sense
from mnemic.extraction.width import level


class Relater:
    """Relates the mentions and values of the clauses of one sentence by their groups."""

    def __init__(self, passage: Passage, grammar: Grammar, cues: Mapping[str, tuple[str, ...]]) -> None:
        self.passage, self.grammar, self.cues = passage, grammar, cues

    def related(self, clause: Span, focus: Focus, taken: set[str]) -> list[tuple[Statement, bool]]:
        """Return the statements of a clause whose values are not ``taken``, each with whether it ends."""
        folded = level(self.passage.words(clause))
        cues = self.grammar.cues.hear(folded)
        heard = by_class(cues)
        telling = {clause[0] + cue.start for cue in cues if cue.name == "teller"}
        inside = [m for m in self._inside(clause) if telling.isdisjoint((m.end, m.end + 1))]
        found: list[tuple[Statement, bool]] = []
        for sense in self.grammar.senses.called(folded):
            subject, objects = self._parts(sense, clause, inside, focus, "first" in heard)
            objects = [item for item in objects if item != subject and _value_of(item) not in taken]
            if not sense.worded and subject is not None and not clause[0] <= subject.start < clause[1]:
                objects = [item for item in objects if self._turn(item, folded, clause)]
            if subject is not None and objects:
                predicate = self.grammar.inventory[sense.predicate]
                stated = self._stated(predicate, subject, objects, folded, clause)
                taken = taken | {value for s, _ in stated for value in (s.value, s.replaces)}
                found += stated
        return found

    def _inside(self, clause: Span) -> list[Mention]:
        return [m for m in self.passage.mentions if clause[0] <= m.start < clause[1]]

    def _parts(
        self, sense: Sense, clause: Span, inside: Sequence[Mention], focus: Focus, first: bool
    ) -> tuple[Mention | None, list[Mention | Value]]:
        """Return the subject and the objects that a clause has for a sense; ``inside`` it nobody who tells."""
        subjects = [m for m in inside if self.grammar.fits(m, sense.subject)]
        objects: list[Mention | Value] = [m for m in inside if self.grammar.fits(m, sense.object)]
        objects += [
            value
            for value in self.passage.values
            if clause[0] <= value.start < clause[1] and VALUES.get(value.kind) in sense.object
        ]
        if not objects and sense.first and first and "person" in sense.object:
            objects.append(focus.speaker)
        if subjects:
            return subjects[0], objects
        if "person" in sense.subject:
            return (focus.speaker if sense.first and first else None), objects
        if not sense.worded and not {"change", "now"} & self.cues.keys():
            return None, objects
        before = [m for m in self.passage.mentions if m.end <= clause[0]]
        groups = {m.name: self.grammar.groups(m) for m in before}
        return resolve_dropped(focus, tuple(sense.subject), before, groups), objects

    def _stated(
        self,
        predicate: Predicate,
        subject: Mention,
        objects: Sequence[Mention | Value],
        folded: str,
        clause: Span,
    ) -> list[tuple[Statement, bool]]:
        """Return the statements of a sense: what comes, with what gives way; or only what ended."""
        turns = [(item, self._turn(item, folded, clause)) for item in objects]
        old = [item for item, turn in turns if turn == OLD]
        come = [item for item, turn in turns if turn == NEW] or [item for item, turn in turns if turn == ""]
        if not come:
            return [(self._statement(predicate, subject, item, "", clause), True) for item in old[:1]]
        replaced = _value_of(old[0]) if old else ""
        chosen = come if predicate.many else come[-1:]
        return [(self._statement(predicate, subject, item, replaced, clause), False) for item in chosen]

    def _turn(self, item: Mention | Value, folded: str, clause: Span) -> str:
        if item.start == item.end:
            return ""
        return self.grammar.senses.polarity(folded, item.start - clause[0], item.end - clause[0])

    def _statement(
        self, predicate: Predicate, subject: Mention, item: Mention | Value, old: str, clause: Span
    ) -> Statement:
        return Statement(
            subject=subject,
            predicate=predicate.name,
            value=_value_of(item),
            object=item if isinstance(item, Mention) else None,
            replaces=old,
            when=item if isinstance(item, Value) and item.since is not None else None,
            start=clause[0],
            end=clause[1],
            pattern=f"{predicate.name}: by sense",
        )


def _value_of(item: Mention | Value) -> str:
    return item.name if isinstance(item, Mention) else clean_words(item.text)
