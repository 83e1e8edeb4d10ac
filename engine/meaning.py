"""What a sentence means for its worth: one direction among an embedder's vectors, beside the visible features.

Words that no feature knows ("the boiler is on the fritz again") lie near words that were worth keeping. The
direction is data, fitted by ``python -m benchmarks.fit meaning`` for each embedder that ships; under another
embedder, or none, the visible features judge alone.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache
from importlib.resources import files

import numpy as np

from mnemic.engine.centre import known_centres
from mnemic.engine.core import Core
from mnemic.engine.embedding import own_words
from mnemic.extraction.model import Line, Unit
from mnemic.extraction.text import tongue
from mnemic.graph.model import Vector

PART = "meaning"
"""The name of what a vector adds, among the features."""

_READ = 12
"""So many sentences of one message are embedded, for their number has no bound; what follows has no meaning."""


@dataclass(frozen=True, slots=True)
class Meaning:
    """What the vector of a sentence adds to the log odds of its worth, and the name of the scorer that weighs it."""

    scorer: str
    part: float


Heard = tuple[Line, Sequence[Unit], Vector | None]
"""A message, its sentences, and the vector of its own words, None without an embedder."""


def meanings(core: Core, told: Sequence[Heard]) -> list[tuple[Meaning | None, ...]]:
    """Return the meaning of each sentence of each message; None where no direction is known for the embedder.

    A sentence that is the whole message shares its vector, the others are embedded together.
    """
    name = core.embedder.name if core.embedder is not None else ""
    if core.embedder is None or direction(name) is None:
        return [(None,) * len(units) for _, units, _ in told]
    texts = dict.fromkeys(_words(line, unit) for line, units, _ in told for unit in _parts(line, units))
    made = dict(zip(texts, core.embedder.passages([*texts]), strict=True)) if texts else {}
    return [
        tuple(
            _meaning(name, unit.text, whole if unit.text == line.text else made.get(_words(line, unit)))
            for unit in units
        )
        for line, units, whole in told
    ]


def _parts(line: Line, units: Sequence[Unit]) -> list[Unit]:
    """Return the sentences that need vectors of their own; an assistant's words are kept for nothing."""
    return [unit for unit in units[:_READ] if unit.text != line.text] if line.role == "user" else []


def _words(line: Line, unit: Unit) -> str:
    return own_words(replace(line, text=unit.text))


def _meaning(embedder: str, text: str, vector: Vector | None) -> Meaning | None:
    towards = direction(embedder)
    if vector is None or towards is None:
        return None
    return Meaning(scorer_name(embedder), round(float(centred(embedder, text, vector) @ towards), 4))


def scorer_name(embedder: str) -> str:
    """Return the name of the scorer, and of its file of weights, for sentences with vectors of ``embedder``."""
    return f"importance-{embedder}"


def centred(embedder: str, text: str, vector: Vector) -> Vector:
    """Return the direction of a vector from what all vectors of the language of its ``text`` have in common."""
    centres = known_centres(embedder)
    moved: Vector = vector - centres[tongue(text)] if centres else vector
    size = float(np.linalg.norm(moved))
    return moved / np.float32(size) if size > 0 else moved


@cache
def direction(embedder: str) -> Vector | None:
    """Return the direction of what is worth keeping, None where it is not known for ``embedder``."""
    file = files("mnemic.dictionaries").joinpath("weights", f"{scorer_name(embedder)}.json")
    if not file.is_file():
        return None
    return np.asarray(json.loads(file.read_text(encoding="utf-8"))[PART], dtype=np.float32)
