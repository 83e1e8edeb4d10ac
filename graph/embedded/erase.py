"""Removing rows so that nothing of them is left in the file.

SQLite writes zeros over what it frees (``secure_delete``) and FTS5 takes a term out of its pages at
once (``secure-delete``). Two places remain: SQLite's log, which is emptied after the transaction, and
the separators between the pages of the word index, which may repeat the beginning of a term that is
gone; where one does, the index is built anew.
"""

from bisect import bisect_left
from collections.abc import Iterable, Sequence

import apsw

from mnemic.graph.detach import without
from mnemic.graph.embedded import codec, queries
from mnemic.graph.embedded.select import first, select
from mnemic.graph.embedded.write import Writer
from mnemic.graph.model import Layer

REBUILD_FROM = 2_000
"""From so many rows on, building the word index anew is quicker than taking them out one by one."""

_Found = dict[str, tuple[int, int]]
"""Row and owner's number by id."""


class Eraser:
    """One removal inside a transaction."""

    def __init__(self, db: apsw.Connection) -> None:
        self._db = db
        self.writer = Writer(db)
        self.records = 0

    def erase(
        self, *, owners: Sequence[str], memories: Sequence[str], turns: Sequence[str], entities: Sequence[str]
    ) -> int:
        """Remove these rows with their edges and vectors; return how many rows there were.

        ``records`` counts what went beside the graph.
        """
        numbers = [number for name in owners for (number,) in select(self._db, queries.OWNER_NUMBER, (name,))]
        doomed = {
            "memory": self._find("memory", memories, numbers),
            "turn": self._find("turn", turns, numbers),
            "entity": self._find("entity", entities, numbers),
        }
        self._drop_rows(Layer.MEMORY, doomed["memory"])
        self._detach(doomed["turn"], doomed["entity"])
        for row, _ in doomed["turn"].values():
            self._drop_records(queries.RECORDS_ABOUT, row)
        self._drop_rows(Layer.TURN, doomed["turn"])
        for id, (row, owner) in doomed["entity"].items():
            self._db.execute(queries.DROP_ENTITY, (row,))
            self.writer.books.log(owner, "erased", id, "entity", row)
        for name in owners:
            self._db.execute(queries.DROP_NAMES, (name,))
            self._drop_records(queries.RECORDS_OF_OWNER, name)
        for number in numbers:
            self.writer.books.forget_owner(number)
            self._db.execute(queries.DROP_CORPUS, (number,))
            self._db.execute(queries.DROP_OWNER, (number,))
        self.writer.finish()
        for number in numbers:
            self._db.execute(queries.BLANK_LOG, (number,))
        return sum(map(len, doomed.values()))

    def _find(self, table: str, ids: Iterable[str], owners: Iterable[int]) -> _Found:
        """Return those of ``ids`` that are there, and all that ``owners`` have."""
        found: _Found = {}
        for id in ids:
            known = first(self._db, queries.ROW_OF[table], (id,))
            if known is not None:
                found[id] = known
        for owner in owners:
            found.update(
                {id: (row, owner) for id, row in select(self._db, queries.OF_OWNER[table], (owner,))}
            )
        return found

    def _drop_records(self, statement: str, whose: str | int) -> None:
        self.records += len(list(select(self._db, statement, (whose,))))

    def _drop_rows(self, layer: Layer, doomed: _Found) -> None:
        books, rebuild = self.writer.books, len(doomed) >= REBUILD_FROM
        tokens: set[str] = set()
        for id, (row, owner) in doomed.items():
            terms, length, detail = first(self._db, queries.DOOMED_ROW[layer], (row,))
            if terms and not rebuild:
                self._db.execute(queries.DROP_WORDS[layer], (row, terms))
                tokens.update(terms.split(" "))
            if detail is not None:
                books.count_vector(owner, layer, detail, -1)
            books.count(owner, layer, length, -1)
            self._db.execute(queries.DROP_ROW[layer], (row,))
            books.log(owner, "erased", id, layer, row, words=True)
        if rebuild or self._left_over(layer, sorted(token.encode() for token in tokens)):
            self._db.execute(queries.REBUILD_WORDS[layer])

    def _left_over(self, layer: Layer, gone: Sequence[bytes]) -> bool:
        """Tell whether a separator of the word index begins like a token that is gone and like no other."""
        for (separator,) in list(select(self._db, queries.SEPARATORS[layer])) if gone else ():
            start = bytes(separator)[1:]  # the first byte names the index within FTS5
            at = bisect_left(gone, start)
            said = start.partition(b"x")[2]  # behind the owner's number
            if said and at < len(gone) and gone[at].startswith(start) and not self._stands(layer, start):
                return True
        return False

    def _stands(self, layer: Layer, start: bytes) -> bool:
        """Tell whether some token in the index begins with ``start``, which may end inside a character."""
        whole = start.decode(errors="ignore")
        tokens = select(self._db, queries.TOKENS_FROM[layer], (whole, whole + "\U0010ffff"))
        return any(token.encode().startswith(start) for (token,) in tokens)

    def _detach(self, turns: _Found, entities: _Found) -> None:
        """Take turns and entities that are going out of the memories that stay."""
        touched = [m for row, _ in turns.values() for m in select(self._db, queries.MEMORIES_OF_TURN, (row,))]
        touched += [
            m for row, _ in entities.values() for m in select(self._db, queries.MEMORIES_OF_ENTITY, (row,))
        ]
        owners = dict(select(self._db, queries.ALL_OWNERS)) if touched else {}
        for (id,) in dict.fromkeys(touched):
            columns = first(self._db, queries.OLD_ROW[Layer.MEMORY], (id,))[1:]
            self.writer.put_memory(without(codec.read_memory(columns, owners), turns, entities))
