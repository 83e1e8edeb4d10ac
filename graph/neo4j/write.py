"""Putting a delta into the graph: what stands there is read first, then only what differs is written."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from mnemic.errors import NotFound
from mnemic.graph.encoding import check_vectors, read_replaces, write_vector
from mnemic.graph.model import Entity, GraphDelta, Layer, Memory, Name, Replaces, State, Turn
from mnemic.graph.neo4j import codec
from mnemic.graph.neo4j.books import Books, Vectors
from mnemic.graph.neo4j.connection import Log, Run
from mnemic.graph.neo4j.queries import writing

_Packed = tuple[bytes, bytes | None]
"""A row's stored vectors; the detail is None where it equals the summary."""


_AT_ONCE = 100
"""Rows of one statement: the server writes them while the next ones are packed."""


@dataclass(frozen=True, slots=True)
class _Before:
    """What stands in the store of all that a delta touches."""

    embedder: str
    dimension: int
    rows: Mapping[Layer, Mapping[str, Memory | Turn]]
    packed: Mapping[Layer, Mapping[str, _Packed]]
    entities: Mapping[str, Entity]
    edges: Mapping[tuple[str, str], Replaces]
    names: Mapping[tuple[str, str], Name]
    owners: Mapping[str, str]
    turns: frozenset[str]
    known: frozenset[str]


