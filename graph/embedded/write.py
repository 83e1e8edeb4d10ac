"""Putting a delta into the file: rows, look-up tables, words, vectors."""

from collections.abc import Iterable
from typing import Any

import apsw

from mnemic.errors import NotFound
from mnemic.graph import encoding
from mnemic.graph.embedded import codec, queries
from mnemic.graph.embedded.books import Books
from mnemic.graph.embedded.select import first, select
from mnemic.graph.model import Embedded, Entity, GraphDelta, Layer, Memory, Name, Replaces, Turn

_EDGES = ("valid_from", "mentions", "episodes", "sources")
_LIFE = {
    *("recorded_at", "state", "retired_at", "valid_to", "closed_at", "expires_at", "importance"),
    *("confidence", "pinned", "access_count", "last_accessed_at", "profile", "profile_updated_at"),
}
"""Columns that hold nothing of what was said, or only what stands in a memory too: what they held before
may stay in SQLite's log."""


def adopt(db: apsw.Connection, embedder: str, dimension: int) -> bool:
    """Record the embedder and drop the vectors of another; tell whether it is another."""
    if first(db, queries.EMBEDDER) == (embedder, dimension):
        return False
    for layer in Layer:
        db.execute(queries.DROP_VECTORS[layer])
    db.execute(queries.DROP_TOTALS)
    db.execute(queries.ADOPT, (embedder, dimension))
    return True


def _loses(old: codec.Row, new: codec.Row) -> bool:
    """Tell whether something that was said stands in ``old`` and no longer in ``new``."""
    return any(old[name] != new[name] and not _extends(old[name], new[name]) for name in new.keys() - _LIFE)


def _extends(old: Any, new: Any) -> bool:
    """Tell whether ``new`` is the list ``old`` with more behind it, both in JSON."""
    return isinstance(old, str) and old[:1] == "[" and old[-1:] == "]" and new.startswith(old[:-1])


