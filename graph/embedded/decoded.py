"""Rows as they were last read: what is read often is fetched and decoded once.

Kept fresh by the change log, across threads and processes: a row that has changed is forgotten. A reader
whose picture of the store is older than what is kept here, and a transaction that changed a row itself,
read from the file.
"""

from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from threading import Lock
from typing import Any

import apsw

from mnemic.graph.embedded import queries
from mnemic.graph.embedded.select import first, select

KEPT = 10_000
"""So many rows of a table are kept, those that were read last: about 30 MB of memories."""

Load = Callable[[Sequence[int]], Mapping[int, Any]]
"""Reads rows from the file."""


class Decoded:
    """The rows of one table that were read last. Safe to share between threads."""

    def __init__(self, table: str) -> None:
        self._table = table
        self._rows: OrderedDict[int, Any] = OrderedDict()
        self._sequence = 0
        self._lock = Lock()

    def follow(self, db: apsw.Connection) -> bool:
        """Forget what has changed by what ``db`` sees; tell whether what is kept is what ``db`` sees."""
        with self._lock:
            newest, oldest = first(db, queries.LOG_ENDS)
            if newest > self._sequence:
                if self._sequence < oldest - 1:
                    self._rows.clear()
                elif self._rows:
                    for row, _ in select(db, queries.CHANGED_ROWS, (self._sequence, self._table)):
                        self._rows.pop(row, None)
                self._sequence = newest
            return bool(newest == self._sequence)

    def read(self, wanted: Sequence[int], load: Load) -> dict[int, Any]:
        """Return the rows ``wanted``; call it where :meth:`follow` agrees, not of rows that a transaction changed."""
        with self._lock:
            found = {row: self._rows[row] for row in wanted if row in self._rows}
            for row in found:
                self._rows.move_to_end(row)
            sequence = self._sequence
        missing = [row for row in wanted if row not in found]
        if missing:
            loaded = load(missing)
            self._keep(loaded, sequence)
            found |= loaded
        return found

    def clear(self) -> None:
        """Forget everything."""
        with self._lock:
            self._rows.clear()

    def _keep(self, loaded: Mapping[int, Any], sequence: int) -> None:
        with self._lock:
            if self._sequence == sequence:  # else it may have changed since
                self._rows.update(loaded)
                while len(self._rows) > KEPT:
                    self._rows.popitem(last=False)
