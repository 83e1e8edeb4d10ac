"""The measuring stick: ``python -m benchmarks list | run SUITE --data FOLDER | compare A.json B.json``.

A result is ``{system: {group: {figure: value}}}``; the group ``all`` holds everything.
"""

import json as reading
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table

from benchmarks.harness import Place, write_json
from benchmarks.suites import SUITES, Result, Run
from benchmarks.suites.systems import SYSTEMS
from benchmarks.vectors import KeptVectors
from mnemic.extraction.embedders.registry import default_embedder
from mnemic.extraction.embedders.registry import embedder as embedder_named

_WIDTH = 160
"""Columns of a table that goes to no terminal."""

app = typer.Typer(help=__doc__, no_args_is_help=True, add_completion=False)


@app.command("list")
def list_suites() -> None:
    """Show the suites: what each measures, and where its data come from."""
    table = Table("suite", "measures", "folder", "data")
    table.columns[0].no_wrap = True
    for name, suite in SUITES.items():
        table.add_row(name, suite.about, suite.folder, suite.source)
    _show(table)


@app.command()
def run(
    suite: Annotated[str, typer.Argument(help="The suite's name (see list).")],
    data: Annotated[Path, typer.Option(help="The folder of the data, or the one that holds it.")],
    store: Annotated[str, typer.Option(help=":memory:, file, or the URL of a server.")] = ":memory:",
    embedder: Annotated[str, typer.Option(help="The embedder's name; the default one if none.")] = "",
    systems: Annotated[str, typer.Option(help="Which to run, with commas.")] = ",".join(SYSTEMS),
    cases: Annotated[int, typer.Option(min=0, help="At most so many histories; 0: all.")] = 0,
    vectors: Annotated[Path | None, typer.Option(help="A file that keeps vectors between runs.")] = None,
    json: Annotated[Path | None, typer.Option(help="Write the figures to this file.")] = None,
    quiet: Annotated[bool, typer.Option("--quiet", help="No progress bar.")] = False,
) -> None:
    """Run a suite through the front door, and the plain rivals beside it.

    For example: python -m benchmarks run locomo --data ~/data --json locomo.json
    """
    if suite not in SUITES:
        raise typer.BadParameter(f"{suite!r} is none of {', '.join(SUITES)}", param_hint="SUITE")
    folder = data / SUITES[suite].folder if (data / SUITES[suite].folder).is_dir() else data
    chosen = _systems(systems)
    place = Place(store, _embedder(embedder, vectors))
    if place.vectors is None:
        chosen = [name for name in chosen if name not in ("vectors", "fusion")]
    result = SUITES[suite].run(folder, Run(place=place, systems=chosen, cases=cases, quiet=quiet))
    _print(suite, result)
    if json is not None:
        write_json(json, result)


@app.command()
def compare(
    before: Annotated[Path, typer.Argument(exists=True, help="An earlier result.")],
    after: Annotated[Path, typer.Argument(exists=True, help="A later result.")],
) -> None:
    """Show what changed between two results of one suite."""
    old, new = (reading.loads(path.read_text(encoding="utf-8")) for path in (before, after))
    table = Table("system", "group", "figure", "before", "after", "change")
    for system, groups in new.items():
        for group, figures in groups.items():
            for figure, value in figures.items():
                earlier = old.get(system, {}).get(group, {}).get(figure)
                if earlier is not None and earlier != value:
                    table.add_row(
                        system, group, figure, f"{earlier:g}", f"{value:g}", f"{value - earlier:+.4g}"
                    )
    _show(table)


def _systems(named: str) -> list[str]:
    """Return the systems that are named; raises ``BadParameter`` for one that is not there."""
    chosen = [name.strip() for name in named.split(",") if name.strip()]
    for name in chosen:
        if name not in SYSTEMS:
            raise typer.BadParameter(f"{name!r} is none of {', '.join(SYSTEMS)}", param_hint="--systems")
    return chosen


def _embedder(name: str, vectors: Path | None) -> KeptVectors | str:
    """Return the named embedder, or the default one, with its vectors kept; ``none`` where there is none."""
    chosen = embedder_named(name) if name else default_embedder()
    return KeptVectors(chosen, vectors) if chosen is not None else "none"


def _print(suite: str, result: Result) -> None:
    """Print one table: a section for each group, a row for each system."""
    every = [row for groups in result.values() for row in groups.values()]
    figures = list(dict.fromkeys(name for row in every for name in row))
    table = Table("group", "system", *figures, title=suite)
    for group in dict.fromkeys(group for groups in result.values() for group in groups):
        table.add_section()
        for system, groups in result.items():
            row = groups.get(group, {})
            table.add_row(group, system, *(f"{row[name]:.4g}" if name in row else "" for name in figures))
    _show(table)


def _show(table: Table) -> None:
    console = Console()
    console.print(table, width=None if console.is_terminal else _WIDTH)


if __name__ == "__main__":
    app()
