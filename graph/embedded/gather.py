"""Answering a probe: each channel nominates rows, then all that were nominated are read at once."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace

import apsw
import numpy as np
from numpy.typing import NDArray

from mnemic.errors import EmbedderMismatch
from mnemic.graph import encoding
from mnemic.graph.embedded import codec, filters, queries, words
from mnemic.graph.embedded.mirror import Laid
from mnemic.graph.embedded.picture import Picture
from mnemic.graph.embedded.ranking import Ranking, best
from mnemic.graph.embedded.select import first, select
from mnemic.graph.embedded.shelf import Mask, Shelf
from mnemic.graph.embedded.vectors import Slots
from mnemic.graph.embedded.words import Posting
from mnemic.graph.model import Layer, Memory, Turn, Vector
from mnemic.graph.store import Candidate, Corpus, Gathered, Probe
from mnemic.graph.view import View


def gather(picture: Picture, view: View, probe: Probe) -> Gathered:
    """Answer ``probe``."""
    embedder, dimension = first(picture.db, queries.EMBEDDER)
    if probe.vector is not None and dimension and probe.vector.shape != (dimension,):
        raise EmbedderMismatch(
            f"vector: shape {probe.vector.shape}, this store holds {dimension} dimensions of the embedder "
            f"{embedder!r}; embed the query with that one"
        )
    search = _Search(picture, view, probe)
    search.by_words_and_vectors()
    search.by_time()
    if probe.layer is Layer.MEMORY:
        search.by_entities()
        search.by_importance()
    else:
        search.by_neighbours()
    return Gathered(search.candidates(dimension), search.corpus)


_Scored = tuple[Slots, NDArray[np.floating]]

_Score = Callable[[Mask, int], _Scored]
"""Scores the slots of a mask, at least as many of the best as are wanted."""


@dataclass(frozen=True, slots=True)
class _Lit:
    """A shelf with the rows that the probe may nominate: those that the view shows, and those that it hides."""

    shelf: Shelf
    shown: Mask
    hidden: Mask


class _Search:
    def __init__(self, picture: Picture, view: View, probe: Probe) -> None:
        self._picture, self._db, self._view, self._probe = picture, picture.db, view, probe
        self._layer = probe.layer
        self._owners = filters.owners_of(self._db, view)
        self._parameters = {
            **filters.of_view(view, self._owners),
            **filters.of_probe(probe),
            "hidden": False,
            "limit": probe.limit,
        }
        self.corpus = self._corpus()
        self._channels: defaultdict[int, set[str]] = defaultdict(set)
        self._unshown: set[int] = set()

    def _corpus(self) -> Corpus:
        """Add up the sums of the view's owners."""
        sums = [
            row for owner in self._owners for row in select(self._db, queries.CORPUS, (owner, self._layer))
        ]
        vectors = sum(row[2] for row in sums)
        totals = [np.frombuffer(row[3], np.float64) for row in sums if row[2]]
        centre = (np.sum(totals, axis=0) / vectors).astype(np.float32) if vectors else None
        return Corpus(sum(row[0] for row in sums), sum(row[1] for row in sums), {}, centre)

    # -- words and vectors --------------------------------------------------------------------------

    def by_words_and_vectors(self) -> None:
        """Nominate by score among all rows at once, and among those that the view does not show."""
        terms = self._probe.terms
        vector = self._probe.vector if self.corpus.centre is not None else None
        if not terms and vector is None:
            return
        with self._picture.mirrors.shelves(self._db, self._layer, wrote=self._picture.wrote) as laid:
            found = words.postings(laid, self._owners, terms)
            self.corpus = replace(self.corpus, frequency=words.frequencies(terms, found))
            found = words.affordable(found)
            lit = [self._light(each) for each in laid] if found or vector is not None else []
            if found:
                self._pick(
                    "words", lit, [self._by_weight(found, n, each.shelf) for n, each in enumerate(lit)]
                )
            if vector is not None:
                self._pick("vector", lit, [self._by_likeness(vector, each.shelf) for each in lit])

    def _light(self, laid: Laid) -> _Lit:
        shelf = laid.shelf
        mask = shelf.owned(self._owners) & shelf.passing(self._probe)
        if laid.counts is not None:
            mask &= laid.counts
        shown = shelf.shown(self._view)
        return _Lit(shelf, mask & shown, mask & ~shown)

    def _pick(self, channel: str, lit: Sequence[_Lit], scores: Sequence[_Score]) -> None:
        pairs = list(zip(lit, scores, strict=True))
        limit, hidden = self._probe.limit, self._probe.hidden
        if limit > 0:
            ranked = [Ranking.on(each.shelf, *score(each.shown, limit), limit) for each, score in pairs]
            self._nominate(channel, best(self._db, self._layer, ranked, limit))
        if hidden > 0:
            ranked = [Ranking.on(each.shelf, *score(each.hidden, hidden), hidden) for each, score in pairs]
            rows = best(self._db, self._layer, ranked, hidden)
            self._nominate(channel, rows)
            self._unshown.update(rows)

    def _by_weight(self, found: Sequence[Posting], number: int, shelf: Shelf) -> _Score:
        weights = words.weigh(shelf, number, found, self.corpus)

        def score(mask: Mask, limit: int) -> _Scored:
            slots = np.flatnonzero(mask & (weights > 0))
            return slots, words.damped(shelf, slots, weights, self.corpus)

        return score

    def _by_likeness(self, vector: Vector, shelf: Shelf) -> _Score:
        towards = shelf.towards(vector)

        def score(mask: Mask, limit: int) -> _Scored:
            return towards.near(shelf.with_vectors(mask), limit)

        return score

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
        rows = sorted(self._channels.keys() - self._unshown)
        if self._probe.window <= 0 or not rows:
            return
        given = apsw.carray(np.array(rows, np.int64))
        parameters = {**self._parameters, "rows": given, "window": self._probe.window}
        for query in (queries.BEFORE, queries.AFTER):
            self._nominate("neighbour", [row for (row,) in select(self._db, query, parameters)])

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
        numbers = sorted(self._channels)
        vectors = self._vectors(numbers, dimension)
        rows = self._picture.at(self._layer, numbers, self._owners)
        return tuple(
            Candidate(row, frozenset(self._channels[number]), *vectors.get(number, (None, None)))
            for number, row in rows.items()
            if number in self._unshown or self._shows(row)
        )

    def _vectors(self, numbers: Sequence[int], dimension: int) -> dict[int, tuple[Vector, Vector]]:
        """Return the vectors of those of these rows that have any."""
        if self.corpus.centre is None or not numbers:
            return {}
        found = list(
            select(self._db, queries.VECTORS_AT[self._layer], (apsw.carray(np.array(numbers, np.int64)),))
        )
        matrix = encoding.read_vectors([blob for row in found for blob in row[1:]], dimension)
        return {row[0]: (matrix[2 * n], matrix[2 * n + 1]) for n, row in enumerate(found)}

    def _shows(self, row: Memory | Turn) -> bool:
        return self._view.shows(row) if isinstance(row, Memory) else row.at <= self._view.valid
