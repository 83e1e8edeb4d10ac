"""Small linear scorers over named features; their weights are data files that name their origin."""

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files


def probability(log_odds: float) -> float:
    """Return the probability of log odds."""
    return 1.0 / (1.0 + math.exp(-max(-60.0, min(60.0, log_odds))))


@dataclass(frozen=True, slots=True)
class Scorer:
    """A logistic regression: the probability is ``1 / (1 + exp(-(bias + Σ weight · feature)))``.

    A feature without a weight counts nothing; a weight without a feature neither.
    """

    name: str
    bias: float
    weights: Mapping[str, float]

    def probability(self, features: Mapping[str, float]) -> float:
        """Return the probability, from 0 to 1."""
        return probability(self.log_odds(features))

    def log_odds(self, features: Mapping[str, float]) -> float:
        """Return the weighted sum."""
        weights = self.weights
        return self.bias + sum([weights[name] * value for name, value in features.items() if name in weights])

    def contributions(self, features: Mapping[str, float]) -> dict[str, float]:
        """Return what each present feature adds to the log odds, the weightiest first."""
        parts = {name: self.weights.get(name, 0.0) * value for name, value in features.items()}
        kept = [(name, round(part, 3)) for name, part in parts.items() if abs(part) >= 0.0005]
        return dict(sorted(kept, key=lambda item: (-abs(item[1]), item[0])))


@cache
def shipped_scorer(name: str) -> Scorer:
    """Return the scorer whose weights ship as ``dictionaries/weights/<name>.json``."""
    raw = json.loads(
        files("mnemic.dictionaries").joinpath("weights", f"{name}.json").read_text(encoding="utf-8")
    )
    return Scorer(name, raw["bias"], raw["weights"])
