"""What was acknowledged before a kill -9 is there afterwards, and whole.

    python -m benchmarks.kill FOLDER [--trials 200] [--seed 1]

Each trial starts a process that writes to a new store in FOLDER, one transaction after the other: a turn, an
entity, a memory of them with words and vectors, and now and then the edge that it replaces an earlier one.
The process prints a number once its transaction is acknowledged, and is killed at a moment drawn from the
seed, one trial in eight while the store is still being made. Then the store is opened: ``lost`` counts
acknowledged numbers of which a part is missing, ``half`` what is there in part, or damage that SQLite finds.
The exit code tells whether both are zero.
"""

import random
import subprocess
import sys
import time
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from itertools import count
from pathlib import Path
from typing import Annotated

import apsw
import numpy as np
import typer

from mnemic.graph.embedded import EmbeddedStore
from mnemic.graph.model import (
    Embedded,
    Entity,
    Episode,
    GraphDelta,
    Kind,
    Layer,
    Memory,
    Mention,
    Replaces,
    Turn,
    Vector,
)
from mnemic.graph.store import Probe
from mnemic.graph.view import View

_START = datetime(2026, 1, 1, tzinfo=UTC)
_DIMENSION = 64
_VIEW = View(
    owners=frozenset({"ada"}), valid=_START + timedelta(days=999), known=_START + timedelta(days=999)
)
_EARLY = 8
"""One trial in so many is killed while it starts."""


def _vector(number: int) -> Vector:
    drawn = np.random.default_rng(number).standard_normal(_DIMENSION).astype(np.float32)
    unit: Vector = drawn / np.linalg.norm(drawn)
    return unit


def _step(number: int) -> GraphDelta:
    """Return all that belongs to one number."""
    now = _START + timedelta(seconds=number)
    turn = Turn(
        id=f"t{number}",
        owner="ada",
        session="s",
        position=number,
        speaker="ada",
        role="user",
        text=f"said {number} " * 20,
        at=now,
        recorded_at=now,
        terms=(f"said{number}", "all"),
    )
    entity = Entity(id=f"e{number}", owner="ada", key=f"k:{number}", name=f"{number}", kind="k")
    memory = Memory(
        id=f"m{number}",
        owner="ada",
        kind=Kind.FACT,
        text=f"kept {number} " * 20,
        summary="",
        at=now,
        recorded_at=now,
        valid_from=now,
        terms=(f"kept{number}", "all"),
        mentions=(Mention(f"e{number}"),),
        episodes=(Episode(f"e{number}", "follows", f"e{max(number - 1, 0)}"),),
        sources=(f"t{number}",),
    )
    vectors = tuple(
        Embedded(layer=layer, id=id, summary=_vector(number), detail=_vector(number + 1))
        for layer, id in ((Layer.TURN, turn.id), (Layer.MEMORY, memory.id))
    )
    edges = (
        (Replaces(newer=f"m{number}", older=f"m{number - 3}", at=now, reason="newer"),)
        if number % 5 == 4
        else ()
    )
    return GraphDelta(turns=(turn,), entities=(entity,), memories=(memory,), vectors=vectors, replaces=edges)


def write(path: Path) -> None:
    """Write until killed."""
    with EmbeddedStore.open(path, tenant="acme") as store:
        store.adopt("random", _DIMENSION)
        for number in count():
            store.apply(_step(number))
            print(number, flush=True)


def kill_one(path: Path, chance: random.Random) -> list[int]:
    """Start a writer, kill it, and return the numbers that it acknowledged."""
    command = [sys.executable, "-m", "benchmarks.kill", str(path), "--write"]
    with subprocess.Popen(command, stdout=subprocess.PIPE) as writer:
        assert writer.stdout is not None
        early = chance.randrange(_EARLY) == 0
        head = b"" if early else writer.stdout.readline()
        time.sleep(chance.uniform(0.0, 0.6 if early else 0.3))
        writer.kill()
        printed = head + writer.stdout.read()
    return [int(line) for line in printed.splitlines(keepends=True) if line.endswith(b"\n")]


