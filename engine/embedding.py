"""The texts behind the vectors of a row: its own words with their speaker, and the same after what came before."""

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Protocol

from mnemic.engine.core import Core
from mnemic.graph.model import Embedded, GraphDelta, Layer, Memory, Turn, Vector
from mnemic.graph.store import Store
from mnemic.graph.view import View

_BATCH = 32


class Spoken(Protocol):
    """Whatever has a speaker and a text: a line, a turn, a memory."""

    @property
    def speaker(self) -> str:
        """Who says it."""

    @property
    def text(self) -> str:
        """What is said."""


def own_words(row: Spoken) -> str:
    """Return what the summary vector is made of."""
    return f"{row.speaker}: {row.text}"


def in_context(row: Spoken, before: Spoken | None) -> str:
    """Return what the detail vector is made of; ``before`` is the turn before it in its session."""
    return own_words(row) if before is None else f"{own_words(before)}\n{own_words(row)}"


def embed_rows(
    core: Core, rows: Sequence[tuple[Spoken, Spoken | None]]
) -> list[tuple[Vector, Vector] | None]:
    """Return summary and detail vector of each row, given with the turn before it; None without an embedder."""
    if core.embedder is None or not rows:
        return [None] * len(rows)
    own = [own_words(row) for row, _ in rows]
    whole = [in_context(row, before) for row, before in rows]
    texts = list(dict.fromkeys([*own, *whole]))
    vectors = dict(zip(texts, core.embedder.passages(texts), strict=True))
    return [(vectors[one], vectors[other]) for one, other in zip(own, whole, strict=True)]


def reembed(core: Core, view: View) -> Iterator[int]:
    """Give every row that has no vectors its own, in batches; yield how many rows are done so far.

    Can be stopped at any time and goes on where it stopped.
    """
    done = 0
    for layer in Layer:
        rows = core.store.scan(view, layer, unembedded=True)
        while batch := list(islice(rows, _BATCH)):
            _embed_batch(core, view, layer, batch)
            done += len(batch)
            yield done


def _embed_batch(core: Core, view: View, layer: Layer, batch: Sequence[Memory | Turn]) -> None:
    pairs = embed_rows(core, [(row, _before(core.store, view, row)) for row in batch])
    vectors = tuple(
        Embedded(layer=layer, id=row.id, summary=pair[0], detail=pair[1])
        for row, pair in zip(batch, pairs, strict=True)
        if pair is not None
    )
    core.store.apply(GraphDelta(vectors=vectors))


def _before(store: Store, view: View, row: Memory | Turn) -> Turn | None:
    """Return the turn before a turn, or before the turn that a memory comes from."""
    if isinstance(row, Memory):
        told = store.turns(view, ids=row.sources[:1]) if row.sources else []
        return _before(store, view, told[0]) if told else None
    session = [t for t in store.turns(view, session=row.session) if t.owner == row.owner]
    earlier = [turn for turn in session if turn.position < row.position]
    return earlier[-1] if earlier else None
