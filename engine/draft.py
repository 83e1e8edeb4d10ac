"""From what was understood of a message to memories that could be stored: one for each statement kept."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import combinations
from typing import Any

from mnemic.engine.called import said
from mnemic.engine.hearsay import RESERVED, UNSURE
from mnemic.engine.importance import judge_importance
from mnemic.engine.lasting import Lasting, lasting
from mnemic.engine.linking import Linker
from mnemic.engine.meaning import Meaning
from mnemic.engine.message import Declared, Message
from mnemic.engine.results import Said
from mnemic.engine.settings import Settings
from mnemic.extraction.llm.base import EXTRACT, SUMMARISE
from mnemic.extraction.llm.grounding import PATTERN
from mnemic.extraction.model import Analysis, Line, Mention, Modality, Source, Statement, Unit, Value
from mnemic.extraction.predicates import shipped_inventory
from mnemic.extraction.segment import clauses
from mnemic.extraction.statements import DATED
from mnemic.extraction.terms import terms
from mnemic.extraction.text import tongue
from mnemic.graph.ids import canonical, memory_id
from mnemic.graph.model import Entity, Episode, Kind, Memory, State
from mnemic.graph.model import Mention as Named

RELATED = "related_to"
"""The predicate of an episode that says only that two entities were spoken of together."""

_BY_MODEL = f"{RESERVED}model"
_FUTURE = (Modality.PLANNED, Modality.PROPOSED)
_CUE_KINDS = (("decision", Kind.DECISION), ("preference", Kind.PREFERENCE), ("task", Kind.TASK))


@dataclass(frozen=True, slots=True, kw_only=True)
class Draft:
    """A memory that is about to be stored, with what the conflict rules need to know of its sentence."""

    memory: Memory
    unit: Unit
    statement: Statement | None
    said: Said | None
    object_kind: str
    features: Mapping[str, float]


@dataclass(frozen=True, slots=True, kw_only=True)
class Dropped:
    """A unit that is not kept, and why."""

    unit: Unit
    reason: str
    importance: float
    features: Mapping[str, float]


class Drafter:
    """Makes the drafts of one message."""

    def __init__(
        self,
        message: Message,
        analysis: Analysis,
        linker: Linker,
        now: datetime,
        settings: Settings,
        declared: Declared,
        summaries: Mapping[str, str] | None = None,
    ) -> None:
        self._message, self._analysis, self._linker = message, analysis, linker
        self._now, self._settings, self._declared = now, settings, declared
        self._line = Line(speaker=message.speaker, text=analysis.text, at=message.at, role=message.role)
        self._summaries = summaries or {}
        self._number = 0

    def drafts(
        self,
        speaker: Mention,
        owner: str,
        closes: Callable[[Unit], bool],
        meanings: Sequence[Meaning | None],
    ) -> tuple[list[Draft], list[Dropped]]:
        """Return what to keep and what not; ``speaker`` is the person that "I" means, ``meanings`` are the units'.

        ``closes`` tells whether a unit closes an open task: then it is kept, however small it is.
        """
        kept: list[Draft] = []
        dropped: list[Dropped] = []
        for unit, meaning in zip(self._analysis.units, meanings, strict=True):
            importance, features = judge_importance(
                unit, self._line, self._analysis.introduced, self._settings.keep_from, meaning
            )
            reason = self._refusal(unit, importance)
            if reason and not (self._message.role == "user" and closes(unit)):
                dropped.append(Dropped(unit=unit, reason=reason, importance=importance, features=features))
                continue
            stated = [s for s in unit.statements if s.modality is not Modality.ASKED]
            choices: list[Statement | None] = [*stated] or [None]
            for statement in choices:
                kept.append(self._draft(unit, statement, importance, features, speaker, owner))
        return kept, dropped

    def _refusal(self, unit: Unit, importance: float) -> str:
        """Return why a unit does not become a memory; nothing where it does."""
        if self._message.role != "user":
            return f"said by the {self._message.role}, not by a user"
        if self._declared.outright:
            return ""
        if importance < self._settings.keep_from:
            return f"importance {importance:.2f} is below {self._settings.keep_from:.2f}"
        return ""

    def _draft(
        self,
        unit: Unit,
        statement: Statement | None,
        importance: float,
        features: Mapping[str, float],
        speaker: Mention,
        owner: str,
    ) -> Draft:
        text = self._text(unit, statement)
        offset = unit.text.find(text)
        named = self._named(unit, statement, speaker, unit.start + offset, text)
        subject = self._linker.link(statement.subject) if statement is not None else None
        thing = (
            self._linker.link(statement.object)
            if statement is not None and statement.object is not None
            else None
        )
        told = said(statement, subject, thing) if statement is not None else None
        modality = statement.modality if statement is not None else unit.modality
        dates = [v for v in unit.values if 0 <= v.start - unit.start - offset < len(text)]
        held = self._lasting(statement, dates, modality)
        memory = Memory(
            id=memory_id(owner, self._message.id, self._number),
            owner=owner,
            kind=self._kind(unit, statement, modality),
            text=text,
            summary=summarise(told, text) if told is not None else self._summaries.get(text, text),
            at=self._message.at,
            recorded_at=self._now,
            valid_from=held.since or self._valid_from(statement, held),
            valid_to=held.until,
            closed_at=self._now if held.until is not None else None,
            state=State.QUARANTINED if modality in UNSURE else State.ACTIVE,
            subject=subject.id if subject is not None else "",
            predicate=statement.predicate if statement is not None else "",
            object=thing.id if thing is not None else "",
            value=statement.value if statement is not None else "",
            modality=modality.value,
            importance=self._declared.importance if self._declared.importance is not None else importance,
            confidence=self._confidence(modality),
            speaker=self._message.speaker,
            session=self._message.session,
            terms=self._terms(text, named),
            cues=tuple(sorted(unit.cues)),
            tags=self._declared.tags,
            mentions=tuple(named),
            episodes=tuple(self._episodes(unit, statement, subject, thing, modality, speaker)),
            sources=(self._message.id,),
            metadata=self._metadata(statement, text),
            last_accessed_at=self._now,
        )
        self._number += 1
        kind = statement.object.kind if statement is not None and statement.object is not None else ""
        return Draft(
            memory=memory, unit=unit, statement=statement, said=told, object_kind=kind, features=features
        )

    def _metadata(self, statement: Statement | None, text: str) -> Mapping[str, Any]:
        """Return the caller's metadata, with a note of what a language model added to the memory."""
        stated = statement is not None and statement.pattern == PATTERN
        stage = EXTRACT if stated else SUMMARISE if statement is None and text in self._summaries else ""
        return {**self._declared.metadata, _BY_MODEL: stage} if stage else self._declared.metadata

    def _text(self, unit: Unit, statement: Statement | None) -> str:
        """Return the words of a memory: its clause where the unit states several things, else all of it."""
        if statement is None or len(unit.statements) < 2:
            return unit.text
        for start, end in clauses(self._analysis.text, unit.start, unit.end):
            alone = not any(s is not statement and s.start < end and start < s.end for s in unit.statements)
            if start <= statement.start and statement.end <= end and alone:
                return self._analysis.text[start:end]
        return unit.text

    def _named(
        self, unit: Unit, statement: Statement | None, speaker: Mention, start: int, text: str
    ) -> list[Named]:
        """Return the mentions of the memory, subject and object in their roles, the speaker where "I" is said."""
        roles: dict[str, Named] = {}
        for mention in unit.mentions:
            if start <= mention.start < start + len(text):
                entity = self._linker.link(mention)
                role = _role(mention, statement)
                roles.setdefault(
                    entity.id,
                    Named(entity.id, mention.start - start, mention.end - start, mention.text, role),
                )
        if statement is not None:
            for part, role in ((statement.subject, "subject"), (statement.object, "object")):
                if part is not None:
                    entity = self._linker.link(part)
                    known = roles.get(entity.id)
                    roles[entity.id] = replace(known, role=role) if known else Named(entity.id, role=role)
        if "first" in unit.cues:
            roles.setdefault(
                self._linker.link(speaker).id, Named(self._linker.link(speaker).id, role="speaker")
            )
        return list(roles.values())

    def _terms(self, text: str, named: Sequence[Named]) -> tuple[str, ...]:
        """Return the index terms of the words, and of the names that are meant but written otherwise."""
        words = terms(text)
        present = set(words)
        meant = [self._linker.entity(mention.entity) for mention in named if mention.role != "speaker"]
        extra = [
            term
            for entity in meant
            if entity is not None
            for name in (canonical(entity.key), entity.name)
            if name is entity.name or tongue(name) != tongue(entity.name)
            for term in terms(name)
            if term not in present
        ]
        return (*words, *extra)

    def _kind(self, unit: Unit, statement: Statement | None, modality: Modality) -> Kind:
        if self._declared.kind is not None:
            return self._declared.kind
        if statement is not None and statement.predicate == "task":
            return Kind.TASK
        if modality in _FUTURE:
            return Kind.INTENT
        if statement is not None:
            return Kind(shipped_inventory()[statement.predicate].kind)
        return next((kind for cue, kind in _CUE_KINDS if cue in unit.cues), Kind.FACT)

    def _lasting(self, statement: Statement | None, dates: Sequence[Value], modality: Modality) -> Lasting:
        """Return since and until when the text says that a fact holds; a date that is the fact bounds nothing."""
        dated = statement is not None and statement.predicate in DATED
        if dated or modality is not Modality.ASSERTED:
            return Lasting()
        return lasting(self._analysis.text, dates, self._message.at)

    def _valid_from(self, statement: Statement | None, held: Lasting) -> datetime:
        """Return since when it holds: the moment that the text names, if it is past, else when it was said."""
        if statement is None or held.until is not None:
            return self._message.at
        when = statement.when
        past = when is not None and when.since is not None and when.since <= self._message.at
        if past and statement.predicate not in DATED and when is not None and when.since is not None:
            return when.since
        return self._message.at

    def _confidence(self, modality: Modality) -> float:
        if self._declared.confidence is not None:
            return self._declared.confidence
        return {Modality.REPORTED: 0.4, Modality.HYPOTHETICAL: 0.2, Modality.PROPOSED: 0.5}.get(modality, 1.0)

    def _episodes(
        self,
        unit: Unit,
        statement: Statement | None,
        subject: Entity | None,
        thing: Entity | None,
        modality: Modality,
        speaker: Mention,
    ) -> list[Episode]:
        """Return the edges of the memory: its statement's, and between entities of one clause a plain one."""
        if modality is not Modality.ASSERTED:
            return []
        made: dict[tuple[str, str], Episode] = {}
        if statement is not None and subject is not None and thing is not None and subject.id != thing.id:
            made[subject.id, thing.id] = Episode(subject.id, statement.predicate, thing.id)
        for first, second in self._together(unit, statement, speaker):
            if first != second and (first, second) not in made and (second, first) not in made:
                made[first, second] = Episode(first, RELATED, second)
        return list(made.values())

    def _together(self, unit: Unit, statement: Statement | None, speaker: Mention) -> list[tuple[str, str]]:
        pairs: list[tuple[str, str]] = []
        untrue = [s for s in unit.statements if s.modality is not Modality.ASSERTED]
        for start, end in clauses(self._analysis.text, unit.start, unit.end):
            if any(start <= s.start < end for s in untrue):
                continue  # what has ended, or is only planned, joins nobody
            inside = [m for m in unit.mentions if start <= m.start < end and _role(m, statement) != "old"]
            ids = list(dict.fromkeys(self._linker.link(m).id for m in inside))
            if statement is not None and start <= statement.start < end:
                ids = list(dict.fromkeys([self._linker.link(statement.subject).id, *ids]))
            if "first" in unit.cues and ids:
                ids = list(dict.fromkeys([*ids, self._linker.link(speaker).id]))
            pairs.extend(combinations(ids[:5], 2))
        return pairs


def summarise(told: Said | None, text: str) -> str:
    """Return what is said in short words of its language; the text itself where that is nothing."""
    if told is None:
        return text
    words = shipped_inventory()[told.predicate].say[tongue(text)]
    return words.replace("{s}", told.subject).replace("{o}", told.value)


def _role(mention: Mention, statement: Statement | None) -> str:
    if statement is None:
        return "other"
    if statement.replaces and mention.name == statement.replaces:
        return "old"
    if mention.source is not Source.SPEAKER and mention.name == statement.subject.name:
        return "subject"
    return "object" if mention.name == statement.value else "other"
