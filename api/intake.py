"""Putting a read log into a memory: in batches, with a running total of what came of it."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from mnemic.api.facade import Mnemic
from mnemic.api.importing import BadLine, Row
from mnemic.engine.results import Receipt, Result

BATCH = 64
"""How many messages one call of ``remember`` gets: one transaction, all of them or none."""

SHOWN = 1000
"""How many bad lines an import lists; it counts them all."""

_COUNTED = ("silent", "known", "stored", "ignored", "replaced", "reinforced", "masked")


class Imported(Result):
    """What an import did: ``messages`` read, of which ``known`` had been stored before, and their fruit.

    ``silent`` ones beside them have no words, such as calls of tools, and are left out.
    ``bad`` counts what could not be read; ``bad_lines`` lists the first thousand.
    """

    messages: int = 0
    silent: int = 0
    known: int = 0
    stored: int = 0
    ignored: int = 0
    replaced: int = 0
    reinforced: int = 0
    masked: int = 0
    bad: int = 0
    bad_lines: tuple[BadLine, ...] = ()


class Total:
    """The running total of an import; ``on_bad`` is told the bad lines as they come."""

    def __init__(self, on_bad: Callable[[BadLine], None]) -> None:
        self._on_bad = on_bad
        self._counts: Counter[str] = Counter()
        self._bad_lines: list[BadLine] = []

    def readable(self, found: Iterable[Row | BadLine]) -> Iterator[Row]:
        """Yield the messages, and note the bad lines between them."""
        for each in found:
            if isinstance(each, Row):
                yield each
                continue
            self._counts["bad"] += 1
            if len(self._bad_lines) < SHOWN:
                self._bad_lines.append(each)
                self._on_bad(each)

    def add(self, receipt: Receipt) -> None:
        """Take in what one call of ``remember`` did."""
        self._counts["messages"] += len(receipt.turns)
        self._counts.update({name: len(getattr(receipt, name)) for name in _COUNTED})

    def imported(self) -> Imported:
        """Return the total."""
        return Imported(**self._counts, bad_lines=tuple(self._bad_lines))


def take_in(memory: Mnemic, rows: Iterable[Row], *, visibility: str) -> Iterator[Receipt]:
    """Remember messages in batches, and yield the receipt of each.

    What was stored stays stored when it breaks off; the same messages again go on from there.
    """
    for batch in _batches(rows):
        yield memory.remember(batch, visibility=visibility)


def _batches(rows: Iterable[Row]) -> Iterator[Sequence[Mapping[str, Any]]]:
    """Yield the messages in batches in which no id stands twice."""
    batch: dict[str, Mapping[str, Any]] = {}
    for row in rows:
        if len(batch) == BATCH or row.message["id"] in batch:
            yield list(batch.values())
            batch = {}
        batch[row.message["id"]] = row.message
    if batch:
        yield list(batch.values())
