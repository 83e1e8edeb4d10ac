"""The running sums of each owner and the change log: what one write adds to them, put down at its end."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mnemic.errors import EmbedderMismatch
from mnemic.graph.model import Layer
from mnemic.graph.neo4j.connection import Log, Run
from mnemic.graph.neo4j.queries import writing
from mnemic.graph.store import LOG_KEPT

Total = NDArray[np.float64]
Vectors = dict[Layer, dict[str, int]]
"""How many vectors each owner has, by layer."""


@dataclass(slots=True)
class _Sums:
    """What changes for one owner, and the sums of the detail vectors as they stand.

    The sums are float64, in which sums of float16 numbers are exact: what is taken away leaves no error.
    """

    totals: dict[Layer, Total | None]
    counts: defaultdict[str, int] = field(default_factory=lambda: defaultdict(int))
    touched: bool = False


class Books:
    """The books of one write. An owner's are locked when they are opened, until the transaction ends."""

    def __init__(self, run: Run, tenant: str, log: Log) -> None:
        self._run, self._tenant, self._log = run, tenant, log
        self._sums: dict[str, _Sums] = {}

    def open(self, owners: Iterable[str]) -> None:
        """Lock the books of ``owners``, in a settled order so that two writers do not wait for each other."""
        missing = sorted({owner for owner in owners if owner} - self._sums.keys())
        if not missing:
            return
        for name, *totals in self._run(writing.LOCK, {"tenant": self._tenant, "names": missing}):
            read = [None if total is None else np.frombuffer(total, np.float64) for total in totals]
            self._sums[name] = _Sums(dict(zip((Layer.MEMORY, Layer.TURN), read, strict=True)))

    def count(self, owner: str, what: str, terms: int, sign: int) -> None:
        """Add (``sign`` 1) or take away (-1) a row of ``what`` with so many terms."""
        sums = self._of(owner)
        sums.counts[f"{what}_rows"] += sign
        sums.counts[f"{what}_terms"] += sign * terms

    def count_vector(self, owner: str, layer: Layer, detail: bytes, sign: int) -> None:
        """Add or take away a stored detail vector."""
        sums = self._of(owner)
        sums.counts[f"{layer.value}_vectors"] += sign
        vector = sign * np.frombuffer(detail, np.float16).astype(np.float64)
        total = sums.totals[layer]
        sums.totals[layer] = vector if total is None or total.shape != vector.shape else total + vector

    def log(self, owner: str, kind: str, id: str) -> None:
        """Note a change."""
        if owner:
            self._of(owner)
        self._log.append((owner, kind, id))

    def close(self, *, without: Sequence[str] = ()) -> Vectors:
        """Put everything down, and drop the books of the owners ``without``, who are going, and their names.

        Returns how many vectors the others have now.
        """
        rows = [
            self._row(name, sums) for name, sums in self._sums.items() if sums.touched and name not in without
        ]
        counts: Vectors = {Layer.MEMORY: {}, Layer.TURN: {}}
        if rows:
            for name, memories, turns in self._run(writing.PUT_BOOKS, {"tenant": self._tenant, "rows": rows}):
                counts[Layer.MEMORY][name], counts[Layer.TURN][name] = memories, turns
        if without:
            for statement in (writing.DROP_OWNERS, writing.FORGET_OWNERS):
                self._run(statement, {"tenant": self._tenant, "names": list(without)})
            self._log[:] = [
                ("", kind, "") if owner in without else (owner, kind, id) for owner, kind, id in self._log
            ]
        return counts

    def _of(self, owner: str) -> _Sums:
        self.open([owner])
        sums = self._sums[owner]
        sums.touched = True
        return sums

    def _row(self, name: str, sums: _Sums) -> dict[str, Any]:
        totals = {
            f"{layer.value}_total": None if total is None else total.tobytes()
            for layer, total in sums.totals.items()
        }
        counted = ("rows", "terms", "vectors")
        counts = {f"{what}_{each}": 0 for what in ("entity", "memory", "turn") for each in counted}
        return {"name": name, **counts, **sums.counts, **totals}


def put_down(run: Run, tenant: str, log: Log) -> None:
    """Write the log of a transaction, under the next numbers.

    Raises ``EmbedderMismatch`` where somebody has changed the embedder since its vectors were written: from
    here on the tenant is locked, and nobody can.
    """
    if log:
        owners, kinds, ids = (list(column) for column in zip(*log, strict=True))
        ((embedder, dimension),) = run(
            writing.LOG, {"tenant": tenant, "owners": owners, "kinds": kinds, "ids": ids, "kept": LOG_KEPT}
        )
        if log.embedder not in (None, (embedder, dimension)):
            raise EmbedderMismatch(
                f"vectors: the store went over to the embedder {embedder!r} meanwhile; open it again, and tell it again"
            )
