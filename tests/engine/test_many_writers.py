"""Eight writers in four processes change one slot at once: one value is left, and nothing is lost or doubled."""

import json
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path
from uuid import uuid4

import pytest

from mnemic import Mnemic
from mnemic.graph.model import Layer, State
from tests.servers.shared import SERVERS, Access

PROCESSES, THREADS, ROUNDS = 4, 2, 1

Writer = subprocess.Popen[str]


@pytest.fixture(scope="module")
def writers() -> Iterator[list[Writer]]:
    """The processes; starting them takes far longer than what they do, so they serve every store."""
    with ExitStack() as stack:
        yield [
            stack.enter_context(
                subprocess.Popen(
                    [sys.executable, "-m", "tests.engine.slot_writer", str(number), str(ROUNDS)],
                    cwd=Path(__file__).parents[2],
                    stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE,
                    text=True,
                )
            )
            for number in range(PROCESSES)
        ]


@pytest.mark.parametrize("name", ["file", *SERVERS])
def test_eight_writers_leave_one_value_and_an_unbroken_chain(
    name: str, tmp_path: Path, server: Callable[[str], Access], writers: Sequence[Writer]
) -> None:
    where, tenant, credentials = str(tmp_path / "memory.db"), f"acme-{uuid4()}", None
    if name != "file":
        access = server(name)
        where, credentials = access.address, (access.user, access.password)
    with Mnemic(where, user="ada", tenant=tenant, embedder="none", credentials=credentials) as memory:
        assert sum(_written(writers, [where, tenant, credentials])) == PROCESSES * THREADS * ROUNDS

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


def _written(writers: Sequence[Writer], store: list[object]) -> list[int]:
    """Let the writers tell a store, beginning together; return how many turns each of them told."""
    for writer in writers:
        _say(writer, json.dumps(store))
    assert {_heard(writer) for writer in writers} == {"open"}
    for writer in writers:
        _say(writer, "")
    return [int(_heard(writer)) for writer in writers]


def _say(writer: Writer, line: str) -> None:
    assert writer.stdin is not None
    writer.stdin.write(f"{line}\n")
    writer.stdin.flush()


def _heard(writer: Writer) -> str:
    assert writer.stdout is not None
    return writer.stdout.readline().strip()
