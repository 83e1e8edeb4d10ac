"""Where no server can run, the tests on servers are left out and say what to install."""

import os
import subprocess
import sys
from pathlib import Path

import pytest


@pytest.mark.parametrize("options", [("-p", "no:xdist"), ("-n", "1")])
def test_what_to_install_is_said_once_although_quiet(options: tuple[str, ...]) -> None:
    bare = {"PATH": "/nonexistent", "HOME": os.environ.get("HOME", "/")}
    run = subprocess.run(
        [
            sys.executable,
            "-m",
            "pytest",
            "-q",
            *options,
            str(Path(__file__).with_name("test_left_nothing.py")),
        ],
        capture_output=True,
        text=True,
        env=bare,
    )
    lines = [line for line in run.stdout.splitlines() if " needs " in line]
    assert len(lines) == len(set(lines)) == 2
    assert all("Maven" in line and "MNEMIC_TEST_NEO4J" in line for line in lines)
