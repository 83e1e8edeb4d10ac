"""Scores of candidates: every channel a named feature, all weights in one data file.

The candidates were nominated by the store; here each gets its features, so that every store ranks alike.
BM25 after Robertson and Zaragoza, "The Probabilistic Relevance Framework" (2009), k1 = 1.2, b = 0.75.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from mnemic.engine.adapter import Adapter
from mnemic.engine.find import OWN_KINDS
from mnemic.engine.question import Question
from mnemic.engine.scorer import Scorer, probability
from mnemic.engine.spoken import add_turn_features
from mnemic.engine.weights import Weighing
from mnemic.extraction.terms import terms as terms_of
from mnemic.extraction.text import fold, tongue
from mnemic.graph.model import Memory, Turn, Vector
from mnemic.graph.store import Candidate, Corpus
from mnemic.graph.view import View

_K1, _B = 1.2, 0.75


@dataclass(slots=True)
class Ranked:
    """A candidate with its features, its score (a probability of being wanted) and its way there.

    ``standing`` tells of a turn how it stands among the others. ``mark`` is the state of a turn's memories where none of them counts as known; ``partly``: its sentence
    also says what holds no longer. ``base`` is where the log odds of the score begin, before the features count.
    """

    candidate: Candidate
    features: dict[str, float]
    score: float = 0.0
    path: tuple[str, ...] = ()
    standing: dict[str, float] = field(default_factory=dict)
    mark: str = ""
    partly: bool = False
    base: float = 0.0

    @property
    def row(self) -> Memory | Turn:
        """Return the memory or the turn."""
        return self.candidate.row

    @property
    def turns(self) -> tuple[str, ...]:
        """Return the keys of the turns that the row comes from."""
        return (self.row.id,) if isinstance(self.row, Turn) else self.row.sources


@dataclass(frozen=True, slots=True)
class Reach:
    """What the walk through the graph reached: activation and way per entity id, kinds per entity id."""

    activation: Mapping[str, float]
    paths: Mapping[str, tuple[str, ...]]
    kinds: Mapping[str, str]


def rank(
    question: Question,
    view: View,
    candidates: Sequence[Candidate],
    corpus: Corpus,
    centres: Mapping[str, Vector],
    reach: Reach,
    weighing: Weighing,
    adapters: Mapping[str, Adapter],
) -> list[Ranked]:
    """Return the candidates with their scores, best first; ties by newer time, then by id.

    ``adapters`` turn the question's vector to where the answers among turns lie; turns that ``view`` does not know
    yet are compared with nothing.
    """
    words, asked = _Words(question, corpus), _Asked(question, reach)
    query, common = question.vector, [centres[tongue(c.row.text)] for c in candidates] if centres else []
    if query is not None and centres:
        query = query - centres[question.tongue]
    summary = _cosines(query, [c.summary for c in candidates], common)
    detail = _cosines(query, [c.detail for c in candidates], common)
    ranked = []
    for n, candidate in enumerate(candidates):
        features = words.features(candidate.row)
        features["summary"], features["detail"] = float(summary[n]), float(detail[n])
        asked.add(candidate.row, features)
        ranked.append(Ranked(candidate, features))
    _add_neighbours(ranked)
    if question.weighty:
        _add_strangeness(ranked)
    for item in ranked:
        item.features = {name: round(value, 4) for name, value in item.features.items() if value}
        item.base = weighing.scorer.bias
        item.score = round(weighing.scorer.probability(item.features), 4)
    answers = _answers(query, candidates, common, adapters)
    told = [n for n, item in enumerate(ranked) if isinstance(item.row, Turn) and view.heard(item.row)]
    if told:
        near = {name: values[told] for name, values in answers.items()}
        _put_in_order(question, [ranked[n] for n in told], near, weighing)
    return sorted(ranked, key=lambda r: (-r.score, -_moment(r.row), r.row.id))


def _answers(
    query: Vector | None,
    candidates: Sequence[Candidate],
    common: Sequence[Vector],
    adapters: Mapping[str, Adapter],
) -> Mapping[str, NDArray[np.float32]]:
    """Return how near each turn lies to where the answers to the question would, alone and in its context."""
    if query is None or not adapters:
        return {}
    query = query / max(float(np.linalg.norm(query)), 1e-9)
    sides = {"answer": [c.summary for c in candidates], "answer in context": [c.detail for c in candidates]}
    turned = {"answer": adapters["summary"], "answer in context": adapters["detail"]}
    return {name: _cosines(turned[name].turned(query), rows, common) for name, rows in sides.items()}


def _put_in_order(
    question: Question,
    ranked: Sequence[Ranked],
    answers: Mapping[str, NDArray[np.float32]],
    weighing: Weighing,
) -> None:
    """Score turns by how they stand among each other: the first is as sure as the surest was, the others fall behind.

    How sure a recall is of anything is told by what a turn shows by itself; which of many is meant, by comparing.
    """
    for n, item in enumerate(ranked):
        item.standing = {**item.features, **{name: float(values[n]) for name, values in answers.items()}}
    turns = [item.row for item in ranked if isinstance(item.row, Turn)]
    add_turn_features(question, turns, [item.standing for item in ranked])
    order = Scorer("order", 0.0, weighing.order)
    sums = [order.log_odds(item.standing) for item in ranked]
    surest = max(weighing.scorer.log_odds(item.features) for item in ranked)
    for item, total in zip(ranked, sums, strict=True):
        item.base = surest - max(sums)
        item.features["order"] = round(total - max(sums), 4)
        item.score = round(probability(surest + item.features["order"]), 4)


class _Words:
    """BM25 and coverage of the question's words, and of those that are no part of a name."""

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
        named = {term for mention in question.mentions for term in terms_of(mention.text)}
        self._by_name = _terms_by_entity(question)
        self._topic = {term: weight for term, weight in self._idf.items() if term not in named}
        self._topic_mass = sum(self._topic.values()) or 1.0

    def features(self, row: Memory | Turn) -> dict[str, float]:
        """Return ``words`` (BM25 as a share of the most possible), ``coverage`` (share of the weight) and ``topic``.

        ``topic`` is the coverage of what is asked of the names, not of the names themselves. Whom a memory
        names by another name, in another language maybe, counts as named by the words of the question.
        """
        terms = list(row.terms)
        if isinstance(row, Memory):
            for mention in row.mentions:
                terms += self._by_name.get(mention.entity, frozenset()).difference(terms)
        here = set(terms)
        damp = _K1 * (1.0 - _B + _B * len(terms) / self._mean)
        score = covered = 0.0
        for term, weight in self._idf.items():
            if term in here:
                count = terms.count(term)
                score += weight * count * (_K1 + 1.0) / (count + damp)
                covered += weight
        topic = sum(weight for term, weight in self._topic.items() if term in here) / self._topic_mass
        return {"words": score / (self._mass * (_K1 + 1.0)), "coverage": covered / self._mass, "topic": topic}


