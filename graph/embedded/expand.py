"""Walking the entity graph: hop by hop in SQL, nearest and latest first, bounded."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

import apsw
import numpy as np

from mnemic.graph.embedded import codec, filters, queries
from mnemic.graph.embedded.codec import BEFORE_ALL
from mnemic.graph.embedded.read import memories_at
from mnemic.graph.embedded.select import select
from mnemic.graph.model import Entity
from mnemic.graph.store import Subgraph
from mnemic.graph.view import View

MEMORIES_PER_ENTITY = 4
"""An expansion holds at most so many times as many memories as entities."""


@dataclass(slots=True)
class _Link:
    """A memory that touches the nodes a level starts from, and the nodes it leads to."""

    valid_from: int
    id: str
    others: list[int] = field(default_factory=list)

    @property
    def order(self) -> tuple[int, str]:
        return -self.valid_from, self.id


class _Walk:
    def __init__(self, db: apsw.Connection, view: View, limit: int) -> None:
        self._db, self._limit = db, limit
        self.owners = filters.owners_of(db, view)
        self._parameters = filters.of_view(view, self.owners)
        self.distance: dict[int, int] = {}
        self.memories: dict[int, None] = {}
        self.truncated = False

    def start(self, seeds: Iterable[str]) -> None:
        """Stand on the seeds that the view may read, and take up the memories that mention them."""
        for seed in seeds:
            for (row,) in select(self._db, queries.SEEDS, {**self._parameters, "id": seed}):
                self._reach(row, 0)
        self.memories.update(dict.fromkeys(self._latest(queries.MENTIONS, list(self.distance))))

    def hop(self, distance: int) -> None:
        """Walk every episode of the nodes that were reached last."""
        edge = [row for row, hops in self.distance.items() if hops == distance - 1]
        for row, link in self._latest(queries.HOPS, edge).items():
            self.memories[row] = None
            for other in sorted(link.others):
                self._reach(other, distance)

    def _reach(self, row: int, distance: int) -> None:
        """Stand on an entity, and on what the other owners know of it."""
        self._stand(row, distance)
        if len(self.owners) > 1:
            for (other,) in list(select(self._db, queries.SIBLINGS, {**self._parameters, "entity": row})):
                self._stand(other, distance)

    def _stand(self, row: int, distance: int) -> None:
        if row in self.distance:
            return
        if len(self.distance) >= self._limit:
            self.truncated = True
            return
        self.distance[row] = distance

    def _latest(self, query: str, nodes: Iterable[int]) -> Mapping[int, _Link]:
        """Return the latest memories that touch ``nodes``, as many as there is room for, in their order.

        Memories that are held already take no room. Once the room is full, only what is at least as late
        as the oldest in it is looked at, so that many hubs together cost little more than the room.
        """
        room = MEMORIES_PER_ENTITY * self._limit - len(self.memories)
        found: dict[int, _Link] = {}
        since = BEFORE_ALL
        for node in nodes:
            self._look(query, node, since, room, found)
            if len(found) > len(self.memories) + 2 * room:
                since = self._trim(found, room, since)
        self._trim(found, room, since)
        return dict(sorted(found.items(), key=lambda item: item[1].order))

    def _trim(self, found: dict[int, _Link], room: int, since: int) -> int:
        """Drop from ``found`` what there is no room for; return the time of the oldest that is kept."""
        fresh = sorted((row for row in found if row not in self.memories), key=lambda row: found[row].order)
        if len(fresh) <= room:
            return since
        self.truncated = True
        for row in fresh[room:]:
            del found[row]
        return found[fresh[room - 1]].valid_from if room else since

    def _look(self, query: str, node: int, since: int, room: int, found: dict[int, _Link]) -> None:
        """Add to ``found`` the memories that touch ``node``, the latest first, until it fills the room alone."""
        fresh = 0
        parameters = {**self._parameters, "entity": node, "since": since}
        for row, valid_from, id, other in select(self._db, query, parameters):
            if row not in found:
                fresh += row not in self.memories
                if fresh > room:
                    self.truncated = True
                    return
                found[row] = _Link(valid_from, id)
            if other is not None:
                found[row].others.append(other)


def expand(db: apsw.Connection, view: View, seeds: Sequence[str], *, hops: int, limit: int) -> Subgraph:
    """Walk from ``seeds`` at most ``hops`` far; hold at most ``limit`` entities."""
    walk = _Walk(db, view, limit)
    walk.start(seeds)
    for distance in range(1, hops + 1):
        walk.hop(distance)
    if not walk.distance:
        return Subgraph({}, (), {}, {})
    reached = apsw.carray(np.array(list(walk.distance), np.int64))
    ids: dict[int, str] = {}
    entities: dict[str, Entity] = {}
    for row, *columns in select(db, queries.ENTITY_ROWS, (reached,)):
        entity = codec.read_entity(columns, walk.owners)
        ids[row], entities[entity.id] = entity.id, entity
    degrees = dict(select(db, queries.DEGREES, (reached,)))
    return Subgraph(
        entities=entities,
        memories=tuple(memories_at(db, list(walk.memories), walk.owners)),
        distance={ids[row]: distance for row, distance in walk.distance.items()},
        degree={ids[row]: degrees.get(row, 0) for row in walk.distance},
        truncated=walk.truncated,
    )
