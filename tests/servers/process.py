"""One server as a process: a home, a port, a password; started, stopped, killed and started again."""

import os
import signal
import socket
import subprocess
import time
from pathlib import Path
from typing import LiteralString, Self

from neo4j import GraphDatabase
from neo4j.exceptions import AuthError, DriverError, Neo4jError

from tests.servers.jars import jars
from tests.servers.releases import Release, find_java

USER, PASSWORD = "neo4j", "open-sesame"
_FIRST_PASSWORD = "neo4j"
_PATIENCE = 240.0
"""Seconds; on a machine that is busy with other work a start has taken more than two minutes."""

_CONFIGURATION = """
server.default_listen_address=127.0.0.1
server.bolt.listen_address=127.0.0.1:{bolt}
server.http.enabled=false
server.https.enabled=false
dbms.usage_report.enabled=false
db.tx_log.preallocate=false
"""
_SHORT_LIVED = """server.memory.pagecache.size=128m
dbms.cypher.min_replan_interval=10h
"""
"""Settings of a server for tests: small, and no statement is planned twice."""
_QUICK = "-XX:TieredStopAtLevel=1"
"""Compiles soon instead of well: a test run is over before the better code would pay."""
_OPENED = ("java.nio", "java.io", "sun.nio.ch", "java.lang", "java.util.concurrent")


class Server:
    """A server of ``release`` with its files in ``home``, listening on ``port`` of this machine alone.

    ``settings`` are further lines of its configuration; ``scheme`` is what an address of it begins with;
    ``lasting`` tells a server that is measured or kept from one for tests.
    """

    def __init__(
        self,
        release: Release,
        home: Path,
        *,
        heap: str = "768m",
        settings: str = "",
        scheme: str = "bolt",
        lasting: bool = False,
    ) -> None:
        self._release, self.home, self._heap = release, home, heap
        self._settings, self._scheme = settings if lasting else _SHORT_LIVED + settings, scheme
        self._options = () if lasting else (_QUICK,)
        self.port = _free_port()
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def address(self) -> str:
        """Where it listens."""
        return f"{self._scheme}://127.0.0.1:{self.port}"

    def start(self) -> None:
        """Start it, and wait until it answers under its password."""
        configuration = self.home / "conf" / "neo4j.conf"
        if not configuration.exists():
            configuration.parent.mkdir(parents=True)
            lines = _CONFIGURATION.format(bolt=self.port) + self._settings
            configuration.write_text(lines, encoding="utf-8")
        with open(self.home / "out.log", "ab") as log:
            self._process = subprocess.Popen(
                self._command(), stdout=log, stderr=log, stdin=subprocess.DEVNULL
            )
        deadline = time.monotonic() + _PATIENCE
        while not self._answers():
            if self._process.poll() is not None or time.monotonic() > deadline:
                self.kill()
                told = (self.home / "out.log").read_text(encoding="utf-8", errors="replace")
                raise RuntimeError(f"{self._release.name} does not start:\n{told[-2000:]}")
            time.sleep(0.2)

    def stop(self) -> None:
        """End it in an orderly way."""
        self._end(signal.SIGTERM)

    def kill(self) -> None:
        """End it as a power failure would."""
        self._end(signal.SIGKILL)

    def pause(self) -> None:
        """Let it hang, and wait until it does: connections stay open and nothing answers."""
        assert self._process is not None
        os.kill(self._process.pid, signal.SIGSTOP)
        os.waitpid(self._process.pid, os.WUNTRACED)  # its threads stop one by one; until then it answers

    def resume(self) -> None:
        """Let it go on after :meth:`pause`."""
        assert self._process is not None
        os.kill(self._process.pid, signal.SIGCONT)

    def _end(self, with_signal: signal.Signals) -> None:
        if self._process is not None:
            self._process.send_signal(with_signal)
            self._process.wait(60)
            self._process = None

    def _command(self) -> list[str]:
        java = find_java(self._release)
        return [
            *(str(java), f"-Xmx{self._heap}", "-XX:+UseSerialGC", *self._options),
            *(f"--add-opens=java.base/{package}=ALL-UNNAMED" for package in _OPENED),
            *("--add-modules=jdk.incubator.vector", "-cp", f"{jars(self._release)}/*", self._release.main),
            *(f"--home-dir={self.home}", f"--config-dir={self.home / 'conf'}"),
        ]

    def _answers(self) -> bool:
        """Tell whether it answers; the first time the password that it came with is changed."""
        try:
            _run(self.address, PASSWORD, "RETURN 1")
        except AuthError:
            given = {"old": _FIRST_PASSWORD, "new": PASSWORD}
            _run(self.address, _FIRST_PASSWORD, "ALTER CURRENT USER SET PASSWORD FROM $old TO $new", given)
        except (Neo4jError, DriverError):
            return False
        return True

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, *failure: object) -> None:
        self.kill()


def _run(address: str, password: str, query: LiteralString, parameters: dict[str, str] | None = None) -> None:
    with (
        GraphDatabase.driver(address, auth=(USER, password)) as driver,
        driver.session(database="system" if parameters else None) as session,
    ):
        session.run(query, parameters).consume()


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port
