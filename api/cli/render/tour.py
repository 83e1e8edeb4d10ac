"""The demonstration on a terminal: what was read, and then stop after stop."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from rich.console import RenderableType
from rich.padding import Padding

from mnemic.api.cli.render import entity, found, graph, receipt
from mnemic.api.cli.render.words import GOOD, NAME, QUIET, joined, stack
from mnemic.api.demo import Stop, Told
from mnemic.engine.results import About, Explored, Found, History, Path, Receipt
from mnemic.graph.store import Stats

_PICTURES: Mapping[type, Callable[[Any], RenderableType]] = {
    Receipt: receipt.receipt,
    About: entity.about,
    Explored: graph.explored,
    Path: graph.path,
    History: entity.history,
}


def opening(told: Sequence[Told], stats: Stats) -> RenderableType:
    """Show what was read, and what became of it."""
    sessions = len({turn.message["session"] for turn in told})
    days = f"{told[0].message['at']:%Y-%m-%d} to {told[-1].message['at']:%Y-%m-%d}"
    return stack(
        joined(
            ("mnemic ", NAME), f"read {len(told)} turns in {sessions} sessions, {days}, half of them Chinese:"
        ),
        joined(
            ("✔ ", GOOD), f"{stats.memories} memories of {stats.entities} entities, {stats.replaces} replaced"
        ),
    )


def stop(here: Stop) -> RenderableType:
    """Show one stop: its title, the call, and the picture of what came back."""
    if isinstance(here.result, Found):
        picture = found.found(here.result, why=here.why)
    else:
        picture = _PICTURES[type(here.result)](here.result)
    head = joined((here.title, "bold"), (f"  memory.{here.call}", QUIET))
    return stack("", head, Padding(picture, (0, 0, 0, 2)))
