"""A server that all processes of a test run share: the first starts it, the last one's end ends it."""

import fcntl
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import unquote, urlsplit, urlunsplit

import pytest

from tests.servers.jars import jars
from tests.servers.process import PASSWORD, USER
from tests.servers.releases import RELEASES, missing

NAMED, REQUIRED = "MNEMIC_TEST_NEO4J", "MNEMIC_REQUIRE_NEO4J"

SERVERS: tuple[str, ...] = ("neo4j-named",) if os.environ.get(NAMED) else tuple(RELEASES)
"""What the tests run on: the releases, or the one server that the environment names."""

_ROOT = Path(__file__).parents[2]
_PATIENCE = 300.0


@dataclass(frozen=True, slots=True)
class Access:
    """Where a server is, and who may use it."""

    address: str
    user: str
    password: str


@contextmanager
def shared(name: str, folder: Path) -> Iterator[Access]:
    """Yield the server ``name`` of ``SERVERS``; its files lie in ``folder``, which the test run shares.

    Skips the test where it cannot run here, or fails it where ``MNEMIC_REQUIRE_NEO4J`` is set.
    """
    if named := os.environ.get(NAMED):
        yield _named(named)
        return
    require(name)
    jars(RELEASES[name])
    place = folder / name
    place.mkdir(parents=True, exist_ok=True)
    with open(place / "users", "a") as users:
        yield Access(_address(name, place, users.fileno()), USER, PASSWORD)


def require(name: str) -> None:
    """Skip the test where the release ``name`` cannot run here, or fail it where it must."""
    if lacking := missing(RELEASES[name]):
        if os.environ.get(REQUIRED):
            pytest.fail(lacking, pytrace=False)
        pytest.skip(lacking)


def _address(name: str, place: Path, users: int) -> str:
    """Return the address of the server that is kept in ``place``, having it started where there is none."""
    with open(place / "door", "w") as door:
        fcntl.flock(door, fcntl.LOCK_EX)
        fcntl.flock(users, fcntl.LOCK_SH)
        address, failure = place / "address", place / "failure"
        if not address.exists():
            subprocess.Popen(
                [sys.executable, "-m", "tests.servers.keeper", name, str(place)],
                cwd=_ROOT,
                start_new_session=True,
                stdin=subprocess.DEVNULL,
            )
        deadline = time.monotonic() + _PATIENCE
        while not address.exists():
            if failure.exists() or time.monotonic() > deadline:
                pytest.fail(failure.read_text() if failure.exists() else f"{name} does not start")
            time.sleep(0.1)
        return address.read_text(encoding="utf-8")


def _named(url: str) -> Access:
    """Return what ``bolt://user:password@host:port`` says."""
    parts = urlsplit(url)
    address = urlunsplit(parts._replace(netloc=parts.netloc.rpartition("@")[2]))
    return Access(address, unquote(parts.username or USER), unquote(parts.password or ""))
