"""Answering a probe: each channel nominates rows, then all that were nominated are read at once."""

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from functools import partial

import apsw
import numpy as np
from numpy.typing import NDArray

from mnemic.errors import EmbedderMismatch
from mnemic.graph.embedded import codec, filters, queries, words
from mnemic.graph.embedded.mirror import Mirrors
from mnemic.graph.embedded.ranking import Ranking, best
from mnemic.graph.embedded.select import first, select
from mnemic.graph.embedded.shelf import Mask, Part, Shelf
from mnemic.graph.embedded.vectors import Slots, inner_products
from mnemic.graph.model import Layer, Memory, Turn, Vector
from mnemic.graph.store import Candidate, Corpus, Gathered, Probe
from mnemic.graph.view import View


def gather(db: apsw.Connection, mirrors: Mirrors, view: View, probe: Probe, *, wrote: bool) -> Gathered:
    """Answer ``probe``; ``wrote``: inside a transaction that has written."""
    embedder, dimension = first(db, queries.EMBEDDER)
    if probe.vector is not None and dimension and probe.vector.shape != (dimension,):
        raise EmbedderMismatch(
            f"vector: shape {probe.vector.shape}, this store holds {dimension} dimensions of the embedder "
            f"{embedder!r}; embed the query with that one"
        )
    search = _Search(db, view, probe)
    search.by_words_and_vectors(mirrors, wrote=wrote)
    search.by_time()
    if probe.layer is Layer.MEMORY:
        search.by_entities()
        search.by_importance()
    else:
        search.by_neighbours()
    return Gathered(search.candidates(dimension), search.corpus)


_Lit = tuple[Shelf, Mask, Mask]
"""A shelf with the rows that the probe may nominate: those that the view shows, and those that it hides."""


