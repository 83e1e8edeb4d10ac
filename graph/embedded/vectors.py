"""The vectors of one part (summary or detail) of a layer, and the search for the nearest of them.

Two ways with one face. :class:`Exact` keeps every vector as float32 and multiplies. :class:`Signs`
keeps one bit a dimension: the sign after a common centre is taken away (the vectors of one embedder
share a large component, without which nearly all signs would be equal). The share of differing signs
estimates the angle (random hyperplanes: Charikar 2002, "Similarity estimation techniques from rounding
algorithms"), so the rows with the fewest differing signs are looked at with their stored vectors.
"""

from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from mnemic.graph.model import Vector

Matrix = NDArray[np.float32]
Slots = NDArray[np.intp]

_SPARSE = 4
"""Below one row in so many it is cheaper to pick the rows out before computing."""


class Nearest(Protocol):
    """**Contract:** vectors by slot."""

    def grow(self, capacity: int) -> None:
        """Make room for ``capacity`` slots."""

    def put(self, slots: Slots, vectors: Matrix) -> None:
        """Keep ``vectors``, one a row, at ``slots``."""

    def near(self, slots: Slots, query: Vector, count: int) -> tuple[Slots, NDArray[np.float32] | None]:
        """Return those of ``slots`` that may be among the ``count`` nearest, with their exact scores if known."""


class Exact:
    """float32 vectors: 4 bytes a dimension, every score exact."""

    def __init__(self, dimension: int) -> None:
        self._rows: Matrix = np.zeros((0, dimension), np.float32)

    def grow(self, capacity: int) -> None:
        """Make room for ``capacity`` slots."""
        self._rows = grown(self._rows, capacity)

    def put(self, slots: Slots, vectors: Matrix) -> None:
        """Keep ``vectors``, one a row, at ``slots``."""
        self._rows[slots] = vectors

    def near(self, slots: Slots, query: Vector, count: int) -> tuple[Slots, NDArray[np.float32] | None]:
        """Return all of ``slots`` with their inner products."""
        if len(slots) * _SPARSE < len(self._rows):
            return slots, inner_products(self._rows[slots], query)
        return slots, inner_products(self._rows, query)[slots]


class Signs:
    """One bit a dimension: 32 times smaller, and the scores must be looked up."""

    def __init__(self, dimension: int, centre: Vector, oversample: int) -> None:
        self._centre, self._oversample = centre, oversample
        self._words: list[NDArray[np.uint64]] = [np.zeros(0, np.uint64) for _ in range(-(-dimension // 64))]

    def grow(self, capacity: int) -> None:
        """Make room for ``capacity`` slots."""
        self._words = [grown(word, capacity) for word in self._words]

    def put(self, slots: Slots, vectors: Matrix) -> None:
        """Keep the signs of ``vectors``, one a row, at ``slots``."""
        for word, bits in zip(self._words, self._signs(vectors).T, strict=True):
            word[slots] = bits

    def near(self, slots: Slots, query: Vector, count: int) -> tuple[Slots, NDArray[np.float32] | None]:
        """Return those of ``slots`` with the fewest signs that differ, several times ``count`` of them."""
        wanted = count * self._oversample
        if len(slots) <= wanted:
            return slots, None
        few = len(slots) * _SPARSE < len(self._words[0])
        differing: NDArray[np.uint16] = np.zeros(len(slots) if few else len(self._words[0]), np.uint16)
        for word, bits in zip(self._words, self._signs(query[None])[0], strict=True):
            differing += np.bitwise_count((word[slots] if few else word) ^ bits)
        if not few:
            differing = differing[slots]
        within = np.cumsum(np.bincount(differing))
        return slots[differing <= np.searchsorted(within, wanted)], None

    def _signs(self, vectors: Matrix) -> NDArray[np.uint64]:
        bits = np.packbits(vectors > self._centre, axis=1)
        padded = np.zeros((len(vectors), len(self._words) * 8), np.uint8)
        padded[:, : bits.shape[1]] = bits
        return padded.view(np.uint64)


def inner_products(rows: Matrix, query: Vector) -> NDArray[np.float32]:
    """Return each row's product with ``query``; einsum, since a BLAS that others contend for is far slower."""
    products: NDArray[np.float32] = np.einsum("ij,j->i", rows, query)
    return products


def grown[Items: np.generic](old: NDArray[Items], capacity: int) -> NDArray[Items]:
    new = np.zeros((capacity, *old.shape[1:]), old.dtype)
    new[: len(old)] = old
    return new