class Writer:
    """One write inside a transaction; :meth:`finish` ends it.

    ``overwrote`` tells whether something that was said has been written over or removed.
    """

    def __init__(self, db: apsw.Connection) -> None:
        self.db = db
        self.books = Books()
        self.overwrote = False
        self._owners: dict[str, int] = {}
        self._found: dict[tuple[str, str], tuple[int, int]] = {}

    def apply(self, delta: GraphDelta) -> None:
        """Write all of ``delta``; ends that an edge may need come first."""
        for turn in delta.turns:
            self.put_turn(turn)
        for entity in delta.entities:
            self.put_entity(entity)
        for memory in delta.memories:
            self.put_memory(memory)
        for newer, older in delta.reverted:
            self.revert(newer, older)
        for edge in delta.replaces:
            self.put_replaces(edge)
        self.put_vectors(delta.vectors)
        for owner, dropped in delta.dropped_names:
            self.drop_name(owner, dropped)
        for name in delta.names:
            self.put_name(name)

    def finish(self) -> None:
        """Bring the running sums and the change log up to date."""
        self.books.close(self.db)

    # -- rows ---------------------------------------------------------------------------------------

    def put_entity(self, entity: Entity) -> None:
        """Insert or replace an entity."""
        owner = self.owner(entity.owner)
        new = codec.write_entity(entity, owner)
        old = first(self.db, queries.OLD_ENTITY, (entity.id,))
        if old == tuple(new.values()):
            return
        self.overwrote = self.overwrote or (old is not None and _loses(dict(zip(new, old, strict=True)), new))
        row = self.db.execute(queries.PUT_ENTITY, new).get
        self.db.execute(queries.DROP_HANDLES, (row,))
        self.db.executemany(queries.PUT_HANDLE, [(handle, row) for handle in entity.handles])
        self.books.log(owner, "entity", entity.id, "entity", row)

    def put_turn(self, turn: Turn) -> None:
        """Insert or replace a turn."""
        self._put_row(Layer.TURN, codec.write_turn(turn, self.owner(turn.owner)))

    def put_memory(self, memory: Memory) -> None:
        """Insert or replace a memory with all its edges."""
        new = codec.write_memory(memory, self.owner(memory.owner))
        row, old = self._put_row(Layer.MEMORY, new)
        if old is None or any(old[name] != new[name] for name in _EDGES):
            self._put_edges(row, memory, new["valid_from"], fresh=old is None)

    def _put_row(self, layer: Layer, new: codec.Row) -> tuple[int, codec.Row | None]:
        """Upsert ``new`` with its words and sums; return its row and what stood there before."""
        found = first(self.db, queries.OLD_ROW[layer], (new["id"],))
        old = dict(zip(new, found[1:], strict=True)) if found else None
        if old == new:
            return found[0], old
        row: int = self.db.execute(queries.PUT_ROW[layer], new).get
        self._put_words(layer, row, old["terms"] if old else "", new["terms"])
        if old is not None:
            self.books.count(old["owner"], layer, old["length"], -1)
            self.overwrote = self.overwrote or _loses(old, new)
            if old["owner"] != new["owner"]:
                self._move_vector(layer, row, old["owner"], new["owner"])
        self.books.count(new["owner"], layer, new["length"], 1)
        words = old is None or old["terms"] != new["terms"]
        self.books.log(new["owner"], layer, new["id"], layer, row, words=words)
        return row, old

    def _put_words(self, layer: Layer, row: int, old: str, new: str) -> None:
        if old != new:
            if old:
                self.db.execute(queries.DROP_WORDS[layer], (row, old))
            if new:
                self.db.execute(queries.PUT_WORDS[layer], (row, new))

    def _put_edges(self, row: int, memory: Memory, valid_from: int, *, fresh: bool) -> None:
        if not fresh:
            for drop in (queries.DROP_MENTIONS, queries.DROP_EPISODES, queries.DROP_SOURCES):
                self.db.execute(drop, (row,))
        for mention in memory.mentions:
            self.db.execute(queries.PUT_MENTION, (row, self._row("entity", mention.entity), valid_from))
        for episode in memory.episodes:
            subject, other = self._row("entity", episode.subject), self._row("entity", episode.object)
            self.db.execute(queries.PUT_EPISODE, (row, subject, other, valid_from))
            self.db.execute(queries.PUT_EPISODE, (row, other, subject, valid_from))
        for turn in memory.sources:
            self.db.execute(queries.PUT_SOURCE, (row, self._row("turn", turn)))

    # -- vectors ------------------------------------------------------------------------------------

    def put_vectors(self, vectors: Iterable[Embedded]) -> None:
        """Insert or replace the vectors of rows that are there."""
        embedder, dimension = first(self.db, queries.EMBEDDER)
        for each in vectors:
            encoding.check_vectors(each, embedder, dimension)
            row, owner = self._find(each.layer, each.id)
            summary, detail = encoding.write_vector(each.summary), encoding.write_vector(each.detail)
            new = (summary, None if detail == summary else detail)
            old = first(self.db, queries.OLD_VECTOR[each.layer], (row,))
            if old == new:
                continue
            if old is not None:
                self.overwrote = True
                self.books.count_vector(owner, each.layer, old[1] or old[0], -1)
            self.db.execute(queries.PUT_VECTOR[each.layer], (row, *new))
            self.books.count_vector(owner, each.layer, detail, 1)
            self.books.log(owner, "vector", each.id, each.layer, row)

    def _move_vector(self, layer: Layer, row: int, old: int, new: int) -> None:
        for summary, detail in select(self.db, queries.OLD_VECTOR[layer], (row,)):
            self.books.count_vector(old, layer, detail or summary, -1)
            self.books.count_vector(new, layer, detail or summary, 1)

    # -- replaces, names ----------------------------------------------------------------------------

    def put_replaces(self, edge: Replaces) -> None:
        """Insert or replace a REPLACES edge."""
        (newer, owner), older = self._find("memory", edge.newer), self._row("memory", edge.older)
        new = codec.write_replaces(edge)
        old = first(self.db, queries.OLD_REPLACES, (newer, older))
        if old != new:
            self.overwrote = self.overwrote or old is not None
            self.db.execute(queries.PUT_REPLACES, (newer, older, *new))
            self.books.log(owner, "memory", edge.newer, Layer.MEMORY, newer)

    def revert(self, newer: str, older: str) -> None:
        """Remove a REPLACES edge; where there is none it does nothing."""
        for row, owner in list(select(self.db, queries.DROP_REPLACES, (newer, older))):
            self.overwrote = True
            self.books.log(owner, "memory", newer, Layer.MEMORY, row)

    def put_name(self, name: Name) -> None:
        """Insert or replace a dictionary entry."""
        new = (name.kind, encoding.write_json(name.aliases, "aliases"))
        old = first(self.db, queries.OLD_NAME, (name.owner, name.name))
        if old != new:
            self.overwrote = self.overwrote or old is not None
            self.db.execute(queries.PUT_NAME, (name.owner, name.name, *new))
            self.books.log(self._name_owner(name.owner), "name", "")

    def drop_name(self, owner: str, name: str) -> None:
        """Remove a dictionary entry; where there is none it does nothing."""
        if first(self.db, queries.DROP_NAME, (owner, name)) is not None:
            self.overwrote = True
            self.books.log(self._name_owner(owner), "name", "")

    def _name_owner(self, owner: str) -> int | None:
        return self.owner(owner) if owner else None

    # -- numbers of owners and rows -----------------------------------------------------------------

    def owner(self, name: str) -> int:
        """Return the number of the owner ``name``, who gets one when new."""
        if name not in self._owners:
            known = self.db.execute(queries.OWNER_NUMBER, (name,)).get
            self._owners[name] = known or self.db.execute(queries.PUT_OWNER, (name,)).get
        return self._owners[name]

    def _row(self, table: str, id: str) -> int:
        return self._find(table, id)[0]

    def _find(self, table: str, id: str) -> tuple[int, int]:
        """Return the row and the owner of what stands in ``table`` by this id, or raise ``NotFound``."""
        if (table, id) not in self._found:
            found = first(self.db, queries.ROW_OF[table], (id,))
            if found is None:
                raise NotFound(table, id)
            self._found[table, id] = found
        return self._found[table, id]
