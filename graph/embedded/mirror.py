"""Shelves kept fresh by the change log, across threads and processes.

What is committed stands on one shelf per layer that all threads share. A transaction that has written
sees the rows it changed on a shelf of its own, laid over the shared one, so that no other reader meets
what may still be rolled back.
"""

from collections.abc import Collection, Iterator
from contextlib import contextmanager
from threading import Lock
from typing import Self

import apsw
import numpy as np

from mnemic.graph.embedded import queries
from mnemic.graph.embedded.select import first, select
from mnemic.graph.embedded.shelf import Shelf
from mnemic.graph.embedded.vectors import Exact, Nearest, Signs
from mnemic.graph.model import Layer, Vector

EXACT_ROWS = 20_000
"""Up to so many embedded rows a layer keeps its vectors as float32, above it their signs."""

WORTH_PACKING = 4_096
"""From so many empty slots on, and if they are more than half, a shelf is loaded anew."""

_BATCH = 2_000


class Mirror:
    """One layer's shelf, and the place in the change log up to which it holds.

    It is ``whole``, or it holds only what was ``touched`` since another mirror's place in the log.
    """

    def __init__(self, layer: Layer) -> None:
        self.layer, self.whole, self.loaded = layer, True, False
        self.touched: set[int] = set()
        self.shelf = Shelf(layer, 0, Exact(0), Exact(0))
        self._sequence = self._filling = self._dimension = 0
        self._exact = True

    @classmethod
    def over(cls, below: "Mirror") -> Self:
        """Return a mirror of nothing but what changes from where ``below`` stands."""
        mirror = cls(below.layer)
        mirror.whole, mirror.loaded = False, True
        mirror.shelf = Shelf(below.layer, below._dimension, Exact(below._dimension), Exact(below._dimension))
        mirror._sequence, mirror._filling = below._sequence, below._filling
        mirror._dimension = below._dimension
        return mirror

    def catch_up(self, db: apsw.Connection) -> None:
        """Bring the shelf up to what ``db`` sees; a shelf that is ahead of it stays."""
        newest, oldest, filling, dimension = first(db, queries.LOG_STATE)
        if not self.loaded or filling != self._filling or self._sequence < oldest - 1:
            self._load(db, dimension)
        elif newest > self._sequence:
            self._refresh(db)
            if self._unfit():
                self._load(db, dimension)
        else:
            return
        self._sequence, self._filling = newest, filling

    def _unfit(self) -> bool:
        outgrown = self._exact and self.shelf.embedded > EXACT_ROWS
        return outgrown or self.shelf.empty > max(len(self.shelf) // 2, WORTH_PACKING)

    def _load(self, db: apsw.Connection, dimension: int) -> None:
        exact = first(db, queries.EMBEDDED, (self.layer,))[0] <= EXACT_ROWS

        def nearest() -> Nearest:
            return Exact(dimension) if exact else Signs(dimension, _centre(db, self.layer))

        shelf = Shelf(self.layer, dimension, nearest(), nearest())
        rows = list(select(db, queries.MIRROR_AFTER[self.layer], (0, _BATCH)))
        while rows:
            shelf.put(rows)
            rows = list(select(db, queries.MIRROR_AFTER[self.layer], (rows[-1][0], _BATCH)))
        self.shelf, self._dimension, self._exact = shelf, dimension, exact
        self.whole = self.loaded = True

    def _refresh(self, db: apsw.Connection) -> None:
        found = select(db, queries.CHANGED_ROWS, (self._sequence, self.layer))
        changed = sorted(row for (row,) in found)
        self.touched.update(changed if not self.whole else ())
        self.shelf.drop(changed)
        for start in range(0, len(changed), _BATCH):
            some = apsw.carray(np.array(changed[start : start + _BATCH], np.int64))
            self.shelf.put(list(select(db, queries.MIRROR_ROWS[self.layer], (some,))))


def _centre(db: apsw.Connection, layer: Layer) -> Vector:
    sums = list(select(db, queries.TOTALS, (layer,)))
    total = np.sum([np.frombuffer(blob, np.float64) for blob, _ in sums], axis=0)
    centre: Vector = (total / sum(count for _, count in sums)).astype(np.float32)
    return centre


class Mirrors:
    """The mirrors of one store in one process. Safe to share between threads."""

    def __init__(self) -> None:
        self._shared = {layer: Mirror(layer) for layer in Layer}
        self._locks = {layer: Lock() for layer in Layer}
        self._own: dict[Layer, Mirror] = {}

    def begin(self, db: apsw.Connection) -> None:
        """Catch up before a transaction writes: afterwards committed and own rows look alike."""
        for layer, lock in self._locks.items():
            with lock:
                if self._shared[layer].loaded:
                    self._shared[layer].catch_up(db)

    def share(self) -> None:
        """Share what a transaction, now committed, had to load as a whole."""
        for layer, mirror in self._own.items():
            if mirror.whole:
                with self._locks[layer]:
                    self._shared[layer] = mirror

    def forget(self) -> None:
        """Forget what a transaction saw of its own: it is over, or a part of it was undone."""
        self._own.clear()

    @contextmanager
    def shelves(
        self, db: apsw.Connection, layer: Layer, *, wrote: bool
    ) -> Iterator[list[tuple[Shelf, Collection[int]]]]:
        """Give the shelves that together hold what ``db`` sees, each with the rows to overlook on it.

        ``wrote``: ``db`` is inside a transaction that has written.
        """
        with self._locks[layer]:
            shared = self._shared[layer]
            if not wrote:
                shared.catch_up(db)
                yield [(shared.shelf, ())]
                return
            if layer not in self._own:
                self._own[layer] = Mirror.over(shared) if shared.loaded else Mirror(layer)
            own = self._own[layer]
            own.catch_up(db)
            yield [(own.shelf, ())] if own.whole else [(shared.shelf, own.touched), (own.shelf, ())]
