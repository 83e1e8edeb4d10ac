"""Eight writers in four processes change one slot at once: one value is left, and nothing is lost or doubled."""

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from uuid import uuid4

import pytest

from mnemic import Mnemic
from mnemic.graph.model import Layer, State
from tests.servers.shared import SERVERS, Access

PROCESSES, THREADS, ROUNDS = 4, 2, 1


@pytest.mark.parametrize("name", ["file", *SERVERS])
def test_eight_writers_leave_one_value_and_an_unbroken_chain(
    name: str, tmp_path: Path, server: Callable[[str], Access], monkeypatch: pytest.MonkeyPatch
) -> None:
    where, tenant = str(tmp_path / "memory.db"), f"acme-{uuid4()}"
    if name != "file":
        access = server(name)
        where = access.address
        monkeypatch.setenv("MNEMIC_NEO4J_USER", access.user)
        monkeypatch.setenv("MNEMIC_NEO4J_PASSWORD", access.password)
    with Mnemic(where, user="ada", tenant=tenant, embedder="none") as memory:
        assert sum(_written(where, tenant)) == PROCESSES * THREADS * ROUNDS

        core = memory.core
        view = core.view(memory.scope)
        turns = list(core.store.scan(view, Layer.TURN))
        memories = {row.id: row for row in core.store.timeline(view, hidden=True, limit=1000)}
        edges = core.store.replacements(view, sorted(memories))
        active = [row for row in memories.values() if row.state is State.ACTIVE and row.valid_to is None]

    assert len(turns) == PROCESSES * THREADS * ROUNDS
    assert len(active) == 1
    replaced = {edge.older for edge in edges}
    assert {row.id for row in memories.values()} - replaced == {active[0].id}


def _written(where: str, tenant: str) -> list[int]:
    """Run the writers, which begin together, and return how many turns each of them told."""
    writers = [
        subprocess.Popen(
            [sys.executable, "-m", "tests.engine.slot_writer", where, tenant, str(number), str(ROUNDS)],
            cwd=Path(__file__).parents[2],
            env=os.environ.copy(),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        for number in range(PROCESSES)
    ]
    for writer in writers:
        assert writer.stdout is not None
        assert writer.stdout.readline() == "open\n"
    for writer in writers:
        assert writer.stdin is not None
        writer.stdin.write("go\n")
        writer.stdin.flush()
    return [int(writer.communicate(timeout=120)[0]) for writer in writers]
