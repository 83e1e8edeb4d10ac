"""Speed of the product through its front door: opening, writing, recalling, exploring; memory and file size.

    python -m benchmarks.speed [--store file|:memory:|FOLDER|URL[,…]] [--sizes 1000,10000,100000]
        [--embedder NAME] [--tenants 1] [--filled FOLDER] [--json FILE] [--quiet]

Each size is a store of so many memories, filled with made-up chat (``benchmarks.chatter``). Embedding
100,000 texts takes half an hour, so stores are filled and asked with quick vectors of as many dimensions
(``FixedEmbedder``); the time of making vectors is taken out of recalls and given for itself, and the real
embedder only writes the messages that are timed with it. In a FOLDER or on a server the stores stay and
are used again; ``--tenants`` puts as many stores of a size side by side and measures the first. One file is
filled message by message (in ``--filled``, to be used again), and copied into each of them: that is how
fast a store writes what is understood already.

Every size runs in processes of its own: one that fills, one that measures, whose peak memory is noted
before the real embedder loads and writes (in ``:memory:`` one does both, and fills a second store for the
writes without embedder). Times are wall clock, p50 and p95 over many
different questions or names, each asked once; rates are medians over chunks of messages; an opening is the
median of several, with the file dropped from the page cache where the system lets us.
"""

import os
import resource
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partial
from itertools import islice
from multiprocessing import get_context
from pathlib import Path
from typing import Annotated, TypeVar

import typer
from rich.console import Console
from rich.progress import Progress
from rich.table import Table

from benchmarks import matcher
from benchmarks.chatter import BEGUN, Chatter, Said
from benchmarks.harness import USER, write_json
from mnemic import ManualClock, Mnemic, NotFound
from mnemic.api.copying import copy
from mnemic.api.opening import open_store
from mnemic.extraction.embedders.base import Embedder, Vectors
from mnemic.extraction.embedders.e5 import NAME as DEFAULT
from mnemic.extraction.embedders.fixed import FixedEmbedder
from mnemic.extraction.embedders.registry import NONE
from mnemic.extraction.embedders.registry import embedder as embedder_named

T = TypeVar("T")

MEMORY = ":memory:"
BATCH = 64
"""Messages of one call where many are written."""

QUESTIONS, NAMES = 150, 50
"""Different questions and names, each asked once."""

CHUNKS = 5
SINGLES, EMBEDDED_SINGLES = 20, 5
"""Messages in each of the chunks that rates of single calls are medians of."""

Figures = dict[str, float]


@dataclass(frozen=True, slots=True)
class Plan:
    """What one process measures: a store of ``size`` memories at ``where`` (see ``Mnemic``).

    ``filled_by`` is the name under which quick vectors are written; theirs alone unless told.
    """

    where: str
    tenant: str
    size: int
    embedder: str
    quiet: bool
    filled_by: str = ""


class Stopwatch:
    """An embedder that notes how many seconds it took, under a name of its own whatever is ``behind`` it."""

    def __init__(self, behind: Embedder, dimension: int, name: str = "") -> None:
        self.behind, self.name, self.dimension = behind, name or f"speed-{dimension}", dimension
        self.seconds = 0.0

    def passages(self, texts: Sequence[str]) -> Vectors:
        """Return what the embedder behind returns."""
        started = time.perf_counter()
        rows = self.behind.passages(texts)
        self.seconds += time.perf_counter() - started
        return rows

    def query(self, text: str) -> Vectors:
        """Return what the embedder behind returns."""
        started = time.perf_counter()
        row = self.behind.query(text)
        self.seconds += time.perf_counter() - started
        return row


