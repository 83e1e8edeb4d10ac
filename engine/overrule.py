"""Does B overrule A? A small scorer on pairs of memories, for what no slot can tell.

People tell most changes in words that no list of predicates foresees ("Moved the spare key. It's with
Mrs Aldous now"). The scorer weighs visible features of the pair: shared names and rare words, likeness
of meaning, cue words in the newer one, how each is meant, who speaks and how far apart they were told.
Known subjects and slots have a veto. The weights are data, fitted by ``python -m benchmarks.fit overrule``.
"""

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from mnemic.engine.scorer import shipped_scorer
from mnemic.extraction.predicates import shipped_inventory
from mnemic.graph.model import Entity, Memory, Vector

HEARD_NEWER = [
    "change",
    "end",
    "correction",
    "now",
    "plan",
    "proposal",
    "hypothetical",
    "joke",
    "reported",
    "negation",
    "unchanged",
    "also",
    "past",
    "decision",
    "preference",
    "rule",
    "task",
    "done",
    "undone",
    "chat",
    "first",
    "third",
    "it",
    "question",
    "forget",
]
HEARD_OLDER = [
    "plan",
    "proposal",
    "hypothetical",
    "reported",
    "negation",
    "also",
    "past",
    "decision",
    "task",
    "rule",
    "done",
    "end",
    "change",
    "first",
]
_RANKED = ("like", "newer in context", "dice")
_NUMBER = re.compile(r"\d+(?:[.:/-]\d+)*|[一二三四五六七八九十两百千万]+(?=[点号月日楼层个位块元天周年岁])")
_SPOKEN_FOR = ("person", "project", "service", "product", "place", "organization", "team")


@dataclass(frozen=True, slots=True)
class Side:
    """One memory of a pair with its vectors (None without an embedder) and the entities that it names."""

    memory: Memory
    entities: Mapping[str, Entity]
    summary: Vector | None = None
    detail: Vector | None = None

    def names(self) -> frozenset[str]:
        """Return the ids of the entities named or meant, without the speaker."""
        return frozenset(m.entity for m in self.memory.mentions if m.role != "speaker")

    def kinds(self, kind: str) -> frozenset[str]:
        """Return the ids of those of one kind."""
        return frozenset(id for id in self.names() if id in self.entities and self.entities[id].kind == kind)


@dataclass(frozen=True, slots=True)
class Rarity:
    """How much a shared term says: inverse document frequency over the owner's memories."""

    size: int
    frequency: Mapping[str, int]

    def weight(self, term: str) -> float:
        """Return ln(1 + (N + 1) / (n + 0.5)), with N memories of which n hold the term."""
        return math.log(1.0 + (self.size + 1.0) / (self.frequency.get(term, 0) + 0.5))


def compare(
    newer: Side, olders: Sequence[Side], rarity: Rarity, centre: Vector | None = None
) -> list[dict[str, float]]:
    """Return for each older memory the features of its pair with ``newer`` that are not zero, by name.

    Some of them tell how an older memory stands among the others: the likest, the latest.
    """
    rows = [_pair(older, newer, rarity, centre) for older in olders]
    for name in _RANKED:
        _add_ranks(rows, name)
    for older, row in zip(olders, rows, strict=True):
        row["latest of speaker"] = float(older is _latest(newer.memory, olders))
        row["correction of latest"] = row["latest of speaker"] * row["newer: correction"]
    return [{name: round(value, 4) for name, value in row.items() if value} for row in rows]


def _pair(older: Side, newer: Side, rarity: Rarity, centre: Vector | None) -> dict[str, float]:
    return {
        **_words(older, newer, rarity),
        **_names(older, newer),
        **_slots(older.memory, newer.memory),
        "veto": float(_speak_of_others(older, newer)),
        **_likeness(older, newer, centre),
        **_telling(older.memory, newer.memory),
    }


def _add_ranks(rows: Sequence[dict[str, float]], name: str) -> None:
    """Add to each row its reciprocal rank by a feature, and how far it is from the best."""
    values = [row.get(name, 0.0) for row in rows]
    for row, value in zip(rows, values, strict=True):
        row[f"rank by {name}"] = 1.0 / (1 + sum(other > value for other in values)) if value > 0 else 0.0
        row[f"behind in {name}"] = max(values) - value


def _latest(newer: Memory, olders: Sequence[Side]) -> Side | None:
    """Return the last of the older ones that the same speaker told in the same session."""
    own = [s for s in olders if s.memory.speaker == newer.speaker and s.memory.session == newer.session]
    return max(own, key=lambda s: (s.memory.at, s.memory.id), default=None)


def overrule_probability(features: Mapping[str, float]) -> float:
    """Return how probable it is that the newer memory overrules the older; 0 where a veto holds."""
    if features.get("veto"):
        return 0.0
    return shipped_scorer("overrule").probability(features)


