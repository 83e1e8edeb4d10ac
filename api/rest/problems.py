"""Errors as answers: problem details (RFC 9457) that carry what the error knows, so that a client can raise it again."""

import logging
import re
from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from pydantic import BaseModel, ConfigDict, Field
from starlette.exceptions import HTTPException
from starlette.responses import Response

from mnemic.errors import (
    Conflict,
    Forbidden,
    InvalidInput,
    MnemicError,
    NotFound,
    StoreBusy,
    StoreFull,
    StoreUnavailable,
    TooManyRequests,
    Unauthorized,
)

logger = logging.getLogger(__name__)

MEDIA = "application/problem+json"
_BUSY_SECONDS = 1
_STATUS: tuple[tuple[type[MnemicError], int, str], ...] = (
    (InvalidInput, 422, "Unusable input"),
    (Unauthorized, 401, "No valid key"),
    (Forbidden, 403, "Not allowed"),
    (NotFound, 404, "Not here"),
    (Conflict, 409, "Changed meanwhile"),
    (TooManyRequests, 429, "Too many requests"),
    (StoreBusy, 503, "Busy"),
    (StoreUnavailable, 503, "Store unavailable"),
    (StoreFull, 507, "Store full"),
)
_KNOWN = ("field", "problem", "fix", "nearest", "retry_after")


class Problem(BaseModel):
    """What went wrong (RFC 9457): ``code`` is the class in ``mnemic.errors``, the rest what it knows."""

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [
                {
                    "type": "urn:mnemic:InvalidInput",
                    "title": "Unusable input",
                    "status": 422,
                    "detail": "limit: 0 is too few; choose 1 or more",
                    "code": "InvalidInput",
                    "request_id": "0f6c",
                    "field": "limit",
                    "problem": "0 is too few",
                    "fix": "choose 1 or more",
                }
            ]
        }
    )

    type: str = Field(description="`urn:mnemic:` and the code.")
    title: str = Field(description="The kind of problem in words.")
    status: int = Field(description="The status of the answer.")
    detail: str = Field(description="What is wrong, and what to do about it.")
    code: str = Field(description="The class of the error in `mnemic.errors`.")
    request_id: str = Field(description="The id of the request, as in the log.")
    field: str | None = Field(None, description="The argument that cannot be used.")
    problem: str | None = Field(None, description="What is wrong with it.")
    fix: str | None = Field(None, description="What would do.")
    nearest: list[str] | None = Field(None, description="Names that look alike.")
    retry_after: float | None = Field(None, description="After so many seconds ask again.")


def responses(*statuses: int) -> dict[int | str, dict[str, Any]]:
    """Return the description of problems with these statuses, for the OpenAPI document."""
    titles = {status: title for _, status, title in _STATUS} | {
        412: "Changed meanwhile",
        413: "Too large",
        500: "Failed",
    }
    schema = {"$ref": "#/components/schemas/Problem"}
    return {
        status: {"description": titles[status], "content": {MEDIA: {"schema": schema}}} for status in statuses
    }


def add_handlers(app: FastAPI) -> None:
    """Have ``app`` answer every error with a problem."""

    @app.exception_handler(MnemicError)
    def known(request: Request, error: MnemicError) -> Response:
        conditional = isinstance(error, Conflict) and "if-match" in request.headers
        return problem(error, request_id(request), 412 if conditional else None)

    @app.exception_handler(RequestValidationError)
    def malformed(request: Request, error: RequestValidationError) -> Response:
        return problem(_as_input(error), request_id(request))

    @app.exception_handler(HTTPException)
    def of_framework(request: Request, error: HTTPException) -> Response:
        if (
            error.status_code == 400
        ):  # bytes that are no text are the one thing that the framework itself refuses so
            return problem(_no_object(), request_id(request))
        body = _body(
            "MnemicError", str(error.detail), error.status_code, str(error.detail), request_id(request)
        )
        return JSONResponse(body, error.status_code, error.headers, MEDIA)

    @app.exception_handler(Exception)
    def unforeseen(request: Request, error: Exception) -> Response:
        logger.error("request %s failed", request_id(request), exc_info=error)
        body = _body(
            "MnemicError", "Failed", 500, "something failed; the log knows more", request_id(request)
        )
        return JSONResponse(body, 500, media_type=MEDIA)


def request_id(request: Request) -> str:
    """Return the id that this request goes by in answers and logs."""
    return str(request.scope.get("mnemic.request_id", ""))


def problem(error: MnemicError, request: str, status: int | None = None) -> JSONResponse:
    """Return the answer for an error; ``status`` overrides that of its class."""
    usual, title = next(
        ((code, title) for kind, code, title in _STATUS if isinstance(error, kind)), (500, "Failed")
    )
    body = _body(type(error).__name__, title, status or usual, str(error), request)
    body |= {name: getattr(error, name) for name in _KNOWN if hasattr(error, name)}
    return JSONResponse(body, body["status"], _headers(error, usual), MEDIA)


def _headers(error: MnemicError, status: int) -> dict[str, str]:
    if isinstance(error, TooManyRequests):
        return {"Retry-After": str(max(1, round(error.retry_after)))}
    if status == 503:
        return {"Retry-After": str(_BUSY_SECONDS)}
    return {"WWW-Authenticate": 'Bearer realm="mnemic"'} if status == 401 else {}


def _body(code: str, title: str, status: int, detail: str, request: str) -> dict[str, Any]:
    return {
        "type": f"urn:mnemic:{code}",
        "title": title,
        "status": status,
        "detail": detail,
        "code": code,
        "request_id": request,
    }


def _as_input(error: RequestValidationError) -> InvalidInput:
    """Return the first complaint about a request as our own error."""
    first = error.errors()[0]
    place = [str(part) for part in first["loc"][1:]]  # the first tells where: body, query, path, header
    field = place[0] if place else "body"
    if first["type"] == "missing":
        return InvalidInput(field, "is missing", f"pass {field}")
    if first["type"] == "extra_forbidden":
        return InvalidInput(field, "is no argument of this call", "leave it out")
    if first["type"] == "json_invalid" or not place:
        return _no_object()
    wanted = re.sub(r"^(Input should (be|have)|Value error,) ", "", str(first["msg"]))
    return InvalidInput(field, "cannot be used", f"pass {wanted} as {'.'.join(place) or 'the body'}")


def _no_object() -> InvalidInput:
    return InvalidInput("body", "is no JSON object", "send one in UTF-8, with Content-Type: application/json")
