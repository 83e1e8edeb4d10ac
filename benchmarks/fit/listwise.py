"""Weights that put the true rows of a question above its others: a loss over the whole list of candidates.

For each true row the softmax against all false ones, averaged over the true rows and over the questions; so an
easy question teaches little and the hardest false rows the most. Features are standardised while fitting, and the
weights given back fit them as they are. Adam (Kingma and Ba, 2015) over all questions at once.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from benchmarks.fit.logistic import Example, Fitted, fit

Rows = Sequence[tuple[Mapping[str, float], bool]]
"""The candidates of one question: features, and whether they are true."""

_STEPS, _RATE = 250, 0.05
_FURTHEST = 4.0
"""While fitting no feature lies further from its mean, in standard deviations."""


@dataclass(frozen=True, slots=True)
class _Lists:
    """Lists of one length: features (lists, rows, names), which rows are true, and which are there at all."""

    features: NDArray[np.float32]
    true: NDArray[np.float64]
    there: NDArray[np.float64]


def fit_lists(lists: Sequence[Rows], *, penalty: float) -> Fitted:
    """Return weights that order each list, scaled so that they are log odds of being true.

    Lists without a true or without a false row teach no order, but they count for the odds.
    """
    names = sorted({name for rows in lists for features, _ in rows for name in features})
    flat = np.concatenate([_matrix(rows, names) for rows in lists])
    mean, spread = flat.mean(axis=0), flat.std(axis=0) + 1e-6
    useful = [rows for rows in lists if 0 < sum(label for _, label in rows) < len(rows)]
    weights = _descend(_padded(useful, names, mean, spread), penalty) / spread
    return _as_odds(lists, {name: float(weight) for name, weight in zip(names, weights, strict=True)})


def _matrix(rows: Rows, names: Sequence[str]) -> NDArray[np.float64]:
    return np.array([[features.get(name, 0.0) for name in names] for features, _ in rows])


def _padded(
    lists: Sequence[Rows], names: Sequence[str], mean: NDArray[np.float64], spread: NDArray[np.float64]
) -> _Lists:
    longest = max(len(rows) for rows in lists)
    features = np.zeros((len(lists), longest, len(names)), np.float32)
    true, there = np.zeros((len(lists), longest)), np.zeros((len(lists), longest))
    for n, rows in enumerate(lists):
        features[n, : len(rows)] = np.clip((_matrix(rows, names) - mean) / spread, -_FURTHEST, _FURTHEST)
        true[n, : len(rows)] = [label for _, label in rows]
        there[n, : len(rows)] = 1.0
    return _Lists(features, true, there)


def _descend(lists: _Lists, penalty: float) -> NDArray[np.float64]:
    weights = np.zeros(lists.features.shape[2])
    first, second = np.zeros_like(weights), np.zeros_like(weights)
    for step in range(1, _STEPS + 1):
        slope = _slope(lists, weights) + penalty * weights
        first = 0.9 * first + 0.1 * slope
        second = 0.999 * second + 0.001 * slope**2
        weights -= _RATE * (first / (1.0 - 0.9**step)) / (np.sqrt(second / (1.0 - 0.999**step)) + 1e-8)
    return weights


def _slope(lists: _Lists, weights: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the slope of the loss: each true row is pulled up against all false ones, these are pushed down."""
    scores = np.asarray(lists.features @ weights.astype(np.float32), np.float64)
    scores -= np.where(lists.there > 0, scores, -np.inf).max(axis=1, keepdims=True)
    masses = np.exp(np.clip(scores, -60.0, 0.0))
    false = lists.there - lists.true
    against = (masses * false).sum(axis=1, keepdims=True)
    share = lists.true / lists.true.sum(axis=1, keepdims=True)
    pull = -share * against / (masses + against)
    push = false * masses * (share / (masses + against)).sum(axis=1, keepdims=True)
    slopes = np.einsum("lrn,lr->n", lists.features, (pull + push).astype(np.float32))
    return np.asarray(slopes, np.float64) / len(lists.true)


def _as_odds(lists: Sequence[Rows], weights: Mapping[str, float]) -> Fitted:
    """Scale weights and add a bias so that the sums are log odds (Platt, 1999)."""
    ordered = Fitted(0.0, dict(weights))
    examples = [
        Example({"score": ordered.logit(features)}, label, "", 1.0)
        for rows in lists
        for features, label in rows
    ]
    scale = fit(examples, penalty=1e-3)
    slope = scale.weights.get("score", 1.0)
    return Fitted(scale.bias, {name: round(weight * slope, 5) for name, weight in weights.items()})
