"""The seam: what an embedder is."""

from collections.abc import Sequence
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

Vectors = NDArray[np.float32]
"""Rows of unit length, so that the cosine of two of them is their dot product."""


class Embedder(Protocol):
    """Turns texts into vectors; models want to know whether a text is stored or searched with.

    The same text gives the same vector, alone or among others, in every call and every thread. Any text
    is accepted, the empty one too. A model that is missing or fails raises ``EmbedderError``, and only
    when a vector (or the dimension, where the model must say it) is asked for.
    """

    @property
    def name(self) -> str:
        """The registered, versioned name: vectors of different names must not be compared."""
        ...

    @property
    def dimension(self) -> int:
        """How many numbers a vector has."""
        ...

    def passages(self, texts: Sequence[str]) -> Vectors:
        """Return the vectors of texts to be found: shape (len(texts), dimension), also for no texts."""
        ...

    def query(self, text: str) -> Vectors:
        """Return the vector of a text to search with: shape (dimension,)."""
        ...


def unit(rows: Vectors) -> Vectors:
    """Return ``rows`` at unit length; a row of zeros stays what it is."""
    lengths = np.linalg.norm(rows, axis=-1, keepdims=True)
    return (rows / np.where(lengths == 0, 1, lengths)).astype(np.float32)
