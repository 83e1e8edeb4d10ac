"""Shelves kept fresh by the change log, across threads and processes.

What is committed stands on one shelf per layer that all threads share. A transaction that has written
sees the rows it changed on a shelf of its own, laid over the shared one, so that no other reader meets
what may still be rolled back.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from threading import Lock
from typing import Self

import apsw
import numpy as np

from mnemic.graph.embedded import queries
from mnemic.graph.embedded.decoded import Decoded
from mnemic.graph.embedded.postings import Postings
from mnemic.graph.embedded.select import first, select
from mnemic.graph.embedded.shelf import Mask, Shelf
from mnemic.graph.embedded.vectors import Exact, Nearest, Signs, Slots
from mnemic.graph.model import Layer, Vector

EXACT_ROWS = 5_000
"""Up to so many embedded rows a layer keeps its vectors as float32, above it their signs and bytes."""

WORTH_PACKING = 4_096
"""From so many empty slots on, and if they are more than half, a shelf is loaded anew."""

_BATCH = 2_000


class Mirror:
    """One layer's shelf, and the place in the change log up to which it holds.

    It is ``whole``, or it holds only what was ``touched`` since the place in the log of another mirror,
    the one ``below``; ``reworded``: some of these are found by other words than there.
    """

    def __init__(self, layer: Layer, below: Shelf | None = None) -> None:
        self.layer, self.whole, self.loaded = layer, below is None, below is not None
        self._below = below
        self.touched: set[int] = set()
        self.reworded = False
        self.shelf = Shelf(layer, 0, Exact(0), Postings())
        self._sequence = self._filling = self._dimension = 0
        self._exact = True

    @classmethod
    def over(cls, below: "Mirror") -> Self:
        """Return a mirror of nothing but what changes from where ``below`` stands."""
        mirror = cls(below.layer, below.shelf)
        dimension = below._dimension
        mirror.shelf = Shelf(below.layer, dimension, Exact(dimension), Postings(whole=True))
        mirror._sequence, mirror._filling = below._sequence, below._filling
        mirror._dimension = dimension
        return mirror

    def catch_up(self, db: apsw.Connection) -> bool:
        """Bring the shelf up to what ``db`` sees; a shelf that is ahead of it stays, and False is returned."""
        newest, oldest, filling, dimension = first(db, queries.LOG_STATE)
        if not self.loaded or filling != self._filling or self._sequence < oldest - 1:
            self._load(db, dimension)
        elif newest > self._sequence:
            self._refresh(db)
            if self._unfit():
                self._load(db, dimension)
        else:
            return bool(newest == self._sequence)
        self._sequence, self._filling = newest, filling
        return True

    def _unfit(self) -> bool:
        outgrown = self._exact and self.shelf.embedded > EXACT_ROWS
        return outgrown or self.shelf.empty > max(len(self.shelf) // 2, WORTH_PACKING)

    def _load(self, db: apsw.Connection, dimension: int) -> None:
        exact = first(db, queries.EMBEDDED, (self.layer,))[0] <= EXACT_ROWS
        nearest: Nearest = Exact(dimension) if exact else Signs(dimension, _centre(db, self.layer))
        shelf = Shelf(self.layer, dimension, nearest, Postings())
        rows = list(select(db, queries.MIRROR_AFTER[self.layer], (0, _BATCH)))
        while rows:
            shelf.put(rows)
            rows = list(select(db, queries.MIRROR_AFTER[self.layer], (rows[-1][0], _BATCH)))
        self.shelf, self._dimension, self._exact = shelf, dimension, exact
        self.whole = self.loaded = True
        self._below = None

    def _refresh(self, db: apsw.Connection) -> None:
        found = list(select(db, queries.CHANGED_ROWS, (self._sequence, self.layer)))
        changed = sorted(row for row, _ in found)
        reworded = np.array([row for row, words in found if words], np.int64)
        if len(self.shelf.locate(reworded)):
            self.shelf.postings.forget()
        if self._below is not None:
            self.touched.update(changed)
            self.reworded = self.reworded or len(self._below.locate(reworded)) > 0
        self.shelf.drop(changed)
        for start in range(0, len(changed), _BATCH):
            some = apsw.carray(np.array(changed[start : start + _BATCH], np.int64))
            self.shelf.put(list(select(db, queries.MIRROR_ROWS[self.layer], (some,))))


def _centre(db: apsw.Connection, layer: Layer) -> Vector:
    sums = list(select(db, queries.TOTALS, (layer,)))
    total = np.sum([np.frombuffer(blob, np.float64) for blob, _ in sums], axis=0)
    centre: Vector = (total / sum(count for _, count in sums)).astype(np.float32)
    return centre


@dataclass(frozen=True, slots=True, eq=False)
class Laid:
    """A shelf before a reader; ``counts`` marks the slots that no other shelf has in a newer form (None: all).

    ``level``: the words that ``db`` finds are those of the rows on the shelf.
    """

    db: apsw.Connection
    shelf: Shelf
    level: bool
    counts: Mask | None = None

    def posting(self, token: str) -> Slots:
        """Return the slots that hold a token."""
        slots = self.shelf.postings.find(token, self._look_up, keep=self.level)
        return slots if self.counts is None else slots[self.counts[slots]]

    def _look_up(self, token: str) -> Slots:
        found: str | None = self.db.execute(queries.ROWS_WITH_TERM[self.shelf.layer], (f'"{token}"',)).get
        rows = np.fromstring(found, np.int64, sep=",") if found else np.zeros(0, np.int64)
        return self.shelf.locate(rows)


class Mirrors:
    """What is kept in memory of one store in one process. Safe to share between threads."""

    def __init__(self) -> None:
        self.decoded = {table: Decoded(table) for table in ("entity", "turn", "memory")}
        self._shared = {layer: Mirror(layer) for layer in Layer}
        self._locks = {layer: Lock() for layer in Layer}
        self._own: dict[Layer, Mirror] = {}

    def begin(self, db: apsw.Connection) -> None:
        """Catch up before a transaction writes: afterwards committed and own rows look alike."""
        for decoded in self.decoded.values():
            decoded.follow(db)
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

    def forget_rows(self) -> None:
        """Forget the texts of rows, some of which were erased."""
        for decoded in self.decoded.values():
            decoded.clear()

    @contextmanager
    def shelves(self, db: apsw.Connection, layer: Layer, *, wrote: bool) -> Iterator[list[Laid]]:
        """Give the shelves that together hold what ``db`` sees.

        ``wrote``: ``db`` is inside a transaction that has written.
        """
        with self._locks[layer]:
            shared = self._shared[layer]
            if not wrote:
                level = shared.catch_up(db)
                yield [Laid(db, shared.shelf, level)]
                return
            if layer not in self._own:
                self._own[layer] = Mirror.over(shared) if shared.loaded else Mirror(layer)
            own = self._own[layer]
            own.catch_up(db)
            if own.whole:
                yield [Laid(db, own.shelf, True)]
                return
            counts = np.ones(len(shared.shelf), np.bool_)
            counts[shared.shelf.locate(np.array(list(own.touched), np.int64))] = False
            yield [Laid(db, shared.shelf, not own.reworded, counts), Laid(db, own.shelf, True)]
