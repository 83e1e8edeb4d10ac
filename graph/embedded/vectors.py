"""The vectors of a layer, and the search for the nearest of them.

Two ways with one face: :class:`Exact` keeps every vector as float32 and multiplies; :class:`Signs` keeps
one bit a dimension to estimate by, and one byte a dimension to score the most promising.
"""

from typing import Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

from mnemic.graph.model import Vector

Matrix = NDArray[np.float32]
Words = list[NDArray[np.uint64]]
Slots = NDArray[np.intp]
Items = TypeVar("Items", bound=np.generic)

OVERSAMPLE, AT_LEAST = 5, 500
"""Where scores are estimated, so many times the wanted number are looked at, and never fewer than this."""

_SPARSE = 4
"""Below one row in so many it is cheaper to pick the rows out before computing."""

_COARSE = 10
"""The coarser estimate keeps so many times more for the finer one."""

_LEVELS = 4
"""Bits to which the finer estimate rounds a query's coordinates: more gained nothing on real vectors."""


class Nearest(Protocol):
    """**Contract:** vectors by slot."""

    def grow(self, capacity: int) -> None:
        """Make room for ``capacity`` slots."""

    def put(self, slots: Slots, vectors: Matrix) -> None:
        """Keep ``vectors``, one a row, at ``slots``."""

    def towards(self, query: Vector) -> "Towards":
        """Return the search for what is near ``query``; it holds until something is put."""


class Towards(Protocol):
    """**Contract:** the search for the nearest of one query, asked once or several times."""

    def near(self, slots: Slots, count: int) -> tuple[Slots, NDArray[np.float32]]:
        """Return those of ``slots`` that may be among the ``count`` nearest, and their inner products.

        ``slots`` are in ascending order.
        """


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

    def towards(self, query: Vector) -> "ExactTowards":
        """Return the search for what is near ``query``."""
        return ExactTowards(self._rows, query)


class ExactTowards:
    """Inner products; once most rows had to be multiplied, all are known."""

    def __init__(self, rows: Matrix, query: Vector) -> None:
        self._rows, self._query = rows, query
        self._products: NDArray[np.float32] = np.zeros(0, np.float32)

    def near(self, slots: Slots, count: int) -> tuple[Slots, NDArray[np.float32]]:
        """Return all of ``slots`` with their inner products."""
        last = slots[-1] + 1 if len(slots) else 0
        if last > len(self._products):
            if len(slots) * _SPARSE < last:
                return slots, inner_products(self._rows[slots], self._query)
            self._products = inner_products(self._rows[:last], self._query)
        return slots, self._products[slots]


