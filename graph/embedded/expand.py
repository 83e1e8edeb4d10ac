"""Walking the entity graph: hop by hop in SQL, nearest and latest first, bounded."""

from collections.abc import Iterable, Iterator, Sequence
from heapq import merge

import apsw
import numpy as np

from mnemic.graph.embedded import filters, queries
from mnemic.graph.embedded.picture import Picture
from mnemic.graph.embedded.select import select
from mnemic.graph.model import Entity
from mnemic.graph.store import MEMORIES_PER_ENTITY, Subgraph
from mnemic.graph.view import View

_PAGE = 8

_Touch = tuple[int, int, str, int | None]
"""A memory's row, ``valid_from`` and id, and the node that one of its episodes leads to."""


class _Walk:
    def __init__(self, picture: Picture, view: View, limit: int) -> None:
        self._db, self._limit = picture.db, limit
        self.owners = filters.owners_of(self._db, view)
        self._parameters = filters.of_view(view, self.owners)
        self.distance: dict[int, int] = {}
        self.memories: dict[int, None] = {}
        self.truncated = False

    def start(self, seeds: Iterable[str]) -> None:
        """Stand on the seeds that the view may read, and take up the memories that mention them."""
        for seed in seeds:
            for (row,) in select(self._db, queries.SEEDS, {**self._parameters, "id": seed}):
                self._reach(row, 0)
        self.memories.update(dict.fromkeys(self._latest(queries.MENTIONS, self.distance)))

    def hop(self, distance: int) -> None:
        """Walk every episode of the nodes that were reached last."""
        edge = [row for row, hops in self.distance.items() if hops == distance - 1]
        for row, others in self._latest(queries.HOPS, edge).items():
            self.memories[row] = None
            for other in sorted(others):
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

    def _latest(self, query: str, nodes: Iterable[int]) -> dict[int, list[int]]:
        """Return the latest memories that touch ``nodes``, in their order, and the nodes they lead to.

        As many as there is room for; memories that are held already take none. What touches each node
        comes ordered, a page at a time, and is merged, so that many hubs together cost little more than
        the room.
        """
        room = MEMORIES_PER_ENTITY * self._limit - len(self.memories)
        found: dict[int, list[int]] = {}
        touching = [self._touching(query, node) for node in nodes]
        for row, _, _, other in merge(*touching, key=lambda each: (-each[1], each[2])):
            if row not in found:
                if row not in self.memories:
                    if not room:
                        self.truncated = True
                        break
                    room -= 1
                found[row] = []
            if other is not None:
                found[row].append(other)
        return found

    def _touching(self, query: str, node: int) -> Iterator[_Touch]:
        """Yield the memories that touch ``node``, the latest first; pages grow, as hubs have many."""
        start, page = 0, _PAGE
        while True:
            parameters = {**self._parameters, "entity": node, "start": start, "page": page}
            rows = list(select(self._db, query, parameters))
            yield from rows
            if len(rows) < page:
                return
            start, page = start + page, 4 * page


def expand(picture: Picture, view: View, seeds: Sequence[str], *, hops: int, limit: int) -> Subgraph:
    """Walk from ``seeds`` at most ``hops`` far; hold at most ``limit`` entities."""
    walk = _Walk(picture, view, limit)
    walk.start(seeds)
    for distance in range(1, hops + 1):
        walk.hop(distance)
    if not walk.distance:
        return Subgraph({}, (), {}, {})
    rows = list(walk.distance)
    entities: dict[int, Entity] = picture.at("entity", rows, walk.owners)
    degrees = dict(select(picture.db, queries.DEGREES, (apsw.carray(np.array(rows, np.int64)),)))
    return Subgraph(
        entities={entity.id: entity for entity in entities.values()},
        memories=tuple(picture.memories(list(walk.memories), walk.owners)),
        distance={entities[row].id: distance for row, distance in walk.distance.items()},
        degree={entities[row].id: degrees.get(row, 0) for row in rows},
        truncated=walk.truncated,
    )
