"""Eight writers in four processes tell at once where somebody lives: one value is left, and what it replaced.

    python -m benchmarks.writers [--store file|URL …] [--trials 20] [--rounds 3]

Each trial has a store (on a server, a tenant) of its own, to which every writer tells so many messages, each
twice. ``lost`` counts acknowledged messages without a turn, ``doubled`` turns beyond one for each message,
``current`` the values that still hold at the end, which should be one for each trial, ``broken`` the overruled
memories from which the edges do not lead to it. The exit code tells whether all is as it should be.
"""

import json
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import astuple, dataclass, fields
from pathlib import Path
from typing import Annotated
from uuid import uuid4

import typer
from rich.console import Console
from rich.table import Table

from mnemic import Mnemic
from mnemic.graph.model import Layer, Replaces, State

PROCESSES, THREADS = 4, 2

Writer = subprocess.Popen[str]


@contextmanager
def started(rounds: int) -> Iterator[list[Writer]]:
    """Yield the processes; starting them takes far longer than what they do, so they serve every store."""
    with ExitStack() as stack:
        yield [
            stack.enter_context(
                subprocess.Popen(
                    [sys.executable, "-m", "tests.engine.slot_writer", str(number), str(rounds)],
                    cwd=Path(__file__).parents[1],
                    stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE,
                    text=True,
                )
            )
            for number in range(PROCESSES)
        ]


@dataclass(frozen=True, slots=True)
class Tally:
    """What one trial counted, or all of them."""

    acknowledged: int = 0
    lost: int = 0
    doubled: int = 0
    current: int = 0
    broken: int = 0

    def __add__(self, other: "Tally") -> "Tally":
        return Tally(*(one + more for one, more in zip(astuple(self), astuple(other), strict=True)))


def contended(where: str, credentials: tuple[str, str] | None, writers: Sequence[Writer]) -> Tally:
    """Let the writers tell the store at ``where`` all at once, and count."""
    tenant = f"writers-{uuid4()}"
    with Mnemic(where, user="ada", tenant=tenant, embedder="none", credentials=credentials) as memory:
        told = sum(_told(writers, [where, tenant, credentials]))
        store, view = memory.core.store, memory.core.view(memory.scope)
        turns = [turn.id for turn in store.scan(view, Layer.TURN)]
        rows = store.timeline(view, hidden=True, limit=10_000)
        edges = store.replacements(view, [row.id for row in rows])
    current = {row.id for row in rows if row.state is State.ACTIVE and row.valid_to is None}
    broken = {row.id for row in rows} - leading_to(current, edges)
    return Tally(told, max(0, told - len(set(turns))), max(0, len(turns) - told), len(current), len(broken))


def leading_to(current: Iterable[str], edges: Iterable[Replaces]) -> set[str]:
    """Return the memories from which a way of replacements leads to one of ``current``, and these."""
    older: dict[str, list[str]] = {}
    for edge in edges:
        older.setdefault(edge.newer, []).append(edge.older)
    reached, waiting = set[str](), list(current)
    while waiting:
        if (id := waiting.pop()) not in reached:
            reached.add(id)
            waiting += older.get(id, ())
    return reached


def _told(writers: Sequence[Writer], store: list[object]) -> list[int]:
    """Let the writers tell a store, beginning together; return how many messages each of them told."""
    for writer in writers:
        _say(writer, json.dumps(store))
    for writer in writers:
        if (heard := _heard(writer)) != "open":
            raise RuntimeError(f"a writer did not open the store: {heard!r}")
    for writer in writers:
        _say(writer, "")
    return [int(_heard(writer)) for writer in writers]


def _say(writer: Writer, line: str) -> None:
    assert writer.stdin is not None
    writer.stdin.write(f"{line}\n")
    writer.stdin.flush()


def _heard(writer: Writer) -> str:
    assert writer.stdout is not None
    return writer.stdout.readline().strip()


def main(
    store: Annotated[
        list[str] | None, typer.Option(help="file, or the URL of a server; more than one in one run.")
    ] = None,
    trials: Annotated[int, typer.Option(help="Trials on each store.")] = 20,
    rounds: Annotated[int, typer.Option(help="Messages that each writer tells.")] = 3,
) -> None:
    """Let writers change one value at once, and print what was lost, doubled or left unexplained."""
    columns, sound = [field.name for field in fields(Tally)], True
    table = Table("store", "trials", *columns)
    with tempfile.TemporaryDirectory(prefix="mnemic-") as folder, started(rounds) as writers:
        for place in store or ["file"]:
            tally = Tally()
            for number in range(trials):
                where = str(Path(folder, f"{number}.db")) if place == "file" else place
                tally += contended(where, None, writers)
            told = PROCESSES * THREADS * rounds * trials
            sound = sound and tally == Tally(acknowledged=told, current=trials)
            table.add_row(place, str(trials), *map(str, astuple(tally)))
    Console().print(table)
    raise typer.Exit(not sound)


if __name__ == "__main__":
    typer.run(main)
