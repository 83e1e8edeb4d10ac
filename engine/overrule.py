"""Does B overrule A? A small scorer on pairs of memories, for what no slot can tell.

People tell most changes in words that no list of predicates foresees ("Moved the spare key. It's with
Mrs Aldous now"). The scorer weighs visible features of the pair: shared names and rare words, likeness
of meaning, cues and signs of change in the newer one, how each is meant, who speaks and how far apart they were told.
Known subjects and slots have a veto, and so have words that tell one thing from its neighbour. The weights
are data, fitted by ``python -m benchmarks.fit overrule``.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from mnemic.engine.scorer import shipped_scorer
from mnemic.engine.sides import HEARD_NEWER, HEARD_OLDER, SPOKEN_FOR, Rarity, Side
from mnemic.extraction.predicates import shipped_inventory
from mnemic.extraction.sorts import told_apart
from mnemic.graph.model import Kind, Memory, Vector

_TOGETHER = (
    ("names disjoint", "numbers differ"),
    ("newer: change", "rank by like"),
    ("same speaker", "like"),
    ("newer: first", "like"),
    ("no shared word", "like in context"),
    ("names shared", "like in context"),
    ("place new", "newer: change"),
    ("newer: now", "newer: it"),
    ("newer: also", "rank by dice"),
    ("same predicate", "shared of older"),
    ("units shared", "numbers differ"),
    ("units shared", "shared of older"),
    ("newer: standing", "rank by like"),
    ("task", "newer: done"),
    ("task", "newer: end"),
    ("task", "newer: undone"),
    ("task", "shared of older"),
    ("task", "within the hour"),
)
"""Features that mean more together than each alone; their product is a feature of its own."""
_RANKED = ("like", "newer in context", "dice")
_SHARED = ("names shared", "shared words")
"""What an older memory may share with the newer one; the last that does is the likeliest to give way."""
_TURNS = frozenset({"change", "correction", "end", "now", "negation"})
"""Cues without which another value of a slot that holds many only joins the others."""

Column = NDArray[np.float64]
"""One feature of every pair, in the order of the older memories."""


@dataclass(frozen=True, slots=True)
class Pairs:
    """The features of ``count`` pairs of one newer memory with older ones, by name; zero where a pair has none."""

    count: int
    features: Mapping[str, Column]

    def row(self, number: int) -> dict[str, float]:
        """Return the features of a pair that are not zero."""
        return {
            name: round(value, 4)
            for name, column in self.features.items()
            if (value := float(column[number]))
        }

    def probabilities(self) -> Column:
        """Return how probable it is that the newer memory overrules each older one; 0 where a veto holds."""
        scorer = shipped_scorer("overrule")
        names = [name for name in self.features if name in scorer.weights]
        rows = np.round([self.features[name] for name in names], 4)
        odds = scorer.bias + np.array([scorer.weights[name] for name in names]) @ rows
        free = self.features["veto"] == 0
        return np.where(free, 1.0 / (1.0 + np.exp(-np.clip(odds, -60.0, 60.0))), 0.0)


def compare(newer: Side, olders: Sequence[Side], rarity: Rarity, centre: Vector | None = None) -> Pairs:
    """Return the features of the pair of each older memory with ``newer``.

    Some of them tell how an older memory stands among the others: the likest, the latest.
    """
    older = [side.memory for side in olders]
    features = {
        **_words(olders, newer, rarity),
        **_numbers(olders, newer),
        **_units(olders, newer),
        **_names(olders, newer),
        **_slots(older, newer.memory),
        "veto": _column(
            _speak_of_others(side, newer)
            or _stand_together(side.memory, newer.memory)
            or told_apart(side.ones, newer.ones)
            for side in olders
        ),
        **_times(older, newer.memory),
        **_told(older, newer.memory),
        **_likeness(olders, newer, centre),
        **{f"newer says {sign}": np.ones(len(olders)) for sign in newer.signs},
    }
    for name in _RANKED:
        features |= _ranks(name, features.get(name, np.zeros(len(olders))))
    features |= _lateness(olders, features)
    latest = _latest(older, newer.memory)
    features["latest of speaker"] = _column(memory is latest for memory in older)
    features["correction of latest"] = features["latest of speaker"] * ("correction" in newer.memory.cues)
    for one, other in _TOGETHER:
        if one in features and other in features:
            features[f"{one} × {other}"] = features[one] * features[other]
    return Pairs(len(olders), features)


def _column(values: Iterable[float]) -> Column:
    return np.array([*values], np.float64)


def _columns(rows: Iterable[tuple[float, ...]]) -> Column:
    """Return the columns of a table that is given by its rows, one for each older memory."""
    return np.array([*rows], np.float64).T


def _ranks(name: str, values: Column) -> dict[str, Column]:
    """Return the reciprocal ranks by a feature, and how far each is from the best."""
    ordered = np.sort(values)
    ranks = 1.0 / (1 + len(values) - np.searchsorted(ordered, values, "right"))
    return {f"rank by {name}": np.where(values > 0, ranks, 0.0), f"behind in {name}": ordered[-1] - values}


def _latest(olders: Sequence[Memory], newer: Memory) -> Memory | None:
    """Return the last of the older ones that the same speaker told in the same session."""
    own = [m for m in olders if m.speaker == newer.speaker and m.session == newer.session]
    return max(own, key=lambda m: (m.at, m.id), default=None)


def _words(olders: Sequence[Side], newer: Side, rarity: Rarity) -> dict[str, Column]:
    shared = _column(rarity.mass(side.terms & newer.terms) for side in olders)
    mass = _column(rarity.mass(side.terms) or 1.0 for side in olders)
    newer_mass = rarity.mass(newer.terms) or 1.0
    return {
        "shared words": np.minimum(1.0, shared / 20.0),
        "shared of older": shared / mass,
        "shared of newer": shared / newer_mass,
        "dice": 2.0 * shared / (mass + newer_mass),
        "no shared word": (shared == 0).astype(np.float64),
    }


def _numbers(olders: Sequence[Side], newer: Side) -> dict[str, Column]:
    """Compare the numbers that stand in the texts, where any stand in the newer one."""
    two = newer.numbers
    if not two:
        return {}
    numbers = [side.numbers for side in olders]
    return {
        "numbers shared": _column(not one.isdisjoint(two) for one in numbers),
        "numbers differ": _column(bool(one) and one.isdisjoint(two) for one in numbers),
        "number only newer": _column(not one for one in numbers),
    }


def _units(olders: Sequence[Side], newer: Side) -> dict[str, Column]:
    """Compare what the numbers count, where any of the newer one counts something."""
    two = newer.units
    if not two:
        return {}
    units = [side.units for side in olders]
    return {
        "units shared": _column(not one.isdisjoint(two) for one in units),
        "units differ": _column(bool(one) and one.isdisjoint(two) for one in units),
    }


def _names(olders: Sequence[Side], newer: Side) -> dict[str, Column]:
    shared = _column(len(side.names & newer.names) for side in olders)
    ones, two = _column(len(side.names) for side in olders), len(newer.names)
    features = {
        "names shared": np.minimum(2.0, shared) / 2.0,
        "no names": ((ones == 0) & (two == 0)).astype(np.float64),
        "names disjoint": ((ones > 0) & (two > 0) & (shared == 0)).astype(np.float64),
        "names only older": np.minimum(2.0, ones - shared) / 2.0,
        "names only newer": np.minimum(2.0, two - shared) / 2.0,
    }
    for kind in sorted({newer.entities[id].kind for id in newer.names & newer.entities.keys()} & SPOKEN_FOR):
        there, sides = newer.of_kind(kind), [side.of_kind(kind) for side in olders]
        has, apart, new = _columns(
            (bool(here), here.isdisjoint(there), bool(here) and not there <= here) for here in sides
        )
        features |= {f"{kind} differs": has * apart, f"{kind} shared": 1.0 - apart, f"{kind} new": new}
    return features


def _slots(olders: Sequence[Memory], newer: Memory) -> dict[str, Column]:
    """Compare the slots, where both are known."""
    both, known, subject, predicate, value = _columns(
        (
            bool(m.subject and newer.subject),
            bool(m.predicate and newer.predicate),
            m.subject == newer.subject,
            m.predicate == newer.predicate,
            m.value == newer.value,
        )
        for m in olders
    )
    same_subject, same_predicate = both * subject, known * predicate
    many = bool(newer.predicate) and shipped_inventory()[newer.predicate].many
    return {
        "same subject": same_subject,
        "subject differs": both - same_subject,
        "same predicate": same_predicate,
        "predicate differs": known - same_predicate,
        "same slot": same_subject * same_predicate,
        "same slot of many": same_subject * same_predicate * many,
        "same value": same_predicate * value,
    }


def _speak_of_others(older: Side, newer: Side) -> bool:
    """Tell whether the two are about two known things that have nothing to do with each other.

    A subject that is only a phrase ("the key") may be another name of the same thing and vetoes nothing.
    """
    one, two = older.memory.subject, newer.memory.subject
    known = all(
        id in side.entities and side.entities[id].kind != "thing" for id, side in ((one, older), (two, newer))
    )
    return known and one != two and one not in newer.names and two not in older.names


def _stand_together(older: Memory, newer: Memory) -> bool:
    """Tell whether both are values of a slot that holds many, and the newer one speaks of no change."""
    slot = (older.subject, older.predicate)
    if not all(slot) or slot != (newer.subject, newer.predicate):
        return False
    return shipped_inventory()[older.predicate].many and _TURNS.isdisjoint(newer.cues)


def _likeness(olders: Sequence[Side], newer: Side, centre: Vector | None) -> dict[str, Column]:
    """Return the cosines of all pairs, after the common part of all vectors is taken away."""
    here = [n for n, side in enumerate(olders) if side.summary is not None and side.detail is not None]
    if newer.summary is None or newer.detail is None or not here:
        return {"no vectors": np.ones(len(olders))}
    summaries = _directions([olders[n].summary for n in here], centre)
    details = _directions([olders[n].detail for n in here], centre)
    summary, detail = _directions([newer.summary, newer.detail], centre)
    cosines = {
        "like": summaries @ summary,
        "like in context": details @ detail,
        "newer in context": summaries @ detail,
        "older in context": details @ summary,
        "no vectors": np.zeros(len(here)),
    }
    features = {name: np.full(len(olders), float(name == "no vectors")) for name in cosines}
    for name, values in cosines.items():
        features[name][here] = values
    return features


def _directions(vectors: Sequence[Vector | None], centre: Vector | None) -> NDArray[np.float32]:
    """Return vectors as rows of unit length from ``centre``; one that lies there stays zero."""
    rows = np.stack([vector for vector in vectors if vector is not None])
    if centre is not None:
        rows = rows - centre
    sizes = np.linalg.norm(rows, axis=1, keepdims=True)
    directions: NDArray[np.float32] = rows / np.maximum(sizes, np.float32(1e-9))
    return directions


def _times(olders: Sequence[Memory], newer: Memory) -> dict[str, Column]:
    days, speaker, session, first, kind, task = _columns(
        (
            max(0.0, (newer.at - m.at).total_seconds() / 86400.0),
            m.speaker == newer.speaker,
            m.session == newer.session,
            "first" in m.cues,
            m.kind == newer.kind,
            m.kind is Kind.TASK,
        )
        for m in olders
    )
    return {
        "same speaker": speaker,
        "same session": session,
        "same speaker and session": speaker * session,
        "both first person": speaker * first * ("first" in newer.cues),
        "days": np.minimum(1.0, np.log1p(days) / 6.0),
        "within the hour": (days < 1 / 24).astype(np.float64),
        "same kind": kind,
        "task": task,
    }


def _told(olders: Sequence[Memory], newer: Memory) -> dict[str, Column]:
    """Return the features of how each memory is told."""
    features: dict[str, Column] = {}
    for number, memory in enumerate(olders):
        for cue in (f"older: {cue}" for cue in memory.cues if cue in HEARD_OLDER):
            features.setdefault(cue, np.zeros(len(olders)))[number] = 1.0
        features.setdefault(f"older is {memory.modality}", np.zeros(len(olders)))[number] = 1.0
    heard = [f"newer: {cue}" for cue in newer.cues if cue in HEARD_NEWER]
    return features | {name: np.ones(len(olders)) for name in (*heard, f"newer is {newer.modality}")}


def _lateness(olders: Sequence[Side], features: Mapping[str, Column]) -> dict[str, Column]:
    """Return how late each was told among those that share something with the newer: 1 for the last, 1/2, 1/3."""
    told = _column(side.memory.at.timestamp() for side in olders)
    late = {f"latest by {name}": _late(told, features[name] > 0) for name in _SHARED}
    both = (features["names shared"] > 0) & (features["shared words"] > 0)
    return {"latest": _late(told, np.ones(len(olders), bool)), **late, "latest by both": _late(told, both)}


def _late(told: Column, fits: NDArray[np.bool_]) -> Column:
    ordered = np.sort(told[fits])
    ranks = 1.0 / (1.0 + len(ordered) - np.searchsorted(ordered, told, "right"))
    return np.where(fits, ranks, 0.0)
