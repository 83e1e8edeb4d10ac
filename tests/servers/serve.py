"""Keep a server for measuring until Ctrl-C: ``python -m tests.servers.serve neo4j-5.26 [--heap 2g]``.

Prints its address; the user is ``neo4j``, the password ``open-sesame``. Unlike those that tests start, it
has the memory and the settings that a server in use has. Its files are temporary.
"""

import signal
import tempfile
from pathlib import Path
from typing import Annotated

import typer

from tests.servers.process import Server
from tests.servers.releases import RELEASES

_ENDS = {signal.SIGINT, signal.SIGTERM}


def main(
    release: Annotated[str, typer.Argument(help=f"One of {', '.join(RELEASES)}.")],
    heap: Annotated[str, typer.Option(help="The server's heap.")] = "2g",
) -> None:
    """Start a server, print where it listens, and keep it."""
    if release not in RELEASES:
        raise typer.BadParameter(f"{release!r} is none of {', '.join(RELEASES)}")
    cache = "server.memory.pagecache.size=512m\n"
    with (
        tempfile.TemporaryDirectory(prefix="mnemic-neo4j-") as home,
        Server(RELEASES[release], Path(home), heap=heap, settings=cache, lasting=True) as server,
    ):
        signal.pthread_sigmask(signal.SIG_BLOCK, _ENDS)
        print(server.address, flush=True)
        signal.sigwait(_ENDS)


if __name__ == "__main__":
    typer.run(main)
