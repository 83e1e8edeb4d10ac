"""What all vectors of an embedder have in common, to be taken away before they are compared.

Embedding vectors of one model share a large common part, which drowns small differences. A large store
knows its own mean; a young one leans on the mean over general text that ships for the embedder.
"""

import json
from functools import cache
from importlib.resources import files

import numpy as np

from mnemic.graph.model import Vector
from mnemic.graph.store import Corpus

_TRUST = 50.0
"""So many rows must a store hold for its own mean to weigh as much as the general one."""


def centre_of(embedder: str, corpus: Corpus) -> Vector | None:
    """Return the mean to take away from the vectors of ``embedder``: the store's and the general one, weighed."""
    general = general_centre(embedder)
    if general is None or corpus.centre is None:
        return corpus.centre if general is None else general
    share = corpus.size / (corpus.size + _TRUST)
    return np.asarray(share * corpus.centre + (1.0 - share) * general, dtype=np.float32)


@cache
def general_centre(embedder: str) -> Vector | None:
    """Return the shipped mean of an embedder's passage vectors over general text, if there is one."""
    file = files("mnemic.dictionaries").joinpath("weights", f"centre-{embedder}.json")
    if not file.is_file():
        return None
    return np.asarray(json.loads(file.read_text(encoding="utf-8"))["mean"], dtype=np.float32)
