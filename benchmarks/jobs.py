"""What was acknowledged as a job is told once, in order, whoever is killed.

    python -m benchmarks.jobs [--store file|URL …] [--trials 200] [--seed 1]

Each trial has a store (on a server, a tenant) of its own. Two processes submit messages of three sessions, two
tell them, and all are killed with -9 at moments drawn from the seed; tellers that fall are followed by others, one
trial in four kills a process while it opens the store. At last one process tells the rest. ``lost`` counts
acknowledged messages of which turn, memory or receipt is missing, ``twice`` those that were told more than once
by the log or the memory's sources, ``disordered`` those that stand before an earlier one of their session,
``dead`` the jobs that were given up. The exit code tells whether all four are zero, and something was
acknowledged.
"""

import json
import os
import random
import signal
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from dataclasses import astuple, dataclass, fields
from pathlib import Path
from select import select
from typing import Annotated, NoReturn
from uuid import uuid4

import typer
from rich.console import Console
from rich.progress import track
from rich.table import Table

from mnemic import Mnemic, Settings
from mnemic.engine.jobs import jobs, submit
from mnemic.engine.order import JOB
from mnemic.engine.working import run_next
from mnemic.errors import StoreError
from mnemic.graph.ids import told_id
from mnemic.graph.model import Layer
from mnemic.graph.records import OPEN, Which

_SUBMITTERS, _TELLERS, _SESSIONS = 2, 2, 3
_MESSAGES = 25
"""So many messages each submitter has."""

_LEASE = 1.0
_EARLY = 4
_SLOWER = 5.0
"""On a server everything takes so many times as long as in a file."""

_WIDTH = 120
_OPEN = Which(owners=None, states=[OPEN])


@dataclass(frozen=True, slots=True)
class Place:
    """A trial's store; on a server the environment tells how to enter it."""

    where: str
    tenant: str

    def opened(self) -> Mnemic:
        """Open it."""
        settings = Settings(jobs_lease=_LEASE, jobs_backoff=0.05)
        return Mnemic(self.where, user="ada", tenant=self.tenant, embedder="none", settings=settings)


@dataclass(frozen=True, slots=True)
class Tally:
    """What one trial counted, or all of them."""

    killed: int = 0
    acknowledged: int = 0
    lost: int = 0
    twice: int = 0
    disordered: int = 0
    dead: int = 0

    def __add__(self, other: "Tally") -> "Tally":
        return Tally(*(one + more for one, more in zip(astuple(self), astuple(other), strict=True)))

    @property
    def sound(self) -> bool:
        """Tell whether nothing went wrong."""
        return not (self.lost or self.twice or self.disordered or self.dead)


def text_of(id: str) -> str:
    """Return what is said under ``id``; each says something else."""
    number = int(id[1:]) * _SUBMITTERS + "ab".index(id[0])
    return f"The machine M{number:03} runs on port {9000 + number}."


def submit_all(place: Place, say: Callable[[str], None], name: str) -> None:
    """Submit messages, and say each that was acknowledged."""
    with place.opened() as memory:
        for number in range(_MESSAGES):
            id = f"{name}{number}"
            told = {"message": text_of(id), "id": id, "session": f"s{number % _SESSIONS}"}
            submit(memory.core, memory.scope, told)
            say(id)


def tell_on(place: Place, say: Callable[[str], None]) -> None:
    """Tell until killed."""
    with place.opened() as memory:
        while True:
            if run_next(memory.core) is None:
                time.sleep(0.002)


def finish(place: Place, say: Callable[[str], None]) -> None:
    """Tell the rest, wait for what the killed ones had leased, and say what the store holds."""
    with place.opened() as memory:
        store, view = memory.core.store, memory.core.view(memory.scope)
        while store.count(JOB, _OPEN):
            if run_next(memory.core) is None:
                time.sleep(0.02)
        states = Counter[str]()
        stored, cursor = dict[str, int](), ""
        while True:
            page = jobs(memory.core, memory.scope, cursor=cursor)
            for job in page.items:
                states[job.state] += 1
                if job.receipt is not None:
                    stored |= {
                        id: len(job.receipt.stored) + len(job.receipt.known) * 100 for id in job.receipt.turns
                    }
            if page.next is None:
                break
            cursor = page.next
        since, logged = 0, Counter[str]()
        while changes := store.changes(since):
            logged.update(told_id(each.id) for each in changes if each.kind == "turn")
            since = changes[-1].sequence
        sources = Counter(
            told_id(id) for row in store.timeline(view, hidden=True, limit=9_999) for id in row.sources
        )
        lines = [
            [told_id(turn.id), turn.session, turn.position]
            for turn in store.turns(view, ids=[turn.id for turn in store.scan(view, Layer.TURN)])
        ]
        say(
            json.dumps(
                {
                    "dead": states["dead"],
                    "stored": stored,
                    "logged": logged,
                    "sources": sources,
                    "turns": lines,
                }
            )
        )