class Signs:
    """A bit and a byte a dimension and four numbers a vector: a quarter of the size, most scores estimated.

    A vector is a common centre plus a rest (the vectors of one embedder share a large component, which
    would make nearly all signs equal). Kept are the signs of the rest, how many are positive, the rest's
    product with the centre, and the factor that makes the product of signs and rest the rest's squared
    length. The query's own rest is rounded to a few bits, so that its product with the signs is a
    weighted count of common bits. Source: Gao, Long 2024, "RaBitQ: quantizing high-dimensional vectors
    with a theoretical error bound", without its random rotation, which gained nothing on real vectors.
    Those with the highest estimates are scored by their bytes, each vector with a step of its own.
    """

    def __init__(self, dimension: int, centre: Vector) -> None:
        self._centre = centre
        self._words: Words = [np.zeros(0, np.uint64) for _ in range(-(-dimension // 64))]
        self._positive, self._factor, self._shift, self._step = (np.zeros(0, np.float32) for _ in range(4))
        self._bytes: NDArray[np.int8] = np.zeros((0, dimension), np.int8)

    def grow(self, capacity: int) -> None:
        """Make room for ``capacity`` slots."""
        self._words = [grown(word, capacity) for word in self._words]
        self._positive, self._factor = grown(self._positive, capacity), grown(self._factor, capacity)
        self._shift, self._step = grown(self._shift, capacity), grown(self._step, capacity)
        self._bytes = grown(self._bytes, capacity)

    def put(self, slots: Slots, vectors: Matrix) -> None:
        """Keep what is needed of ``vectors``, one a row, at ``slots``."""
        rest = vectors - self._centre
        for word, bits in zip(self._words, self._packed(rest > 0).T, strict=True):
            word[slots] = bits
        self._positive[slots] = (rest > 0).sum(axis=1)
        self._factor[slots] = (rest * rest).sum(axis=1) / np.maximum(np.abs(rest).sum(axis=1), 1e-9)
        self._shift[slots] = inner_products(rest, self._centre)
        step = np.maximum(np.abs(vectors).max(axis=1), 1e-9) / 127
        self._step[slots], self._bytes[slots] = step, np.rint(vectors / step[:, None])

    def towards(self, query: Vector) -> "SignsTowards":
        """Return the search for what is near ``query``."""
        return SignsTowards(self, query, query - self._centre)

    def products(self, slots: Slots, query: Vector) -> NDArray[np.float32]:
        """Return the inner products with ``query``, as near as bytes come to them."""
        products = inner_products(self._bytes[slots].astype(np.float32), query)
        scaled: NDArray[np.float32] = products * self._step[slots]
        return scaled

    def estimates(self, slots: Slots, products: NDArray[np.float32]) -> NDArray[np.float32]:
        """Return the inner products, but for what is the same for all, from the rests' with the signs."""
        estimates: NDArray[np.float32] = products * self._factor[slots] + self._shift[slots]
        return estimates

    def differing(self, rest: Vector) -> NDArray[np.uint16]:
        """Count in how many signs every slot differs from ``rest``."""
        differing = np.zeros(len(self._positive), np.uint16)
        for word, bits in zip(self._words, self._packed(rest[None] > 0)[0], strict=True):
            differing += np.bitwise_count(word ^ bits)
        return differing

    def by_level(self, slots: Slots, rest: Vector) -> NDArray[np.float32]:
        """Return the products of ``rest``, rounded to a few bits, with the signs: bits in common, weighted."""
        low = rest.min()
        step = (rest.max() - low) / (2**_LEVELS - 1) or np.float32(1)
        levels = np.rint((rest - low) / step).astype(np.uint8)
        words = [word[slots] for word in self._words]
        common = np.zeros(len(slots), np.uint16)
        for level in reversed(range(_LEVELS)):
            common <<= 1
            for word, bits in zip(words, self._packed((levels[None] >> level) & 1)[0], strict=True):
                common += np.bitwise_count(word & bits)
        products: NDArray[np.float32] = (
            2 * (low * self._positive[slots] + step * common.astype(np.float32)) - rest.sum()
        )
        return products

    def _packed(self, bits: NDArray[np.bool_] | NDArray[np.uint8]) -> NDArray[np.uint64]:
        packed = np.packbits(bits, axis=1)
        padded = np.zeros((len(bits), len(self._words) * 8), np.uint8)
        padded[:, : packed.shape[1]] = packed
        return padded.view(np.uint64)


class SignsTowards:
    """Estimates: a coarse one over all rows thins them out, a finer one looks at what is left."""

    def __init__(self, signs: Signs, query: Vector, rest: Vector) -> None:
        self._signs, self._query, self._rest = signs, query, rest
        self._coarse: NDArray[np.float32] | None = None

    def near(self, slots: Slots, count: int) -> tuple[Slots, NDArray[np.float32]]:
        """Return those of ``slots`` with the highest estimates, scored; a coarser one thins them out first."""
        wanted = max(count * OVERSAMPLE, AT_LEAST)
        if len(slots) > wanted * _COARSE:
            slots = _highest(slots, self._signs.estimates(slots, self._by_sign(slots)), wanted * _COARSE)
        if len(slots) > wanted:
            products = self._signs.by_level(slots, self._rest)
            slots = _highest(slots, self._signs.estimates(slots, products), wanted)
        return slots, self._signs.products(slots, self._query)

    def _by_sign(self, slots: Slots) -> NDArray[np.float32]:
        """Return the products where the query's rest is taken for its signs at their mean size."""
        if self._coarse is None:
            size = np.abs(self._rest).mean()
            self._coarse = size * (len(self._rest) - 2 * self._signs.differing(self._rest).astype(np.float32))
        return self._coarse[slots]


def _highest(slots: Slots, estimates: NDArray[np.float32], count: int) -> Slots:
    return slots[np.argpartition(estimates, len(slots) - count)[len(slots) - count :]]


def inner_products(rows: Matrix, query: Vector) -> NDArray[np.float32]:
    """Return each row's product with ``query``; einsum, since a BLAS that others contend for is far slower."""
    products: NDArray[np.float32] = np.einsum("ij,j->i", rows, query)
    return products


def grown(old: NDArray[Items], capacity: int) -> NDArray[Items]:
    """Return ``old`` with zeros behind it, ``capacity`` rows in all."""
    new = np.zeros((capacity, *old.shape[1:]), old.dtype)
    new[: len(old)] = old
    return new
