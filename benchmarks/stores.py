"""Speed of stores alone, below the engine: writing in batches and singly, gather and expand.

    python -m benchmarks.stores [--store FOLDER|URL] [--sizes 10000,100000] [--tenants 10] [--dimension 384]

Each size is so many made-up memories over all tenants, each with a turn, two mentions, an episode and two
vectors around a topic's centre; the first tenant is measured. Times are wall clock, p50 and p95.
"""

import statistics
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import Annotated
from uuid import uuid4

import numpy as np
import typer
from rich.console import Console
from rich.table import Table

from mnemic.api.opening import open_store
from mnemic.graph.model import (
    Embedded,
    Entity,
    Episode,
    GraphDelta,
    Kind,
    Layer,
    Memory,
    Mention,
    Turn,
    Vector,
)
from mnemic.graph.store import Probe, Store
from mnemic.graph.view import View

BATCH, QUESTIONS, SINGLES = 500, 60, 50
WORDS, TERMS, TOPICS, ENTITIES = 3_000, 12, 50, 300
OWNER, START = "ada", datetime(2026, 1, 1, tzinfo=UTC)


class World:
    """Rows of one tenant, the same for the same seed."""

    def __init__(self, dimension: int, seed: int = 7) -> None:
        self._random = np.random.default_rng(seed)
        self._dimension = dimension
        self._centres = self._random.normal(size=(TOPICS, dimension))
        self.number = 0

    def entities(self) -> tuple[Entity, ...]:
        """Return all entities."""
        return tuple(
            Entity(
                id=f"e{n}",
                owner=OWNER,
                key=f"thing:{n}",
                name=f"thing {n}",
                kind="thing",
                handles=(f"thing {n}",),
            )
            for n in range(ENTITIES)
        )

    def delta(self, count: int) -> GraphDelta:
        """Return the next ``count`` memories with their turns and vectors."""
        turns, memories, vectors = [], [], []
        for _ in range(count):
            number, at = self.number, START + timedelta(minutes=self.number)
            self.number += 1
            terms = self.terms(TERMS)
            one, other = (f"e{n}" for n in self._random.choice(ENTITIES, 2, replace=False))
            turn = Turn(
                id=f"t{number:07}", owner=OWNER, session=f"s{number // 50}", position=number % 50, speaker=OWNER,
                role="user", text=" ".join(terms), at=at, recorded_at=at, terms=terms,
            )  # fmt: skip
            memory = Memory(
                id=f"m{number:07}", owner=OWNER, kind=Kind.FACT, text=turn.text, summary=turn.text, at=at,
                recorded_at=at, valid_from=at, subject=one, predicate="uses", object=other, value=other,
                importance=float(self._random.random()), speaker=OWNER, session=turn.session, terms=terms,
                mentions=(Mention(one, 0, 5, "one", "subject"), Mention(other, 6, 9, "other", "object")),
                episodes=(Episode(one, "uses", other),), sources=(turn.id,),
            )  # fmt: skip
            topic = int(self._random.integers(TOPICS))
            turns.append(turn)
            memories.append(memory)
            for layer, id in ((Layer.TURN, turn.id), (Layer.MEMORY, memory.id)):
                vectors.append(
                    Embedded(layer=layer, id=id, summary=self.vector(topic), detail=self.vector(topic))
                )
        return GraphDelta(turns=tuple(turns), memories=tuple(memories), vectors=tuple(vectors))

    def terms(self, count: int) -> tuple[str, ...]:
        """Return words as they are in a language: few often, most seldom."""
        return tuple(f"w{n}" for n in np.minimum(self._random.zipf(1.3, count), WORDS))

    def vector(self, topic: int) -> Vector:
        """Return a unit vector near the centre of a topic."""
        raw = self._centres[topic] + self._random.normal(size=self._dimension)
        unit: Vector = (raw / np.linalg.norm(raw)).astype(np.float32)
        return unit


def measure(where: str, size: int, tenants: int, dimension: int) -> dict[str, float]:
    """Fill ``tenants`` stores with ``size`` memories in all, and return the figures of the first."""
    run, each, filled = uuid4().hex[:6], size // tenants, 0.0
    for number in range(tenants):
        world = World(dimension)
        with open_store(where, tenant=f"stores-{run}-{number}") as store:
            store.adopt(f"made-up-{dimension}", dimension)
            store.apply(GraphDelta(entities=world.entities()))
            deltas = [world.delta(min(BATCH, each - at)) for at in range(0, each, BATCH)]
            started = time.perf_counter()
            for delta in deltas:
                store.apply(delta)
            filled += time.perf_counter() - started
    figures = {"batch memories/s": tenants * each / filled}
    with open_store(where, tenant=f"stores-{run}-0") as store:
        world = World(dimension, seed=8)
        world.number = each
        singles = [world.delta(1) for _ in range(SINGLES)]
        figures |= _spread("single apply", [partial(store.apply, delta) for delta in singles])
        figures |= _spread("gather", _gathers(store, world))
        figures |= _spread("expand 2 hops", _expands(store))
    return figures


def _view() -> View:
    now = START + timedelta(days=3650)
    return View(owners=frozenset({OWNER, "team"}), valid=now, known=now)


def _gathers(store: Store, world: World) -> Iterator[Callable[[], object]]:
    for number in range(QUESTIONS):
        probe = Probe(
            terms=world.terms(6),
            vector=world.vector(number % TOPICS),
            entities=(f"e{number}",),
            salient=True,
            hidden=10,
        )
        yield partial(store.gather, _view(), probe)


def _expands(store: Store) -> Iterator[Callable[[], object]]:
    for number in range(QUESTIONS):
        yield partial(store.expand, _view(), [f"e{number}"], hops=2, limit=60)


def _spread(
    name: str, calls: Sequence[Callable[[], object]] | Iterator[Callable[[], object]]
) -> dict[str, float]:
    """Return p50 and p95 in milliseconds; the first fifth warms up."""
    taken = []
    for call in calls:
        started = time.perf_counter()
        call()
        taken.append(1e3 * (time.perf_counter() - started))
    kept = sorted(taken[len(taken) // 5 :])
    return {f"{name} p50 ms": statistics.median(kept), f"{name} p95 ms": kept[int(0.95 * len(kept))]}


def main(
    store: Annotated[
        list[str] | None, typer.Option(help="A folder or a server's URL; more than one in one run.")
    ] = None,
    sizes: Annotated[
        str, typer.Option(help="Memories over all tenants, separated by commas.")
    ] = "10000,100000",
    tenants: Annotated[int, typer.Option(help="So many tenants share them.")] = 10,
    dimension: Annotated[int, typer.Option(help="Numbers in a vector.")] = 384,
) -> None:
    """Measure stores alone; without --store an embedded one in a temporary folder."""
    with tempfile.TemporaryDirectory(prefix="mnemic-") as folder:
        places = store or [f"{folder}/"]
        for size in map(int, sizes.split(",")):
            columns = [measure(place, size, tenants, dimension) for place in places]
            table = Table("measure", *places, title=f"{size:,} memories of {tenants} tenants")
            for name in columns[0]:
                table.add_row(name, *(f"{figures[name]:,.1f}" for figures in columns))
            Console().print(table)


if __name__ == "__main__":
    typer.run(main)