class Bench:
    """The measurements of one plan."""

    def __init__(self, plan: Plan) -> None:
        self._plan = plan
        self._chatter = Chatter()
        self._clock = ManualClock(BEGUN)
        self._real = embedder_named(plan.embedder)
        dimension = self._real.dimension if self._real is not None else 0
        self._quick = Stopwatch(FixedEmbedder(dimension), dimension, plan.filled_by) if dimension else None

    def fill(self) -> None:
        """Bring the store to its size."""
        with self._opened(self._quick):
            pass

    def measure(self) -> Figures:
        """Return every figure of the plan."""
        figures = self._openings() if self._plan.where != MEMORY else {}
        with self._opened(self._quick) as memory:
            figures |= self._reads(memory)
            figures["memory MB"] = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
            figures["file MB"] = memory.stats().bytes / 1e6
            if self._real is not None and self._quick is not None:
                self._quick.behind = self._real
                figures |= self._query_embedding(self._real)
                figures |= self._writes(memory, self._plan.embedder, EMBEDDED_SINGLES)
        with self._opened(None) as memory:
            return figures | self._writes(memory, NONE, SINGLES)

    # -- the store ----------------------------------------------------------------------------------

    @contextmanager
    def _opened(self, chosen: Embedder | None) -> Iterator[Mnemic]:
        """Open the store, and add what is missing of its memories."""
        with self._connected(chosen) as memory:
            stored, told = memory.stats().memories, self._messages(memory)
            if stored < self._plan.size:
                memory.learn(self._chatter.dictionary)
            with Progress(console=Console(stderr=True), disable=self._plan.quiet) as progress:
                task = progress.add_task(
                    f"Filling to {self._plan.size:,}", total=self._plan.size, completed=stored
                )
                while stored < self._plan.size:
                    stored += self._tell(memory, list(islice(told, BATCH)))
                    progress.update(task, completed=stored)
            yield memory

    def _connected(self, chosen: Embedder | None) -> Mnemic:
        plan = self._plan
        return Mnemic(plan.where, user=USER, tenant=plan.tenant, embedder=chosen or NONE, clock=self._clock)

    def _messages(self, memory: Mnemic) -> Iterator[Said]:
        """Yield the messages that the store has not been told yet."""
        told = Chatter().messages()
        for said in islice(told, memory.stats().turns):
            self._clock.now = said.at
        return told

    def _tell(self, memory: Mnemic, batch: Sequence[Said]) -> int:
        """Remember messages in one call; return how many memories came of them."""
        self._clock.now = batch[-1].at
        return len(memory.remember([said.row() for said in batch]).stored)

    # -- measurements -------------------------------------------------------------------------------

    def _openings(self) -> Figures:
        """Time opening the store, and the first recall after it."""
        opened, asked = [], []
        for question in self._chatter.questions(CHUNKS):
            _forget_pages(Path(self._plan.where))
            started = time.perf_counter()
            with self._connected(self._quick) as memory:
                opened.append(time.perf_counter() - started)
                started = time.perf_counter()
                memory.recall(question)
                asked.append(time.perf_counter() - started)
        return {
            "open cold ms": 1e3 * statistics.median(opened),
            "first recall ms": 1e3 * statistics.median(asked),
        }

    def _reads(self, memory: Mnemic) -> Figures:
        questions = self._chatter.questions(QUESTIONS)
        names = [name for name in self._chatter.asked_names(2 * NAMES) if _is_known(memory, name)][:NAMES]
        return (
            self._spread("recall warm", lambda q: memory.recall(q, depth="warm"), questions)
            | self._spread("recall deep", lambda q: memory.recall(q, depth="deep"), questions)
            | self._spread("about", memory.about, names)
            | self._spread("explore 2 hops", memory.explore, names)
        )

    def _spread(self, name: str, call: Callable[[str], object], asked: Sequence[str]) -> Figures:
        """Return p50 and p95 over ``asked``, without the time of making vectors."""
        seconds = []
        for argument in asked:
            before = self._embedding_seconds
            started = time.perf_counter()
            call(argument)
            seconds.append(time.perf_counter() - started - (self._embedding_seconds - before))
        return _quantiles(name, seconds)

    @property
    def _embedding_seconds(self) -> float:
        return self._quick.seconds if self._quick is not None else 0.0

    def _writes(self, memory: Mnemic, name: str, singles: int) -> Figures:
        """Return messages per second, one a call and ``BATCH`` a call."""
        told = self._messages(memory)
        rates: dict[int, list[float]] = {1: [], BATCH: []}
        for _ in range(CHUNKS):
            for size, messages in ((1, singles), (BATCH, BATCH)):
                chunk = list(islice(told, messages))
                started = time.perf_counter()
                for start in range(0, messages, size):
                    self._tell(memory, chunk[start : start + size])
                rates[size].append(messages / (time.perf_counter() - started))
        return {f"write {size} {name} msg/s": statistics.median(each) for size, each in rates.items()}

    def _query_embedding(self, real: Embedder) -> Figures:
        """Time the real embedder, which is loaded first."""
        real.query("warm up")
        taken = []
        for question in self._chatter.questions(20):
            started = time.perf_counter()
            real.query(question)
            taken.append(time.perf_counter() - started)
        return _quantiles("query embedding", taken)


def _is_known(memory: Mnemic, name: str) -> bool:
    try:
        memory.explore(name, hops=1, limit=1)
    except NotFound:
        return False
    return True


def _quantiles(name: str, seconds: Sequence[float]) -> Figures:
    ordered = sorted(seconds)
    late = ordered[min(len(ordered) - 1, int(0.95 * len(ordered)))]
    return {f"{name} p50 ms": 1e3 * statistics.median(ordered), f"{name} p95 ms": 1e3 * late}


