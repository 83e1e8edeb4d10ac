"""Named weight profiles of recall: one data file holds the weights, the floors, and what each profile changes."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from typing import Any

from mnemic.engine.scorer import Scorer
from mnemic.errors import UnknownName
from mnemic.graph.model import Layer


@dataclass(frozen=True, slots=True)
class Weighing:
    """A scorer for one layer, and the probability below which a row is not worth returning.

    ``order``: what weighs in comparing rows with each other; empty where the scorer's own order stands.
    """

    scorer: Scorer
    floor: float
    order: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Profile:
    """The weighing of each layer under one name."""

    name: str
    layers: Mapping[Layer, Weighing]

    def of(self, layer: Layer) -> Weighing:
        """Return the weighing of ``layer``."""
        return self.layers[layer]


@cache
def _weights(file: str) -> dict[str, Any]:
    text = files("mnemic.dictionaries").joinpath("weights", f"{file}.json").read_text(encoding="utf-8")
    raw: dict[str, Any] = json.loads(text)
    return raw


def profile(name: str, *, vectors: bool = True) -> Profile:
    """Return the profile ``name``; ``vectors``: whether there is an embedder (the weights differ without).

    Raises ``UnknownName`` for a name that the data file does not hold.
    """
    raw = _weights("recall")
    if name not in raw["profiles"]:
        raise UnknownName("profile", name, raw["profiles"])
    return Profile(name, {layer: _weighing(raw, name, layer, vectors) for layer in Layer})


def _weighing(raw: Mapping[str, Any], name: str, layer: Layer, vectors: bool) -> Weighing:
    column = "with vectors" if vectors else "without vectors"
    base = raw[layer.value][column]
    weights = dict(base["weights"])
    for feature, factor in raw["profiles"][name].items():
        weights[feature] = weights.get(feature, 0.0) * factor
    order = _weights("order")[column] if layer is Layer.TURN else {}
    return Weighing(Scorer(f"recall/{name}/{layer.value}", base["bias"], weights), base["floor"], order)
