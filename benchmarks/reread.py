"""How long it takes to read a history again when a name is learnt and unlearnt, and to look for proposals.

    python -m benchmarks.reread [--sizes 1000,10000,100000] [--filled FOLDER] [--embedder none] [--json FILE]

Each size is a store of so many turns of made-up chat (``benchmarks.chatter``), told by people whose dictionary
lacks three names: one that is rare, one that stands in about one turn of 200, and one of the commonest. Each is
learnt and unlearnt again, so that a store in FOLDER can be used once more; wall clock, an embedder's time
included. What is filled in FOLDER stays.
"""

import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.progress import Progress
from rich.table import Table

from benchmarks.chatter import BEGUN, Chatter, Said
from benchmarks.harness import USER, write_json
from mnemic import ManualClock, Mnemic

BATCH = 200
SHARES = (0.0005, 0.005, 0.02)
"""In about these shares of the turns the three names stand."""

Figures = dict[str, float]
Row = Mapping[str, object]


def withheld(size: int) -> list[Row]:
    """Return the entries of three names: those whose share of ``size`` messages is nearest to ``SHARES``."""
    chatter = Chatter()
    texts = [said.text for said in islice(Chatter().messages(), min(size, 10_000))]
    counts = Counter(
        {n: sum(str(e["name"]) in text for text in texts) for n, e in enumerate(chatter.dictionary)}
    )
    speakers = {said.speaker for said in islice(Chatter().messages(), 1_000)}
    chosen: list[Row] = []
    for share in SHARES:
        left = (
            n
            for n in counts
            if chatter.dictionary[n] not in chosen and chatter.dictionary[n]["name"] not in speakers
        )
        nearest = min(left, key=lambda n: abs(counts[n] / len(texts) - share))
        chosen.append(chatter.dictionary[nearest])
    return chosen


def fill(memory: Mnemic, clock: ManualClock, size: int, names: Sequence[Row], *, quiet: bool) -> None:
    """Tell the store what is missing of its turns."""
    told, there = Chatter().messages(), memory.stats().turns
    if there < size:
        memory.learn([entry for entry in Chatter().dictionary if entry not in names])
    for said in islice(told, there):
        clock.now = said.at
    with Progress(console=Console(stderr=True), disable=quiet) as progress:
        task = progress.add_task(f"Filling to {size:,}", total=size, completed=there)
        for batch in _batches(islice(told, max(0, size - there))):
            clock.now = batch[-1].at
            memory.remember([said.row() for said in batch])
            progress.advance(task, len(batch))


def _batches(told: Iterator[Said]) -> Iterator[list[Said]]:
    while batch := list(islice(told, BATCH)):
        yield batch


def measure(memory: Mnemic, names: Sequence[Row]) -> Figures:
    """Return how long each name takes to be learnt and unlearnt, and how many turns that is."""
    figures: Figures = {"proposals s": _seconds(memory.proposals)}
    for label, entry in zip(("rare", "middling", "common"), names, strict=True):
        name = str(entry["name"])
        figures[f"{label}: learn s"] = _seconds(lambda entry=entry: memory.learn([entry]))  # type: ignore[misc]
        again = memory.reread(name)
        figures[f"{label}: turns with it"] = again.found
        figures[f"{label}: turns told again"] = again.told
        figures[f"{label}: unlearn s"] = _seconds(lambda name=name: memory.unlearn(name))  # type: ignore[misc]
    return figures


def _seconds(work: Callable[[], object]) -> float:
    started = time.perf_counter()
    work()
    return round(time.perf_counter() - started, 2)


def table(columns: Mapping[str, Figures]) -> Table:
    """Lay out the figures, a column for each size."""
    laid = Table("measure", title="Reading again")
    for name in columns:
        laid.add_column(f"{int(name):,} turns", justify="right")
    for measured in dict.fromkeys(key for figures in columns.values() for key in figures):
        laid.add_row(measured, *(f"{figures[measured]:,g}" for figures in columns.values()))
    return laid


def main(
    sizes: Annotated[
        str, typer.Option(help="Turns in the stores, separated by commas.")
    ] = "1000,10000,100000",
    filled: Annotated[
        Path | None, typer.Option(help="Keep the stores in this folder (else temporary).")
    ] = None,
    embedder: Annotated[str, typer.Option(help="The embedder of the stores.")] = "none",
    json: Annotated[Path | None, typer.Option(help="Write the figures to this file as well.")] = None,
    quiet: Annotated[bool, typer.Option("--quiet", help="No progress bars.")] = False,
) -> None:
    """Measure learning, unlearning and the look for proposals in stores of several sizes."""
    result: dict[str, Figures] = {}
    with tempfile.TemporaryDirectory(prefix="mnemic-") as folder:
        for size in map(int, sizes.split(",")):
            names, clock = withheld(size), ManualClock(BEGUN)
            where = Path(filled or folder, f"reread-{size}.db")
            where.parent.mkdir(parents=True, exist_ok=True)
            with Mnemic(where, user=USER, embedder=embedder, clock=clock) as memory:
                fill(memory, clock, size, names, quiet=quiet or not sys.stderr.isatty())
                result[str(size)] = measure(memory, names)
    Console().print(table(result))
    if json is not None:
        write_json(json, result)


if __name__ == "__main__":
    typer.run(main)
