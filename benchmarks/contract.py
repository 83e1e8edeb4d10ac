"""Fire generated calls at a service, and hold every answer against its own OpenAPI document.

    python -m benchmarks.contract [--examples 100] [--phases examples,coverage,fuzzing,stateful] [--seed 1] [-- …]

A real ``mnemic serve`` over a store with a conversation in it is asked by schemathesis, which makes calls that the
document allows and calls that it forbids. A failure is an answer of 5xx, of a status, content type, header or form
that the document does not tell, one that takes in what the document forbids, or one without a key. What stands
behind ``--`` goes to schemathesis as it is (``st run --help``); the exit code is its own.
"""

import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Annotated

import typer

from benchmarks.served import served
from mnemic import Mnemic
from mnemic.api.demo import messages
from mnemic.api.service.keys import create

ADMIN = "root"
_LEFT_OUT = "positive_data_acceptance"
"""What the document allows may be refused all the same: a name that nobody told, a moment before another."""
PHASES = "examples,coverage,fuzzing,stateful"


def fill(folder: str) -> str:
    """Tell a store something of everything, and return a key that may do all."""
    with Mnemic(
        folder, user=ADMIN, embedder="none", dictionary=[{"name": "Atlas", "kind": "project"}]
    ) as memory:
        memory.remember([dict(message) for message in messages()])
        return create(memory.core, "default", user=ADMIN, may=["admin"]).plain


def fired(url: str, key: str, *more: str) -> int:
    """Have schemathesis fire at the service at ``url``, and return its exit code; it reports on the screen."""
    options = ["--checks", "all", "--exclude-checks", _LEFT_OUT, "--warnings", "off", "--continue-on-failure"]
    command = [sys.executable, "-m", "schemathesis.cli", "run", f"{url}/openapi.json"]
    header = f"Authorization: Bearer {key}"
    return subprocess.run([*command, "--header", header, *options, *more], check=False).returncode


def main(
    more: Annotated[list[str] | None, typer.Argument(help="Options of schemathesis, after --.")] = None,
    examples: Annotated[int, typer.Option(help="At most so many calls of each operation and phase.")] = 100,
    phases: Annotated[str, typer.Option(help="Of schemathesis, separated by commas.")] = PHASES,
    seed: Annotated[int, typer.Option(help="Draws the calls.")] = 1,
) -> None:
    """Fire generated calls at a service."""
    with tempfile.TemporaryDirectory(prefix="mnemic-") as folder:
        place = Path(folder, "data")
        place.mkdir()
        key = fill(f"{place}/")
        with served(f"{place}/", variables={"MNEMIC_EMBEDDER": "none"}) as server:
            drawn = ("--max-examples", str(examples), "--phases", phases, "--seed", str(seed))
            code = fired(server.url, key, *drawn, *(more or ()))
    raise typer.Exit(code)


if __name__ == "__main__":
    typer.run(main)
