"""The means of an embedder's passage vectors, by language, over the project's own conversations and scenarios."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from benchmarks.fit.histories import conversations, histories, messages
from benchmarks.harness import with_progress
from mnemic.engine.centre import LANGUAGES
from mnemic.extraction.embedders.base import Embedder
from mnemic.extraction.embedders.registry import embedder
from mnemic.extraction.text import tongue

BATCH = 64


def mean_vectors(folder: Path, name: str) -> dict[str, list[float]]:
    """Return by language the mean over all messages, each as ``Speaker: text``, rounded to five digits."""
    model = embedder(name)
    if model is None:
        raise SystemExit(f"{name} makes no vectors")
    texts = sorted(messages([*histories(folder), *conversations(folder)]))
    return {language: _mean(model, [t for t in texts if tongue(t) == language]) for language in LANGUAGES}


def _mean(model: Embedder, texts: Sequence[str]) -> list[float]:
    total = np.zeros(model.dimension)
    for start in with_progress(range(0, len(texts), BATCH), "embedding", quiet=False):
        total += model.passages(texts[start : start + BATCH]).sum(axis=0)
    return [round(float(value), 5) for value in total / len(texts)]
