"""Keeps one server for all processes of a test run: ``python -m tests.servers.keeper RELEASE FOLDER``.

Whoever uses the server holds a shared lock on ``users``; the keeper asks for the whole lock, which it gets
when the last of them has let go or died, and then ends the server. So none is left behind, whatever happens.
"""

import fcntl
import shutil
import signal
import sys
from pathlib import Path

from tests.servers.process import Server
from tests.servers.releases import RELEASES


def keep(release: str, folder: Path) -> None:
    """Run a server until nobody uses it any more."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    home = folder / "home"
    shutil.rmtree(home, ignore_errors=True)
    address = folder / "address"
    with open(folder / "users", "w") as users:
        try:
            with Server(RELEASES[release], home) as server:
                written = folder / "address.part"
                written.write_text(server.address, encoding="utf-8")
                written.rename(address)
                fcntl.flock(users, fcntl.LOCK_EX)
                address.unlink()
        except RuntimeError as error:
            (folder / "failure").write_text(str(error), encoding="utf-8")
    shutil.rmtree(home, ignore_errors=True)


if __name__ == "__main__":
    keep(sys.argv[1], Path(sys.argv[2]))
