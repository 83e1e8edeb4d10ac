"""Named weight profiles of recall: one data file holds the weights, the floor, and what each profile changes."""

import json
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

from mnemic.engine.scorer import Scorer
from mnemic.errors import UnknownName


@dataclass(frozen=True, slots=True)
class Profile:
    """A scorer under a name, and the probability below which an item is not worth returning."""

    name: str
    scorer: Scorer
    floor: float


@cache
def _raw() -> dict[str, Any]:
    text = files("mnemic.dictionaries").joinpath("weights", "recall.json").read_text(encoding="utf-8")
    raw: dict[str, Any] = json.loads(text)
    return raw


def profile(name: str, *, vectors: bool = True) -> Profile:
    """Return the profile ``name``; ``vectors``: whether there is an embedder (the floor differs without).

    Raises ``UnknownName`` for a name that the data file does not hold.
    """
    raw = _raw()
    if name not in raw["profiles"]:
        raise UnknownName("profile", name, raw["profiles"])
    base = raw["with vectors" if vectors else "without vectors"]
    weights = {**base["weights"]}
    for feature, factor in raw["profiles"][name].items():
        weights[feature] = weights.get(feature, 0.0) * factor
    return Profile(name, Scorer(f"recall/{name}", base["bias"], weights), base["floor"])
