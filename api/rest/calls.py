"""``POST /v1/<method>``: each method of ``Mnemic`` as a call."""

from typing import Any

from fastapi import APIRouter
from fastapi.responses import JSONResponse
from pydantic import BaseModel
from starlette.responses import Response

from mnemic.api.rest.answers import lines, rows_described, shown
from mnemic.api.rest.caller import Calling
from mnemic.api.rest.forms import call, description, form, is_rows, methods, result_type, summary
from mnemic.api.rest.problems import responses
from mnemic.api.rest.writes import Endpoint, remember, write
from mnemic.api.service.access import NEEDED, Right
from mnemic.engine.results import Job

_PROBLEMS = responses(401, 403, 404, 409, 413, 422, 429, 503)


def calls() -> APIRouter:
    """Return the routes of all calls."""
    router = APIRouter(prefix="/v1", tags=["calls"])
    for method in methods():
        router.add_api_route(
            f"/{method}",
            _endpoint(method),
            methods=["POST"],
            name=method,
            operation_id=method,
            summary=summary(method),
            description=description(method),
            response_model=None if is_rows(method) else result_type(method),
            response_class=Response if is_rows(method) else JSONResponse,
            responses=_PROBLEMS | _besides(method),
        )
    return router


def _endpoint(method: str) -> Endpoint:
    if is_rows(method):
        return _rows(method)
    if method == "remember":
        return remember()
    return _read(method) if NEEDED[method] is Right.READ else write(method)


def _read(method: str) -> Endpoint:
    async def endpoint(caller: Calling, body: BaseModel) -> Response:
        return await shown(caller, method, result_type(method), lambda memory: call(memory, method, body))

    endpoint.__annotations__["body"] = form(method)
    return endpoint


def _rows(method: str) -> Endpoint:
    async def endpoint(caller: Calling, body: BaseModel) -> Response:
        return await lines(caller, method, lambda memory: call(memory, method, body))

    endpoint.__annotations__["body"] = form(method)
    return endpoint


def _besides(method: str) -> dict[int | str, dict[str, Any]]:
    """Return what a call may answer besides its result and problems."""
    if is_rows(method):
        return rows_described()
    later: dict[int | str, dict[str, Any]] = {
        202: {"model": Job, "description": "Kept, to be remembered later."}
    }
    return later if method == "remember" else {}
