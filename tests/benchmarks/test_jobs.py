"""The benchmark of jobs kills, counts, and tells what is wrong."""

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from benchmarks.jobs import Tally, counted

ROOT = Path(__file__).parents[2]


def found(**changed: Any) -> dict[str, Any]:
    """Return what a store holds in which a0 to a4 were told as they should be."""
    ids = [f"a{number}" for number in range(5)]
    held: dict[str, Any] = {name: dict.fromkeys(ids, 1) for name in ("stored", "logged", "sources")}
    held |= {"dead": 0, "turns": [[id, f"s{int(id[1]) % 3}", int(id[1])] for id in ids]}
    return held | changed


ACKNOWLEDGED = [f"a{number}" for number in range(5)]


@pytest.mark.parametrize(
    ("held", "expected"),
    [
        (found(), Tally(killed=2, acknowledged=5)),
        (found(turns=found()["turns"][1:]), Tally(killed=2, acknowledged=5, lost=1)),
        (found(sources=dict.fromkeys(ACKNOWLEDGED[1:], 1)), Tally(killed=2, acknowledged=5, lost=1)),
        (found(logged=dict.fromkeys(ACKNOWLEDGED, 1) | {"a1": 2}), Tally(killed=2, acknowledged=5, twice=1)),
        (
            found(stored=dict.fromkeys(ACKNOWLEDGED, 1) | {"a1": 100}),
            Tally(killed=2, acknowledged=5, twice=1),
        ),
        (found(dead=3), Tally(killed=2, acknowledged=5, dead=3)),
        (
            found(turns=[["a0", "s0", 4], ["a3", "s0", 3], *found()["turns"][1:3], ["a4", "s1", 9]]),
            Tally(killed=2, acknowledged=5, disordered=1),
        ),
    ],
)
def test_what_is_wrong_is_counted(held: dict[str, Any], expected: Tally) -> None:
    assert counted(held, ACKNOWLEDGED, 2) == expected
    assert expected.sound == (expected == Tally(killed=2, acknowledged=5))


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_nothing_is_lost_or_told_twice_whoever_is_killed() -> None:
    command = [sys.executable, "-m", "benchmarks.jobs", "--trials", "4", "--seed", "3"]
    ran = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=180)
    assert ran.returncode == 0, ran.stdout + ran.stderr
