"""The command that gives the memory to assistants."""

from typing import Annotated

import typer

from mnemic.api.cli.app import app
from mnemic.api.cli.call import Call, command


@command(
    app,
    "mcp",
    "mnemic mcp",
    "mnemic mcp --path ~/memory.db --session claude",
    "mnemic mcp --http --port 8421",
)
def mcp(
    call: Call,
    http: Annotated[
        bool, typer.Option("--http", help="Over HTTP on this machine instead of standard input and output.")
    ] = False,
    host: Annotated[str, typer.Option(help="Where it listens, with --http.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=0, max=65_535, help="With --http.")] = 8421,
) -> None:
    """Give the memory to assistants, by the Model Context Protocol; they start this command themselves.

    docs/assistants.md shows how each of the well-known ones is told.
    """
    from mnemic.api.mcp import serving  # the SDK costs time, and few commands need it

    with call.memory() as memory:
        if http:
            serving.serve_http(memory, host, port)
        else:
            serving.serve_stdio(memory)
