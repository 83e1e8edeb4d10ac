"""Answering a probe in one round trip."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from mnemic.errors import EmbedderMismatch, StoreError
from mnemic.graph.encoding import read_replaces, read_vectors
from mnemic.graph.model import IDLE, Layer, Memory, Vector
from mnemic.graph.neo4j import codec, words
from mnemic.graph.neo4j.connection import Connection
from mnemic.graph.neo4j.expand import of_walk, read_subgraph
from mnemic.graph.neo4j.indexes import Indexes
from mnemic.graph.neo4j.parameters import of_probe, of_view
from mnemic.graph.neo4j.queries.recall import NEAREST, Search, gathering
from mnemic.graph.store import NOTHING, NOWHERE, Around, Candidate, Corpus, Gathered, Probe, Subgraph
from mnemic.graph.view import View

RANKED = 5
"""So many times the wanted number are ranked exactly, of those that the index of words ranks best."""

_ALL = 2**31 - 1

ROWS_LOOKED_AT = 20_000
"""The rarest terms count until so many rows of an owner hold one; the first always does."""

_WALKED = frozenset({"graph"})

_TRIES = 5
"""So often a probe is asked again when somebody wrote while it was answered."""


def gather(connection: Connection, indexes: Indexes, tenant: str, view: View, probe: Probe) -> Gathered:
    """Answer ``probe``; once more, among all rows, where an answer from an index came out short."""
    wanted = probe.limit + probe.hidden
    asked = _Asked(connection, indexes, tenant, view, probe)
    search = Search.EXACT if probe.vector is None else indexes.search(probe.layer, view.owners, wanted)
    try:
        found = asked.by(search, RANKED * wanted)
    except StoreError as error:
        if search is Search.EXACT or type(error) is not StoreError or connection.transaction is not None:
            raise
        indexes.gone(probe.layer)
        search = Search.EXACT
        found = asked.by(search, RANKED * wanted)
    vectors = indexes.count(probe.layer, view.owners)
    indexed = search is not Search.EXACT and vectors > indexes.few
    unindexed = indexed and _short(found, min(probe.limit, vectors), "vector")
    unranked = sum(found.corpus.frequency.values()) > RANKED * wanted and _short(found, probe.limit, "words")
    if indexed and not (probe.kinds or probe.tags or probe.sessions or probe.speakers):
        (indexes.came_short if unindexed else indexes.sufficed)(probe.layer, view.owners)
    if unindexed or unranked:
        return asked.by(Search.EXACT if unindexed else search, _ALL if unranked else RANKED * wanted)
    return found


def _short(found: Gathered, wanted: int, channel: str) -> bool:
    """Tell whether a channel nominated fewer than ``wanted``."""
    return sum(channel in each.channels for each in found.candidates) < wanted


@dataclass(frozen=True, slots=True)
class _Asked:
    """A probe, to be answered in one way or another."""

    connection: Connection
    indexes: Indexes
    tenant: str
    view: View
    probe: Probe

    def by(self, search: Search, ranked: int) -> Gathered:
        """Return the answer by a way of searching vectors, with so many rows ranked by words."""
        near: list[str] = []
        if search is not Search.EXACT and (transaction := self.connection.transaction) is not None:
            near = self._near(search) + [id for _, kind, id in transaction.log if kind == "vector"]
            search = Search.GIVEN
        return _ask(self, search, ranked, near)

    def _near(self, search: Search) -> list[str]:
        """Return the nearest rows that are committed; in a transaction that wrote, an index fails."""
        probe, view = self.probe, self.view
        assert probe.vector is not None
        parameters = {
            "tenant": self.tenant,
            "owners": sorted(view.owners),
            "vector": probe.vector.tolist(),
            "fetched": self.indexes.fetched(probe.layer, view.owners, probe.limit + probe.hidden),
        }
        return [id for (id,) in self.connection.read_apart(NEAREST[probe.layer, search], parameters)]


def _ask(asked: _Asked, search: Search, ranked: int, near: Sequence[str]) -> Gathered:
    connection, indexes, tenant = asked.connection, asked.indexes, asked.tenant
    view, probe = asked.view, asked.probe
    parameters = {
        **of_view(tenant, view),
        **of_probe(probe),
        "words": [
            {"owner": owner, "term": term, "word": words.write_word(words.mark(tenant, owner), term)}
            for owner in sorted(view.owners)
            for term in dict.fromkeys(probe.terms)
        ],
        "vector": [] if probe.vector is None else probe.vector.tolist(),
        "fetched": indexes.fetched(probe.layer, view.owners, probe.limit + probe.hidden),
        "few": indexes.few,
        "near": list(dict.fromkeys(near)),
        "timed": probe.since is not None or probe.until is not None,
        "entities": list(dict.fromkeys(probe.entities)),
        "salient": probe.salient,
        "looked_at": ROWS_LOOKED_AT,
        "ranked": max(ranked, 1),
        "hidden": max(probe.hidden, 0),
        "window": max(probe.window, 0),
        "handles": list(dict.fromkeys(probe.handles)),
        "vague": probe.vague,
        **of_walk(probe.spread),
        "around": probe.around,
        "idle": list(IDLE),
        "heard": probe.heard,
    }
    statement = gathering(probe.layer, search, probe.hops)
    for _ in range(_TRIES):
        ((embedder, dimension, books, now, frequency, found, named, walk, around),) = connection.read(
            statement, parameters
        )
        if sorted(map(str, now)) == sorted(str(book["version"]) for book in books):
            break
    if probe.vector is not None and dimension and probe.vector.shape != (dimension,):
        raise EmbedderMismatch(
            f"vector: shape {probe.vector.shape}, this store holds {dimension} dimensions of the embedder "
            f"{embedder!r}; embed the query with that one"
        )
    indexes.note(probe.layer, {book["name"]: book["vectors"] for book in books})
    candidates = _candidates(probe.layer, found)
    return Gathered(
        tuple(each for each in candidates if each.channels != _WALKED or probe.passes(each.row)),
        _corpus(books, dict.fromkeys(probe.terms, 0), frequency),
        tuple(map(codec.read_entity, named)),
        _subgraph(walk, candidates) if probe.hops is not None else NOWHERE,
        _around(around) if probe.around else NOTHING,
    )


def _subgraph(walk: Sequence[Any], candidates: Sequence[Candidate]) -> Subgraph:
    """Return what the walk reached; all memories that it holds are among the candidates."""
    reached, held, cut = walk
    rows = {each.row.id: each.row for each in candidates if isinstance(each.row, Memory)}
    return read_subgraph(reached, [rows[id] for id in held if id in rows], cut=cut)


def _around(found: Sequence[Any]) -> Around:
    edges, beside, entities, renamed, sequence = found
    memories, nodes = map(codec.read_memory, beside), map(codec.read_entity, entities)
    return Around(
        edges=tuple(map(read_replaces, edges)),
        memories={memory.id: memory for memory in memories},
        entities={entity.id: entity for entity in nodes},
        renamed=frozenset(renamed),
        sequence=sequence,
    )


def _corpus(books: Sequence[Mapping[str, Any]], asked: dict[str, int], frequency: Sequence[Any]) -> Corpus:
    """Add up the sums of the view's owners."""
    vectors = sum(book["vectors"] for book in books)
    totals = [np.frombuffer(book["total"], np.float64) for book in books if book["vectors"]]
    return Corpus(
        sum(book["rows"] for book in books),
        sum(book["terms"] for book in books),
        asked | dict(frequency),
        (np.sum(totals, axis=0) / vectors).astype(np.float32) if vectors else None,
    )


def _candidates(layer: Layer, found: Sequence[Any]) -> list[Candidate]:
    """Return the candidates; their vectors are decoded at once, which is quicker than one by one."""
    read = codec.READ[layer]
    packed = [blob for _, _, summary, detail in found if summary is not None for blob in (summary, detail)]
    vectors: Sequence[Vector] = (
        list(read_vectors(packed, len(packed[0]) // np.dtype(np.float16).itemsize)) if packed else []
    )
    candidates, at = [], 0
    for row, channels, summary, _ in found:
        if summary is None:
            candidates.append(Candidate(read(row), frozenset(channels)))
        else:
            candidates.append(Candidate(read(row), frozenset(channels), vectors[at], vectors[at + 1]))
            at += 2
    return candidates
