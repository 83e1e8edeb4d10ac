"""Eight writers in four processes change one slot at once: one value is left, and nothing is lost or doubled."""

from collections.abc import Callable, Iterator, Sequence
from datetime import timedelta
from pathlib import Path

import pytest

from benchmarks.writers import PROCESSES, THREADS, Tally, Writer, contended, leading_to, started
from mnemic.graph.model import Replaces
from tests.engine.told import START
from tests.servers.shared import SERVERS, Access

ROUNDS = 1


@pytest.fixture(scope="module")
def writers() -> Iterator[list[Writer]]:
    """The processes, which serve every store."""
    with started(ROUNDS) as processes:
        yield processes


@pytest.mark.parametrize("name", ["file", *SERVERS])
def test_eight_writers_leave_one_value_and_an_unbroken_chain(
    name: str, tmp_path: Path, server: Callable[[str], Access], writers: Sequence[Writer]
) -> None:
    where, credentials = str(tmp_path / "memory.db"), None
    if name != "file":
        access = server(name)
        where, credentials = access.address, (access.user, access.password)
    told = PROCESSES * THREADS * ROUNDS
    assert contended(where, credentials, writers) == Tally(acknowledged=told, current=1)


def test_a_chain_that_is_broken_is_counted() -> None:
    def edge(newer: str, older: str) -> Replaces:
        return Replaces(newer=newer, older=older, at=START + timedelta(days=1), reason="said")

    assert leading_to(["d"], [edge("d", "c"), edge("b", "a")]) == {"d", "c"}
    assert leading_to(["d"], [edge("d", "c"), edge("c", "b"), edge("b", "a")]) == {"a", "b", "c", "d"}
