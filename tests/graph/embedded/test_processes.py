"""Several processes on one file, forks, and processes that are killed."""

import os
import subprocess
import sys
from pathlib import Path
from textwrap import dedent

import pytest

from mnemic.errors import StoreError
from mnemic.graph.embedded import EmbeddedStore
from mnemic.graph.store import Probe
from tests.graph.builders import DIMENSION, EMBEDDER, delta, embedded, memory, nominated, vector, view

ROOT = Path(__file__).parents[3]

WRITER = dedent(
    """
    import sys
    from datetime import UTC, datetime
    import numpy as np
    from mnemic.graph.embedded import EmbeddedStore
    from mnemic.graph.model import Embedded, GraphDelta, Kind, Layer, Memory

    path, mark, count = sys.argv[1], sys.argv[2], int(sys.argv[3])
    now, unit = datetime(2026, 1, 1, tzinfo=UTC), np.eye(8, dtype=np.float32)[0]
    with EmbeddedStore.open(path, tenant="acme", timeout=30) as store:
        print("open", flush=True)
        sys.stdin.readline()
        for number in range(count):
            row = Memory(
                id=f"{mark}{number}", owner="ada", kind=Kind.FACT, text="x", summary="x", terms=("plan",),
                at=now, recorded_at=now, valid_from=now,
            )
            vectors = Embedded(layer=Layer.MEMORY, id=row.id, summary=unit, detail=unit)
            store.apply(GraphDelta(memories=(row,), vectors=(vectors,)))
    """
)


def test_processes_write_at_once_and_see_each_other(tmp_path: Path) -> None:
    path, probe = tmp_path / "acme.db", Probe(terms=("plan",), vector=vector(1), limit=1000)
    with EmbeddedStore.open(path, tenant="acme", timeout=30) as store:
        store.adopt(EMBEDDER, DIMENSION)
        writers = [
            subprocess.Popen(
                [sys.executable, "-c", WRITER, str(path), mark, "60"],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                text=True,
            )
            for mark in "ab"
        ]
        for writer in writers:
            assert writer.stdout is not None
            assert writer.stdout.readline() == "open\n"
        for writer in writers:
            assert writer.stdin is not None
            writer.stdin.write("go\n")
            writer.stdin.flush()
        seen: list[int] = []
        for number in range(30):
            store.apply(delta(memory(f"c{number}", terms=("plan",)), embedded(f"c{number}", vector(1))))
            found = store.gather(view(), probe)
            assert nominated(found, "words") == nominated(found, "vector")
            seen.append(len(found.candidates))
        assert [writer.wait(30) for writer in writers] == [0, 0]
        for writer in writers:
            writer.communicate()

        assert seen == sorted(seen)
        assert len(nominated(store.gather(view(), probe), "vector")) == 150
        assert len(nominated(store.gather(view(), probe), "words")) == 150


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
@pytest.mark.filterwarnings("ignore:This process:DeprecationWarning")
def test_a_store_that_was_carried_over_a_fork_says_so(tmp_path: Path) -> None:
    with EmbeddedStore.open(tmp_path / "acme.db", tenant="acme") as store:
        child = os.fork()
        if child == 0:
            refused = 1
            try:
                store.apply(delta(memory("m1")))
            except StoreError as error:
                refused = 0 if "fork" in str(error) else 2
            os._exit(refused)
        assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
        store.apply(delta(memory("m1")))
        assert store.stats().memories == 1


@pytest.mark.skipif(sys.platform == "win32", reason="needs SIGKILL")
def test_a_killed_process_loses_nothing_that_was_acknowledged(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "benchmarks.kill", "--trials", "10", str(tmp_path)]
    result = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=120)
    assert result.returncode == 0, result.stdout + result.stderr
    header, numbers = (line.split() for line in result.stdout.splitlines()[-2:])
    table = dict(zip(header, map(int, numbers), strict=True))
    assert (table["trials"], table["lost"], table["half"]) == (10, 0, 0)
    assert table["acknowledged"] > 50