class Writer:
    """One delta inside a transaction. Everything is checked before the first statement that writes."""

    def __init__(self, run: Run, tenant: str, log: Log, delta: GraphDelta) -> None:
        self._run, self._tenant, self._log, self._delta = run, tenant, log, delta
        self.books = Books(run, tenant, log)
        self._memories = {row.id: row for row in delta.memories}
        self._turns = {row.id: row for row in delta.turns}
        self._entities = {row.id: row for row in delta.entities}

    def apply(self) -> Vectors:
        """Write all of the delta; return how many vectors its owners have then."""
        encoded = self._encoded()
        self.books.open(self._owners())
        before = self._before()
        self._check(before)
        turns = self._changed(Layer.TURN, self._turns, before)
        memories = self._changed(Layer.MEMORY, self._memories, before)
        entities = [row for row in self._entities.values() if before.entities.get(row.id) != row]
        vectors = self._vectors(before)
        self._put_turns(turns, before, encoded)
        self._put_entities(entities, before, encoded)
        self._put_memories(memories, before, encoded)
        self._put_vectors(vectors)
        self._put_edges(before)
        self._put_names(before)
        return self.books.close()

    def _encoded(self) -> dict[str, dict[str, Any]]:
        """Return every row's properties, which also finds what cannot be stored."""
        return {
            "turn": {row.id: codec.write_turn(row, self._tenant) for row in self._turns.values()},
            "entity": {row.id: codec.write_entity(row, self._tenant) for row in self._entities.values()},
            "memory": {row.id: codec.write_memory(row, self._tenant) for row in self._memories.values()},
        }

    def _owners(self) -> set[str]:
        rows: Iterable[Memory | Turn | Entity] = (
            *self._memories.values(),
            *self._turns.values(),
            *self._entities.values(),
        )
        return {row.owner for row in rows} | {name.owner for name in self._delta.names}

    # -- what stands there --------------------------------------------------------------------------

    def _before(self) -> _Before:
        delta = self._delta
        embedded: dict[Layer, list[str]] = {layer: [] for layer in Layer}
        for each in delta.vectors:
            embedded[each.layer].append(each.id)
        edges = [(edge.newer, edge.older) for edge in delta.replaces] + list(delta.reverted)
        mentioned = {mention.entity for row in self._memories.values() for mention in row.mentions}
        walked = {
            end for row in self._memories.values() for e in row.episodes for end in (e.subject, e.object)
        }
        ((embedder, dimension, memories, turns, entities, replaces, names, owners, told, known),) = self._run(
            writing.BEFORE,
            {
                "tenant": self._tenant,
                "memories": list(dict.fromkeys([*self._memories, *embedded[Layer.MEMORY]])),
                "turns": list(dict.fromkeys([*self._turns, *embedded[Layer.TURN]])),
                "entities": list(self._entities),
                "edges": [list(edge) for edge in dict.fromkeys(edges)],
                "names": [[name.owner, name.name] for name in delta.names]
                + [list(dropped) for dropped in delta.dropped_names],
                "ends_memories": list(dict.fromkeys(end for edge in edges for end in edge)),
                "ends_turns": list({turn for row in self._memories.values() for turn in row.sources}),
                "ends_entities": list(mentioned | walked),
            },
        )
        found = {Layer.MEMORY: memories, Layer.TURN: turns}
        return _Before(
            embedder,
            dimension,
            {layer: {id: codec.READ[layer](row) for id, row, *_ in found[layer]} for layer in Layer},
            {
                layer: {id: (summary, detail) for id, _, summary, detail in found[layer] if summary}
                for layer in Layer
            },
            {entity.id: entity for entity in map(codec.read_entity, entities)},
            {(row[0], row[1]): read_replaces(row) for row in replaces},
            {(row[3], row[0]): codec.read_name(row) for row in names},
            dict(owners),
            frozenset(told),
            frozenset(known),
        )

    def _check(self, before: _Before) -> None:
        """Raise for an edge into nothing, and for vectors that do not belong here."""
        entities, turns = before.known | self._entities.keys(), before.turns | self._turns.keys()
        for memory in self._memories.values():
            for mention in memory.mentions:
                _require(mention.entity in entities, "entity", mention.entity)
            for episode in memory.episodes:
                _require(episode.subject in entities, "entity", episode.subject)
                _require(episode.object in entities, "entity", episode.object)
            for turn in memory.sources:
                _require(turn in turns, "turn", turn)
        for edge in self._delta.replaces:
            for end in (edge.newer, edge.older):
                _require(end in self._memories or end in before.owners, "memory", end)
        if self._delta.vectors:
            self._log.embedder = before.embedder, before.dimension
        for each in self._delta.vectors:
            check_vectors(each, before.embedder, before.dimension)
            _require(self._row(each.layer, each.id, before) is not None, each.layer.value, each.id)

    def _row(self, layer: Layer, id: str, before: _Before) -> Memory | Turn | None:
        """Return the row as it is after this write."""
        new = self._memories.get(id) if layer is Layer.MEMORY else self._turns.get(id)
        return new or before.rows[layer].get(id)

    # -- rows ---------------------------------------------------------------------------------------

    def _changed(
        self, layer: Layer, rows: Mapping[str, Memory | Turn], before: _Before
    ) -> list[tuple[Any, Any]]:
        """Return the rows that differ from what stands there, each with that; the books follow."""
        changed = []
        for row in rows.values():
            old = before.rows[layer].get(row.id)
            if old is not None and _same(old, row):
                continue
            changed.append((row, old))
            if old is not None:
                self.books.count(old.owner, layer.value, len(old.terms), -1)
                if row.id in before.packed[layer] and old.owner != row.owner:
                    summary, detail = before.packed[layer][row.id]
                    self.books.count_vector(old.owner, layer, detail or summary, -1)
                    self.books.count_vector(row.owner, layer, detail or summary, 1)
            self.books.count(row.owner, layer.value, len(row.terms), 1)
            self.books.log(row.owner, layer.value, row.id)
        return changed

    def _put_turns(
        self, changed: Sequence[tuple[Turn, Turn | None]], before: _Before, encoded: Mapping[str, Any]
    ) -> None:
        self._write(writing.PUT_TURNS, rows=[encoded["turn"][row.id] for row, _ in changed])
        moved = [
            (row, old)
            for row, old in changed
            if old is None or (old.owner, old.session) != (row.owner, row.session)
        ]
        self._write(writing.DROP_IN, ids=[row.id for row, old in moved if old is not None])
        self._write(writing.PUT_IN, ids=[row.id for row, _ in moved])

    def _put_entities(self, changed: Sequence[Entity], before: _Before, encoded: Mapping[str, Any]) -> None:
        self._write(writing.PUT_ENTITIES, rows=[encoded["entity"][row.id] for row in changed])
        renamed = []
        for row in changed:
            old = before.entities.get(row.id)
            if old is not None:
                self.books.count(old.owner, "entity", 0, -1)
            self.books.count(row.owner, "entity", 0, 1)
            self.books.log(row.owner, "entity", row.id)
            if old is None or (old.handles, old.owner) != (row.handles, row.owner):
                renamed.append(row)
        self._write(writing.DROP_HANDLES, ids=[row.id for row in renamed if row.id in before.entities])
        self._write(
            writing.PUT_HANDLES,
            rows=[{"entity": row.id, "text": text} for row in renamed for text in dict.fromkeys(row.handles)],
        )

    def _put_memories(
        self, changed: Sequence[tuple[Memory, Memory | None]], before: _Before, encoded: Mapping[str, Any]
    ) -> None:
        self._write(writing.PUT_MEMORIES, rows=[encoded["memory"][row.id] for row, _ in changed])
        rewired = [(row, old) for row, old in changed if old is None or _edges(old) != _edges(row)]
        stale = [row.id for row, old in rewired if old is not None]
        self._write(writing.DROP_EDGES, ids=stale)
        self._write(writing.DROP_EPISODES, ids=stale)
        rows = [row for row, _ in rewired]
        self._write(
            writing.PUT_MENTIONS,
            rows=[
                [row.id, entity, m.start, m.end, m.alias, m.role]
                for row in rows
                for entity, m in {each.entity: each for each in reversed(row.mentions)}.items()
            ],
        )
        self._write(
            writing.PUT_SOURCES,
            rows=[[row.id, turn] for row in rows for turn in dict.fromkeys(row.sources)],
        )
        self._write(
            writing.PUT_EPISODES,
            rows=[
                [row.id, e.subject, e.predicate, e.object]
                for row in rows
                for e in dict.fromkeys(row.episodes)
            ],
        )
        self._write(
            writing.PUT_CONSOLIDATED,
            ids=[row.id for row in rows if row.state is State.MERGED and row.subject],
        )

    # -- vectors, replaces, names -------------------------------------------------------------------

    def _vectors(self, before: _Before) -> dict[Layer, list[list[Any]]]:
        """Return the vectors that differ from those that stand there; the books follow."""
        rows: dict[Layer, list[list[Any]]] = {layer: [] for layer in Layer}
        for each in {(each.layer, each.id): each for each in self._delta.vectors}.values():
            row = self._row(each.layer, each.id, before)
            assert row is not None
            summary, detail = write_vector(each.summary), write_vector(each.detail)
            new = (summary, None if detail == summary else detail)
            old = before.packed[each.layer].get(each.id)
            if old == new:
                continue
            if old is not None:
                self.books.count_vector(row.owner, each.layer, old[1] or old[0], -1)
            self.books.count_vector(row.owner, each.layer, detail, 1)
            self.books.log(row.owner, "vector", each.id)
            rows[each.layer].append([each.id, *new, codec.write_numbers(detail)])
        return rows

    def _put_vectors(self, rows: Mapping[Layer, list[list[Any]]]) -> None:
        for layer in Layer:
            self._write(writing.PUT_VECTORS[layer], rows=rows[layer])

    def _put_edges(self, before: _Before) -> None:
        edges = dict(before.edges)
        dropped = [edge for edge in dict.fromkeys(self._delta.reverted) if edges.pop(edge, None)]
        self._write(writing.DROP_REPLACES, rows=[list(edge) for edge in dropped])
        put = [edge for edge in self._delta.replaces if edges.get((edge.newer, edge.older)) != edge]
        self._write(writing.PUT_REPLACES, rows=[codec.write_replaces(edge) for edge in put])
        for newer in [newer for newer, _ in dropped] + [edge.newer for edge in put]:
            memory = self._memories.get(newer)
            self.books.log(memory.owner if memory else before.owners[newer], "memory", newer)

    def _put_names(self, before: _Before) -> None:
        names = dict(before.names)
        dropped = [key for key in dict.fromkeys(self._delta.dropped_names) if names.pop(key, None)]
        put = [name for name in self._delta.names if names.get((name.owner, name.name)) != name]
        self._write(writing.DROP_NAMES, rows=[list(key) for key in dropped])
        self._write(
            writing.PUT_NAMES,
            rows=[
                {"owner": name.owner, "name": name.name, "kind": name.kind, "aliases": list(name.aliases)}
                for name in put
            ],
        )
        for owner, _ in dropped + [(each.owner, each.name) for each in put]:
            self.books.log(owner, "name", "")

    def _write(self, statement: str, **lists: list[Any]) -> None:
        """Run a statement that writes the rows of a list, some at once, unless there are none."""
        ((name, rows),) = lists.items()
        for at in range(0, len(rows), _AT_ONCE):
            self._run(statement, {"tenant": self._tenant, name: rows[at : at + _AT_ONCE]})


