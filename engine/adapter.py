"""Query adapters: a question's vector, turned to where the vectors of answers lie.

A question is worded unlike what answers it. For each embedder that they ship for there are two linear maps,
one for turns alone and one for turns after what came before, fitted so that questions come near their
evidence. They stay near the identity: what ships is the difference, of low rank.
"""

import json
from base64 import b64decode
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mnemic.graph.model import Vector

OFFSET = 0.3
"""What stands behind the numbers of a question's vector, so that the maps can add what all questions share."""


@dataclass(frozen=True, slots=True)
class Adapter:
    """One map: ``down`` has shape (dimension + 1, rank), ``up`` (rank, dimension)."""

    down: NDArray[np.float32]
    up: NDArray[np.float32]

    def turned(self, query: Vector) -> Vector:
        """Return the vector of a question, of unit length, turned towards its answers."""
        longer = np.append(query, OFFSET).astype(np.float32)
        return np.asarray(query + (longer @ self.down) @ self.up, np.float32)


@cache
def shipped_adapters(embedder: str) -> Mapping[str, Adapter]:
    """Return the adapters of an embedder by kind of vector, ``summary`` and ``detail``; nothing where none ship."""
    file = files("mnemic.dictionaries").joinpath("weights", f"adapter-{embedder}.json")
    if not file.is_file():
        return {}
    raw = json.loads(file.read_text(encoding="utf-8"))
    return {kind: _adapter(raw[kind]) for kind in ("summary", "detail")}


def _adapter(raw: Mapping[str, Any]) -> Adapter:
    """Read one map: two matrices of half precision in base64, row by row."""
    down, up = (np.frombuffer(b64decode(raw[side]), dtype="<f2") for side in ("down", "up"))
    rank = int(raw["rank"])
    return Adapter(down.reshape(-1, rank).astype(np.float32), up.reshape(rank, -1).astype(np.float32))
