"""The command ``mnemic``."""

import sys
from io import TextIOWrapper

from mnemic.api.cli import (
    copying,
    dictionary,
    governing,
    keys,
    mcp,
    moving,
    reading,
    review,
    serve,
    upkeep,
    worker,
    writing,
)
from mnemic.api.cli.app import app

__all__ = ["app", "main"]

_MODULES = tuple(
    module.__name__
    for module in (
        writing,
        reading,
        moving,
        copying,
        dictionary,
        review,
        serve,
        worker,
        mcp,
        keys,
        governing,
        upkeep,
    )
)
"""They put their commands into the application when they are imported; the help lists them in this order."""

app.registered_commands.sort(key=lambda command: _MODULES.index(getattr(command.callback, "__module__", "")))


def main() -> None:
    """Run the command line; whatever was remembered can be printed, whatever the terminal's encoding."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")
    app()
