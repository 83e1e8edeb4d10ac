"""Answering a probe in one round trip."""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

import numpy as np

from mnemic.errors import EmbedderMismatch
from mnemic.graph.encoding import read_vectors
from mnemic.graph.model import Layer, Vector
from mnemic.graph.neo4j import codec, words
from mnemic.graph.neo4j.connection import Connection
from mnemic.graph.neo4j.indexes import Indexes
from mnemic.graph.neo4j.queries.recall import GATHER, Search
from mnemic.graph.store import Candidate, Corpus, Gathered, Probe
from mnemic.graph.view import View

RANKED = 5
"""So many times the wanted number are ranked exactly, of those that the index of words ranks best."""

_ALL = 2**31 - 1

ROWS_LOOKED_AT = 20_000
"""The rarest terms count until so many rows of an owner hold one; the first always does."""

_TRIES = 5
"""So often a probe is asked again when somebody wrote while it was answered."""

_BEGINNING, _END = datetime.min.replace(tzinfo=UTC), datetime.max.replace(tzinfo=UTC)


def of_view(tenant: str, view: View) -> dict[str, Any]:
    """Return what decides whether the view shows a row, as parameters."""
    return {
        "tenant": tenant,
        "owners": sorted(view.owners),
        "states": sorted(view.states),
        "valid": view.valid,
        "known": view.known,
    }


def of_probe(probe: Probe) -> dict[str, Any]:
    """Return what the filters and the span of ``probe`` ask of a row, as parameters."""
    return {
        "kinds": sorted(probe.kinds),
        "tags": sorted(probe.tags),
        "sessions": sorted(probe.sessions),
        "speakers": sorted(probe.speakers),
        "since": probe.since or _BEGINNING,
        "until": probe.until or _END,
        "limit": max(probe.limit, 0),
    }


def gather(connection: Connection, indexes: Indexes, tenant: str, view: View, probe: Probe) -> Gathered:
    """Answer ``probe``; again where an answer from an index came out short, then among all rows."""
    search = Search.EXACT
    if probe.vector is not None and connection.transaction is None:
        search = indexes.search(probe.layer, view.owners, probe.limit + probe.hidden)
    ranked = RANKED * (probe.limit + probe.hidden)
    found = _ask(connection, indexes, tenant, view, probe, search, ranked)
    unindexed = search is not Search.EXACT and _short(found, probe, "summary", "detail")
    unranked = sum(found.corpus.frequency.values()) > ranked and _short(found, probe, "words")
    if unindexed:
        indexes.came_short(probe.layer, view.owners)
    if unindexed or unranked:
        found = _ask(connection, indexes, tenant, view, probe, Search.EXACT, _ALL)
    return found


def _short(found: Gathered, probe: Probe, *channels: str) -> bool:
    """Tell whether one of ``channels`` nominated fewer than it was asked for."""
    return any(sum(name in each.channels for each in found.candidates) < probe.limit for name in channels)


def _ask(
    connection: Connection,
    indexes: Indexes,
    tenant: str,
    view: View,
    probe: Probe,
    search: Search,
    ranked: int,
) -> Gathered:
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
        "timed": probe.since is not None or probe.until is not None,
        "entities": list(dict.fromkeys(probe.entities)),
        "salient": probe.salient,
        "looked_at": ROWS_LOOKED_AT,
        "ranked": max(ranked, 1),
        "hidden": max(probe.hidden, 0),
        "window": max(probe.window, 0),
    }
    for _ in range(_TRIES):
        (answer,) = connection.read(GATHER[probe.layer, search], parameters)
        embedder, dimension, books, frequency, candidates, now = answer
        if sorted(map(str, now)) == sorted(str(book["version"]) for book in books):
            break
    if probe.vector is not None and dimension and probe.vector.shape != (dimension,):
        raise EmbedderMismatch(
            f"vector: shape {probe.vector.shape}, this store holds {dimension} dimensions of the embedder "
            f"{embedder!r}; embed the query with that one"
        )
    indexes.note(probe.layer, {book["name"]: book["vectors"] for book in books})
    return Gathered(
        tuple(_candidates(probe.layer, candidates)), _corpus(books, dict.fromkeys(probe.terms, 0), frequency)
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
