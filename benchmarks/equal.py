"""Whether stores are equal where it counts: the same scenarios, and every answer compared.

    python -m benchmarks.equal FOLDER --store URL … [--files zh,en,mix] [--embedder none]

Each scenario (``scenarios.py``) is told to a file and to each store. ``passed`` counts checks, ``otherwise``
those that pass on one side alone, ``differ`` those of which the answer is not the same to the letter, order
included. Ids are made by chance: names that are asked for theirs are compared by which of them share one.
The exit code tells whether all are equal.
"""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table

from benchmarks.checks import Verdict
from benchmarks.harness import Place, with_progress
from benchmarks.scenarios import Outcome, load, outcomes


def differing(one: Sequence[Outcome], other: Sequence[Outcome]) -> Iterator[tuple[Outcome, Outcome]]:
    """Yield the outcomes of a check that are not the same."""
    for ours, theirs in zip(one, other, strict=True):
        if _comparable(ours.verdict) != _comparable(theirs.verdict):
            yield ours, theirs


def _comparable(verdict: Verdict) -> tuple[bool, object]:
    """Return a verdict with ids replaced by the first name that has each."""
    got = verdict.got
    if isinstance(got, dict):
        first: dict[object, object] = {None: None}
        got = {name: first.setdefault(id, name) for name, id in got.items()}
    return verdict.passed, got


def main(
    folder: Annotated[Path, typer.Argument(help="The folder that holds the scenario files.")],
    store: Annotated[list[str], typer.Option(help=":memory:, or the URL of a server; one or more.")],
    files: Annotated[
        str, typer.Option(help="Names of files, without ending, with commas; all if none.")
    ] = "",
    embedder: Annotated[
        str | None, typer.Option(help="The embedder's name; the default one if none.")
    ] = None,
    quiet: Annotated[bool, typer.Option("--quiet", help="No progress bar.")] = False,
) -> None:
    """Play scenarios on a file and on other stores, and print which answers differ."""
    scenarios = load(folder, [name for name in files.split(",") if name])
    told = [
        (scenario, outcomes(scenario, Place("file", embedder)))
        for scenario in with_progress(scenarios, "file", quiet=quiet)
    ]
    table = Table("store", "checks", "passed", "otherwise", "differ")
    checks = [outcome for _, kept in told for outcome in kept]
    table.add_row("file", str(len(checks)), str(sum(one.verdict.passed for one in checks)), "", "")
    console, equal = Console(soft_wrap=True), True
    for place in store:
        passed, otherwise, differ = 0, 0, 0
        for scenario, ours in with_progress(told, place, quiet=quiet):
            theirs = outcomes(scenario, Place(place, embedder))
            passed += sum(outcome.verdict.passed for outcome in theirs)
            for one, other in differing(ours, theirs):
                differ += 1
                otherwise += one.verdict.passed != other.verdict.passed
                console.print(f"{scenario.id}  {one.check.as_written()}", markup=False)
                console.print(f"  file   {one.verdict.got}\n  store  {other.verdict.got}", markup=False)
        table.add_row(place, str(len(checks)), *map(str, (passed, otherwise, differ)))
        equal = equal and not differ
    console.print(table)
    raise typer.Exit(not equal)


if __name__ == "__main__":
    typer.run(main)