def adopt(run: Run, tenant: str, log: Log, embedder: str, dimension: int) -> None:
    """Record the embedder, and drop the vectors of another."""
    log.embedder = None  # what this transaction wrote under another one goes as well
    ((current, length),) = run(writing.EMBEDDER, {"tenant": tenant})
    if (current, length) == (embedder, dimension):
        return
    for statement in (*writing.DROP_VECTORS.values(), writing.EMPTY_BOOKS):
        run(statement, {"tenant": tenant})
    run(writing.ADOPT, {"tenant": tenant, "embedder": embedder, "dimension": dimension})


def _require(here: bool, what: str, id: str) -> None:
    if not here:
        raise NotFound(what, id)


def _same(old: Memory | Turn, new: Memory | Turn) -> bool:
    """Tell whether two rows are equal, a turn's UTC offset included."""
    return old == new and old.at.utcoffset() == new.at.utcoffset() if isinstance(new, Turn) else old == new


def _edges(memory: Memory) -> tuple[object, ...]:
    """Return all that a memory's edges hold."""
    return (
        *(memory.owner, memory.mentions, memory.episodes, memory.sources, memory.subject, memory.state),
        *(memory.at, memory.recorded_at, memory.retired_at, memory.valid_from, memory.valid_to),
        *(memory.closed_at, memory.expires_at),
    )