class Child:
    """A process of its own, forked from this one, which has loaded all that it needs and opened nothing."""

    def __init__(self, work: Callable[..., None], *arguments: object) -> None:
        read, write = os.pipe()
        self.pid = os.fork()
        if self.pid == 0:
            os.close(read)
            _run(work, write, arguments)
        os.close(write)
        self._said = os.fdopen(read, "rb")

    def kill(self) -> None:
        """Kill it, if it still is there."""
        with suppress(ProcessLookupError):
            os.kill(self.pid, signal.SIGKILL)

    def begun(self) -> None:
        """Wait until it says something, or ends."""
        select([self._said], [], [])

    def heard(self) -> list[str]:
        """Wait for its end, and return the whole lines that it said."""
        with self._said:
            said = self._said.read()
        os.waitpid(self.pid, 0)
        return [line.decode().rstrip() for line in said.splitlines(keepends=True) if line.endswith(b"\n")]


def _run(work: Callable[..., None], pipe: int, arguments: tuple[object, ...]) -> NoReturn:
    place, *rest = arguments
    code = 1
    try:
        work(place, lambda line: _write(pipe, line), *rest)
        code = 0
    except StoreError as error:
        print(error, file=sys.stderr)
    finally:
        os._exit(code)


def _write(pipe: int, line: str) -> None:
    left = f"{line}\n".encode()
    while left:
        left = left[os.write(pipe, left) :]


def trial(place: Place, chance: random.Random) -> Tally:
    """Submit, tell and kill; then tell the rest, and count."""
    submitters = [Child(submit_all, place, name) for name in "ab"[:_SUBMITTERS]]
    tellers = [Child(tell_on, place) for _ in range(_TELLERS)]
    everyone = [*submitters, *tellers]
    pace = 1.0 if Path(place.where).parent.is_dir() else _SLOWER
    if chance.randrange(_EARLY) == 0:
        time.sleep(chance.uniform(0.0, 0.08) * pace)
        chance.choice(everyone).kill()
    for child in submitters:
        child.begun()
    end = time.monotonic() + chance.uniform(0.1, 0.9) * pace
    while time.monotonic() < end:
        time.sleep(chance.uniform(0.02, 0.2) * pace)
        fallen = chance.randrange(_TELLERS)
        tellers[fallen].kill()
        tellers[fallen] = Child(tell_on, place)
        everyone.append(tellers[fallen])
    chance.shuffle(everyone)
    for child in everyone:
        child.kill()
        time.sleep(chance.uniform(0.0, 0.03))
    acknowledged = [id for child in submitters for id in child.heard()]
    for child in everyone:
        if child not in submitters:
            child.heard()
    (found,) = Child(finish, place).heard()
    return counted(json.loads(found), acknowledged, len(everyone))


def counted(found: dict[str, object], acknowledged: list[str], killed: int) -> Tally:
    """Compare what the store holds with what was acknowledged."""
    turns: list[tuple[str, str, int]] = found["turns"]  # type: ignore[assignment]
    stored, logged, sources = (dict[str, int](found[name]) for name in ("stored", "logged", "sources"))  # type: ignore[call-overload]
    there = {id for id, _, _ in turns}
    whole = {id for id in there if stored.get(id) and sources.get(id)}
    latest: dict[tuple[str, str], int] = {}
    disordered = 0
    for id, session, _ in sorted(turns, key=lambda row: (row[1], row[2])):
        number, before = int(id[1:]), latest.get((id[0], session), -1)
        disordered += number < before
        latest[id[0], session] = max(number, before)
    twice = [id for id in there if logged.get(id) != 1 or sources.get(id, 1) != 1 or stored.get(id, 1) != 1]
    return Tally(
        killed=killed,
        acknowledged=len(acknowledged),
        lost=len((set(acknowledged) | there) - whole),
        twice=len(twice),
        disordered=disordered,
        dead=int(str(found["dead"])),
    )


def _warm_up() -> None:
    """Load in this process what each of its children needs."""
    with Mnemic(":memory:", user="ada", embedder="none") as memory:
        submit(memory.core, memory.scope, {"message": text_of("a0")})
        run_next(memory.core)


def main(
    store: Annotated[list[str] | None, typer.Option(help="file, or the URL of a server.")] = None,
    trials: Annotated[int, typer.Option(help="Trials on each store.")] = 200,
    seed: Annotated[int, typer.Option(help="Draws the moments.")] = 1,
) -> None:
    """Kill those who submit and those who tell, and print what of it was lost, told twice or out of order."""
    columns, sound = [field.name for field in fields(Tally)], True
    table = Table("store", "trials", *columns)
    _warm_up()
    for where in store or ["file"]:
        chance, tally = random.Random(seed), Tally()
        with tempfile.TemporaryDirectory(prefix="mnemic-") as folder:
            for number in track(
                range(trials),
                where,
                console=Console(stderr=True),
                transient=True,
                disable=not sys.stderr.isatty(),
            ):
                file = where == "file"
                path = str(Path(folder, f"{number}.db")) if file else where
                one = trial(Place(path, f"jobs-{uuid4()}" if not file else "acme"), chance)
                if not one.sound:
                    print(f"{where}, trial {number}: {one}", file=sys.stderr)
                tally += one
                Path(path).unlink(missing_ok=True)
        sound = sound and tally.sound and tally.acknowledged > 0
        table.add_row(where, str(trials), *(f"{each:,}" for each in astuple(tally)))
    Console(width=_WIDTH).print(table)
    raise typer.Exit(not sound)


if __name__ == "__main__":
    typer.run(main)
