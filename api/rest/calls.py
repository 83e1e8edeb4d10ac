"""``POST /v1/<method>``: each method of ``Mnemic`` as a call."""

from collections.abc import Callable, Coroutine, Iterator
from datetime import datetime
from functools import cache
from typing import Annotated, Any

from fastapi import APIRouter, Header, Request
from fastapi.responses import JSONResponse, StreamingResponse
from pydantic import BaseModel, TypeAdapter
from starlette.responses import Response

from mnemic.api.facade import Mnemic
from mnemic.api.rest.caller import Caller, Calling
from mnemic.api.rest.forms import call, description, form, is_rows, methods, result_type, summary
from mnemic.api.rest.problems import responses
from mnemic.api.service.access import NEEDED, Right
from mnemic.api.service.replies import Replies

ROWS = "application/x-ndjson"
_PROBLEMS = responses(401, 403, 404, 409, 413, 422, 429, 503)
IdempotencyKey = Annotated[
    str | None,
    Header(description="The same key with the same body has one effect and one answer, for a day."),
]


def calls() -> APIRouter:
    """Return the routes of all calls."""
    router = APIRouter(prefix="/v1", tags=["calls"])
    for method in methods():
        router.add_api_route(
            f"/{method}",
            _rows(method) if is_rows(method) else _answer(method),
            methods=["POST"],
            name=method,
            operation_id=method,
            summary=summary(method),
            description=description(method),
            response_model=None if is_rows(method) else result_type(method),
            response_class=Response if is_rows(method) else JSONResponse,
            responses=_PROBLEMS | (rows_described() if is_rows(method) else {}),
        )
    return router


def _answer(method: str) -> Callable[..., Coroutine[Any, Any, Response]]:
    async def endpoint(caller: Calling, body: BaseModel) -> Response:
        return await shown(caller, method, result_type(method), lambda memory: call(memory, method, body))

    async def once(
        caller: Calling, request: Request, body: BaseModel, idempotency_key: IdempotencyKey = None
    ) -> Response:
        if idempotency_key is None:
            return await endpoint(caller, body)
        sent = method.encode() + await request.body()
        return await _once(caller, method, body, idempotency_key, sent)

    if NEEDED[method] is not Right.READ:
        once.__annotations__["body"] = form(method)
        return once

    endpoint.__annotations__["body"] = form(method)
    return endpoint


def _rows(method: str) -> Callable[..., Coroutine[Any, Any, Response]]:
    async def endpoint(caller: Calling, body: BaseModel) -> Response:
        return await lines(caller, method, lambda memory: call(memory, method, body))

    endpoint.__annotations__["body"] = form(method)
    return endpoint


@cache
def _writer(kind: Any) -> TypeAdapter[Any]:
    return TypeAdapter(kind)


async def shown(caller: Caller, action: str, kind: Any, work: Callable[[Mnemic], Any]) -> Response:
    """Do ``work`` for the caller and answer with its result, of this kind, as JSON written on the thread that did it."""
    content = b""

    def told(memory: Mnemic) -> Any:
        nonlocal content
        result = work(memory)
        content = _writer(kind).dump_json(result)
        return result

    await caller.do(action, told)
    return Response(content, media_type="application/json")


async def _once(caller: Caller, method: str, body: BaseModel, key: str, sent: bytes) -> Response:
    """Do a write as :func:`shown`, or give the answer that it had under the same key."""
    content = b""

    def work(memory: Mnemic) -> Any:
        nonlocal content

        def told(at: datetime) -> tuple[Any, bytes]:
            pinned = method == "remember" and "at" not in body.model_fields_set
            result = call(memory, method, body.model_copy(update={"at": at}) if pinned else body)
            return result, _writer(result_type(method)).dump_json(result)

        result, content = Replies(memory.core, memory.scope).once(key, sent, told)
        return result

    await caller.do(method, work)
    return Response(content, media_type="application/json")


async def lines(caller: Caller, action: str, rows: Callable[[Mnemic], Iterator[dict[str, Any]]]) -> Response:
    """Answer with rows as lines of JSON; the tenant's store stays open until the last one is read."""

    def written() -> Iterator[bytes]:
        writer = TypeAdapter(dict[str, Any])
        with caller.service.tenants.memory(caller.scope) as memory:
            for row in rows(memory):
                yield writer.dump_json(row) + b"\n"

    await caller.do(action, lambda memory: None)
    return StreamingResponse(written(), media_type=ROWS)


def rows_described() -> dict[int | str, dict[str, Any]]:
    """Return the description of an answer that comes row by row, for the OpenAPI document."""
    schema = {"type": "string", "description": "A JSON object a line."}
    return {200: {"description": "Row by row.", "content": {ROWS: {"schema": schema}}}}
