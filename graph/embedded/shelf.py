"""One layer's rows as columns of numbers: filtered and scored by whole columns at once.

:meth:`Shelf.shown` has the meaning of :meth:`View.shows`, :meth:`Shelf.passing` that of a probe's
filters.
"""

import json
from collections.abc import Callable, Collection, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mnemic.graph.embedded.postings import Postings
from mnemic.graph.embedded.vectors import Nearest, Slots, Towards, grown
from mnemic.graph.encoding import instant, read_vectors
from mnemic.graph.model import Layer, Vector
from mnemic.graph.store import Probe
from mnemic.graph.view import View

Mask = NDArray[np.bool_]

NUMBERS = (
    *("owner", "recorded_at", "retired_at", "valid_from", "valid_to", "closed_at", "expires_at"),
    "length",
)
NAMES = ("state", "kind", "session", "speaker", "tags")
"""A shelf is filled with rows of: ``row``, ``NUMBERS``, ``NAMES``, vector, terms.

The terms (as they are written for the index) may be left out where no postings are kept yet.
"""

_VECTOR = 1 + len(NUMBERS) + len(NAMES)
_SMALLEST = 1024


class Shelf:
    """Rows in slots. A slot is never used for a second row; what is gone leaves it empty."""

    def __init__(self, layer: Layer, dimension: int, nearest: Nearest, postings: Postings) -> None:
        self.layer, self.postings, self._dimension = layer, postings, dimension
        self._nearest = nearest
        self._used = 0
        self._rows: NDArray[np.int64] = np.zeros(0, np.int64)
        self._slot_of: NDArray[np.int32] = np.zeros(0, np.int32)  # 1 + slot, by row; 0: not here
        self._numbers = {name: np.zeros(0, np.int64) for name in NUMBERS}
        self._names = {name: np.zeros(0, np.int32) for name in NAMES}
        self._codes: dict[str, dict[str | None, int]] = {name: {} for name in NAMES}
        self._held: Mask = np.zeros(0, np.bool_)
        self._embedded: Mask = np.zeros(0, np.bool_)

    # -- filling ------------------------------------------------------------------------------------

    def put(self, rows: Sequence[Sequence[Any]]) -> None:
        """Set rows, new or known."""
        if not rows:
            return
        columns = list(zip(*rows, strict=True))
        first = self._used
        slots = self._claim(np.array(columns[0], np.int64))
        for name, values in zip(NUMBERS, columns[1:], strict=False):
            self._numbers[name][slots] = values
        for name, values in zip(NAMES, columns[1 + len(NUMBERS) :], strict=False):
            codes = self._codes[name]
            self._names[name][slots] = [codes.setdefault(value, len(codes)) for value in values]
        self._held[slots] = True
        self._embed(slots, columns[_VECTOR])
        for slot, terms in zip(slots.tolist(), columns[_VECTOR + 1], strict=True):
            if terms and slot >= first:
                self.postings.add(slot, terms.split(" "))

    def drop(self, rows: Collection[int]) -> None:
        """Empty the slots of ``rows``; those that are not here are no-ops."""
        self._held[self.locate(np.array(list(rows), np.int64))] = False

    def _embed(self, slots: Slots, vectors: Sequence[bytes | None]) -> None:
        has = np.array([blob is not None for blob in vectors], np.bool_)
        self._embedded[slots] = has
        if has.any():
            blobs = [blob for blob in vectors if blob is not None]
            self._nearest.put(slots[has], read_vectors(blobs, self._dimension))

    def _claim(self, rows: NDArray[np.int64]) -> Slots:
        """Return the slots of distinct ``rows``, with new ones for the new."""
        if rows.max() >= len(self._slot_of):
            self._slot_of = grown(self._slot_of, 2 * int(rows.max()) + 1)
        fresh = rows[self._slot_of[rows] == 0]
        last = self._used + len(fresh)
        if last > len(self._rows):
            self._grow(max(2 * last, _SMALLEST))
        self._rows[self._used : last] = fresh
        self._slot_of[fresh] = np.arange(self._used + 1, last + 1)
        self._used = last
        return self._slot_of[rows].astype(np.intp) - 1

    def _grow(self, capacity: int) -> None:
        self._rows = grown(self._rows, capacity)
        self._held, self._embedded = grown(self._held, capacity), grown(self._embedded, capacity)
        self._numbers = {name: grown(column, capacity) for name, column in self._numbers.items()}
        self._names = {name: grown(column, capacity) for name, column in self._names.items()}
        self._nearest.grow(capacity)

    # -- looking ------------------------------------------------------------------------------------

    def __len__(self) -> int:
        """Return how many slots are in use, empty ones included."""
        return self._used

    @property
    def empty(self) -> int:
        """Return how many slots hold nothing any more."""
        return self._used - int(self._held.sum())

    @property
    def embedded(self) -> int:
        """Return how many rows have vectors."""
        return int((self._held & self._embedded).sum())

    def number(self, name: str) -> NDArray[np.int64]:
        """Return one of the columns ``NUMBERS``."""
        return self._numbers[name][: self._used]

    def rows(self, slots: Slots) -> NDArray[np.int64]:
        """Return the rows in these slots."""
        return self._rows[slots]

    def locate(self, rows: NDArray[np.int64]) -> Slots:
        """Return the slots of those of ``rows`` that are here."""
        slots = self._slot_of[rows[rows < len(self._slot_of)]].astype(np.intp)
        return slots[slots > 0] - 1

    def owned(self, owners: Collection[int]) -> Mask:
        """Mark the rows of these owners (numbers)."""
        mask: Mask = np.zeros(self._used, np.bool_)
        for owner in owners:
            mask |= self.number("owner") == owner
        return mask & self._held[: self._used]

    def shown(self, view: View) -> Mask:
        """Mark the rows that the clocks and states of ``view`` show, whoever owns them."""
        valid, known = instant(view.valid), instant(view.known)
        begun: Mask = self.number("valid_from") <= valid
        if self.layer is Layer.TURN:
            return begun
        ended = (self.number("valid_to") <= valid) & (self.number("closed_at") <= known)
        believed = (self.number("recorded_at") <= known) & (self.number("retired_at") > known)
        counted = self._named("state", lambda state: state in view.states)
        return begun & ~ended & believed & counted & (self.number("expires_at") > valid)

    def passing(self, probe: Probe) -> Mask:
        """Mark the rows that the filters of ``probe`` let through."""
        mask: Mask = np.ones(self._used, np.bool_)
        if probe.kinds:
            mask &= self._named("kind", lambda kind: kind in probe.kinds)
        if probe.sessions:
            mask &= self._named("session", lambda session: session in probe.sessions)
        if probe.speakers:
            mask &= self._named("speaker", lambda speaker: speaker in probe.speakers)
        if probe.tags:
            mask &= self._named("tags", lambda tags: not probe.tags.isdisjoint(json.loads(tags)))
        return mask

    def towards(self, query: Vector) -> Towards:
        """Return the search for what is near ``query``."""
        return self._nearest.towards(query)

    def with_vectors(self, among: Mask) -> Slots:
        """Return the slots of ``among`` that have vectors."""
        return np.flatnonzero(among & self._embedded[: self._used])

    def _named(self, name: str, test: Callable[[str], bool]) -> Mask:
        """Mark the rows whose ``name`` passes ``test``; a row without it does not."""
        verdicts = np.array([code is not None and test(code) for code in self._codes[name]], np.bool_)
        marked: Mask = verdicts[self._names[name][: self._used]] if len(verdicts) else verdicts
        return marked
