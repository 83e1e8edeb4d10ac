"""When a vector index pays, and which there is."""

import threading
from collections.abc import Iterable, Mapping

from mnemic.errors import StoreError
from mnemic.graph.model import Layer
from mnemic.graph.neo4j.connection import Connection
from mnemic.graph.neo4j.queries import reading, schema
from mnemic.graph.neo4j.queries.recall import Search

EXACT_UP_TO = 500
"""Up to so many vectors of a reader all are compared, which is exact and needs no index."""

_MARGIN, _FILTERED_MARGIN, _WIDER, _MOST_FETCHED = 3, 2, 4, 5_000
"""So many times the wanted number are fetched from an index, less where it filters inside; so many times more after an answer that came
out short, because others' vectors or hidden ones were nearer; never more than the last."""
_NARROWER = 31 / 32
"""What is left of a wide margin after each question: once in a while fewer are tried."""


class Indexes:
    """What is known of the vector indexes, and of how many vectors there are. Safe to share between threads.

    A count is learnt with each answer and may be a little old: it only chooses the way, not the result.
    """

    def __init__(self, connection: Connection, tenant: str, *, filters: bool) -> None:
        self._connection, self._tenant = connection, tenant
        self._names = schema.FILTERED_VECTOR_INDEXES if filters else schema.VECTOR_INDEXES
        self._way = Search.FILTERED if filters else Search.INDEX
        self._margin = float(_FILTERED_MARGIN if filters else _MARGIN)
        self._vectors: dict[tuple[Layer, str], int] = {}
        self._margins: dict[tuple[Layer, frozenset[str]], float] = {}
        self._online: set[Layer] = set()
        self._lock = threading.Lock()

    def search(self, layer: Layer, owners: frozenset[str], wanted: int) -> Search:
        """Return how to search the vectors of ``owners`` for the ``wanted`` nearest."""
        few = self._count(layer, owners) <= EXACT_UP_TO
        if few or self.fetched(layer, owners, wanted) > _MOST_FETCHED or not self._ready(layer):
            self._narrow(layer, owners)
            return Search.EXACT
        return self._way

    def fetched(self, layer: Layer, owners: frozenset[str], wanted: int) -> int:
        """Return how many to fetch from the index so that ``wanted`` are left after filtering."""
        return round(max(wanted, 1) * self._margins.get((layer, owners), self._margin))

    def came_short(self, layer: Layer, owners: frozenset[str]) -> None:
        """Learn that too few were left after filtering; where that goes on, the index rests for a while."""
        self._margins[layer, owners] = self._margins.get((layer, owners), self._margin) * _WIDER

    def sufficed(self, layer: Layer, owners: frozenset[str]) -> None:
        """Learn that enough were left: the next question may do with fewer."""
        self._narrow(layer, owners)

    def gone(self, layer: Layer) -> None:
        """Learn that the index of ``layer`` does not answer: it was dropped, or this server has it not yet."""
        self._online.discard(layer)

    def note(self, layer: Layer, vectors: Mapping[str, int]) -> None:
        """Keep how many vectors each owner has."""
        for owner, count in vectors.items():
            self._vectors[layer, owner] = count

    def prepare(self) -> None:
        """Make the indexes that pay by now; not inside a transaction, which would wait for itself."""
        for layer in {layer for (layer, _), count in self._vectors.items() if count > EXACT_UP_TO}:
            self._ready(layer)

    def _narrow(self, layer: Layer, owners: frozenset[str]) -> None:
        if (margin := self._margins.get((layer, owners))) is not None:
            self._margins[layer, owners] = max(self._margin, margin * _NARROWER)

    def _count(self, layer: Layer, owners: Iterable[str]) -> int:
        unknown = [owner for owner in owners if (layer, owner) not in self._vectors]
        if unknown:
            wanted = {"tenant": self._tenant, "owners": unknown}
            found = {name: counts for name, *counts in self._connection.read(reading.VECTOR_COUNTS, wanted)}
            for number, each in enumerate((Layer.MEMORY, Layer.TURN)):
                self.note(each, {owner: found[owner][number] if owner in found else 0 for owner in unknown})
        return sum(self._vectors[layer, owner] for owner in owners)

    def _ready(self, layer: Layer) -> bool:
        """Tell whether the index of ``layer`` answers; where there is none it is made, in the background."""
        if layer in self._online:
            return True
        name, create = self._names[layer]
        with self._lock:
            states = {name: state for name, state, *_ in self._connection.read(schema.SHOW_INDEXES, {})}
            if name not in states and self._connection.transaction is None:
                self._connection.change_schema(create)
            if states.get(name) == "FAILED":
                raise StoreError(
                    f"store {self._connection.place}: the index {name} has failed; drop it, and it is made anew"
                )
            if states.get(name) == "ONLINE":
                self._online.add(layer)
        return layer in self._online
