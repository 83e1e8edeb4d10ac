"""Moving a tenant: from any store to any other, into one archive and out of it; checked at the end.

An archive is gzipped JSON lines: a header, the rows, and a last line with their number and hash.
"""

import gzip
import json
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TextIO

from mnemic.api.filenames import require_file
from mnemic.errors import InvalidInput, StoreBusy, StoreError
from mnemic.graph.clock import system_clock
from mnemic.graph.moving import BATCH, batches, beside, fill, stream
from mnemic.graph.portable import Content, Row, read_row, write_row
from mnemic.graph.store import Stats, Store
from mnemic.graph.view import View

FORMAT = 1
"""The version of the archive."""

Step = tuple[int, int]
"""How many rows of how many are done; a total of 0 is not known beforehand."""


def copy(source: Store, target: Store) -> Iterator[Step]:
    """Copy all that ``source`` holds into ``target``, and compare both in the end.

    May be stopped at any time and run again; what is there already is left alone. Raises ``InvalidInput``
    for an empty source, ``StoreError`` where ``target`` holds something else, or in the end not the same.
    """
    stats = source.stats()
    rows, total = _all_rows(source, stats), _total(stats)
    _make_ready(target, stats.embedder, stats.dimension)
    for done in fill(target, rows):
        yield done, total
    compare(source, target)


def compare(source: Store, target: Store) -> str:
    """Return the hash of the contents of both, or raise ``StoreError`` where they differ."""
    one, other = content(source), content(target)
    if (one.count, one.hash) != (other.count, other.hash):
        raise StoreError(
            f"target: it holds {other.count:,} rows with hash {other.hash}, the source {one.count:,} with {one.hash}; "
            "copy into a tenant that is empty, while nobody writes into the source"
        )
    return one.hash


def content(store: Store) -> Content:
    """Read everything that ``store`` holds, and return its hash."""
    read, stats = Content(), store.stats()
    if _holds_something(stats):
        for row in _all_rows(store, stats):
            read.add(row)
    return read


def backup(source: Store, file: str | Path) -> Iterator[Step]:
    """Write all that ``source`` holds into ``file``, which appears when it is whole; else nothing is left.

    Raises ``InvalidInput`` for an empty source, ``StoreBusy`` where somebody wrote into it meanwhile: rows are
    read in many steps, and those of different moments may not belong together.
    """
    place = require_file(file)
    half = place.with_name(place.name + ".part")
    before, stats, held, done = source.head(), source.stats(), Content(), 0
    rows = _all_rows(source, stats)
    header = {"mnemic": FORMAT, "embedder": stats.embedder, "dimension": stats.dimension}
    try:
        with _archive(half, "wt") as archive:
            archive.write(json.dumps(header) + "\n")
            for batch in batches(rows, BATCH):
                for row in batch:
                    held.add(row)
                    archive.write(write_row(row) + "\n")
                done += len(batch)
                yield done, _total(stats)
            archive.write(json.dumps({"rows": held.count, "hash": held.hash}) + "\n")
        if source.head() != before:
            raise StoreBusy(
                f"file: {file} was not made, for somebody wrote into the store meanwhile; run it again"
            )
        with _translated(place):
            half.replace(place)
    finally:
        with _translated(half):
            half.unlink(missing_ok=True)


def restore(file: str | Path, target: Store) -> Iterator[Step]:
    """Fill ``target`` from an archive, and compare both in the end; may be stopped and run again.

    Raises ``InvalidInput`` for what is no archive or not a whole one: then the rest is not written.
    """
    read = Content()
    with _archive(require_file(file), "rt") as archive:
        header = _json(archive.readline())
        embedder, dimension = header.get("embedder"), header.get("dimension")
        if header.get("mnemic") != FORMAT or not isinstance(embedder, str) or not isinstance(dimension, int):
            raise InvalidInput(
                "file", f"{file} is no archive of this mnemic", "name one that `mnemic backup` made"
            )
        _make_ready(target, embedder, dimension)
        last: dict[str, Any] = {}

        def rows() -> Iterator[Row]:
            for line in archive:
                if line.startswith('{"rows"'):
                    last.update(_json(line))
                    return
                row = read_row(line)
                read.add(row)
                yield row

        for done in fill(target, rows()):
            yield done, 0
    told = (last.get("rows"), last.get("hash"))
    if told != (read.count, read.hash):
        raise InvalidInput("file", f"{file} is not whole", "make it again; what it held is restored")
    filled = content(target)
    if told != (filled.count, filled.hash):
        raise StoreError("target: it holds other rows than the archive; restore into a tenant that is empty")


def _make_ready(target: Store, embedder: str, dimension: int) -> None:
    there = target.stats()
    if embedder and (there.embedder, there.dimension) != (embedder, dimension):
        if there.vectors:
            raise StoreError(
                f"target: it was filled by the embedder {there.embedder!r}; copy into an empty tenant"
            )
        target.adopt(embedder, dimension)


def _everything(stats: Stats) -> View:
    if not _holds_something(stats):
        raise InvalidInput("source", "holds nothing of this tenant", "name the store and the tenant to read")
    now = system_clock()
    return View(owners=frozenset(stats.owners) or frozenset({"nobody"}), valid=now, known=now)


def _all_rows(store: Store, stats: Stats) -> Iterator[Row]:
    """Yield the whole graph, and what is kept beside it: a job that waits is not lost by moving."""
    yield from stream(store, _everything(stats))
    yield from beside(store, stats.records)


def _holds_something(stats: Stats) -> bool:
    return bool(stats.owners or stats.names or stats.records)


def _total(stats: Stats) -> int:
    graph = stats.names + stats.turns + stats.entities + stats.memories + stats.replaces + stats.vectors
    return graph + sum(stats.records.values())


def _json(line: str) -> dict[str, Any]:
    try:
        read = json.loads(line)
    except ValueError:
        read = None
    return read if isinstance(read, dict) else {}


@contextmanager
def _archive(file: Path, mode: str) -> Iterator[TextIO]:
    with _translated(file), gzip.open(file, mode, encoding="utf-8", newline="\n") as archive:
        yield archive  # type: ignore[misc]  # text modes give text


@contextmanager
def _translated(file: Path) -> Iterator[None]:
    try:
        yield
    except (OSError, EOFError, UnicodeDecodeError, zlib.error) as error:
        raise InvalidInput(
            "file", f"{file} cannot be used ({error})", "check the path, and that it is whole"
        ) from error
