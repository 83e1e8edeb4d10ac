"""Conflict rules by slot: which older memories a new statement overrules, and in which way.

The rules are those of a slot (subject, predicate, object kind): a one-valued slot takes the newest, a
many-valued one gives way only where the same sentence carries an override. What no slot can tell is
left to the pair scorer (``overrule``).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from enum import StrEnum

from mnemic.engine.draft import Draft
from mnemic.extraction.predicates import shipped_inventory
from mnemic.extraction.text import fold
from mnemic.graph.model import Entity, Memory, Replaces, State

DOUBT = "doubt"
"""The reason of a REPLACES edge that takes nothing away: the newer memory is only preferred."""


class Manner(StrEnum):
    """How the older memory gives way: the world changed, it was a mistake, or it simply ended."""

    CHANGED = "changed"
    CORRECTED = "corrected"
    ENDED = "ended"
    DONE = "done"
    DECLARED = "declared"


@dataclass(frozen=True, slots=True)
class Verdict:
    """The older memory gives way, in this manner, because of these words, this surely."""

    older: Memory
    manner: Manner
    cue: str = ""
    score: float = 1.0
    features: Mapping[str, float] | None = None


def is_current(memory: Memory, at: datetime) -> bool:
    """Tell whether a memory is held true at ``at`` as far as we know now."""
    return (
        memory.state is State.ACTIVE
        and memory.retired_at is None
        and (memory.valid_to is None or memory.valid_to > at)
    )


def same_value(one: Memory, other: Memory) -> bool:
    """Tell whether two memories hold the same value: the same entity, or the same words."""
    if one.object and other.object:
        return one.object == other.object
    return fold(one.value) == fold(other.value)


def slot_verdicts(draft: Draft, slot: Sequence[Memory], entities: Mapping[str, Entity]) -> list[Verdict]:
    """Return which memories of the draft's slot give way; ``entities`` are those that the slot mentions.

    Only asserted, ended and negated statements make anything give way.
    """
    new = draft.memory
    if draft.statement is None or new.modality not in ("asserted", "ended", "negated"):
        return []
    rivals = [
        m for m in slot if m.id != new.id and is_current(m, new.valid_from) and m.modality == "asserted"
    ]
    if new.modality in ("ended", "negated"):
        manner = Manner.ENDED if new.modality == "ended" else Manner.CORRECTED
        return [Verdict(m, manner, _heard(draft, "end")) for m in rivals if same_value(m, new)]
    rivals = [m for m in rivals if not same_value(m, new) and m.valid_from <= new.valid_from]
    manner = Manner.CORRECTED if "correction" in draft.unit.cues else Manner.CHANGED
    cue = _heard(draft, "correction") or _heard(draft, "change") or _heard(draft, "now")
    if not shipped_inventory()[new.predicate].many:
        return [Verdict(m, manner, cue) for m in rivals]
    return [Verdict(m, manner, cue) for m in rivals if _overridden(m, draft, entities)]


def _overridden(older: Memory, draft: Draft, entities: Mapping[str, Entity]) -> bool:
    """Tell whether a value of a many-valued slot gives way: named as the old one, or overridden by its kind."""
    statement = draft.statement
    if statement is not None and statement.replaces:
        return fold(statement.replaces) == fold(older.value)
    if not {"change", "correction"} & draft.unit.cues.keys() or "also" in draft.unit.cues:
        return False
    entity = entities.get(older.object)
    return entity is not None and draft.object_kind != "" and entity.kind == draft.object_kind


def _heard(draft: Draft, name: str) -> str:
    return next(iter(draft.unit.cues.get(name, ())), "")


def doubt(verdict: Verdict, newer: Memory, now: datetime) -> Replaces:
    """Return the edge that notes a verdict too unsure to take the older memory away."""
    return replace(_edge(verdict, newer, now), reason=DOUBT)


def give_way(verdict: Verdict, newer: Memory, now: datetime) -> tuple[Memory, Replaces]:
    """Return the older memory as it stands after the verdict, and the REPLACES edge.

    A change ends its validity where the newer begins; a mistake retires it on the record clock.
    """
    older, edge = verdict.older, _edge(verdict, newer, now)
    if verdict.manner is Manner.CORRECTED:
        return replace(older, state=State.SUPERSEDED, retired_at=now), edge
    ended = max(older.valid_from, newer.valid_from)
    return replace(older, state=State.SUPERSEDED, valid_to=ended, closed_at=now), edge


def _edge(verdict: Verdict, newer: Memory, now: datetime) -> Replaces:
    return Replaces(
        newer=newer.id,
        older=verdict.older.id,
        at=now,
        reason=verdict.manner.value,
        cue=verdict.cue,
        score=verdict.score,
        features=verdict.features or {},
    )
