"""Load on a real ``mnemic serve`` by a process beside it: requests a second, p50 and p95, and whether anything is lost.

    python -m benchmarks.load [--store file|URL[,…]] [--sizes 1000,10000,100000] [--connections 1,8,32]
        [--kinds new,known,…] [--processes 1] [--seconds 5] [--embedder NAME] [--filled FOLDER] [--json FILE] [--quiet]

The stores are filled as those of ``benchmarks.speed``, with quick vectors under the name of the embedder that the
server then asks its own questions with. Each row is one kind of request:

``new``       recalls of questions that nobody asked before: embedded and worked out
``known``     recalls of questions asked before, worked out anew (the server keeps no answers): their vectors are known
``kept``      recalls of questions whose answers the server keeps
``told``      ``POST /v1/remember``, answered when it is understood and on disk
``accepted``  ``POST /v1/remember?wait=false``, answered when it is on disk

Every connection sends its next request when it has its answer. Whatever was acknowledged is looked for afterwards:
``lost`` counts what is not there, ``refused`` answers of another status than was asked for; ``cpu`` is what the
server's processes took of the processors while they were fired at, for each answer: with ``accepted`` also for
telling what was accepted meanwhile. The exit code tells whether anything is lost.
"""

import shutil
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from dataclasses import asdict, dataclass, field, replace
from http.client import HTTPConnection
from itertools import count, islice
from json import dumps, loads
from multiprocessing import get_context
from pathlib import Path
from typing import Annotated, Any
from uuid import uuid4

import typer
from rich.console import Console
from rich.table import Table

from benchmarks.chatter import Chatter
from benchmarks.harness import USER, write_json
from benchmarks.served import Served, cpu_seconds, served
from benchmarks.speed import Bench, Plan, fill_and_copy
from mnemic import Mnemic
from mnemic.api.service.keys import create
from mnemic.extraction.embedders.e5 import NAME as DEFAULT
from mnemic.graph.embedded import EmbeddedStore

_RECALL = "/v1/recall"
_PATHS: Mapping[str, tuple[str, int]] = {
    "new": (_RECALL, 200),
    "known": (_RECALL, 200),
    "kept": (_RECALL, 200),
    "told": ("/v1/remember", 200),
    "accepted": ("/v1/remember?wait=false", 202),
}
"""Where each kind of request goes, and the status that it wants."""
_SERVERS = ((0, ("known",)), (1_024, ("new", "kept")), (1_024, ("told", "accepted")))
"""How many answers each server keeps, and what it is asked."""
ASKED_AGAIN = 20
"""Different questions that are asked again and again."""
_ROUNDS = 8
_MOST = 20_000
"""Requests that one measurement may send."""
_PATIENCE = 600.0
_PAGE = 1_000


@dataclass(frozen=True, slots=True)
class Aim:
    """What one volley sends where: each body once, or again and again where it is ``round``."""

    port: int
    process: int
    key: str
    path: str
    bodies: Sequence[bytes]
    connections: int
    seconds: float
    status: int = 200
    round: bool = False


@dataclass(slots=True)
class Volley:
    """What came back: seconds of each good answer, numbers of the bodies that had one, how many had another."""

    seconds: list[float] = field(default_factory=list)
    acknowledged: list[int] = field(default_factory=list)
    refused: int = 0
    took: float = 0.0
    cpu: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """The figures of one volley."""

    store: str
    memories: int
    kind: str
    connections: int
    a_second: float
    p50_ms: float
    p95_ms: float
    cpu_ms: float
    requests: int
    refused: int
    lost: int = 0


def fire(aim: Aim) -> Volley:
    """Send requests over so many connections at once until the time or the bodies are over."""
    volley, numbers, started = Volley(), count(), time.perf_counter()
    taken = cpu_seconds(aim.process)

    def connection(_: int) -> None:
        link = HTTPConnection("127.0.0.1", aim.port, timeout=120)
        headers = {"Authorization": f"Bearer {aim.key}", "Content-Type": "application/json"}
        for number in numbers:
            if time.perf_counter() - started > aim.seconds or (number >= len(aim.bodies) and not aim.round):
                break
            sent = time.perf_counter()
            link.request("POST", aim.path, aim.bodies[number % len(aim.bodies)], headers)
            answer = link.getresponse()
            answer.read()
            if answer.status == aim.status:
                volley.seconds.append(time.perf_counter() - sent)
                volley.acknowledged.append(number)
            else:
                volley.refused += 1
                time.sleep(float(answer.headers.get("Retry-After", "0")))
        link.close()

    with ThreadPoolExecutor(aim.connections) as threads:
        list(threads.map(connection, range(aim.connections)))
    volley.took, volley.cpu = time.perf_counter() - started, cpu_seconds(aim.process) - taken
    return volley


