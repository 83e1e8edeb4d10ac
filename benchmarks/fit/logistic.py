"""Logistic regression with an L2 penalty, by Newton's method; named features in, named weights out."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Example:
    """Features by name, what is true of them, and how much the example counts.

    ``group`` keeps examples of one history together when folds are cut; ``pair`` names what is compared.
    """

    features: Mapping[str, float]
    label: bool
    group: str
    weight: float = 1.0
    pair: str = ""


@dataclass(frozen=True, slots=True)
class Fitted:
    """A bias and a weight for each feature that was seen often enough."""

    bias: float
    weights: dict[str, float]

    def logit(self, features: Mapping[str, float]) -> float:
        """Return the log odds of the features."""
        return self.bias + sum(self.weights.get(name, 0.0) * value for name, value in features.items())


def fit(examples: Sequence[Example], *, penalty: float, least: int = 5, rounds: int = 30) -> Fitted:
    """Return the weights that explain ``examples`` best under ``penalty / 2 · Σ weight²`` (the bias is free).

    Features that occur in fewer than ``least`` examples are left out. Newton's method with step halving.
    """
    names = _names(examples, least)
    matrix = _matrix(examples, names)
    labels = np.array([e.label for e in examples], dtype=float)
    weight = np.array([e.weight for e in examples], dtype=float)
    ridge = np.full(len(names) + 1, penalty)
    ridge[0] = 1e-6
    beta = np.zeros(len(names) + 1)
    for _ in range(rounds):
        chance = 1.0 / (1.0 + np.exp(-np.clip(matrix @ beta, -30, 30)))
        gradient = matrix.T @ (weight * (chance - labels)) + ridge * beta
        curvature = (matrix * (weight * chance * (1.0 - chance))[:, None]).T @ matrix + np.diag(ridge)
        step = np.linalg.solve(curvature, gradient)
        beta = beta - step * min(1.0, 5.0 / max(1e-9, float(np.abs(step).max())))
        if float(np.abs(step).max()) < 1e-5:
            break
    return Fitted(
        round(float(beta[0]), 4), {n: round(float(b), 4) for n, b in zip(names, beta[1:], strict=True)}
    )


def _names(examples: Sequence[Example], least: int) -> list[str]:
    seen: dict[str, int] = {}
    for example in examples:
        for name, value in example.features.items():
            if value:
                seen[name] = seen.get(name, 0) + 1
    return sorted(name for name, count in seen.items() if count >= least)


def _matrix(examples: Sequence[Example], names: Sequence[str]) -> Floats:
    column = {name: index + 1 for index, name in enumerate(names)}
    matrix = np.zeros((len(examples), len(names) + 1))
    matrix[:, 0] = 1.0
    for row, example in enumerate(examples):
        for name, value in example.features.items():
            if name in column:
                matrix[row, column[name]] = value
    return matrix


def average_precision(scores: Sequence[float], labels: Sequence[bool]) -> float:
    """Return the mean, over the true ones, of the precision down to each in order of score."""
    order = sorted(range(len(scores)), key=lambda i: -scores[i])
    found, total = 0, 0.0
    for rank, index in enumerate(order, 1):
        if labels[index]:
            found += 1
            total += found / rank
    return total / max(1, found)


def held_out(examples: Sequence[Example], *, penalty: float, folds: int = 5, least: int = 5) -> list[float]:
    """Return a log odds for each example from weights fitted without its group."""
    groups = sorted({e.group for e in examples})
    fold_of = {group: index % folds for index, group in enumerate(groups)}
    scores = [0.0] * len(examples)
    for fold in range(folds):
        fitted = fit([e for e in examples if fold_of[e.group] != fold], penalty=penalty, least=least)
        for index, example in enumerate(examples):
            if fold_of[example.group] == fold:
                scores[index] = fitted.logit(example.features)
    return scores