class _Search:
    def __init__(self, db: apsw.Connection, view: View, probe: Probe) -> None:
        self._db, self._view, self._probe, self._layer = db, view, probe, probe.layer
        self._owners = filters.owners_of(db, view)
        self._parameters = {
            **filters.of_view(view, self._owners),
            **filters.of_probe(probe),
            "hidden": False,
            "limit": probe.limit,
        }
        self._counts = words.frequencies(db, probe.layer, self._owners, probe.terms)
        self.corpus = self._corpus()
        self._channels: defaultdict[int, set[str]] = defaultdict(set)
        self._unshown: set[int] = set()

    def _corpus(self) -> Corpus:
        """Add up the sums of the view's owners."""
        sums = [
            row for owner in self._owners for row in select(self._db, queries.CORPUS, (owner, self._layer))
        ]
        frequency = dict.fromkeys(self._probe.terms, 0)
        for (_, term), count in self._counts.items():
            frequency[term] += count
        vectors = sum(row[2] for row in sums)
        totals = [np.frombuffer(row[3], np.float64) for row in sums if row[2]]
        centre = (np.sum(totals, axis=0) / vectors).astype(np.float32) if vectors else None
        return Corpus(sum(row[0] for row in sums), sum(row[1] for row in sums), frequency, centre)

    # -- words and vectors --------------------------------------------------------------------------

    def by_words_and_vectors(self, mirrors: Mirrors, *, wrote: bool) -> None:
        """Nominate by score among all rows at once, and among those that the view does not show."""
        found = words.postings(self._db, self._layer, self._counts, self.corpus)
        vector = self._probe.vector if self.corpus.centre is not None else None
        if not found and vector is None:
            return
        with mirrors.shelves(self._db, self._layer, wrote=wrote) as shelves:
            lit = [self._light(shelf, overlooked) for shelf, overlooked in shelves]
            if found:
                weights = {shelf: words.weigh(shelf, found, self.corpus) for shelf, _ in shelves}
                self._pick("words", lit, partial(_heaviest, weights))
            if vector is not None:
                self._pick("summary", lit, partial(self._nearest, "summary", vector))
                self._pick("detail", lit, partial(self._nearest, "detail", vector))

    def _light(self, shelf: Shelf, overlooked: Collection[int]) -> _Lit:
        mask = shelf.owned(self._owners) & shelf.passing(self._probe)
        mask[shelf.locate(np.array(list(overlooked), np.int64))] = False
        shown = shelf.shown(self._view)
        return shelf, mask & shown, mask & ~shown

    def _pick(self, channel: str, lit: Sequence[_Lit], rank: Callable[[Shelf, Mask, int], Ranking]) -> None:
        limit, hidden = self._probe.limit, self._probe.hidden
        if limit > 0:
            ranked = [rank(shelf, shown, limit) for shelf, shown, _ in lit]
            self._nominate(channel, best(self._db, self._layer, ranked, limit))
        if hidden > 0:
            ranked = [rank(shelf, unshown, hidden) for shelf, _, unshown in lit]
            rows = best(self._db, self._layer, ranked, hidden)
            self._nominate(channel, rows)
            self._unshown.update(rows)

    def _nearest(self, part: Part, vector: Vector, shelf: Shelf, mask: Mask, limit: int) -> Ranking:
        slots, scores = shelf.nearest(part, mask, vector, limit)
        if scores is None:
            slots, scores = self._stored_scores(part, vector, shelf, slots)
        return Ranking.on(shelf, slots, scores, limit)

    def _stored_scores(
        self, part: Part, vector: Vector, shelf: Shelf, slots: Slots
    ) -> tuple[Slots, NDArray[np.float32]]:
        """Look up the vectors of rows of which the shelf keeps only the signs."""
        if not len(slots):
            return slots, np.zeros(0, np.float32)
        wanted = apsw.carray(shelf.rows(slots))
        stored = list(select(self._db, queries.STORED[part][self._layer], (wanted,)))
        vectors = codec.read_vectors([blob for _, blob in stored], len(vector))
        return shelf.locate(np.array([row for row, _ in stored], np.int64)), inner_products(vectors, vector)

    # -- the other channels -------------------------------------------------------------------------

    def by_time(self) -> None:
        """Nominate the latest rows of the span."""
        if self._probe.since is None and self._probe.until is None:
            return
        found = [
            row
            for owner in self._owners
            for row in select(self._db, queries.LATEST[self._layer], {**self._parameters, "owner": owner})
        ]
        self._nominate("time", self._latest(found))

    def by_entities(self) -> None:
        """Nominate the latest memories that mention one of the entities."""
        everywhen = {"since": codec.BEFORE_ALL, "until": codec.AFTER_ALL}
        found = {
            row
            for entity in self._probe.entities
            for row in select(
                self._db, queries.MENTIONING, {**self._parameters, **everywhen, "entity": entity}
            )
        }
        self._nominate("entities", self._latest(found))

    def by_importance(self) -> None:
        """Nominate the most important memories."""
        if not self._probe.salient:
            return
        found = [
            row
            for owner in self._owners
            for row in select(self._db, queries.SALIENT, {**self._parameters, "owner": owner})
        ]
        found.sort(key=lambda row: (-row[1], -row[2], row[3]))
        self._nominate("salient", [row[0] for row in found[: self._probe.limit]])

    def by_neighbours(self) -> None:
        """Nominate the turns around those that are nominated so far and shown."""
        if self._probe.window <= 0:
            return
        for row in sorted(self._channels.keys() - self._unshown):
            parameters = {**self._parameters, "row": row, "window": self._probe.window}
            for query in (queries.BEFORE, queries.AFTER):
                self._nominate("neighbour", [near for (near,) in select(self._db, query, parameters)])

    def _latest(self, found: Iterable[tuple[int, int, str]]) -> list[int]:
        return [row for row, _, _ in sorted(found, key=lambda each: (-each[1], each[2]))[: self._probe.limit]]

    def _nominate(self, channel: str, rows: Iterable[int]) -> None:
        for row in rows:
            self._channels[row].add(channel)

    # -- the rows -----------------------------------------------------------------------------------

    def candidates(self, dimension: int) -> tuple[Candidate, ...]:
        """Read all that was nominated.

        The shelves may be a little ahead of this reader's picture of the store, so what they nominated
        is looked at once more.
        """
        if not self._channels:
            return ()
        wanted = apsw.carray(np.array(sorted(self._channels), np.int64))
        found = list(select(self._db, queries.CANDIDATES[self._layer], (wanted,)))
        blobs = [blob for row in found if row[1] is not None for blob in (row[1], row[2] or row[1])]
        vectors = iter(codec.read_vectors(blobs, dimension)) if blobs else iter(())
        candidates = []
        for number, summary, _, *columns in found:
            parts = (None, None) if summary is None else (next(vectors), next(vectors))
            row = codec.READ[self._layer](columns, self._owners)
            if number in self._unshown or self._shows(row):
                candidates.append(Candidate(row, frozenset(self._channels[number]), *parts))
        return tuple(candidates)

    def _shows(self, row: Memory | Turn) -> bool:
        return self._view.shows(row) if isinstance(row, Memory) else row.at <= self._view.valid


def _heaviest(weights: Mapping[Shelf, NDArray[np.float64]], shelf: Shelf, mask: Mask, limit: int) -> Ranking:
    slots = np.flatnonzero(mask & (weights[shelf] > 0))
    return Ranking.on(shelf, slots, weights[shelf][slots], limit)
