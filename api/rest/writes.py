"""Calls that write: once under an idempotency key, and `remember` also later, by a job."""

from collections.abc import Callable, Coroutine
from datetime import datetime
from typing import Annotated, Any

from fastapi import Header, Query, Request
from pydantic import BaseModel
from starlette.responses import Response

from mnemic.api.facade import Mnemic
from mnemic.api.rest.answers import shown, writer
from mnemic.api.rest.caller import Caller, Calling
from mnemic.api.rest.forms import arguments, call, form, result_type
from mnemic.api.service.replies import Replies
from mnemic.engine.jobs import submit
from mnemic.engine.results import Job

IdempotencyKey = Annotated[
    str | None,
    Header(description="The same key with the same body has one effect and one answer, for a day."),
]
Wait = Annotated[
    bool,
    Query(
        description="Whether to wait for the receipt; else the answer is 202 with a job, once all is on disk."
    ),
]
Work = Callable[[Mnemic, BaseModel], Any]
Endpoint = Callable[..., Coroutine[Any, Any, Response]]


def write(method: str) -> Endpoint:
    """Return the endpoint of a call that writes."""

    async def endpoint(
        caller: Calling, request: Request, body: BaseModel, idempotency_key: IdempotencyKey = None
    ) -> Response:
        return await _done(caller, request, method, body, idempotency_key)

    endpoint.__annotations__["body"] = form(method)
    return endpoint


def remember() -> Endpoint:
    """Return the endpoint of ``remember``, which may be told to do it later."""

    async def endpoint(
        caller: Calling,
        request: Request,
        body: BaseModel,
        idempotency_key: IdempotencyKey = None,
        wait: Wait = True,
    ) -> Response:
        if wait:
            return await _done(caller, request, "remember", body, idempotency_key)
        result, content = await _once(caller, request, "remember", _later, Job, body, idempotency_key)
        caller.service.on_submit(caller.scope.tenant)
        id = result.id if result is not None else Job.model_validate_json(content).id
        return Response(content, 202, {"Location": f"/v1/jobs/{id}"}, "application/json")

    endpoint.__annotations__["body"] = form("remember")
    return endpoint


def _later(memory: Mnemic, body: BaseModel) -> Job:
    return submit(memory.core, memory.scope, arguments(body))


async def _done(caller: Caller, request: Request, method: str, body: BaseModel, key: str | None) -> Response:
    kind = result_type(method)

    def work(memory: Mnemic, body: BaseModel) -> Any:
        return call(memory, method, body)

    if key is None:
        return await shown(caller, method, kind, lambda memory: work(memory, body))
    _, content = await _once(caller, request, method, work, kind, body, key)
    return Response(content, media_type="application/json")


async def _once(
    caller: Caller, request: Request, action: str, work: Work, kind: Any, body: BaseModel, key: str | None
) -> tuple[Any, bytes]:
    """Do ``work`` and return its result and answer; under a key that came before its first answer alone."""
    where = f"{request.url.path}?{request.url.query}\n{caller.scope.session}\n"
    sent = where.encode() + await request.body()
    content = b""

    def told(memory: Mnemic) -> Any:
        nonlocal content

        def at_moment(at: datetime) -> tuple[Any, bytes]:
            result = work(memory, _as_of(body, at))
            return result, writer(kind).dump_json(result)

        if key is None:
            result, content = at_moment(memory.core.clock())
        else:
            result, content = Replies(memory.core, memory.scope).once(key, sent, at_moment)
        return result

    return await caller.do(action, told), content


def _as_of(body: BaseModel, at: datetime) -> BaseModel:
    """Return a telling without a moment as one of this moment, so that telling it again changes nothing."""
    untimed = "at" in type(body).model_fields and getattr(body, "at", None) is None
    return body.model_copy(update={"at": at}) if untimed else body
