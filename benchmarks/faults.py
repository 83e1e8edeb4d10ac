"""What a real server acknowledged before a fault is there afterwards, whole and once.

    python -m benchmarks.faults [--release neo4j-5.26] [--trials 20] [--seed 1]

Each trial has a tenant of its own, to which four threads write memories with a vector, one transaction each;
what fails is told again until it is acknowledged. Meanwhile the server is killed (``kill``), stopped in an
orderly way (``stop``) or frozen for longer than the deadline (``freeze``), and comes back. ``lost`` counts
acknowledged memories that are missing, ``doubled`` rows beyond one for each, ``half`` those without vector,
``stuck`` trials after whose fault we did not go on within a minute. The exit code tells whether all are zero.
"""

import logging
import random
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import partial
from itertools import count
from pathlib import Path
from typing import Annotated
from uuid import uuid4

import numpy as np
import typer

from mnemic.errors import MnemicError
from mnemic.graph.model import Embedded, GraphDelta, Kind, Layer, Memory
from mnemic.graph.neo4j import Neo4jStore
from mnemic.graph.view import View
from tests.servers.process import PASSWORD, USER, Server
from tests.servers.releases import RELEASES

_START = datetime(2026, 1, 1, tzinfo=UTC)
_VIEW = View(
    owners=frozenset({"ada"}), valid=_START + timedelta(days=999), known=_START + timedelta(days=999)
)
_DIMENSION, _THREADS, _TIMEOUT = 16, 4, 2.0
_PATIENCE, _ENOUGH = 60.0, 10
"""Within so many seconds after a fault so many memories more must have been acknowledged."""


@dataclass(frozen=True, slots=True)
class Tally:
    """What one trial counted."""

    acknowledged: int
    lost: int
    doubled: int
    half: int
    stuck: int = 0

    @property
    def sound(self) -> bool:
        """Tell whether nothing went wrong."""
        return not (self.lost or self.doubled or self.half or self.stuck)

    def __add__(self, other: "Tally") -> "Tally":
        return Tally(
            self.acknowledged + other.acknowledged,
            self.lost + other.lost,
            self.doubled + other.doubled,
            self.half + other.half,
            self.stuck + other.stuck,
        )


Trial = Callable[[Server, random.Random], Tally]


def _kill(server: Server) -> None:
    server.kill()
    server.start()


def _stop(server: Server) -> None:
    server.stop()
    server.start()


def _freeze(server: Server) -> None:
    server.pause()
    time.sleep(_TIMEOUT + 8)
    server.resume()


def _step(id: str) -> GraphDelta:
    memory = Memory(
        id=id, owner="ada", kind=Kind.FACT, text=id, summary=id, at=_START, recorded_at=_START, valid_from=_START
    )  # fmt: skip
    vector = np.ones(_DIMENSION, np.float32) / np.float32(_DIMENSION**0.5)
    vectors = Embedded(layer=Layer.MEMORY, id=id, summary=vector, detail=vector)
    return GraphDelta(memories=(memory,), vectors=(vectors,))


def _write(store: Neo4jStore, mark: int, acknowledged: list[str], stop: threading.Event) -> None:
    """Write one memory after the other; what fails is told again, under the same id."""
    for number in count():
        id = f"m{mark}-{number}"
        while not stop.is_set():
            try:
                store.apply(_step(id))
            except MnemicError:
                stop.wait(0.1)
                continue
            acknowledged.append(id)
            break
        if stop.is_set():
            return


def disturbed(fault: Callable[[Server], None], server: Server, chance: random.Random) -> Tally:
    """Write while ``fault`` strikes, and count."""
    acknowledged, stop = list[str](), threading.Event()
    opened = partial(
        Neo4jStore.open, server.address, tenant=f"faults-{uuid4()}", user=USER, password=PASSWORD
    )
    with opened() as store:
        store.adopt("even", _DIMENSION)
        store.apply(_step("m"))
    with (
        opened(timeout=_TIMEOUT) as store,
        ThreadPoolExecutor(_THREADS) as pool,
    ):
        writing = [pool.submit(_write, store, mark, acknowledged, stop) for mark in range(_THREADS)]
        try:
            time.sleep(chance.uniform(0.2, 1.5))
            fault(server)
            recovered = _goes_on(acknowledged)
        finally:
            stop.set()
        for each in writing:
            each.result(60)
    try:
        with opened() as store:
            return _counted(store, acknowledged, stuck=not recovered)
    except MnemicError:
        return Tally(len(acknowledged), 0, 0, 0, stuck=1)


def _goes_on(acknowledged: Sequence[str]) -> bool:
    """Wait until more is acknowledged; tell whether it was within the patience."""
    before, deadline = len(acknowledged), time.monotonic() + _PATIENCE
    while len(acknowledged) < before + _ENOUGH:
        if time.monotonic() > deadline:
            return False
        time.sleep(0.05)
    return True


def _counted(store: Neo4jStore, acknowledged: Sequence[str], *, stuck: bool) -> Tally:
    kept = [row.id for row in store.scan(_VIEW, Layer.MEMORY)]
    whole = len(store.vectors(Layer.MEMORY, kept))
    doubled = len(kept) - len(set(kept)) + abs(store.stats().memories - len(kept))
    lost = len(set(acknowledged) - set(kept))
    return Tally(len(acknowledged), lost, doubled, len(set(kept)) - whole, int(stuck))


TRIALS: dict[str, Trial] = {
    "kill": partial(disturbed, _kill),
    "stop": partial(disturbed, _stop),
    "freeze": partial(disturbed, _freeze),
}


@contextmanager
def _served(release: str) -> Iterator[Server]:
    with (
        tempfile.TemporaryDirectory(prefix="mnemic-") as folder,
        Server(RELEASES[release], Path(folder) / "home") as server,
    ):
        yield server


def main(
    release: Annotated[str, typer.Option(help=f"One of {', '.join(RELEASES)}.")] = "neo4j-5.26",
    trials: Annotated[int, typer.Option(help="Trials of each kind.")] = 20,
    kinds: Annotated[str, typer.Option(help="What to try, separated by commas.")] = ",".join(TRIALS),
    seed: Annotated[int, typer.Option(help="Draws the moments.")] = 1,
) -> None:
    """Disturb a server while it is written to, and print what was lost, doubled, left half done or got stuck."""
    logging.getLogger("neo4j").setLevel(logging.CRITICAL)  # it tells of every connection that broke
    chance, sound = random.Random(seed), True
    print(f"{release}  trials  acknowledged  lost  doubled  half  stuck")
    with _served(release) as server:
        for kind in kinds.split(","):
            tally = sum((TRIALS[kind](server, chance) for _ in range(trials)), Tally(0, 0, 0, 0))
            sound = sound and tally.sound
            counts = (
                f"{tally.acknowledged:12}  {tally.lost:4}  {tally.doubled:7}  {tally.half:4}  {tally.stuck:5}"
            )
            print(f"{kind:{len(release)}}  {trials:6}  {counts}", flush=True)
    raise typer.Exit(not sound)


if __name__ == "__main__":
    typer.run(main)
