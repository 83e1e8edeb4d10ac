"""The command that runs a service."""

from typing import Annotated

import typer

from mnemic.api.cli.app import app
from mnemic.api.cli.call import Call, command
from mnemic.api.settings import service_environment


@command(
    app,
    "serve",
    "mnemic serve",
    "mnemic serve --path ./data --port 8420",
    "mnemic serve --path neo4j://localhost:7687 --host 0.0.0.0 --processes 4",
    options=("path", "key", "embedder"),
)
def serve(
    call: Call,
    host: Annotated[str | None, typer.Option(help="Where it listens. Default: 127.0.0.1.")] = None,
    port: Annotated[int | None, typer.Option(help="Default: 8420.")] = None,
    processes: Annotated[
        int | None, typer.Option(help="So many processes share the work. Default: 1.")
    ] = None,
    rate: Annotated[
        float | None, typer.Option(help="Calls a second for each key. Default: unbounded.")
    ] = None,
) -> None:
    """Answer over HTTP, with keys of `mnemic keys create`; the documentation is at /docs."""
    from mnemic.api.rest import serving  # the web framework costs time, and few commands serve

    told = service_environment(host=host, port=port, processes=processes, rate=rate)
    serving.serve(call.environment, told)