def _forget_pages(where: Path) -> None:
    """Ask the system to drop the store's files from its page cache."""
    for path in where.glob("*.db*") if hasattr(os, "posix_fadvise") else ():
        with path.open("rb") as file:
            os.posix_fadvise(file.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)


def fill_and_copy(filled: Plan, plan: Plan) -> float:
    """Fill a store and copy it into an empty one; return memories per second, 0 where there are some already."""
    with open_store(plan.where, tenant=plan.tenant) as target:
        if target.stats().memories:
            return 0.0
        Bench(filled).fill()
        with (
            open_store(filled.where, tenant=filled.tenant) as source,
            Progress(console=Console(stderr=True), disable=plan.quiet) as progress,
        ):
            task = progress.add_task(f"Copying {source.stats().memories:,} memories", total=None)
            started = written = time.perf_counter()
            for done, total in copy(source, target):
                written = time.perf_counter()  # what comes after the last is the comparison
                progress.update(task, completed=done, total=total)
            return source.stats().memories / (written - started)


def _measure(plan: Plan) -> Figures:
    return Bench(plan).measure()


def _alone(work: Callable[[Plan], T], plan: Plan) -> T:
    """Run ``work`` in a process of its own."""
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        return pool.submit(work, plan).result()


def measure_size(plan: Plan, tenants: int, filled: str) -> Figures:
    """Fill what is missing, and return the figures of one size, rounded; ``filled`` is the folder to copy from."""
    figures: Figures = {}
    if plan.where != MEMORY:
        source = replace(plan, where=filled)
        each = [replace(plan, tenant=f"{plan.tenant}-{number}") for number in range(tenants)]
        rates = [_alone(partial(fill_and_copy, source), one) for one in each]
        if all(rates):
            figures["copy memories/s"] = statistics.median(rates)
    figures |= _alone(_measure, replace(plan, tenant=f"{plan.tenant}-0"))
    return {name: round(figure, 2) for name, figure in figures.items()}


def measure_matcher() -> dict[str, Figures]:
    """Return the throughput of the dictionary matcher by number of names."""
    return {
        f"{count} names": {"MB/s of CPU": matcher.measure(count)["mb_per_cpu_second"]}
        for count in matcher.SIZES
    }


def table(title: str, columns: Mapping[str, Figures]) -> Table:
    """Lay out figures, a column for each of ``columns``."""
    laid = Table("measure", title=title)
    for name in columns:
        laid.add_column(name, justify="right")
    for measure in dict.fromkeys(measure for figures in columns.values() for measure in figures):
        laid.add_row(measure, *(_shown(figures.get(measure)) for figures in columns.values()))
    return laid


def _shown(figure: float | None) -> str:
    if figure is None:
        return ""
    return f"{figure:,.2f}" if figure < 10 else f"{figure:,.0f}"


def _place(store: str, folder: str) -> str:
    """Return where ``Mnemic`` opens a store; a folder is made if it is not there."""
    if store == MEMORY or "://" in store:
        return store
    place = Path(folder, "file") if store == "file" else Path(store)
    place.mkdir(parents=True, exist_ok=True)
    return f"{place}/"


def main(
    store: Annotated[
        str, typer.Option(help="file (temporary), :memory:, a folder, a server's URL; several with commas.")
    ] = "file",
    sizes: Annotated[
        str, typer.Option(help="Memories in the stores, separated by commas.")
    ] = "1000,10000,100000",
    embedder: Annotated[str, typer.Option(help="The embedder of the timed writes, or none.")] = DEFAULT,
    tenants: Annotated[int, typer.Option(help="So many stores of a size side by side.")] = 1,
    filled: Annotated[
        Path | None, typer.Option(help="Keep the stores to copy from in this folder (else temporary).")
    ] = None,
    json: Annotated[Path | None, typer.Option(help="Write the figures to this file as well.")] = None,
    quiet: Annotated[bool, typer.Option("--quiet", help="No progress bars.")] = False,
) -> None:
    """Measure the speed of stores of several sizes, and of the matcher of names."""
    console, result = Console(), dict[str, dict[str, Figures]]()
    quiet = quiet or not sys.stderr.isatty()
    with tempfile.TemporaryDirectory(prefix="mnemic-") as folder:
        source = _place(str(filled or Path(folder, "filled")), folder)
        for size in map(int, sizes.split(",")):
            result[str(size)] = columns = {
                each: measure_size(
                    Plan(_place(each, folder), f"speed-{size}", size, embedder, quiet), tenants, source
                )
                for each in store.split(",")
            }
            console.print(table(f"{size:,} memories of each of {tenants}", columns))
    result["matcher"] = matched = measure_matcher()
    console.print(table("Matcher", matched))
    if json is not None:
        write_json(json, result)


if __name__ == "__main__":
    typer.run(main)
