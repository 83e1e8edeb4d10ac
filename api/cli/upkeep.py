"""Commands that look after the installation: doctor and demo."""

import sys
from collections.abc import Iterable
from typing import TypeVar

import typer
from rich.progress import track

from mnemic.api.cli.app import app
from mnemic.api.cli.call import Call, command, console, print_json
from mnemic.api.cli.render import health, tour
from mnemic.api.demo import messages, opened, stops, tell
from mnemic.api.health import examine
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


def _with_bar(call: Call, steps: Iterable[T], count: int) -> Iterable[T]:
    """Return ``steps`` behind a progress bar, which is drawn on a terminal only and goes away."""
    quiet = call.as_json or not sys.stderr.isatty()
    return track(steps, "reading", count, console=console(stderr=True), disable=quiet, transient=True)
