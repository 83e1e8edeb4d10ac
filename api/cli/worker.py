"""The command that works on what was put off."""

import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Event
from typing import Annotated

import typer
from rich.progress import Progress, SpinnerColumn, TextColumn

from mnemic.api.cli.app import app
from mnemic.api.cli.call import Call, command, console
from mnemic.api.modelled import model_meant
from mnemic.api.service.logs import log_to_stderr
from mnemic.api.service.tenants import Tenants
from mnemic.api.service.worker import INTERVAL, Worker
from mnemic.engine.results import Job


@command(
    app,
    "worker",
    "mnemic worker --path ./data",
    "mnemic worker --path neo4j://localhost:7687 --threads 8",
    "mnemic worker --path ./data --once --json",
    options=("path", "key", "embedder"),
)
def work(
    call: Call,
    threads: Annotated[int, typer.Option(min=1, max=256, help="So many jobs at once.")] = 2,
    *,
    once: Annotated[bool, typer.Option("--once", help="End when nothing is to be done now.")] = False,
    interval: Annotated[
        float, typer.Option(min=0.01, max=3600, help="Seconds between two looks for new jobs.")
    ] = INTERVAL,
) -> None:
    """Tell what services have put off, of all tenants at this place, until it is stopped; what has begun is finished.

    Any number of workers may share the work. Prints how many jobs were done, given up, or put off once more.
    """
    place, told = call.environment, Told(call.as_json)
    tenants = Tenants(
        place.path,
        key=place.key.get_secret_value() if place.key else None,
        embedder=place.embedder,
        model=model_meant(),
    )
    tenants.require_reachable()
    with told.shown():
        worker = Worker(tenants, threads=threads, interval=interval, told=told)
        try:
            if once:
                worker.drain()
            else:
                worker.start()
                _until_stopped()
        finally:
            worker.stop()
    tenants.close()
    tally = {state: worker.tally[state] for state in ("done", "dead", "waiting")}
    call.show(tally, lambda: "{done} jobs done, {dead} given up, {waiting} times put off".format(**tally))


class Told:
    """Shows what is being done: on a terminal one line that changes, else lines of a log."""

    def __init__(self, as_json: bool) -> None:
        self._quiet = as_json or not sys.stderr.isatty()
        self._bar = Progress(
            SpinnerColumn(), TextColumn("{task.description}"), console=console(stderr=True), transient=True
        )
        self._task = self._bar.add_task("waiting for jobs")
        self._count = 0

    def __call__(self, tenant: str, job: Job) -> None:
        """Show one more job."""
        self._count += 1
        self._bar.update(
            self._task, description=f"{self._count:,} jobs worked on, the last of {tenant}: {job.state}"
        )

    @contextmanager
    def shown(self) -> Iterator[None]:
        """Show it while this lasts."""
        if self._quiet:
            log_to_stderr()
            yield
        else:
            with self._bar:
                yield


def _until_stopped() -> None:
    """Wait for the signal to end, or for the keys that send it."""
    stopped = Event()
    for each in (signal.SIGTERM, signal.SIGINT):
        signal.signal(each, lambda *_: stopped.set())
    stopped.wait()
