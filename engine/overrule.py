"""Does B overrule A? A small scorer on pairs of memories, for what no slot can tell.

People tell most changes in words that no list of predicates foresees ("Moved the spare key. It's with
Mrs Aldous now"). The scorer weighs visible features of the pair: shared names and rare words, likeness
of meaning, cue words in the newer one, how each is meant, who speaks and how far apart they were told.
Known subjects and slots have a veto, and so have words that tell one thing from its neighbour. The weights are data, fitted by ``python -m benchmarks.fit overrule``.
"""

import math
from bisect import bisect_right
from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from mnemic.engine.scorer import shipped_scorer
from mnemic.engine.sides import Rarity, Side
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
_TURNS = frozenset({"change", "correction", "end", "now", "negation"})
"""Cues without which another value of a slot that holds many only joins the others."""


def compare(
    newer: Side, olders: Sequence[Side], rarity: Rarity, centre: Vector | None = None
) -> list[dict[str, float]]:
    """Return for each older memory the features of its pair with ``newer`` that are not zero, by name.

    Some of them tell how an older memory stands among the others: the likest, the latest.
    """
    newer_mass = rarity.mass(newer.terms) or 1.0
    rows = [_pair(older, newer, rarity, newer_mass) for older in olders]
    _add_likeness(rows, newer, olders, centre)
    for name in _RANKED:
        _add_ranks(rows, name)
    latest = _latest(newer.memory, olders)
    for older, row in zip(olders, rows, strict=True):
        if older is latest:
            row["latest of speaker"] = 1.0
            row["correction of latest"] = row.get("newer: correction", 0.0)
        for one, other in _TOGETHER:
            row[f"{one} × {other}"] = row.get(one, 0.0) * row.get(other, 0.0)
    return [{name: round(value, 4) for name, value in row.items() if value} for row in rows]


def _pair(older: Side, newer: Side, rarity: Rarity, newer_mass: float) -> dict[str, float]:
    return {
        **_words(older, newer, rarity, newer_mass),
        **_names(older, newer),
        **_slots(older.memory, newer.memory),
        "veto": float(
            _speak_of_others(older, newer)
            or _stand_together(older.memory, newer.memory)
            or told_apart(older.ones, newer.ones)
        ),
        **_telling(older.memory, newer.memory),
        **older.told_as_older,
        **newer.told_as_newer,
    }


def _add_ranks(rows: Sequence[dict[str, float]], name: str) -> None:
    """Add to each row its reciprocal rank by a feature, and how far it is from the best."""
    values = [row.get(name, 0.0) for row in rows]
    ordered = sorted(values)
    for row, value in zip(rows, values, strict=True):
        if value > 0:
            row[f"rank by {name}"] = 1.0 / (1 + len(ordered) - bisect_right(ordered, value))
        row[f"behind in {name}"] = ordered[-1] - value


def _latest(newer: Memory, olders: Sequence[Side]) -> Side | None:
    """Return the last of the older ones that the same speaker told in the same session."""
    own = [s for s in olders if s.memory.speaker == newer.speaker and s.memory.session == newer.session]
    return max(own, key=lambda s: (s.memory.at, s.memory.id), default=None)


def overrule_probability(features: Mapping[str, float]) -> float:
    """Return how probable it is that the newer memory overrules the older; 0 where a veto holds."""
    if features.get("veto"):
        return 0.0
    return shipped_scorer("overrule").probability(features)


def _words(older: Side, newer: Side, rarity: Rarity, newer_mass: float) -> dict[str, float]:
    common = older.terms & newer.terms
    shared = rarity.mass(common)
    mass = rarity.mass(older.terms) or 1.0
    one, two = older.numbers, newer.numbers
    return {
        "shared words": min(1.0, shared / 20.0),
        "shared of older": shared / mass,
        "shared of newer": shared / newer_mass,
        "dice": 2.0 * shared / (mass + newer_mass),
        "no shared word": float(not common),
        "numbers shared": float(not one.isdisjoint(two)),
        "numbers differ": float(bool(one and two) and one.isdisjoint(two)),
        "units shared": float(not older.units.isdisjoint(newer.units)),
        "units differ": float(bool(older.units and newer.units) and older.units.isdisjoint(newer.units)),
        "number only newer": float(bool(two) and not one),
    }


def _names(older: Side, newer: Side) -> dict[str, float]:
    one, two = older.names, newer.names
    shared = len(one & two)
    features = {
        "names shared": min(2.0, shared) / 2.0,
        "no names": float(not one and not two),
        "names disjoint": float(bool(one and two) and not shared),
        "names only older": min(2.0, len(one) - shared) / 2.0,
        "names only newer": min(2.0, len(two) - shared) / 2.0,
    }
    for kind, here in older.kinds.items():
        there = newer.kinds.get(kind)
        if there is not None:
            apart = here.isdisjoint(there)
            features[f"{kind} differs" if apart else f"{kind} shared"] = 1.0
            features[f"{kind} new"] = float(not there <= here)
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
    return known and one != two and one not in newer.names and two not in older.names


def _stand_together(older: Memory, newer: Memory) -> bool:
    """Tell whether both are values of a slot that holds many, and the newer one speaks of no change."""
    slot = (older.subject, older.predicate)
    if not all(slot) or slot != (newer.subject, newer.predicate):
        return False
    return shipped_inventory()[older.predicate].many and _TURNS.isdisjoint(newer.cues)


def _add_likeness(
    rows: Sequence[dict[str, float]], newer: Side, olders: Sequence[Side], centre: Vector | None
) -> None:
    """Add the cosines of all pairs, after the common part of all vectors is taken away."""
    here = [n for n, side in enumerate(olders) if side.summary is not None and side.detail is not None]
    for row in rows:
        row["no vectors"] = 1.0
    if newer.summary is None or newer.detail is None or not here:
        return
    summaries = _directions([olders[n].summary for n in here], centre)
    details = _directions([olders[n].detail for n in here], centre)
    summary, detail = _directions([newer.summary, newer.detail], centre)
    likeness = {
        "like": summaries @ summary,
        "like in context": details @ detail,
        "newer in context": summaries @ detail,
        "older in context": details @ summary,
    }
    for place, n in enumerate(here):
        del rows[n]["no vectors"]
        rows[n].update({name: float(values[place]) for name, values in likeness.items()})


def _directions(vectors: Sequence[Vector | None], centre: Vector | None) -> NDArray[np.float32]:
    """Return vectors as rows of unit length from ``centre``; one that lies there stays zero."""
    rows = np.stack([vector for vector in vectors if vector is not None])
    if centre is not None:
        rows = rows - centre
    sizes = np.linalg.norm(rows, axis=1, keepdims=True)
    directions: NDArray[np.float32] = rows / np.maximum(sizes, np.float32(1e-9))
    return directions


def _telling(older: Memory, newer: Memory) -> dict[str, float]:
    days = max(0.0, (newer.at - older.at).total_seconds() / 86400.0)
    same_speaker = older.speaker == newer.speaker
    same_session = older.session == newer.session
    return {
        "same speaker": float(same_speaker),
        "same session": float(same_session),
        "same speaker and session": float(same_speaker and same_session),
        "both first person": float(same_speaker and "first" in older.cues and "first" in newer.cues),
        "days": min(1.0, math.log1p(days) / 6.0),
        "within the hour": float(days < 1 / 24),
        "same kind": float(older.kind == newer.kind),
        "task": float(older.kind is Kind.TASK),
    }
