"""A memory served to the assistants of one person: over stdio, or over HTTP on their own machine."""

import logging
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any, TypeVar, cast

import anyio
import uvicorn
from anyio.to_thread import run_sync
from mcp.server.lowlevel import Server
from mcp.server.stdio import stdio_server
from mcp.server.transport_security import TransportSecuritySettings
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from mnemic.api.client.sync import Client
from mnemic.api.facade import Mnemic
from mnemic.api.mcp.exchange import PATH, Handed, opened
from mnemic.api.mcp.server import create_server
from mnemic.api.service.logs import log_to_stderr
from mnemic.errors import InvalidInput

R = TypeVar("R")
Memory = Mnemic | Client
"""A memory here, or one that a service keeps: they have the same methods."""
_OWN_MACHINE = ("127.0.0.1", "localhost", "::1")


def serve_stdio(memory: Memory) -> None:
    """Answer on standard output what is asked on standard input, until that ends; all else goes to standard error."""
    log_to_stderr(logging.WARNING)
    server = _server_of(memory)

    async def serve() -> None:
        async with stdio_server() as (asked, answered):
            await server.run(asked, answered, server.create_initialization_options())

    anyio.run(serve)


def serve_http(memory: Memory, host: str, port: int) -> None:
    """Answer on ``host`` and ``port`` until stopped; whoever reaches them is the user.

    Raises ``InvalidInput`` for a host that others could reach.
    """
    log_to_stderr(logging.WARNING)
    uvicorn.run(application(memory, host), host=host, port=port, log_config=None, server_header=False)


def application(memory: Memory, host: str) -> Starlette:
    """Return the application that gives ``memory`` to the assistants on this machine.

    Raises ``InvalidInput`` for a host that others could reach.
    """
    if host not in _OWN_MACHINE:
        raise InvalidInput(
            "host",
            f"{host} lets others reach this memory, and nobody is asked for a key",
            f"choose one of {', '.join(_OWN_MACHINE)}, or run `mnemic serve`, which asks for keys and answers at {PATH} too",
        )
    server = _server_of(memory)

    @asynccontextmanager
    async def running(app: Any) -> AsyncIterator[dict[str, Any]]:
        async with opened(server, _from_here_alone()) as manager:
            yield {"mcp": manager}

    async def answer(request: Request) -> Response:
        return Handed(request.state.mcp)

    return Starlette(routes=[Route(PATH, answer, methods=["POST"])], lifespan=running)


def _server_of(memory: Memory) -> Server[Any]:
    async def do(action: str, work: Callable[[Mnemic], R]) -> R:
        return await run_sync(work, cast(Mnemic, memory))

    return create_server(lambda request: do)


def _from_here_alone() -> TransportSecuritySettings:
    """Refuse what web pages of others send to this machine (DNS rebinding)."""
    hosts = [f"[{host}]" if ":" in host else host for host in _OWN_MACHINE]
    return TransportSecuritySettings(
        allowed_hosts=[f"{host}:*" for host in hosts],
        allowed_origins=[f"http://{host}:*" for host in hosts],
    )
