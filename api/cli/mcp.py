"""The command that gives the memory to assistants."""

from typing import TYPE_CHECKING, Annotated

import typer

from mnemic.api.cli.app import app
from mnemic.api.cli.call import Call, command

if TYPE_CHECKING:
    from mnemic.api.client.sync import Client


@command(
    app,
    "mcp",
    "mnemic mcp",
    "mnemic mcp --path ~/memory.db --session claude",
    "mnemic mcp --http --port 8421",
    "mnemic mcp --remote",
)
def mcp(
    call: Call,
    http: Annotated[
        bool, typer.Option("--http", help="Over HTTP on this machine instead of standard input and output.")
    ] = False,
    host: Annotated[str, typer.Option(help="Where it listens, with --http.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=0, max=65_535, help="With --http.")] = 8421,
    remote: Annotated[
        bool, typer.Option("--remote", help="The memory that a service keeps: MNEMIC_URL, MNEMIC_API_KEY.")
    ] = False,
) -> None:
    """Give the memory to assistants, by the Model Context Protocol; they start this command themselves.

    docs/assistants.md shows how each of the well-known ones is told.
    """
    from mnemic.api.mcp import serving  # the SDK costs time, and few commands need it

    with _client(call) if remote else call.memory() as memory:
        if http:
            serving.serve_http(memory, host, port)
        else:
            serving.serve_stdio(memory)


def _client(call: Call) -> "Client":
    from mnemic.api.client.sync import Client  # likewise

    told = call.environment
    return Client(user=told.user if "user" in told.model_fields_set else None, session=told.session)
