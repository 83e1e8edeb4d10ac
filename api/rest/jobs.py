"""Jobs: what was told to be remembered later, asked after, followed, tried again, discarded."""

import time
from collections.abc import AsyncIterator
from functools import partial
from typing import Annotated, Any

from anyio import sleep
from fastapi import APIRouter, Path, Query
from fastapi.responses import StreamingResponse
from starlette.responses import Response

from mnemic.api.facade import Mnemic
from mnemic.api.rest.answers import shown
from mnemic.api.rest.caller import Caller, Calling, on_thread
from mnemic.api.rest.problems import responses
from mnemic.api.rest.resources import Cursor, Limit
from mnemic.engine import jobs as kept
from mnemic.engine.results import Job, Page

Id = Annotated[str, Path(description="The id of the job.")]
_EVENTS = "text/event-stream"
_PAUSE, _SILENCE = 0.2, 15.0
"""Seconds between two looks, and after which a line is sent that says nothing, so that the way stays open."""


def jobs() -> APIRouter:
    """Return the routes of jobs."""
    router = APIRouter(prefix="/v1/jobs", tags=["jobs"], responses=responses(401, 403, 404, 422, 429, 503))
    router.get("", response_model=Page[Job])(listed)
    router.get("/{id}", response_model=Job)(job)
    router.get("/{id}/events", response_class=Response, responses=_described())(events)
    router.post("/{id}/retry", response_model=Job, responses=responses(409))(retry)
    router.delete("/{id}", status_code=204, response_class=Response, responses=responses(409))(discard)
    return router


async def listed(
    caller: Calling,
    state: Annotated[
        str | None, Query(description="Only `waiting`, `running`, `done` or `dead` ones.")
    ] = None,
    limit: Limit = 100,
    cursor: Cursor = "",
) -> Response:
    """List the caller's jobs, the newest first."""

    def work(memory: Mnemic) -> Page[Job]:
        return kept.jobs(memory.core, memory.scope, state=state, limit=limit, cursor=cursor)

    return await shown(caller, "jobs", Page[Job], work)


async def job(caller: Calling, id: Id) -> Response:
    """Show one job."""
    return await shown(caller, "job", Job, lambda memory: kept.job(memory.core, memory.scope, id))


async def retry(caller: Calling, id: Id) -> Response:
    """Have a job that was given up tried again."""
    answer = await shown(caller, "retry", Job, lambda memory: kept.retry(memory.core, memory.scope, id))
    caller.service.on_submit(caller.scope.tenant)
    return answer


async def discard(caller: Calling, id: Id) -> Response:
    """Forget a job; what it was to tell is told no more."""
    await caller.do("discard", lambda memory: kept.discard(memory.core, memory.scope, id))
    return Response(status_code=204)


async def events(caller: Calling, id: Id) -> Response:
    """Follow a job by server-sent events, one for each change, until it is done or dead."""
    first = await caller.do("job", lambda memory: kept.job(memory.core, memory.scope, id))
    return StreamingResponse(_followed(caller, first), media_type=_EVENTS)


async def _followed(caller: Caller, job: Job) -> AsyncIterator[str]:
    def look() -> Job:
        with caller.service.tenants.core(caller.scope.tenant) as core:
            return kept.job(core, caller.scope, job.id)

    yield _event(job)
    told = time.monotonic()
    while job.state not in ("done", "dead"):
        await sleep(_PAUSE)
        before, job = job, await on_thread(caller.service, partial(look))
        if job != before:
            yield _event(job)
        elif time.monotonic() - told > _SILENCE:
            yield ":\n\n"
        else:
            continue
        told = time.monotonic()


def _event(job: Job) -> str:
    return f"event: job\ndata: {job.model_dump_json()}\n\n"


def _described() -> dict[int | str, dict[str, Any]]:
    schema = {"type": "string", "description": "Events named `job`, each with the job as JSON."}
    return {200: {"description": "Change by change.", "content": {_EVENTS: {"schema": schema}}}}
