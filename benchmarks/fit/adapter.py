"""The query adapters of an embedder: maps that bring questions near to the turns that answer them.

Fitted on the questions of the long conversations by cross-entropy: of the softmax over all turns of a
conversation the evidence shall have all. The maps start at the identity and are held near it; Adam
(Kingma and Ba, 2015) over all questions at once. What ships is the difference from the identity, of low rank.
"""

from base64 import b64encode
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from benchmarks.suites.case import Case
from mnemic.engine.adapter import OFFSET, Adapter
from mnemic.engine.centre import centres_of
from mnemic.engine.embedding import in_context, own_words
from mnemic.extraction.embedders.base import Embedder
from mnemic.extraction.text import tongue
from mnemic.graph.store import Corpus

RANK = 32
STEPS = 60
FOLDS = 4
_RATE, _NEAR, _SHARP = 0.003, 0.05, 12.0

Matrix = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Lesson:
    """The questions of one conversation, its turns by kind of vector, and the places of each one's evidence."""

    group: str
    questions: Matrix
    turns: dict[str, Matrix]
    evidence: Sequence[Sequence[int]]


def lesson(conversation: Case, embedder: Embedder) -> Lesson:
    """Return a conversation as vectors without what their language has in common, of unit length."""
    turns = conversation.turns
    before = [None, *turns[:-1]]
    beside = [
        b if b is not None and b.session == t.session else None for b, t in zip(before, turns, strict=True)
    ]
    centres = centres_of(embedder.name, Corpus())
    common = np.stack([centres[tongue(turn.text)] for turn in turns])
    asked = [query for query in conversation.queries if query.gold]
    places = {turn.id: n for n, turn in enumerate(turns)}
    questions = np.stack([embedder.query(q.text) - centres[tongue(q.text)] for q in asked])
    texts = {
        "summary": [own_words(turn) for turn in turns],
        "detail": [in_context(turn, b) for turn, b in zip(turns, beside, strict=True)],
    }
    return Lesson(
        conversation.id,
        _unit(questions),
        {kind: _unit(embedder.passages(said) - common) for kind, said in texts.items()},
        [sorted(places[id] for id in query.gold) for query in asked],
    )


def _unit(rows: NDArray[np.float32]) -> Matrix:
    sizes = np.linalg.norm(rows, axis=1, keepdims=True)
    return np.asarray(rows / np.maximum(sizes, 1e-9), np.float64)


def fit_adapters(lessons: Sequence[Lesson]) -> dict[str, Adapter]:
    """Return the adapters that the lessons teach, by kind of vector."""
    return {kind: _narrowed(_fitted(lessons, kind)) for kind in ("summary", "detail")}


def without_each(lessons: Sequence[Lesson]) -> dict[str, dict[str, Adapter]]:
    """Return by conversation adapters that were fitted without it and a few others."""
    return {
        held.group: adapters
        for fold in range(FOLDS)
        for adapters in [fit_adapters([one for n, one in enumerate(lessons) if n % FOLDS != fold])]
        for held in lessons[fold::FOLDS]
    }


def _fitted(lessons: Sequence[Lesson], kind: str) -> Matrix:
    size = lessons[0].questions.shape[1]
    start = np.vstack([np.eye(size), np.zeros((1, size))])
    weights, mean, spread = start.copy(), np.zeros_like(start), np.zeros_like(start)
    for step in range(1, STEPS + 1):
        slope = sum((_slope(lesson, kind, weights) for lesson in lessons), start=np.zeros_like(start))
        slope = slope / sum(len(one.questions) for one in lessons) + 2.0 * _NEAR * (weights - start)
        mean = 0.9 * mean + 0.1 * slope
        spread = 0.999 * spread + 0.001 * slope**2
        weights -= _RATE * (mean / (1.0 - 0.9**step)) / (np.sqrt(spread / (1.0 - 0.999**step)) + 1e-8)
    return weights - start


def _slope(lesson: Lesson, kind: str, weights: Matrix) -> Matrix:
    """Return the slope of the cross-entropy of one conversation."""
    turns = lesson.turns[kind]
    asked = np.hstack([lesson.questions, np.full((len(lesson.questions), 1), OFFSET)])
    scores = _SHARP * (asked @ weights @ turns.T)
    chances = np.exp(scores - scores.max(axis=1, keepdims=True))
    chances /= chances.sum(axis=1, keepdims=True)
    for row, places in zip(chances, lesson.evidence, strict=True):
        row[list(places)] -= 1.0 / len(places)
    return np.asarray(_SHARP * asked.T @ (chances @ turns), np.float64)


def _narrowed(difference: Matrix) -> Adapter:
    """Return the nearest map of low rank, in the precision that ships."""
    left, sizes, right = np.linalg.svd(difference, full_matrices=False)
    half = np.sqrt(sizes[:RANK])
    down, up = (left[:, :RANK] * half).astype("<f2"), (half[:, None] * right[:RANK]).astype("<f2")
    return Adapter(down.astype(np.float32), up.astype(np.float32))


def as_data(adapter: Adapter) -> dict[str, object]:
    """Return an adapter as it stands in its file."""
    sides = {"down": adapter.down, "up": adapter.up}
    packed = {name: b64encode(side.astype("<f2").tobytes()).decode() for name, side in sides.items()}
    return {"rank": adapter.down.shape[1], **packed}