def _terms_by_entity(question: Question) -> dict[str, frozenset[str]]:
    """Return by entity the terms of the words that name it in the question."""
    named: dict[str, frozenset[str]] = {}
    for mention in question.mentions:
        for entity in question.entities:
            if fold(mention.name) in entity.handles:
                named[entity.id] = named.get(entity.id, frozenset()).union(terms_of(mention.text))
    return named


def _cosines(
    query: Vector | None, rows: Sequence[Vector | None], common: Sequence[Vector]
) -> NDArray[np.float32]:
    """Return the cosine of the query with each row; 0 without a vector.

    ``common`` is what to take away from each row first, as it was from the query; empty: nothing.
    """
    result = np.zeros(len(rows), dtype=np.float32)
    present = [i for i, row in enumerate(rows) if row is not None]
    if query is None or not present:
        return result
    matrix = np.stack([row for row in rows if row is not None])
    if common:
        matrix = matrix - np.stack([common[i] for i in present])
    sizes = np.linalg.norm(matrix, axis=1) * np.linalg.norm(query)
    result[present] = np.einsum("ij,j->i", matrix, query) / np.maximum(sizes, 1e-9)
    return result


class _Asked:
    """What a question asks besides its words; worked out once, held against every row."""

    def __init__(self, question: Question, reach: Reach) -> None:
        self._question, self._reach = question, reach
        self._entities = frozenset(entity.id for entity in question.entities)
        self._keys = len({entity.key for entity in question.entities})
        self._kinds = frozenset(entity.kind for entity in question.entities if entity.kind in OWN_KINDS)
        self._names = frozenset(name for e in question.entities for name in (e.name, *e.aliases))

    def add(self, row: Memory | Turn, features: dict[str, float]) -> None:
        """Add to ``features`` those of ``row`` that are not zero."""
        self._add_time(row, features)
        if row.speaker in self._names:
            features["speaker named"] = 1.0
        if isinstance(row, Turn):
            features["by assistant"] = float(row.role != "user")
            features["asks"] = float(row.text.rstrip().endswith(("?", "？")))
            return
        self._add_entities(row, features)
        if row.predicate and self._question.predicates:
            said = row.predicate in self._question.predicates
            features["predicate" if said else "other predicate"] = 1.0
        features["importance"] = row.importance
        features[f"is {row.modality}"] = 1.0
        if self._question.first and "first" in row.cues:
            features["first person"] = 1.0

    def _add_entities(self, memory: Memory, features: dict[str, float]) -> None:
        """Compare the names; another name of the same kind instead of the one asked for is a sign against it."""
        if not self._entities:
            return
        here = {mention.entity for mention in memory.mentions}
        others = here - self._entities
        if len(others) < len(here):
            features["entities"] = (len(here) - len(others)) / self._keys
        else:
            features["no entity"] = 1.0
            wrong = any(self._reach.kinds.get(id) in self._kinds for id in others)
            features["wrong entity"] = float(wrong)
        if memory.subject in self._entities:
            features["about"] = 1.0
        activation = self._reach.activation
        features["graph"] = max((activation[id] for id in others if id in activation), default=0.0)

    def _add_time(self, row: Memory | Turn, features: dict[str, float]) -> None:
        since, until = self._question.since, self._question.until
        if since is None and until is None:
            return
        at = row.at if isinstance(row, Turn) else row.valid_from
        inside = (since is None or since <= at) and (until is None or at < until)
        features["time" if inside else "other time"] = 1.0


def _add_neighbours(ranked: Sequence[Ranked]) -> None:
    """Let what stands beside a well-worded row of the same session share in it."""
    sessions: dict[str, list[Ranked]] = {}
    for item in ranked:
        sessions.setdefault(item.row.session, []).append(item)
    for items in sessions.values():
        if len(items) == 1:
            continue
        items.sort(key=lambda r: (_moment(r.row), r.row.id))
        words = [item.features["coverage"] for item in items]
        for index, item in enumerate(items):
            item.features["neighbour"] = max(
                words[max(0, index - 1) : index] + words[index + 1 : index + 2], default=0.0
            )


def _add_strangeness(ranked: Sequence[Ranked]) -> None:
    """Mark all rows where none shares a word or an entity with the question: likeness alone says little then."""
    if any(item.features["coverage"] or "entities" in item.features for item in ranked):
        return
    for item in ranked:
        item.features["strange"] = 1.0


def _moment(row: Memory | Turn) -> float:
    return row.at.timestamp()
