"""What the vectors of an embedder have in common in one language, to be taken away before they are compared.

Embedding vectors of one model share a large common part, which drowns small differences; a part of it is
the language, so that a question finds what was told in its own language before what was told in another.
"""

import json
from collections.abc import Mapping
from functools import cache
from importlib.resources import files

import numpy as np

from mnemic.graph.model import Vector
from mnemic.graph.store import Corpus

LANGUAGES = ("en", "zh")


def centres_of(embedder: str, corpus: Corpus) -> Mapping[str, Vector]:
    """Return by language the mean to take away: what ships for ``embedder``, else the store's own; else nothing."""
    known = known_centres(embedder)
    if known or corpus.centre is None:
        return known
    return dict.fromkeys(LANGUAGES, corpus.centre)


@cache
def known_centres(embedder: str) -> Mapping[str, Vector]:
    """Return the means of an embedder's passage vectors over general text, if they are known."""
    file = files("mnemic.dictionaries").joinpath("weights", f"centre-{embedder}.json")
    if not file.is_file():
        return {}
    means = json.loads(file.read_text(encoding="utf-8"))
    return {language: np.asarray(means[language], dtype=np.float32) for language in LANGUAGES}
