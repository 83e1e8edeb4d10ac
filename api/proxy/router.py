"""The routes of the proxy: ``POST /v1/chat/completions`` with a memory, ``GET /v1/models`` passed through."""

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Annotated, Any, Literal
from urllib.parse import quote

import httpx
from anyio import CancelScope
from fastapi import APIRouter, Depends, Header, Request
from fastapi.responses import StreamingResponse
from starlette.responses import Response

from mnemic.api.proxy.beside import Beside, Habits
from mnemic.api.proxy.chat import Chat
from mnemic.api.proxy.said import Stream, said_in
from mnemic.api.proxy.upstream import Unreachable, Upstream, given_back
from mnemic.api.rest.problems import problem, request_id, responses
from mnemic.errors import ServiceError

_EVENTS = "text/event-stream"
_PROBLEMS = responses(401, 403, 429) | {
    502: {"description": "The upstream cannot be reached."},
    504: {"description": "The upstream did not answer in time."},
}
_BODY = {
    "requestBody": {
        "required": True,
        "description": "A chat completion, as the upstream takes it.",
        "content": {
            "application/json": {
                "schema": {"type": "object"},
                "example": {"model": "any", "messages": [{"role": "user", "content": "Where do I live?"}]},
            }
        },
    }
}
_ANSWER: dict[int | str, dict[str, Any]] = {
    200: {
        "description": "The upstream's answer, whole or as server-sent events.",
        "content": {
            "application/json": {"schema": {"type": "object"}},
            _EVENTS: {"schema": {"type": "string"}},
        },
        "headers": {
            "Mnemic-Recalled": {
                "description": "How many memories were put in.",
                "schema": {"type": "integer"},
            },
            "Mnemic-Error": {"description": "What failed of the memory.", "schema": {"type": "string"}},
            "Mnemic-Session": {"description": "The session, percent-encoded.", "schema": {"type": "string"}},
        },
    }
}
Switch = Literal["on", "off"]


def proxy_router(upstream: Upstream, door: Callable[..., Any], habits: Habits | None = None) -> APIRouter:
    """Return the routes that forward to ``upstream``, which is closed when the application ends.

    ``door`` is the dependency that gives who calls; it refuses who may not.
    """

    @asynccontextmanager
    async def closing(_: Any) -> AsyncIterator[None]:
        yield
        await upstream.close()

    router, ways = APIRouter(tags=["chat"], lifespan=closing), habits or Habits()
    Calling = Annotated[Any, Depends(door)]

    @router.post(
        "/v1/chat/completions", openapi_extra=_BODY, responses=_ANSWER | _PROBLEMS, response_class=Response
    )
    async def chat_completions(
        request: Request,
        caller: Calling,
        mnemic_recall: Annotated[Switch, Header(description="Whether memories are put in.")] = "on",
        mnemic_remember: Annotated[Switch, Header(description="Whether this is remembered.")] = "on",
    ) -> Response:
        """Complete a chat as the upstream does, with what is remembered of the user, and remember it."""
        chat = Chat(await request.body(), given=caller.scope.session or "")
        beside = Beside(caller, chat, ways, mnemic_recall == "on", mnemic_remember == "on")
        return await _completed(request, upstream, beside)

    @router.get("/v1/models", responses=_PROBLEMS, response_class=Response)
    async def models(request: Request, caller: Calling) -> Response:
        """List the models of the upstream."""
        return await _passed(request, upstream, "/models")

    @router.get("/v1/models/{model:path}", responses=_PROBLEMS, response_class=Response)
    async def model(request: Request, caller: Calling, model: str) -> Response:
        """Describe a model of the upstream."""
        return await _passed(request, upstream, f"/models/{quote(model)}")

    return router


async def _completed(request: Request, upstream: Upstream, beside: Beside) -> Response:
    body = await beside.body()
    try:
        answer = await upstream.send(
            "POST", "/chat/completions", request.headers.items(), body, request.url.query
        )
        if answer.is_success and answer.headers.get("content-type", "").startswith(_EVENTS):
            return StreamingResponse(_streamed(answer, beside), answer.status_code, _headers(answer, beside))
        content = await _whole(answer)
    except Unreachable as error:
        return problem(ServiceError(str(error)), request_id(request), error.status)
    if answer.is_success:
        await beside.keep(said_in(content))
    return Response(content, answer.status_code, _headers(answer, beside))


async def _passed(request: Request, upstream: Upstream, path: str) -> Response:
    try:
        answer = await upstream.send("GET", path, request.headers.items(), query=request.url.query)
        return Response(await _whole(answer), answer.status_code, given_back(answer.headers))
    except Unreachable as error:
        return problem(ServiceError(str(error)), request_id(request), error.status)


async def _whole(answer: httpx.Response) -> bytes:
    try:
        return await answer.aread()
    except httpx.RequestError as error:
        raise Unreachable(f"the upstream broke off ({type(error).__name__})", 502) from error
    finally:
        await answer.aclose()


async def _streamed(answer: httpx.Response, beside: Beside) -> AsyncIterator[bytes]:
    """Yield an answer as it comes; then, or when nobody listens any more, remember what was said."""
    heard, broken = Stream(), False
    try:
        async for piece in answer.aiter_raw():
            heard.add(piece)
            yield piece
        heard.whole = True
    except httpx.RequestError:
        broken = not heard.whole
        raise
    finally:
        with CancelScope(shield=True):
            await answer.aclose()
            if not broken:
                await beside.keep(heard.words if heard.whole else "")


def _headers(answer: httpx.Response, beside: Beside) -> dict[str, str]:
    told = {"Mnemic-Recalled": str(beside.recalled), "Mnemic-Session": quote(beside.chat.session, safe="")}
    return given_back(answer.headers) | told | ({"Mnemic-Error": beside.failed} if beside.failed else {})
