"""When a vector index pays, and which there is."""

import logging
import threading
import time
from collections.abc import Mapping

from mnemic.graph.model import Layer
from mnemic.graph.neo4j.connection import Connection
from mnemic.graph.neo4j.queries import schema
from mnemic.graph.neo4j.queries.recall import Search

logger = logging.getLogger(__name__)

EXACT_UP_TO = 500
"""Up to so many vectors of a reader all are compared, which is exact and needs no index."""

_MARGIN, _FILTERED_MARGIN, _WIDER, _MOST_FETCHED = 3, 2, 4, 5_000
"""So many times the wanted number are fetched from an index, less where it filters inside; so many times more after an answer that came
out short, because others' vectors or hidden ones were nearer; never more than the last."""
_NARROWER = 31 / 32
"""What is left of a wide margin after each question: once in a while fewer are tried."""
_PATIENCE = 10.0
"""While an index is being made its state is asked for every so many seconds."""


class Indexes:
    """What is known of the vector indexes, and of how many vectors there are. Safe to share between threads.

    A count is learnt with each answer and each write and may be a little old: it only chooses the way, not
    the result. Indexes are made by writers, in the background; readers take what is there.
    """

    def __init__(self, connection: Connection, *, filters: bool) -> None:
        self._connection = connection
        self._names = schema.FILTERED_VECTOR_INDEXES if filters else schema.VECTOR_INDEXES
        self._way = Search.FILTERED if filters else Search.INDEX
        self._margin = float(_FILTERED_MARGIN if filters else _MARGIN)
        self._vectors: dict[tuple[Layer, str], int] = {}
        self._margins: dict[tuple[Layer, frozenset[str]], float] = {}
        self._states: Mapping[str, str] = {}
        self._missed: set[Layer] = set()
        self._looked = 0.0
        self._lock = threading.Lock()

    @property
    def few(self) -> int:
        """Up to so many vectors of a reader no index is asked."""
        return EXACT_UP_TO

    def search(self, layer: Layer, owners: frozenset[str], wanted: int) -> Search:
        """Return how to search the vectors of ``owners`` for the ``wanted`` nearest."""
        if (
            self._have_few(layer, owners)
            or self.fetched(layer, owners, wanted) > _MOST_FETCHED
            or not self._answers(layer)
        ):
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
        self._states = {name: state for name, state in self._states.items() if name != self._names[layer][0]}
        self._missed.add(layer)

    def note(self, layer: Layer, vectors: Mapping[str, int]) -> None:
        """Keep how many vectors each owner has."""
        for owner, count in vectors.items():
            self._vectors[layer, owner] = count
            if count > EXACT_UP_TO:
                self._missed.add(layer)

    def count(self, layer: Layer, owners: frozenset[str]) -> int:
        """Return how many vectors ``owners`` have, as far as is known."""
        return sum(self._vectors.get((layer, owner), 0) for owner in owners)

    def look(self) -> None:
        """Ask the server which indexes there are, and whether they answer."""
        with self._lock:
            rows = self._connection.read_apart(schema.SHOW_INDEXES, {})
            self._states, self._looked = {name: state for name, state, *_ in rows}, time.monotonic()
        for name, _ in self._names.values():
            if self._states.get(name) == "FAILED":
                logger.warning(
                    "store %s: the index %s has failed and is done without; drop it, and it is made anew",
                    self._connection.place,
                    name,
                )

    def prepare(self) -> None:
        """Make the indexes that pay by now; nothing inside a transaction, which would wait for itself."""
        if self._connection.transaction is not None:
            return
        for layer in [layer for layer in self._missed if not self._answers(layer)]:
            name, create = self._names[layer]
            if name not in self._states:
                self._connection.change_schema(create)
                self.look()

    def _answers(self, layer: Layer) -> bool:
        """Tell whether the index of ``layer`` is online; while it is missed its state is asked for at intervals."""
        name, _ = self._names[layer]
        missed = self._states.get(name) != "ONLINE" and layer in self._missed
        if missed and time.monotonic() - self._looked >= _PATIENCE:
            self.look()
        return self._states.get(name) == "ONLINE"

    def _narrow(self, layer: Layer, owners: frozenset[str]) -> None:
        if (margin := self._margins.get((layer, owners))) is not None:
            self._margins[layer, owners] = max(self._margin, margin * _NARROWER)

    def _have_few(self, layer: Layer, owners: frozenset[str]) -> bool:
        """Tell whether ``owners`` have few vectors, as far as is known; in a transaction those unknown count as few.

        Outside of one the statement counts by itself; inside the index would be asked beforehand, in vain.
        """
        unknown = any((layer, owner) not in self._vectors for owner in owners)
        if unknown and self._connection.transaction is None:
            return False
        return self.count(layer, owners) <= EXACT_UP_TO
