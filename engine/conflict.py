"""Conflict rules by slot: which older memories a new statement overrules, and in which way.

The rules are those of a slot (subject, predicate, object kind): a one-valued slot takes the newest, unless
another person said the older and nothing says that it changed; a many-valued one gives way only where the
same sentence carries an override. What no slot can tell is left to the pair scorer (``overrule``).
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from enum import StrEnum
from functools import cache

from mnemic.engine.draft import Draft
from mnemic.engine.facets import facet
from mnemic.extraction.cues import shipped_cues
from mnemic.extraction.introduce import introductions
from mnemic.extraction.model import Source
from mnemic.extraction.predicates import shipped_inventory
from mnemic.extraction.resolve import clean_words
from mnemic.extraction.segment import clauses
from mnemic.extraction.text import fold
from mnemic.extraction.times import undated
from mnemic.extraction.wordlist import whole_words
from mnemic.graph.clock import BEGINNING
from mnemic.graph.model import DOUBT, Entity, Kind, Memory, Replaces, State

_LABEL = re.compile(
    r"[a-z]{0,3}-?\d[\w./-]*(?<![./-])|[一二三四五六七八九十百]+(?=[号楼层区栋排座室])",
    re.IGNORECASE | re.ASCII,
)
"""A number or code that tells one thing from another of its kind."""


_OVERRULING = frozenset({"change", "correction", "now", "end", "decision"})
"""Cues by which somebody reports that what another said holds no longer, or never did."""

_UNSETTLED = 0.3
"""How surely one person's value overrules another's where nothing says that it does: not enough."""


_BEGUN = frozenset({"change", "now"})
"""Cues of a beginning: what was so before was so."""

_TURNING = frozenset({"change", "correction", "standing"})
"""Cues that tell of a value of many that it takes the place of another of its kind."""

_KIN = {"library": "framework"}
"""Kinds whose values take each other's place."""

_TURNED = frozenset({"change", "end"})
"""Cues of a change, without which an earlier value is only history."""


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


def holds(memory: Memory, at: datetime) -> bool:
    """Tell whether a memory is true at ``at`` as far as we know now."""
    believed = memory.retired_at is None and memory.state in (State.ACTIVE, State.SUPERSEDED)
    return believed and memory.valid_from <= at and (memory.valid_to is None or at < memory.valid_to)


def has_ended(memory: Memory) -> bool:
    """Tell whether a memory was over already when it was told: it changes nothing of what holds now."""
    return memory.valid_to is not None and memory.valid_to <= memory.at


def same_value(one: Memory, other: Memory) -> bool:
    """Tell whether two memories hold the same value: the same entity, or the same words."""
    if one.object and other.object:
        return one.object == other.object
    return fold(one.value) == fold(other.value)


def _settles(new: Memory) -> bool:
    """Tell whether an end names no value: whatever the slot holds is over ("Ben paid me back")."""
    words = shipped_inventory().slots["settled"]
    return fold(new.value) in {fold(clean_words(word)) for tongue in words.values() for word in tongue}


def says_the_same(one: Memory, other: Memory) -> bool:
    """Tell whether two memories of a slot hold the same value, and their words no different numbers beside it.

    "On level 3 of the garage" is not what "on level 5 of the garage" says, whatever the reader took for the value.
    """
    if not same_value(one, other):
        return False
    here, there = _labels(one), _labels(other)
    return here <= there or there <= here


def _labels(memory: Memory) -> frozenset[str]:
    """Return the numbers and codes in the words of a memory, folded, without those of its dates."""
    if _LABEL.search(memory.text) is None:
        return frozenset()
    return frozenset(fold(label) for label in _LABEL.findall(undated(memory.text, memory.at)))


def unlike(older: Memory, newer: Memory) -> bool:
    """Tell whether the two say known things of different sorts: a doubt between them is a guess by words alone.

    One introduces something by its name, or they join something to what has a name of its own in ways that
    have nothing to do with each other ("is owned by Tom", "runs on AWS"). What there is to do is over with
    whatever is said of it.
    """
    one, other = older.predicate, newer.predicate
    if one and other:
        return one not in (other, "task") and bool(older.object and newer.object)
    return bool(one or other) and bool(introductions(newer.text if one else older.text))


