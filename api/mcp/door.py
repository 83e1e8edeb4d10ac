"""The route of assistants in the application of a service."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from fastapi import APIRouter, Request
from starlette.responses import Response

from mnemic.api.mcp.exchange import PATH, Handed, opened
from mnemic.api.mcp.server import create_server
from mnemic.api.mcp.tools import Do
from mnemic.api.rest.caller import Caller, Calling

_CALLER = "mnemic.mcp.caller"


def assistants() -> APIRouter:
    """Return the route of assistants, for an application of the service: whose memory it is the request's key says."""
    server = create_server(_doer_of)

    @asynccontextmanager
    async def running(app: Any) -> AsyncIterator[dict[str, Any]]:
        async with opened(server) as manager:
            yield {"mcp": manager}

    router = APIRouter(lifespan=running)

    @router.post(PATH, include_in_schema=False)
    async def mcp(request: Request, caller: Calling) -> Response:
        request.scope[_CALLER] = caller
        return Handed(request.state.mcp)

    return router


def _doer_of(request: Request | None) -> Do:
    assert request is not None  # this server is reached over HTTP alone
    caller: Caller = request.scope[_CALLER]
    return caller.do
