"""Scores of candidates: every channel a named feature, all weights in one data file.

The candidates were nominated by the store; here each gets its features, so that every store ranks alike.
BM25 after Robertson and Zaragoza, "The Probabilistic Relevance Framework" (2009), k1 = 1.2, b = 0.75.
"""

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from mnemic.engine.question import Question
from mnemic.engine.scorer import Scorer
from mnemic.graph.model import Memory, Turn, Vector
from mnemic.graph.store import Candidate, Corpus

_K1, _B = 1.2, 0.75
_OWN = frozenset(
    {"person", "project", "service", "product", "place", "organization", "team", "pet", "event", "device"}
)


@dataclass(slots=True)
class Ranked:
    """A candidate with its features, its score (a probability of being wanted) and its way there."""

    candidate: Candidate
    features: dict[str, float]
    score: float = 0.0
    path: tuple[str, ...] = ()
    notes: list[str] = field(default_factory=list)

    @property
    def row(self) -> Memory | Turn:
        """Return the memory or the turn."""
        return self.candidate.row


@dataclass(frozen=True, slots=True)
class Reach:
    """What the walk through the graph reached: activation and way per entity id, kinds per entity id."""

    activation: Mapping[str, float]
    paths: Mapping[str, tuple[str, ...]]
    kinds: Mapping[str, str]


def rank(
    question: Question,
    candidates: Sequence[Candidate],
    corpus: Corpus,
    centre: Vector | None,
    reach: Reach,
    scorer: Scorer,
) -> list[Ranked]:
    """Return the candidates with their scores, best first; ties by newer time, then by id."""
    words = _Words(question, corpus)
    summary = _cosines(question.vector, [c.summary for c in candidates], centre)
    detail = _cosines(question.vector, [c.detail for c in candidates], centre)
    ranked = []
    for index, candidate in enumerate(candidates):
        features = words.features(candidate.row.terms)
        features["summary"], features["detail"] = float(summary[index]), float(detail[index])
        features |= _row_features(question, candidate.row, reach)
        ranked.append(Ranked(candidate, features))
    _add_neighbours(ranked)
    for item in ranked:
        item.features = {name: round(value, 4) for name, value in item.features.items() if value}
        item.score = round(scorer.probability(item.features), 4)
    return sorted(ranked, key=lambda r: (-r.score, -_moment(r.row), r.row.id))


class _Words:
    """BM25 and coverage of the question's words."""

    def __init__(self, question: Question, corpus: Corpus) -> None:
        self._terms = question.weighty or question.terms
        self._mean = corpus.length / corpus.size if corpus.size else 1.0
        self._idf = {
            term: math.log(
                1.0
                + (corpus.size - corpus.frequency.get(term, 0) + 0.5) / (corpus.frequency.get(term, 0) + 0.5)
            )
            for term in self._terms
        }
        self._mass = sum(self._idf.values()) or 1.0

    def features(self, terms: Sequence[str]) -> dict[str, float]:
        """Return ``words`` (BM25 as a share of the most possible) and ``coverage`` (share of the weight)."""
        counts = Counter(terms)
        damp = _K1 * (1.0 - _B + _B * len(terms) / self._mean)
        score = covered = 0.0
        for term, weight in self._idf.items():
            count = counts.get(term, 0)
            if count:
                score += weight * count * (_K1 + 1.0) / (count + damp)
                covered += weight
        return {"words": score / (self._mass * (_K1 + 1.0)), "coverage": covered / self._mass}


def _cosines(
    query: Vector | None, rows: Sequence[Vector | None], centre: Vector | None
) -> NDArray[np.float32]:
    """Return the cosine of the query with each row after the common part is taken away; 0 without a vector."""
    result = np.zeros(len(rows), dtype=np.float32)
    present = [i for i, row in enumerate(rows) if row is not None]
    if query is None or not present:
        return result
    matrix = np.stack([row for row in rows if row is not None])
    if centre is not None:
        matrix, query = matrix - centre, query - centre
    sizes = np.linalg.norm(matrix, axis=1) * np.linalg.norm(query)
    result[present] = np.einsum("ij,j->i", matrix, query) / np.maximum(sizes, 1e-9)
    return result


def _row_features(question: Question, row: Memory | Turn, reach: Reach) -> dict[str, float]:
    features = _time_features(question, row)
    features["speaker named"] = float(any(row.speaker in (e.name, *e.aliases) for e in question.entities))
    if isinstance(row, Turn):
        features["by assistant"] = float(row.role != "user")
        features["asks"] = float(row.text.rstrip().endswith(("?", "？")))
        return features
    return (
        features
        | _entity_features(question, row, reach)
        | {
            "predicate": float(row.predicate in question.predicates) if row.predicate else 0.0,
            "other predicate": float(
                bool(row.predicate and question.predicates) and row.predicate not in question.predicates
            ),
            "importance": row.importance,
            f"is {row.modality}": 1.0,
            "first person": float(question.first and "first" in row.cues),
        }
    )


def _entity_features(question: Question, memory: Memory, reach: Reach) -> dict[str, float]:
    """Compare the names; another name of the same kind instead of the one asked for is a sign against it."""
    asked = {entity.id for entity in question.entities}
    here = {mention.entity for mention in memory.mentions}
    kinds = {entity.kind for entity in question.entities if entity.kind in _OWN}
    keys = {entity.key for entity in question.entities}
    shared = asked & here
    others = {reach.kinds.get(id, "") for id in here - asked}
    graph = max((reach.activation.get(id, 0.0) for id in here - asked), default=0.0)
    return {
        "entities": len(shared) / max(1, len(keys)),
        "about": float(memory.subject in asked),
        "no entity": float(bool(asked) and not shared),
        "wrong entity": float(bool(kinds & others) and not shared),
        "graph": graph,
    }


def _time_features(question: Question, row: Memory | Turn) -> dict[str, float]:
    if question.since is None and question.until is None:
        return {}
    at = row.at if isinstance(row, Turn) else row.valid_from
    inside = (question.since is None or question.since <= at) and (
        question.until is None or at < question.until
    )
    return {"time": float(inside), "other time": float(not inside)}


def _add_neighbours(ranked: Sequence[Ranked]) -> None:
    """Let what stands beside a well-worded row of the same session share in it."""
    sessions: dict[str, list[Ranked]] = {}
    for item in ranked:
        sessions.setdefault(item.row.session, []).append(item)
    for items in sessions.values():
        items.sort(key=lambda r: (_moment(r.row), r.row.id))
        words = [item.features["coverage"] for item in items]
        for index, item in enumerate(items):
            item.features["neighbour"] = max(
                words[max(0, index - 1) : index] + words[index + 1 : index + 2], default=0.0
            )


def _moment(row: Memory | Turn) -> float:
    return row.at.timestamp()
