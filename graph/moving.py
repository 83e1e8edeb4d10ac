"""Everything that a store holds, out of it and into another, row by row."""

from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from itertools import islice
from typing import TypeVar

from mnemic.graph.model import Embedded, Entity, GraphDelta, Layer, Memory, Name, Replaces, Turn
from mnemic.graph.portable import Row
from mnemic.graph.records import Record, Which
from mnemic.graph.store import Store
from mnemic.graph.view import View

BATCH = 500
"""Rows that are read or written at once."""

T = TypeVar("T")


def stream(store: Store, view: View) -> Iterator[Row]:
    """Yield all rows that the owners of ``view`` have, none before those that its edges lead to."""
    yield from store.names(view)
    yield from _layer(store, view, Layer.TURN)
    yield from store.entities(view)
    yield from _layer(store, view, Layer.MEMORY)
    for batch in batches(store.scan(view, Layer.MEMORY), BATCH):
        newer = {memory.id for memory in batch}
        yield from (edge for edge in store.replacements(view, sorted(newer)) if edge.newer in newer)


def beside(store: Store, kinds: Iterable[str]) -> Iterator[Record]:
    """Yield all records of ``kinds``, whoever owns them; what they are about are turns of the graph."""
    for kind in kinds:
        after: int | None = None
        while page := store.kept(kind, Which(owners=None), after=after, limit=BATCH):
            yield from page
            after = page[-1].born


def _layer(store: Store, view: View, layer: Layer) -> Iterator[Row]:
    for batch in batches(store.scan(view, layer), BATCH):
        yield from batch
        yield from store.vectors(layer, [row.id for row in batch])


def fill(store: Store, rows: Iterable[Row]) -> Iterator[int]:
    """Write ``rows`` in batches, and yield how many are written so far.

    A batch is written whole or not at all, and rows that are there already are left alone: what was
    stopped is run again.
    """
    done = 0
    for batch in batches(rows, BATCH):
        store.apply(_delta(batch))
        if records := [row for row in batch if isinstance(row, Record)]:
            store.transact("", partial(_keep, records))
        done += len(batch)
        yield done


def _keep(records: Sequence[Record], store: Store) -> None:
    for record in records:
        store.keep(record, version=0)


def _delta(rows: Sequence[Row]) -> GraphDelta:
    return GraphDelta(
        names=tuple(row for row in rows if isinstance(row, Name)),
        turns=tuple(row for row in rows if isinstance(row, Turn)),
        entities=tuple(row for row in rows if isinstance(row, Entity)),
        memories=tuple(row for row in rows if isinstance(row, Memory)),
        replaces=tuple(row for row in rows if isinstance(row, Replaces)),
        vectors=tuple(row for row in rows if isinstance(row, Embedded)),
    )


def batches(rows: Iterable[T], size: int) -> Iterator[list[T]]:
    """Yield ``rows`` in lists of ``size``, the last one shorter."""
    left = iter(rows)
    while batch := list(islice(left, size)):
        yield batch