def check(path: Path, acknowledged: list[int]) -> tuple[int, int]:
    """Return how many acknowledged numbers are lost, and how many things are there in part or damaged."""
    if not path.exists():
        return len(acknowledged), 0
    with EmbeddedStore.open(path, tenant="acme") as store:
        there, whole = _read(store)
    return len(set(acknowledged) - whole), len(there - whole) + len(list(_damage(path)))


def _read(store: EmbeddedStore) -> tuple[set[int], set[int]]:
    """Return the numbers of which anything is there, and those of which everything is as it was written."""
    rows: list[Entity | Turn | Memory] = [
        *store.entities(_VIEW),
        *store.scan(_VIEW, Layer.TURN),
        *store.scan(_VIEW, Layer.MEMORY),
    ]
    by_id = {row.id: row for row in rows}
    there = {int(id[1:]) for id in by_id}
    edges = {
        (edge.newer, edge.older) for edge in store.replacements(_VIEW, [f"m{number}" for number in there])
    }
    vectors: dict[str, Embedded] = {}
    worded: set[str] = set()
    for layer in Layer:
        vectors |= {each.id: each for each in store.vectors(layer, list(by_id))}
        found = store.gather(_VIEW, Probe(layer=layer, terms=("all",), limit=len(rows) + 1))
        worded |= {each.row.id for each in found.candidates}

    def is_whole(number: int) -> bool:
        step = _step(number)
        return (
            by_id.get(f"t{number}") == step.turns[0]
            and by_id.get(f"e{number}") == step.entities[0]
            and by_id.get(f"m{number}") == step.memories[0]
            and all((edge.newer, edge.older) in edges for edge in step.replaces)
            and all(each.id in vectors and _alike(each, vectors[each.id]) for each in step.vectors)
            and {f"t{number}", f"m{number}"} <= worded
            and f"e{max(number - 1, 0)}" in store.expand(_VIEW, [f"e{number}"], hops=1).entities
        )

    return there, {number for number in there if is_whole(number)}


def _alike(written: Embedded, read: Embedded) -> bool:
    return np.allclose(written.summary, read.summary, atol=1e-3) and np.allclose(
        written.detail, read.detail, atol=1e-3
    )


def _damage(path: Path) -> Iterator[str]:
    """Yield what SQLite finds wrong with the file and its word indexes."""
    db = apsw.Connection(str(path))
    yield from (message for (message,) in db.execute("PRAGMA integrity_check") if message != "ok")
    for layer in Layer:
        try:
            db.execute(f"INSERT INTO {layer}_words ({layer}_words) VALUES ('integrity-check')")
        except apsw.CorruptError as error:
            yield str(error)
    db.close()


def main(
    folder: Annotated[Path, typer.Argument(help="An empty folder for the stores.")],
    trials: Annotated[int, typer.Option(help="How many processes to kill.")] = 200,
    seed: Annotated[int, typer.Option(help="Draws the moments.")] = 1,
    writer: Annotated[bool, typer.Option("--write", hidden=True)] = False,
) -> None:
    """Kill writers and print what was acknowledged, what of it is lost, and what is there in part."""
    if writer:
        write(folder)
    chance = random.Random(seed)
    acknowledged = lost = half = 0
    for trial in range(trials):
        path = folder / f"trial-{trial}.db"
        numbers = kill_one(path, chance)
        missing, partial = check(path, numbers)
        acknowledged, lost, half = acknowledged + len(numbers), lost + missing, half + partial
        if not missing and not partial:
            path.unlink(missing_ok=True)
    print("trials  acknowledged  lost  half")
    print(f"{trials:6}  {acknowledged:12}  {lost:4}  {half:4}")
    raise typer.Exit(lost + half > 0)


if __name__ == "__main__":
    typer.run(main)