class Range:
    """One size at one place: its questions and messages, each used once, and the process that fires."""

    def __init__(self, store: str, size: int, seconds: float, shooter: ProcessPoolExecutor) -> None:
        self._store, self._size, self._seconds, self._shooter = store, size, seconds, shooter
        chatter = Chatter(seed=1)
        self._told = islice(chatter.messages(), 2 * size, None)
        self._asked = _different(chatter)
        self._again = [_body(query=question) for question in islice(self._asked, ASKED_AGAIN)]

    def recalls(self, aim: Aim, kind: str) -> Row:
        """Fire recalls: ``new`` ones, or those that are asked again."""
        if kind == "new":
            bodies = [_body(query=question) for question in islice(self._asked, self._enough)]
            return self._row(kind, aim, self._fired(replace(aim, bodies=bodies)))
        once = replace(aim, bodies=self._again * _ROUNDS, connections=_ROUNDS, seconds=_PATIENCE)
        self._fired(once)  # each process of the server is to know them
        return self._row(kind, aim, self._fired(replace(aim, bodies=self._again, round=True)))

    def writes(self, aim: Aim, kind: str) -> Row:
        """Fire messages, and look for those that were acknowledged."""
        run = uuid4().hex[:8]
        texts = [f"{said.text} ({run} {n})" for n, said in enumerate(islice(self._told, self._enough))]
        sessions = [f"load-{run}-{number}" for number in range(aim.connections)]
        bodies = [_body(message=text, session=sessions[n % len(sessions)]) for n, text in enumerate(texts)]
        volley = self._fired(replace(aim, bodies=bodies))
        acknowledged = {texts[number] for number in volley.acknowledged}
        return replace(self._row(kind, aim, volley), lost=len(_missing(aim, sessions, acknowledged)))

    @property
    def _enough(self) -> int:
        return min(_MOST, int(2_000 * self._seconds))

    def _fired(self, aim: Aim) -> Volley:
        return self._shooter.submit(fire, aim).result()

    def _row(self, kind: str, aim: Aim, volley: Volley) -> Row:
        ordered = sorted(volley.seconds) or [0.0]
        return Row(
            store=self._store,
            memories=self._size,
            kind=kind,
            connections=aim.connections,
            a_second=round(len(volley.seconds) / volley.took, 1),
            p50_ms=round(1e3 * ordered[len(ordered) // 2], 2),
            p95_ms=round(1e3 * ordered[min(len(ordered) - 1, int(0.95 * len(ordered)))], 2),
            cpu_ms=round(1e3 * volley.cpu / len(ordered), 2),
            requests=len(volley.seconds) + volley.refused,
            refused=volley.refused,
        )


def _body(**told: object) -> bytes:
    return dumps(told, ensure_ascii=False).encode()


def _different(chatter: Chatter) -> Iterator[str]:
    """Yield questions, none of them twice."""
    seen: set[str] = set()
    while True:
        for question in chatter.questions(100):
            numbered = question if question not in seen else f"{question} ({len(seen)})"
            seen.add(numbered)
            yield numbered


def _missing(aim: Aim, sessions: Sequence[str], texts: set[str]) -> set[str]:
    """Return which of ``texts`` cannot be read, once all that was accepted is done or patience is over."""
    missing, deadline = set(texts), time.monotonic() + _PATIENCE
    while True:
        for session in sessions:
            missing -= set(_read(aim, session))
        if not missing or time.monotonic() > deadline:
            return missing
        time.sleep(1)


def _read(aim: Aim, session: str) -> Iterator[str]:
    """Yield the texts of a session's turns, page by page."""
    link, cursor = HTTPConnection("127.0.0.1", aim.port, timeout=120), ""
    while cursor is not None:
        link.request(
            "GET",
            f"/v1/turns?session={session}&limit={_PAGE}&cursor={cursor}",
            headers={"Authorization": f"Bearer {aim.key}"},
        )
        page: dict[str, Any] = loads(link.getresponse().read())
        yield from (row["text"] for row in page["items"])
        cursor = page["next"]
    link.close()


@dataclass(frozen=True, slots=True)
class Load:
    """What is fired at a store: which kinds of requests, over how many connections, for how long each."""

    kinds: Sequence[str]
    connections: Sequence[int]
    seconds: float
    processes: int


def measure(plan: Plan, source: str, load: Load) -> list[Row]:
    """Return the rows of one size at one place."""
    _prepare(replace(plan, where=source), plan)
    with Mnemic(plan.where, user=USER, tenant=plan.tenant, embedder="none") as memory:
        key = create(memory.core, plan.tenant, user=USER, may=["write"]).plain
    rows: list[Row] = []
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as shooter:
        range_ = Range("server" if "://" in plan.where else "file", plan.size, load.seconds, shooter)
        for kept, kinds in _SERVERS:
            chosen = [kind for kind in load.kinds if kind in kinds]
            variables = {"MNEMIC_EMBEDDER": plan.embedder, "MNEMIC_SERVICE_ANSWERS": str(kept)}
            if chosen:
                with served(plan.where, processes=load.processes, variables=variables) as server:
                    rows += _rows(range_, server, key, chosen, load)
    return rows


def _rows(range_: Range, server: Served, key: str, kinds: Sequence[str], load: Load) -> Iterator[Row]:
    """Fire at one server, kind by kind."""
    for kind in kinds:
        path, status = _PATHS[kind]
        for each in load.connections:
            aim = Aim(server.port, server.process.pid, key, path, (), each, load.seconds, status)
            yield range_.recalls(aim, kind) if path == _RECALL else range_.writes(aim, kind)


def _prepare(filled: Plan, plan: Plan) -> None:
    """Have the store of ``plan`` be a copy of the one that is filled where that is missing."""
    if "://" in plan.where:
        fill_and_copy(filled, plan)
        return
    Bench(filled).fill()
    source = EmbeddedStore.file(filled.where, tenant=filled.tenant)
    target = EmbeddedStore.file(plan.where, tenant=plan.tenant)
    for part in source.parent.glob(f"{source.name}*"):
        shutil.copy2(part, target.parent / part.name.replace(source.name, target.name))


def table(rows: Sequence[Row]) -> Table:
    """Lay out rows."""
    laid = Table()
    for name in asdict(rows[0]) if rows else ():
        laid.add_column(name.replace("_", " "), justify="left" if name in ("store", "kind") else "right")
    for row in rows:
        laid.add_row(
            *(f"{each:,}" if isinstance(each, int | float) else each for each in asdict(row).values())
        )
    return laid


def main(
    store: Annotated[str, typer.Option(help="file, or a server's URL; several with commas.")] = "file",
    sizes: Annotated[
        str, typer.Option(help="Memories in the stores, separated by commas.")
    ] = "1000,10000,100000",
    connections: Annotated[str, typer.Option(help="Connections at once, separated by commas.")] = "1,8,32",
    kinds: Annotated[str, typer.Option(help="Kinds of requests, separated by commas.")] = ",".join(_PATHS),
    processes: Annotated[int, typer.Option(help="Processes of the server.")] = 1,
    seconds: Annotated[float, typer.Option(help="How long each measurement takes.")] = 5.0,
    embedder: Annotated[str, typer.Option(help="The server's embedder, or none.")] = DEFAULT,
    filled: Annotated[
        Path | None, typer.Option(help="Keep the filled stores in this folder (else temporary).")
    ] = None,
    json: Annotated[Path | None, typer.Option(help="Write the figures to this file as well.")] = None,
    quiet: Annotated[bool, typer.Option("--quiet", help="No progress bars.")] = False,
) -> None:
    """Measure a service under load, and look for what it acknowledged."""
    rows: list[Row] = []
    numbers = [int(each) for each in connections.split(",")]
    load = Load(kinds.split(","), numbers, seconds, processes)
    with tempfile.TemporaryDirectory(prefix="mnemic-") as folder:
        for place in store.split(","):
            for size in map(int, sizes.split(",")):
                source, where = filled or Path(folder, "filled"), Path(folder, "load")
                for each in (source, where):
                    each.mkdir(parents=True, exist_ok=True)
                tenant = f"load-{size}"
                target = place if "://" in place else f"{where}/"
                plan = Plan(target, tenant, size, embedder, quiet or not sys.stderr.isatty(), embedder)
                rows += measure(plan, f"{source}/", load)
    Console().print(table(rows))
    if json is not None:
        write_json(json, {"processes": processes, "rows": [asdict(row) for row in rows]})
    raise typer.Exit(any(row.lost for row in rows))


if __name__ == "__main__":
    typer.run(main)
