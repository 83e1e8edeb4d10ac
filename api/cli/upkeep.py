"""Commands that look after the installation: doctor and demo."""

import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any, TypeVar

import typer
from rich.progress import Progress, track

from mnemic.api.changeover import change_over
from mnemic.api.cli.app import app
from mnemic.api.cli.call import Call, command, console, print_json
from mnemic.api.cli.render import health, tour
from mnemic.api.demo import messages, opened, stops, tell
from mnemic.api.health import examine
from mnemic.engine.touched import Progress as Told
from mnemic.extraction.embedders import e5
from mnemic.graph.clock import ManualClock

T = TypeVar("T")


@command(app, "doctor", "mnemic doctor", "mnemic doctor --path memory.db --json")
def doctor(call: Call) -> None:
    """Check that everything mnemic needs is here and works; the exit code is 1 where it does not."""
    found = examine(call.environment)
    call.show(found, lambda: health.health(found))
    if not found.well:
        raise typer.Exit(1)


@command(app, "demo", "mnemic demo", "mnemic demo --embedder none --json", options=("embedder",))
def demo(call: Call) -> None:
    """Read a bundled conversation into a memory that is thrown away, and show what it knows then."""
    conversation = messages()
    clock = ManualClock(conversation[0]["at"])
    with opened(clock, call.environment.embedder) as memory:
        told = list(_with_bar(call, tell(memory, clock, conversation), len(conversation)))
        seen = stops(memory, told)
        if call.as_json:
            print_json([{"title": stop.title, "call": stop.call, "result": stop.result} for stop in seen])
            return
        screen = console()
        screen.print(tour.opening(told, memory.stats()))
        for stop in seen:
            screen.print(tour.stop(stop))


@command(
    app,
    "reembed",
    "mnemic reembed --embedder e5-small-q4",
    "mnemic reembed --embedder sentence-transformers:./my-model --json",
    options=("path", "tenant", "key", "embedder"),
)
def reembed(call: Call) -> None:
    """Change a store over to another embedder; may be stopped, and then goes on where it stopped."""
    place = call.environment
    steps = change_over(
        place.path,
        embedder=place.embedder or e5.NAME,
        tenant=place.tenant,
        key=place.key.get_secret_value() if place.key else None,
    )
    done = 0
    with progress(call.as_json) as bar:
        task = bar.add_task("embedding", total=None)
        for done, total in steps:
            bar.update(task, completed=done, total=total)
    call.show({"embedder": place.embedder or e5.NAME, "rows": done}, lambda: f"{done} rows embedded anew")


def progress(quiet: bool) -> Progress:
    """Return a progress bar that is drawn on a terminal only."""
    return Progress(console=console(stderr=True), disable=quiet or not sys.stderr.isatty(), transient=True)


@contextmanager
def shown(quiet: bool) -> Iterator[Told]:
    """Give what draws a progress bar for reading the history again, on a terminal only."""
    with progress(quiet) as bar:
        tasks: dict[str, Any] = {}

        def show(step: str, done: int, total: int) -> None:
            if step not in tasks:
                tasks[step] = bar.add_task(step, total=total)
            bar.update(tasks[step], completed=done, total=total)

        yield show


def _with_bar(call: Call, steps: Iterable[T], count: int) -> Iterable[T]:
    """Return ``steps`` behind a progress bar, which is drawn on a terminal only and goes away."""
    quiet = call.as_json or not sys.stderr.isatty()
    return track(steps, "reading", count, console=console(stderr=True), disable=quiet, transient=True)