def slot_verdicts(draft: Draft, slot: Sequence[Memory], entities: Mapping[str, Entity]) -> list[Verdict]:
    """Return which memories of the draft's slot give way; ``entities`` are those that the slot mentions.

    Only asserted, ended and negated statements make anything give way.
    """
    new = draft.memory
    if draft.statement is None or new.modality not in ("asserted", "ended", "negated"):
        return []
    if has_ended(new):
        still = [m for m in slot if m.modality == "asserted" and holds(m, new.at)]
        return [Verdict(m, Manner.ENDED, heard(draft, "past")) for m in still if says_the_same(m, new)]
    held = (m for m in slot if m.modality == "asserted")
    rivals = [m for m in held if holds(m, new.valid_from) or _held_before_it_was_told(m, draft)]
    mistaken = [m for m in slot if _named_wrong(m, draft)]
    if mistaken and not any(same_value(m, mistaken[0]) for m in rivals):
        return [Verdict(m, Manner.CORRECTED, heard(draft, "correction")) for m in mistaken]
    if new.modality in ("ended", "negated"):
        manner = Manner.ENDED if new.modality == "ended" else Manner.CORRECTED
        return [
            Verdict(m, manner, heard(draft, "end")) for m in rivals if same_value(m, new) or _settles(new)
        ]
    rivals = [m for m in rivals if not says_the_same(m, new) and not _in_one_breath(m, draft)]
    manner = changed_or_corrected(draft)
    cue = heard(draft, "correction", "change", "now")
    if not shipped_inventory()[new.predicate].many:
        gone = [Verdict(m, manner, cue, _UNSETTLED if _contradicts(m, draft) else 1.0) for m in rivals]
    else:
        gone = [Verdict(m, manner, cue) for m in rivals if _overridden(m, draft, entities)]
    return [*gone, *(Verdict(m, Manner.DONE, cue) for m in slot if _carried_out(m, new))]


def opposite_verdicts(draft: Draft, opposite: Sequence[Memory]) -> list[Verdict]:
    """Return what gives way of the slot that cannot hold the draft's value beside it ("I don't like it anymore")."""
    new = draft.memory
    if draft.statement is None or new.modality != "asserted" or has_ended(new):
        return []
    manner = changed_or_corrected(draft)
    cue = heard(draft, "correction", "change", "end", "now")
    return [
        Verdict(m, manner, cue, _UNSETTLED if _contradicts(m, draft) else 1.0)
        for m in opposite
        if m.modality == "asserted" and same_value(m, new) and holds(m, new.valid_from)
    ]


def changed_or_corrected(draft: Draft) -> Manner:
    """Return in which way a new value takes the place of another.

    Who says since when it is so, or that it changed, takes nothing back ("sorry, back on Jenkins since today").
    """
    cues = draft.unit.cues
    began = draft.memory.valid_from != draft.memory.at or not cues.keys().isdisjoint(_BEGUN)
    return Manner.CORRECTED if "correction" in cues and not began else Manner.CHANGED


def _carried_out(plan: Memory, new: Memory) -> bool:
    """Tell whether what was planned or proposed for the slot has come true."""
    return plan.modality in ("planned", "proposed") and holds(plan, new.at) and says_the_same(plan, new)


def _named_wrong(older: Memory, draft: Draft) -> bool:
    """Tell whether a correction names a value that was thought to have held until another took its place.

    What holds now is none of its business then.
    """
    new, statement = draft.memory, draft.statement
    if (
        "correction" not in draft.unit.cues
        or statement is None
        or new.modality not in ("asserted", "negated")
    ):
        return False
    wrong = statement.replaces if new.modality == "asserted" else new.value
    over = older.modality == "asserted" and older.retired_at is None and not holds(older, new.valid_from)
    return over and bool(wrong) and fold(wrong) == fold(older.value)


def _held_before_it_was_told(older: Memory, draft: Draft) -> bool:
    """Tell whether a change that began earlier than ``older`` was told is one of it all the same.

    Nobody said since when it held ("I live in Bern", and a day later "I moved to Basel last month").
    """
    new = draft.memory
    open_start = older.valid_from == older.at <= new.at and new.valid_from < older.at
    return open_start and holds(older, new.at) and not _TURNED.isdisjoint(draft.unit.cues)


def _in_one_breath(older: Memory, draft: Draft) -> bool:
    """Tell whether the same message says both: one only tells the other closer ("to Bern, by the lake")."""
    return bool(set(older.sources) & set(draft.memory.sources)) and "correction" not in draft.unit.cues


def _contradicts(older: Memory, draft: Draft) -> bool:
    """Tell whether another person says otherwise, and not because it changed: then neither gives way.

    Of themselves people know best.
    """
    statement = draft.statement
    return (
        older.speaker != draft.memory.speaker
        and _OVERRULING.isdisjoint(draft.unit.cues)
        and statement is not None
        and not statement.replaces
        and statement.subject.source is not Source.SPEAKER
    )


def known_twin(new: Memory, slot: Sequence[Memory]) -> Memory | None:
    """Return the memory of the slot that says what ``new`` says, if there is one.

    It holds at that time already, or it begins later and nothing else of the slot comes between: then it
    held earlier than we knew.
    """
    alike = [m for m in slot if m.modality == new.modality and says_the_same(m, new)]
    now = next((m for m in alike if holds(m, new.valid_from)), None)
    later = min((m for m in alike if m.valid_from > new.valid_from), key=lambda m: m.valid_from, default=None)
    if now is not None or later is None or later.retired_at is not None or new.valid_to is not None:
        return now
    between = (
        m for m in slot if not says_the_same(m, new) and new.valid_from <= m.valid_from < later.valid_from
    )
    return None if any(m.retired_at is None for m in between) else later


