"""The running sums and the change log: what one write adds to them, and putting it down at its end."""

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass

import apsw
import numpy as np
from numpy.typing import NDArray

from mnemic.graph.embedded import queries
from mnemic.graph.model import Layer
from mnemic.graph.store import LOG_KEPT


@dataclass(slots=True)
class _Sum:
    rows: int = 0
    terms: int = 0
    vectors: int = 0
    total: NDArray[np.float64] | None = None


class Books:
    """What one write changes in the sums of each owner and layer, and in the log."""

    def __init__(self) -> None:
        self._sums: defaultdict[tuple[int, Layer], _Sum] = defaultdict(_Sum)
        self._log: list[tuple[int | None, str, str, str | None, int | None, bool]] = []

    @property
    def touched(self) -> Iterator[tuple[str, int]]:
        """Yield table and row of what was changed."""
        return ((table, row) for _, _, _, table, row, _ in self._log if table is not None and row is not None)

    def count(self, owner: int, layer: Layer, terms: int, sign: int) -> None:
        """Add (``sign`` 1) or take away (-1) a row with so many terms."""
        change = self._sums[owner, layer]
        change.rows += sign
        change.terms += sign * terms

    def count_vector(self, owner: int, layer: Layer, detail: bytes, sign: int) -> None:
        """Add or take away a stored detail vector."""
        change = self._sums[owner, layer]
        change.vectors += sign
        vector = sign * np.frombuffer(detail, np.float16).astype(np.float64)
        change.total = vector if change.total is None else change.total + vector

    def log(
        self,
        owner: int | None,
        kind: str,
        id: str,
        table: str | None = None,
        row: int | None = None,
        *,
        words: bool = False,
    ) -> None:
        """Note a change; with ``table`` and ``row`` where it is a row that is kept in memory.

        ``words``: it is found by other words than before.
        """
        self._log.append((owner, kind, id, table, row, words))

    def forget_owner(self, owner: int) -> None:
        """Leave out the sums of an owner that is going."""
        for layer in Layer:
            self._sums.pop((owner, layer), None)

    def close(self, db: apsw.Connection) -> None:
        """Put everything down."""
        for (owner, layer), change in self._sums.items():
            db.execute(queries.COUNT, (owner, layer, change.rows, change.terms, change.vectors))
            if change.total is not None:
                old = db.execute(queries.TOTAL, (owner, layer)).get
                total = change.total if old is None else np.frombuffer(old, np.float64) + change.total
                db.execute(queries.PUT_TOTAL, (total.tobytes(), owner, layer))
        if self._log:
            db.executemany(queries.LOG, self._log)
            db.execute(queries.SHORTEN_LOG, (LOG_KEPT,))
