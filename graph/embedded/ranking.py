"""The best of a channel: by score, then newer time, then id."""

from collections.abc import Sequence
from dataclasses import dataclass

import apsw
import numpy as np
from numpy.typing import NDArray

from mnemic.graph.embedded import queries
from mnemic.graph.embedded.select import select
from mnemic.graph.embedded.shelf import Shelf
from mnemic.graph.embedded.vectors import Slots
from mnemic.graph.model import Layer


@dataclass(frozen=True, slots=True)
class Ranking:
    """Rows with their scores and times, in no order."""

    rows: NDArray[np.int64]
    scores: NDArray[np.floating]
    times: NDArray[np.int64]

    @classmethod
    def on(cls, shelf: Shelf, slots: Slots, scores: NDArray[np.floating], limit: int) -> "Ranking":
        """Return of ``slots`` with their ``scores`` the ``limit`` best and all that equal the last."""
        if len(slots) > limit:
            last = np.partition(scores, len(scores) - limit)[len(scores) - limit]
            slots, scores = slots[scores >= last], scores[scores >= last]
        return cls(shelf.rows(slots), scores, shelf.number("valid_from")[slots])


def best(db: apsw.Connection, layer: Layer, rankings: Sequence[Ranking], limit: int) -> list[int]:
    """Return the ``limit`` best rows of ``rankings``; only a tie across the limit needs the ids."""
    rows = np.concatenate([ranking.rows for ranking in rankings])
    if len(rows) <= limit:
        return [int(row) for row in rows]
    scores = np.concatenate([ranking.scores for ranking in rankings])
    times = np.concatenate([ranking.times for ranking in rankings])
    order = np.lexsort((-times, -scores))
    rows, scores, times = rows[order], scores[order], times[order]
    tied = np.flatnonzero((scores == scores[limit - 1]) & (times == times[limit - 1]))
    first, last = int(tied[0]), int(tied[-1]) + 1
    if last <= limit:
        return [int(row) for row in rows[:limit]]
    by_id = select(db, queries.BY_ID[layer], (apsw.carray(rows[first:last]), limit - first))
    return [int(row) for row in rows[:first]] + [row for (row,) in by_id]