def successor(new: Memory, slot: Sequence[Memory]) -> Memory | None:
    """Return the value of a one-valued slot that took over after ``new``, where ``new`` is told late."""
    if new.modality != "asserted" or not new.predicate or shipped_inventory()[new.predicate].many:
        return None
    later = [
        m for m in slot if m.valid_from > new.valid_from and m.modality == "asserted" and m.retired_at is None
    ]
    return min(later, key=lambda m: m.valid_from, default=None)


def takes_over(older: Memory, newer: Memory) -> bool:
    """Tell whether a later value of a slot took the place of an earlier one: of the same speaker, or told as a change."""
    return newer.speaker == older.speaker or not _OVERRULING.isdisjoint(newer.cues)


def _overridden(older: Memory, draft: Draft, entities: Mapping[str, Entity]) -> bool:
    """Tell whether a value of a many-valued slot gives way: named as the old one, or overridden by its kind."""
    statement = draft.statement
    if statement is not None and statement.replaces:
        return fold(statement.replaces) == fold(older.value)
    if "also" in draft.unit.cues:
        return False
    if facet(draft.memory) and facet(draft.memory) == facet(older):
        return True
    new, turns = draft.memory, not _OVERRULING.isdisjoint(draft.unit.cues)
    if turns and new.predicate == "owns" and _sorts(older.text) & _sorts(new.text):
        return True
    if not _turns_itself(draft):
        return False
    entity = entities.get(older.object)
    kind = _KIN.get(draft.object_kind, draft.object_kind)
    return entity is not None and kind != "" and _KIN.get(entity.kind, entity.kind) == kind


def _turns_itself(draft: Draft) -> bool:
    """Tell whether a cue that something takes another's place speaks of the draft's own statement.

    In "my son Ben moved to Rome" it is the verb of another one, and in "my brother Tim changed jobs" what
    somebody does who is only named here.
    """
    unit, own = draft.unit, draft.statement
    if own is None:
        return False
    mine = (own.start - unit.start, own.end - unit.start)
    others = [
        (s.start - unit.start, s.end - unit.start)
        for s in unit.statements
        if (s.subject, s.predicate) != (own.subject, own.predicate)
    ]
    person = shipped_inventory().group(draft.object_kind, technical=False) == "person"
    for cue in (cue for cue in shipped_cues().hear(unit.text) if cue.name in _TURNING):
        if _meets(mine, cue.start):
            return True
        clause = next((c for c in clauses(unit.text, 0, len(unit.text)) if _meets(c, cue.start)), mine)
        if _meets(clause, mine[0]):
            free = not (person and cue.start >= mine[1])
        else:
            free = not any(_meets(clause, start) for start, _ in others)
        if free and not any(_meets(other, cue.start) for other in others):
            return True
    return False


def _meets(span: tuple[int, int], place: int) -> bool:
    return span[0] <= place < span[1]


def _sorts(text: str) -> frozenset[str]:
    """Return of which sorts the things are that a text names, of which people have one at a time."""
    wares = shipped_inventory().wares
    return frozenset(wares[word] for word in _ware().findall(fold(text)))


@cache
def _ware() -> re.Pattern[str]:
    return re.compile(whole_words(tuple(shipped_inventory().wares)))


def heard(draft: Draft, *names: str) -> str:
    """Return the first words by which a draft says the first of these cues that it has, or nothing."""
    return next((words[0] for name in names if (words := draft.unit.cues.get(name))), "")


def doubt(verdict: Verdict, newer: Memory, now: datetime) -> Replaces:
    """Return the edge that notes a verdict too unsure to take the older memory away."""
    return replace(_edge(verdict, newer, now), reason=DOUBT)


def give_way(verdict: Verdict, newer: Memory, now: datetime) -> tuple[Memory, Replaces]:
    """Return the older memory as it stands after the verdict, and the REPLACES edge.

    A change ends its validity where the newer begins; a mistake retires it on the record clock. What was told
    as present and gives way to what began before that held until then, nobody knows since when.
    """
    older, edge = verdict.older, _edge(verdict, newer, now)
    if verdict.manner is Manner.CORRECTED:
        return replace(older, state=State.SUPERSEDED, retired_at=now), edge
    ended = max(older.valid_from, newer.valid_from)
    if older.predicate and older.kind is not Kind.TASK and newer.valid_from < older.valid_from == older.at:
        older, ended = replace(older, valid_from=BEGINNING), newer.valid_from
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
