"""What one reader has before it: a connection that sees the store as it was at one moment, and its memory."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import apsw
import numpy as np

from mnemic.graph.embedded import codec, queries
from mnemic.graph.embedded.connection import Transaction
from mnemic.graph.embedded.decoded import Load
from mnemic.graph.embedded.mirror import Mirrors
from mnemic.graph.embedded.select import select
from mnemic.graph.model import Entity, Memory, Turn

Owners = Mapping[int, str]
"""Names of owners by number."""


@dataclass(frozen=True, slots=True)
class Picture:
    """One unchanging picture of the store; ``transaction`` is the one that the reader is in, if any."""

    db: apsw.Connection
    mirrors: Mirrors
    transaction: Transaction | None = None

    @property
    def wrote(self) -> bool:
        """Tell whether the reader's own transaction has written, so that it alone sees what it wrote."""
        return self.transaction is not None and self.transaction.wrote

    def memories(self, rows: Sequence[int], owners: Owners) -> list[Memory]:
        """Return the memories in these rows, in this order."""
        return list(self.at("memory", rows, owners).values())

    def turns(self, rows: Sequence[int], owners: Owners) -> list[Turn]:
        """Return the turns in these rows, in this order."""
        return list(self.at("turn", rows, owners).values())

    def entities(self, rows: Sequence[int], owners: Owners) -> list[Entity]:
        """Return the entities in these rows, in this order."""
        return list(self.at("entity", rows, owners).values())

    @staticmethod
    def _own(touched: dict[int, Any], rows: Sequence[int], load: Load) -> dict[int, Any]:
        """Return those of the rows that the reader's own transaction changed; None for one that is gone."""
        unread = [row for row in rows if row in touched and touched[row] is None]
        if unread:
            touched.update(load(unread))
        return {row: touched[row] for row in rows if row in touched}

    def at(self, table: str, rows: Sequence[int], owners: Owners) -> dict[int, Any]:
        """Return what stands in these rows of a table, in this order.

        Left out are rows that are not there, and whatever belongs to others than ``owners``.
        """

        def load(missing: Sequence[int]) -> dict[int, Any]:
            wanted = apsw.carray(np.array(missing, np.int64))
            found = select(self.db, queries.ROWS[table], (wanted,))
            return {
                row: codec.READ[table](columns, owners) for row, *columns in found if columns[1] in owners
            }

        if not rows:
            return {}
        decoded = self.mirrors.decoded[table]
        if self.transaction is not None and self.transaction.wrote:
            found = self._own(self.transaction.touched[table], rows, load)
            found |= decoded.read([row for row in rows if row not in found], load)
        elif decoded.follow(self.db):
            found = decoded.read(rows, load)
        else:
            found = load(rows)
        names = frozenset(owners.values())
        return {row: found[row] for row in rows if found.get(row) is not None and found[row].owner in names}
