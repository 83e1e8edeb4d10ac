"""Workers: what was put off at any tenant is told, soon, by whoever is there."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from threading import Event
from typing import Any
from uuid import uuid4

import apsw
import pytest

from mnemic import FixedEmbedder, Mnemic, Scope
from mnemic.api.opening import lookout_at, tenants_at
from mnemic.api.service.tenants import Tenants
from mnemic.api.service.worker import Worker
from mnemic.engine.jobs import jobs, submit
from mnemic.engine.results import Job
from mnemic.extraction.embedders.base import Vectors
from mnemic.graph.embedded.lookout import FileLookout
from mnemic.graph.neo4j.lookout import ServerLookout
from tests.servers.shared import SERVERS

ROOT = Path(__file__).parents[2]
KEY = "raw:" + "2b" * 32


def put_off(tenants: Tenants, tenant: str, *texts: str, **options: Any) -> None:
    with tenants.core(tenant) as core:
        for text in texts:
            submit(core, Scope(tenant=tenant, user="ada"), {"message": text, **options})


def states(tenants: Tenants, tenant: str) -> list[str]:
    with tenants.core(tenant) as core:
        return sorted(job.state for job in jobs(core, Scope(tenant=tenant, user="ada")).items)


def soon(check: Callable[[], bool], seconds: float = 10.0) -> None:
    """Wait until ``check`` holds."""
    deadline = time.monotonic() + seconds
    while not check():
        assert time.monotonic() < deadline, "it does not come to be"
        time.sleep(0.01)


@pytest.fixture
def tenants(tmp_path: Path) -> Iterator[Tenants]:
    tenants = Tenants(f"{tmp_path}/", embedder="none")
    yield tenants
    tenants.close()


@contextmanager
def working(tenants: Tenants, **options: Any) -> Iterator[Worker]:
    worker = Worker(tenants, **options).start()
    try:
        yield worker
    finally:
        worker.stop()


def test_what_is_submitted_here_is_begun_at_once(tenants: Tenants) -> None:
    told = Event()
    with working(tenants, interval=3600, told=lambda tenant, job: told.set()) as worker:
        time.sleep(0.1)
        put_off(tenants, "acme", "Ben lives in Berlin.")
        assert not told.wait(0.3), "nobody has said so"
        worker.wake("acme")
        assert told.wait(5)
    assert states(tenants, "acme") == ["done"]


def test_what_is_submitted_elsewhere_is_found(tenants: Tenants, tmp_path: Path) -> None:
    names = ["acme", "Acme", "测试 公司"]
    for name in names[:2]:
        put_off(tenants, name, "Ben lives in Berlin.")
    with working(tenants, interval=0.05) as worker:
        soon(lambda: worker.tally["done"] == 2)
        time.sleep(2.3)  # by now they are settled
        for name in names:
            with Mnemic(f"{tmp_path}/", user="bob", tenant=name, embedder="none") as other:
                submit(other.core, other.scope, {"message": "Lea lives in Rome."})
        soon(lambda: worker.tally["done"] == 5)


def test_one_tenants_backlog_does_not_hold_up_another(tenants: Tenants) -> None:
    order: list[str] = []
    put_off(tenants, "large", *(f"Line {number}." for number in range(30)))
    put_off(tenants, "small", "Ben lives in Berlin.")
    Worker(tenants, threads=1, told=lambda tenant, job: order.append(tenant)).drain()
    assert (len(order), order.count("small")) == (31, 1)
    assert order.index("small") < 3


@pytest.mark.parametrize("threads", [1, 4])
def test_draining_ends_when_nothing_is_to_be_done_now(tenants: Tenants, threads: int) -> None:
    for name in ("one", "two"):
        for session in range(3):
            put_off(tenants, name, *(f"Line {n} of {session}." for n in range(5)), session=f"s{session}")
        put_off(tenants, name, "x", replaces="nothing like it")
    worker = Worker(tenants, threads=threads)
    worker.drain()
    assert worker.tally == {"done": 30, "dead": 2}
    for name in ("one", "two"):
        assert states(tenants, name) == ["dead"] + ["done"] * 15
    Worker(tenants, threads=threads).drain()


class Slow(FixedEmbedder):
    """Waits until it is let go."""

    name = "slow"

    def __init__(self) -> None:
        super().__init__()
        self.begun, self.go = Event(), Event()

    def passages(self, texts: Sequence[str]) -> Vectors:
        self.begun.set()
        assert self.go.wait(20)
        return super().passages(texts)


def test_stopping_finishes_what_has_begun_and_leaves_the_rest(tmp_path: Path) -> None:
    slow = Slow()
    tenants = Tenants(f"{tmp_path}/", embedder=slow)
    put_off(tenants, "acme", "Ben lives in Berlin.", "Lea lives in Rome.")
    worker = Worker(tenants, threads=2, interval=0.05).start()
    assert slow.begun.wait(20)
    worker._stopping = True
    slow.go.set()
    worker.stop()
    worker.stop()
    assert states(tenants, "acme") == ["done", "waiting"]
    tenants.close()


def test_a_store_that_cannot_be_used_does_not_stop_the_others(tenants: Tenants, tmp_path: Path) -> None:
    put_off(tenants, "acme", "Ben lives in Berlin.")
    with working(tenants, interval=0.05) as worker:
        (tmp_path / "broken.db").write_bytes(b"x" * 5000)
        worker.wake("broken")
        soon(lambda: worker.tally["done"] == 1)
        put_off(tenants, "acme", "Lea lives in Rome.")
        soon(lambda: worker.tally["done"] == 2)


# -- which tenants there are --------------------------------------------------------------------------


def test_the_tenants_of_a_folder_and_of_a_file(tenants: Tenants, tmp_path: Path) -> None:
    names = ["acme", "Acme", "a/b", "测试 公司", "x" * 300]
    assert tenants_at(f"{tmp_path}/") == []
    for name in names:
        put_off(tenants, name, "Ben lives in Berlin.")
    theirs = apsw.Connection(str(tmp_path / "theirs.db"))
    theirs.execute("CREATE TABLE meta (tenant); INSERT INTO meta VALUES ('theirs')")
    theirs.close()
    (tmp_path / "empty.db").touch()
    (tmp_path / "notes.db").write_bytes(b"x" * 5000)
    before = sorted(file.name for file in tmp_path.iterdir() if file.suffix == ".db")
    assert tenants_at(f"{tmp_path}/") == tenants_at(str(tmp_path)) == sorted(names)
    assert sorted(file.name for file in tmp_path.iterdir() if file.suffix == ".db") == before
    assert tenants_at(str(tmp_path / "acme.db")) == ["acme"]
    assert tenants_at(str(tmp_path / "nothing.db")) == tenants_at(":memory:") == []


def test_the_tenants_of_encrypted_files(tmp_path: Path) -> None:
    sealed = Tenants(f"{tmp_path}/", key=KEY, embedder="none")
    put_off(sealed, "acme", "Ben lives in Berlin.")
    assert tenants_at(str(tmp_path), key=KEY) == ["acme"]
    assert tenants_at(str(tmp_path)) == []
    Worker(sealed, threads=1).drain()
    assert states(sealed, "acme") == ["done"]
    sealed.close()


def test_a_quiet_tenant_is_left_alone_until_its_file_is_written(tenants: Tenants, tmp_path: Path) -> None:
    put_off(tenants, "acme", "Ben lives in Berlin.")
    lookout = FileLookout(str(tmp_path))
    assert lookout.stirred("job") == ["acme"]
    mark = lookout.mark("acme")
    lookout.settle("acme", mark)
    assert lookout.stirred("job") == ["acme"], "a write may follow that leaves time and size as they are"
    for file in tmp_path.iterdir():
        os.utime(file, (1, 1))
    mark = lookout.mark("acme")
    lookout.settle("acme", mark)
    assert lookout.stirred("job") == []
    put_off(tenants, "acme", "Lea lives in Rome.")
    assert lookout.stirred("job") == ["acme"]


class Own(ServerLookout):
    """Sees those tenants alone that a test has made: others test on the same server."""

    def __init__(self, address: str, own: set[str]) -> None:
        self._all, self._own = lookout_at(address), own

    def tenants(self) -> list[str]:
        return sorted(self._own & set(self._all.tenants()))

    def stirred(self, kind: str) -> list[str]:
        return sorted(self._own & set(self._all.stirred(kind)))

    def close(self) -> None:
        self._all.close()


@pytest.mark.parametrize("name", SERVERS)
def test_the_tenants_of_a_server(name: str, server: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    access = server(name)
    monkeypatch.setenv("MNEMIC_NEO4J_USER", access.user)
    monkeypatch.setenv("MNEMIC_NEO4J_PASSWORD", access.password)
    tenants = Tenants(access.address, embedder="none")
    busy, idle = f"busy-{uuid4()}", f"idle-{uuid4()}"
    put_off(tenants, busy, "Ben lives in Berlin.", "Lea lives in Rome.")
    put_off(tenants, idle)
    assert {busy, idle} <= set(tenants_at(access.address))
    done: list[tuple[str, Job]] = []
    with lookout_at(access.address) as lookout:
        stirred = lookout.stirred("job")
        assert busy in stirred
        assert idle not in stirred
    worker = Worker(
        tenants,
        lookout=Own(access.address, {busy, idle}),
        told=lambda tenant, job: done.append((tenant, job)),
    )
    worker.drain()
    assert [(tenant, each.state) for tenant, each in done] == [(busy, "done")] * 2
    tenants.close()


# -- the command --------------------------------------------------------------------------------------


def command(*arguments: str, **options: Any) -> subprocess.Popen[str]:
    run = [sys.executable, "-c", "from mnemic.api.cli import main; main()", "worker", *arguments]
    return subprocess.Popen(
        [*run, "--embedder", "none"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, **options
    )


def test_the_command_drains_and_tells_what_it_did(tenants: Tenants, tmp_path: Path) -> None:
    put_off(tenants, "acme", "Ben lives in Berlin.")
    put_off(tenants, "acme", "x", replaces="nothing like it")
    with command("--path", f"{tmp_path}/", "--once", "--json", cwd=ROOT) as worker:
        printed, _ = worker.communicate(timeout=60)
    assert json.loads(printed) == {"done": 1, "dead": 1, "waiting": 0}
    assert worker.returncode == 0
    assert states(tenants, "acme") == ["dead", "done"]


@pytest.mark.skipif(sys.platform == "win32", reason="needs SIGTERM")
def test_the_command_works_until_it_is_stopped(tenants: Tenants, tmp_path: Path) -> None:
    with command("--path", f"{tmp_path}/", "--threads", "1", cwd=ROOT) as worker:
        put_off(tenants, "acme", "Ben lives in Berlin.")
        soon(lambda: states(tenants, "acme") == ["done"], 60)
        put_off(tenants, "acme", "Lea lives in Rome.")
        soon(lambda: states(tenants, "acme") == ["done", "done"], 60)
        worker.send_signal(signal.SIGTERM)
        printed, _ = worker.communicate(timeout=30)
    assert printed == "2 jobs done, 0 given up, 0 times put off\n"
    assert worker.returncode == 0


def test_the_command_tells_when_nothing_can_be_there(tmp_path: Path) -> None:
    with command("--path", f"{tmp_path}/none/here/", "--once", cwd=ROOT) as worker:
        _, told = worker.communicate(timeout=60)
    assert worker.returncode == 4
    assert "error: " in told
