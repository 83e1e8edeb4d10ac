"""Many processes take from one queue, and submit to it: each record has one taker, each lane its order."""

import subprocess
import sys
from collections import Counter
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from uuid import uuid4

import pytest

from mnemic.graph.records import DONE, Record, Which
from tests.graph.builders import day
from tests.graph.conftest import Start
from tests.graph.taker import opened
from tests.servers.shared import SERVERS

ROOT = Path(__file__).parents[2]
TAKERS, LANES, RECORDS = 3, 5, 60


@pytest.mark.parametrize("where", ["file", *SERVERS])
def test_a_record_has_one_taker_among_processes(where: str, tmp_path: Path, server: Start) -> None:
    place = [str(tmp_path / "acme.db"), "acme"]
    if where != "file":
        access = server(where)
        place = [access.address, f"acme-{uuid4()}", access.user, access.password]
    with opened(*place) as store, ExitStack() as stack:
        command = [sys.executable, "-m", "tests.graph.taker", *place]
        for number in range(RECORDS // 2):
            store.keep(Record(kind="job", id=f"{number}", lane=f"l{number % LANES}"), version=0)
        takers = [
            stack.enter_context(
                subprocess.Popen(command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
            )
            for _ in range(TAKERS)
        ]
        for taker in takers:
            assert taker.stdout is not None
            assert taker.stdout.readline() == "open\n"
        for taker in takers:
            assert taker.stdin is not None
            taker.stdin.write("go\n")
            taker.stdin.flush()
        for number in range(RECORDS // 2, RECORDS):
            store.keep(Record(kind="job", id=f"{number}", lane=f"l{number % LANES}"), version=0)
        finished = [taker.communicate(timeout=120)[0].split() for taker in takers]
        rest = []
        while (
            lease := store.take("job", now=day(1), until=day(2))
        ) is not None:  # they may have ended between two
            rest.append(lease.id)
            assert store.keep(replace(lease, state=DONE), version=lease.version) is not None
        assert Counter(id for each in [*finished, rest] for id in each) == Counter(
            f"{number}" for number in range(RECORDS)
        )
        assert store.count("job", Which(owners=None, states=[DONE])) == RECORDS
        for mine in finished:
            for lane in range(LANES):
                own = [int(id) for id in mine if int(id) % LANES == lane]
                assert own == sorted(own)
