"""What the quality benchmarks share: fresh stores, folds, rates, tables, files."""

import json
import sys
import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from enum import StrEnum
from hashlib import blake2b
from pathlib import Path
from typing import TypeVar
from uuid import uuid4

from rich.console import Console
from rich.progress import track
from rich.table import Table

from benchmarks.door import Door
from mnemic.extraction.embedders.base import Embedder
from mnemic.graph.clock import ManualClock

T = TypeVar("T")

USER = "chat"
"""Whose memory the benchmarks fill: one user in whose conversations several people speak."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where the stores of one run live: ``:memory:``, ``file`` (temporary), or a server's URL.

    On a server each store is a tenant of its own, named after the case and the run; they stay there.
    An ``embedder`` of None is the product's own.
    """

    store: str = ":memory:"
    embedder: str | Embedder | None = None

    @property
    def vectors(self) -> Embedder | None:
        """The embedder itself, where one was handed in."""
        return None if self.embedder is None or isinstance(self.embedder, str) else self.embedder

    @contextmanager
    def fresh(
        self, case: str, clock: ManualClock, dictionary: Sequence[Mapping[str, object]]
    ) -> Iterator[Door]:
        """Open an empty store for ``case`` and close it afterwards."""
        from mnemic import Mnemic  # here, so that the counting can be used and tested without an engine

        tenant = f"{case}-{uuid4().hex[:8]}" if "://" in self.store else "default"
        with tempfile.TemporaryDirectory(prefix="mnemic-") as folder:
            path = str(Path(folder, "memory.db")) if self.store == "file" else self.store
            with Mnemic(
                path,
                user=USER,
                tenant=tenant,
                embedder=self.embedder,
                clock=clock,
                dictionary=list(dictionary),
            ) as memory:
                yield memory


class Fold(StrEnum):
    """Which part of a data set is looked at: ``blind`` is a fifth of it that is only ever counted."""

    ALL = "all"
    OPEN = "open"
    BLIND = "blind"

    def holds(self, case: str) -> bool:
        """Tell whether the case with this id lies in the fold (by a hash of the id alone)."""
        blind = int.from_bytes(blake2b(case.encode(), digest_size=8).digest(), "big") % 5 == 0
        return self is Fold.ALL or blind == (self is Fold.BLIND)


@dataclass(slots=True)
class Rate:
    """How many of how many checks passed."""

    passed: int = 0
    checks: int = 0

    def count(self, passed: bool) -> None:
        """Take in one check."""
        self.checks += 1
        self.passed += passed

    @property
    def share(self) -> float:
        """The passed share of all, 0 without checks."""
        return self.passed / self.checks if self.checks else 0.0


@dataclass(slots=True)
class Overlap:
    """How what was found agrees with what was expected: counts of both, and of those in both."""

    both: int = 0
    found: int = 0
    expected: int = 0

    def add(self, *, both: int, found: int, expected: int) -> None:
        """Take in one case."""
        self.both += both
        self.found += found
        self.expected += expected

    def figures(self) -> dict[str, float]:
        """Return precision, recall and their harmonic mean; 0 where nothing was found or expected."""
        total = self.found + self.expected
        return {
            "p": round(self.both / self.found, 4) if self.found else 0.0,
            "r": round(self.both / self.expected, 4) if self.expected else 0.0,
            "f1": round(2 * self.both / total, 4) if total else 0.0,
        }


def read_lines(folder: Path, names: Sequence[str] = ()) -> Iterator[tuple[str, dict[str, object]]]:
    """Yield ``(file's stem, object)`` for each line of the folder's JSONL files, or of those named.

    Raises ``FileNotFoundError`` when a named file is missing or the folder has none.
    """
    paths = [folder / f"{name}.jsonl" for name in names] or sorted(folder.glob("*.jsonl"))
    if not paths:
        raise FileNotFoundError(f"{folder}: holds no .jsonl file; name the folder of the data set")
    for path in paths:
        for line in path.read_text(encoding="utf-8").splitlines():
            if line.strip():
                yield path.stem, json.loads(line)


def with_progress(cases: Sequence[T], title: str, *, quiet: bool) -> Iterable[T]:
    """Return the cases, behind a progress bar on a terminal."""
    console = Console(stderr=True)
    return track(cases, description=title, console=console, disable=quiet or not sys.stderr.isatty())


def rates_table(title: str, groups: Mapping[str, Mapping[str, Rate]]) -> Table:
    """Lay out pass rates: one section a grouping, one row a group."""
    table = Table(title=title)
    table.add_column("by")
    table.add_column("group")
    for heading in ("passed", "checks", "rate"):
        table.add_column(heading, justify="right")
    for grouping, rates in groups.items():
        table.add_section()
        for name, rate in sorted(rates.items()):
            table.add_row(grouping, name, str(rate.passed), str(rate.checks), f"{rate.share:.1%}")
    return table


def write_json(path: Path, result: Mapping[str, object]) -> None:
    """Write a result for a machine to read."""
    path.write_text(json.dumps(result, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
