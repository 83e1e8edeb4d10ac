"""A real ``mnemic serve`` as a process of its own, for what is measured and tried from outside."""

import os
import re
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

COMMAND = (sys.executable, "-c", "from mnemic.api.cli import main; main()")
"""The command line, whatever it is installed as."""
_PATIENCE = 120.0
_LISTENS = re.compile(r"running on http://[^:/]+:(\d+)")
_READY = "Application startup complete"


@dataclass(frozen=True, slots=True)
class Served:
    """A server that answers at ``port`` of this machine; it writes its log to ``log``."""

    process: subprocess.Popen[bytes]
    port: int
    log: Path

    @property
    def url(self) -> str:
        """The server's address."""
        return f"http://127.0.0.1:{self.port}"

    def stop(self, patience: float = 60.0) -> int:
        """Ask it to end, wait until it has, and return its exit code."""
        self.process.send_signal(signal.SIGTERM)
        return self.process.wait(patience)


@contextmanager
def served(
    where: str, *, processes: int = 1, variables: Mapping[str, str] | None = None, options: Sequence[str] = ()
) -> Iterator[Served]:
    """Serve the store at ``where`` while this is held, with the environment ``variables`` laid over ours.

    Raises ``RuntimeError`` with its log where it does not start.
    """
    command = [*COMMAND, "serve", "--path", where, "--port", "0", "--processes", str(processes), *options]
    with tempfile.TemporaryDirectory(prefix="mnemic-") as folder:
        log = Path(folder, "log")
        with log.open("wb") as out:
            process = subprocess.Popen(command, stdout=out, stderr=out, env=os.environ | (variables or {}))
        try:
            yield Served(process, _listening(process, log, processes), log)
        finally:
            if process.poll() is None:
                process.terminate()
                _ended(process)


def cpu_seconds(process: int) -> float:
    """Return the time of processors that a process and its children have taken; 0 where the system does not tell."""
    return sum(ticks for family, ticks in _times() if process in family) / os.sysconf("SC_CLK_TCK")


def _times() -> Iterator[tuple[tuple[int, int], int]]:
    """Yield for each process its number and its parent's, and its ticks of processors."""
    for stat in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):  # it has ended meanwhile
            told = stat.read_text("utf-8", errors="replace").rpartition(")")[2].split()
            yield (int(stat.parent.name), int(told[1])), int(told[11]) + int(told[12])


def _listening(process: subprocess.Popen[bytes], log: Path, processes: int) -> int:
    """Wait until all of a server's processes are ready, and return its port."""
    deadline = time.monotonic() + _PATIENCE
    while process.poll() is None and time.monotonic() < deadline:
        told = log.read_text("utf-8", errors="replace")
        port = _LISTENS.search(told)
        if port is not None and told.count(_READY) >= processes:
            return int(port[1])
        time.sleep(0.05)
    _ended(process)
    raise RuntimeError(f"mnemic serve does not start:\n{log.read_text('utf-8', errors='replace')[-2000:]}")


def _ended(process: subprocess.Popen[bytes]) -> None:
    """Wait until a process has ended, and end it where it does not."""
    try:
        process.wait(60)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
