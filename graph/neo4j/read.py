"""The look-ups: rows by id, name, session, slot and time, and what upkeep reads."""

from collections.abc import Mapping, Sequence

from mnemic.graph.encoding import read_replaces, read_vector
from mnemic.graph.model import Embedded, Entity, Layer, Memory, Name, Replaces, Turn
from mnemic.graph.neo4j import codec
from mnemic.graph.neo4j.connection import Connection
from mnemic.graph.neo4j.parameters import of_probe, of_view
from mnemic.graph.neo4j.queries import reading
from mnemic.graph.store import SCAN_PAGE, Change, Head, Probe, Stats
from mnemic.graph.view import View

_ALL = 2**31 - 1


class Reader:
    """The look-ups of one tenant."""

    def __init__(self, connection: Connection, tenant: str) -> None:
        self._connection, self._tenant = connection, tenant

    def entities(
        self, view: View, ids: Sequence[str], keys: Sequence[str], handles: Sequence[str]
    ) -> list[Entity]:
        """Return entities by id, key or handle; all when none is given."""
        wanted = {"ids": list(ids), "keys": list(keys), "handles": list(handles)}
        statement = reading.ENTITIES if any(wanted.values()) else reading.ALL_ENTITIES
        rows = self._connection.read(statement, {**of_view(self._tenant, view), **wanted})
        return [codec.read_entity(row) for (row,) in rows]

    def memories(self, view: View, ids: Sequence[str], turns: Sequence[str], *, hidden: bool) -> list[Memory]:
        """Return memories by id or source turn."""
        wanted = {**of_view(self._tenant, view), "ids": list(ids), "turns": list(turns)}
        found = [codec.read_memory(row) for (row,) in self._connection.read(reading.MEMORIES, wanted)]
        return [memory for memory in found if hidden or view.shows(memory)]

    def turns(self, view: View, ids: Sequence[str], session: str | None, last: int | None) -> list[Turn]:
        """Return turns by id and those of a session; owners who use one name for it are read as one."""
        wanted = {
            **of_view(self._tenant, view),
            "ids": list(ids),
            "sessions": [] if session is None else [session],
            "last": _ALL if last is None else max(last, 0),
        }
        found = [codec.read_turn(row) for (row,) in self._connection.read(reading.TURNS, wanted)]
        found.sort(key=lambda turn: (turn.session, turn.position, turn.id))
        if last is None:
            return found
        told = [turn for turn in found if turn.session == session]
        gone = {turn.id for turn in told[: max(len(told) - last, 0)]} - set(ids)
        return [turn for turn in found if turn.id not in gone]

    def slot(self, view: View, subject: str, predicate: str | None, *, hidden: bool) -> list[Memory]:
        """Return the memories of a slot, or of all slots of a subject."""
        if not subject:
            return []
        statement = reading.SLOTS_OF if predicate is None else reading.SLOT
        wanted = {**of_view(self._tenant, view), "subject": subject, "predicate": predicate, "hidden": hidden}
        found = [codec.read_memory(row) for (row,) in self._connection.read(statement, wanted)]
        return sorted(found, key=lambda memory: (memory.valid_from, memory.recorded_at, memory.id))

    def timeline(self, view: View, probe: Probe, *, hidden: bool) -> list[Memory]:
        """Return the latest memories that pass ``probe``: of its entities, or all when it names none."""
        statement = reading.TIMELINE_OF if probe.entities else reading.TIMELINE
        wanted = {
            **of_view(self._tenant, view),
            **of_probe(probe),
            "entities": list(probe.entities),
            "hidden": hidden,
        }
        return [codec.read_memory(row) for (row,) in self._connection.read(statement, wanted)]

    def replacements(self, view: View, ids: Sequence[str]) -> list[Replaces]:
        """Return the REPLACES edges that touch these memories and join two that the view may read."""
        wanted = {**of_view(self._tenant, view), "ids": list(ids)}
        return [read_replaces(row) for row in self._connection.read(reading.REPLACEMENTS, wanted)]

    def names(self, view: View | None) -> list[Name]:
        """Return the tenant's dictionary by name, and what the view's owners added."""
        owners = sorted({"", *(view.owners if view is not None else ())})
        rows = self._connection.read(reading.NAMES, {"tenant": self._tenant, "owners": owners})
        return [codec.read_name(row) for row in rows]

    def scan_page(self, view: View, layer: Layer, *, after: str, unembedded: bool) -> list[Memory | Turn]:
        """Return the next rows of a layer behind the id ``after``."""
        wanted = {
            **of_view(self._tenant, view),
            "after": after,
            "unembedded": unembedded,
            "limit": SCAN_PAGE,
        }
        rows = self._connection.read(reading.SCAN[layer], wanted)
        return [codec.READ[layer](row) for (row,) in rows]

    def vectors(self, layer: Layer, ids: Sequence[str]) -> list[Embedded]:
        """Return the vectors of those of these rows that have any, by id."""
        rows = self._connection.read(reading.VECTORS[layer], {"tenant": self._tenant, "ids": list(ids)})
        return [
            Embedded(layer=layer, id=id, summary=read_vector(summary), detail=read_vector(detail))
            for id, summary, detail in rows
        ]

    def changes(self, since: int, limit: int) -> list[Change]:
        """Return the change log behind ``since``."""
        wanted = {"tenant": self._tenant, "since": since, "limit": max(limit, 0)}
        return [Change(*row) for row in self._connection.read(reading.CHANGES, wanted)]

    def head(self) -> Head:
        """Return the embedder and the newest change."""
        ((embedder, dimension, sequence),) = self._connection.read(reading.HEAD, {"tenant": self._tenant})
        return Head(embedder, dimension, sequence)

    def stats(self, schema: int, records: Mapping[str, int]) -> Stats:
        """Return the counts."""
        ((turns, memories, entities, replaces, vectors, names, embedder, dimension, sequence, owners),) = (
            self._connection.read(reading.STATS, {"tenant": self._tenant})
        )
        return Stats(
            turns=turns,
            memories=memories,
            entities=entities,
            replaces=replaces,
            vectors=vectors,
            names=names,
            embedder=embedder,
            dimension=dimension,
            schema=schema,
            sequence=sequence,
            owners=tuple(owners),
            records=records,
        )
