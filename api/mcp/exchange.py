"""MCP over HTTP: each request stands for itself, so that any process may answer it and no session can be taken over."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from mcp.server.lowlevel import Server
from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
from mcp.server.transport_security import TransportSecuritySettings
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

PATH = "/mcp"


@asynccontextmanager
async def opened(
    server: Server[Any], security: TransportSecuritySettings | None = None
) -> AsyncIterator[StreamableHTTPSessionManager]:
    """Give what answers HTTP requests for ``server``; ``security`` says which hosts and web pages may ask."""
    manager = StreamableHTTPSessionManager(
        server, json_response=True, stateless=True, security_settings=security
    )
    async with manager.run():
        yield manager


class Handed(Response):
    """An answer that the SDK writes."""

    def __init__(self, manager: StreamableHTTPSessionManager) -> None:
        super().__init__()
        self._manager = manager

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let the SDK answer."""
        await self._manager.handle_request(scope, receive, send)