def _words(older: Side, newer: Side, rarity: Rarity) -> dict[str, float]:
    one, two = set(older.memory.terms), set(newer.memory.terms)
    shared = sum(map(rarity.weight, one & two))
    mass = [sum(map(rarity.weight, side)) or 1.0 for side in (one, two)]
    numbers = [set(_NUMBER.findall(side.memory.text)) for side in (older, newer)]
    return {
        "shared words": min(1.0, shared / 20.0),
        "shared of older": shared / mass[0],
        "shared of newer": shared / mass[1],
        "dice": 2.0 * shared / (mass[0] + mass[1]),
        "no shared word": float(not one & two),
        "numbers shared": float(bool(numbers[0] & numbers[1])),
        "numbers differ": float(bool(numbers[0] and numbers[1]) and not numbers[0] & numbers[1]),
        "number only newer": float(bool(numbers[1]) and not numbers[0]),
    }


def _names(older: Side, newer: Side) -> dict[str, float]:
    one, two = older.names(), newer.names()
    features = {
        "names shared": min(2.0, len(one & two)) / 2.0,
        "no names": float(not one and not two),
        "names disjoint": float(bool(one) and bool(two) and not one & two),
        "names only older": min(2.0, len(one - two)) / 2.0,
        "names only newer": min(2.0, len(two - one)) / 2.0,
    }
    for kind in _SPOKEN_FOR:
        here, there = older.kinds(kind), newer.kinds(kind)
        features[f"{kind} shared"] = float(bool(here & there))
        features[f"{kind} differs"] = float(bool(here and there) and not here & there)
        features[f"{kind} new"] = float(bool(there - here) and bool(here))
    return features


def _slots(older: Memory, newer: Memory) -> dict[str, float]:
    """Compare the slots, where both are known."""
    both = bool(older.subject and newer.subject)
    same_subject = both and older.subject == newer.subject
    known = bool(older.predicate and newer.predicate)
    same_predicate = known and older.predicate == newer.predicate
    same_value = same_predicate and older.value == newer.value
    many = same_subject and same_predicate and shipped_inventory()[older.predicate].many
    return {
        "same subject": float(same_subject),
        "subject differs": float(both and not same_subject),
        "same predicate": float(same_predicate),
        "predicate differs": float(known and not same_predicate),
        "same slot": float(same_subject and same_predicate),
        "same slot of many": float(many),
        "same value": float(same_value),
    }


def _speak_of_others(older: Side, newer: Side) -> bool:
    """Tell whether the two are about two known things that have nothing to do with each other.

    A subject that is only a phrase ("the key") may be another name of the same thing and vetoes nothing.
    """
    one, two = older.memory.subject, newer.memory.subject
    known = all(
        id in side.entities and side.entities[id].kind != "thing" for id, side in ((one, older), (two, newer))
    )
    return known and one != two and one not in newer.names() and two not in older.names()


def _likeness(older: Side, newer: Side, centre: Vector | None) -> dict[str, float]:
    if older.summary is None or newer.summary is None or older.detail is None or newer.detail is None:
        return {"no vectors": 1.0}
    pairs = {
        "like": (older.summary, newer.summary),
        "like in context": (older.detail, newer.detail),
        "newer in context": (older.summary, newer.detail),
        "older in context": (older.detail, newer.summary),
    }
    return {name: _cosine(one, two, centre) for name, (one, two) in pairs.items()}


def _cosine(one: Vector, two: Vector, centre: Vector | None) -> float:
    """Return the cosine after the common part of all vectors is taken away."""
    if centre is not None:
        one, two = one - centre, two - centre
    size = float(np.linalg.norm(one) * np.linalg.norm(two))
    return float(np.dot(one, two)) / size if size else 0.0


def _telling(older: Memory, newer: Memory) -> dict[str, float]:
    days = max(0.0, (newer.at - older.at).total_seconds() / 86400.0)
    same_speaker = older.speaker == newer.speaker
    features = {f"newer: {cue}": float(cue in newer.cues) for cue in HEARD_NEWER}
    features |= {f"older: {cue}": float(cue in older.cues) for cue in HEARD_OLDER}
    features |= {f"newer is {newer.modality}": 1.0, f"older is {older.modality}": 1.0}
    return features | {
        "same speaker": float(same_speaker),
        "same session": float(older.session == newer.session),
        "same speaker and session": float(same_speaker and older.session == newer.session),
        "both first person": float(same_speaker and "first" in older.cues and "first" in newer.cues),
        "days": min(1.0, math.log1p(days) / 6.0),
        "within the hour": float(days < 1 / 24),
        "same kind": float(older.kind == newer.kind),
    }
