"""What every request passes: an id, bounds on its body, headers that protect, a line in the log."""

import json
import logging
import time
from collections.abc import Callable
from dataclasses import dataclass
from uuid import uuid4

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from mnemic.api.rest.problems import MEDIA

logger = logging.getLogger("mnemic.access")

_HEADERS = (
    (b"x-content-type-options", b"nosniff"),
    (b"x-frame-options", b"DENY"),
    (b"referrer-policy", b"no-referrer"),
    (b"content-security-policy", b"default-src 'none'; frame-ancestors 'none'"),
    (b"cache-control", b"no-store"),
)
_DOCS = ("/docs", "/redoc")
"""Pages that load scripts; they show no data."""
_LONGEST_ID = 64


@dataclass(frozen=True, slots=True, kw_only=True)
class Bounds:
    """How large a body may be, in bytes, and how deep its brackets may nest."""

    body: int = 8_000_000
    depth: int = 32


class Guard:
    """Middleware around the whole application; ``on_answer`` is told method, path, status and seconds of each."""

    def __init__(
        self, app: ASGIApp, bounds: Bounds, on_answer: Callable[[str, str, int, float], None] | None = None
    ) -> None:
        self._app, self._bounds, self._on_answer = app, bounds, on_answer

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, or answer it here where its body is too large or too deep."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        scope["mnemic.request_id"] = identity = _asked_id(scope) or uuid4().hex
        started, status = time.perf_counter(), 0

        async def answer(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                message = {**message, "headers": [*message["headers"], *_added(scope, identity, message)]}
            await send(message)

        try:
            await self._bounded(scope, receive, answer)
        finally:
            self._told(scope, identity, status, time.perf_counter() - started)

    async def _bounded(self, scope: Scope, receive: Receive, answer: Send) -> None:
        body = await _read(receive, self._bounds.body)
        if body is None:
            await _refuse(
                answer, scope, 413, f"the body has more than {self._bounds.body:,} bytes; send less at once"
            )
        elif _depth(body) > self._bounds.depth:
            await _refuse(
                answer, scope, 422, f"the body nests deeper than {self._bounds.depth}; send it flatter"
            )
        else:
            await self._app(scope, _again(body, receive), answer)

    def _told(self, scope: Scope, identity: str, status: int, seconds: float) -> None:
        route = getattr(scope.get("route"), "path", "") or "unknown"
        caller = scope.get("mnemic.caller", "")
        logger.info(
            "%s %s %s",
            scope["method"],
            route,
            status,
            extra={"request_id": identity, "status": status, "seconds": round(seconds, 6), "key": caller},
        )
        if self._on_answer is not None:
            self._on_answer(scope["method"], route, status, seconds)


def _asked_id(scope: Scope) -> str:
    """Return the id that the caller gave the request, if it is a plain one."""
    given = next((value for name, value in scope["headers"] if name == b"x-request-id"), b"")
    text = given.decode("latin-1")
    plain = text.isascii() and text.replace("-", "").replace("_", "").isalnum()
    return text if plain and len(text) <= _LONGEST_ID else ""


def _added(scope: Scope, identity: str, message: Message) -> list[tuple[bytes, bytes]]:
    given = {name.lower() for name, _ in message["headers"]}
    docs = scope["path"].startswith(_DOCS)
    own = [(name, value) for name, value in _HEADERS if name not in given]
    return [
        (b"x-request-id", identity.encode()),
        *(each for each in own if not (docs and each[0] == b"content-security-policy")),
    ]


async def _read(receive: Receive, most: int) -> bytes | None:
    """Return the whole body, None where it is larger than ``most``."""
    parts: list[bytes] = []
    size, more = 0, True
    while more:
        message = await receive()
        if message["type"] == "http.disconnect":
            return b"".join(parts)
        parts.append(message.get("body", b""))
        size += len(parts[-1])
        if size > most:
            return None
        more = message.get("more_body", False)
    return b"".join(parts)


def _again(body: bytes, receive: Receive) -> Receive:
    """Return what gives the application the body that was read already, and then what else comes."""
    given = False

    async def replay() -> Message:
        nonlocal given
        if given:
            return await receive()
        given = True
        return {"type": "http.request", "body": body, "more_body": False}

    return replay


def _depth(body: bytes) -> int:
    """Return how deep the brackets of a JSON text nest, whatever stands inside strings."""
    deepest = depth = 0
    inside = escaped = False
    if body.count(b"[") + body.count(b"{") < 2:
        return 1
    for byte in body:
        if inside:
            inside, escaped = escaped or byte != 0x22, byte == 0x5C and not escaped
        elif byte == 0x22:
            inside = True
        elif byte in b"[{":
            depth += 1
            deepest = max(deepest, depth)
        elif byte in b"]}":
            depth -= 1
    return deepest


async def _refuse(answer: Send, scope: Scope, status: int, detail: str) -> None:
    body = json.dumps(
        {
            "type": "urn:mnemic:InvalidInput",
            "title": "Unusable input",
            "status": status,
            "detail": f"body: {detail}",
            "code": "InvalidInput",
            "request_id": scope["mnemic.request_id"],
            "field": "body",
            "problem": detail.partition(";")[0],
            "fix": detail.partition("; ")[2],
        }
    ).encode()
    headers = [(b"content-type", MEDIA.encode()), (b"content-length", str(len(body)).encode())]
    if status == 413:
        headers.append((b"connection", b"close"))
    await answer({"type": "http.response.start", "status": status, "headers": headers})
    await answer({"type": "http.response.body", "body": body})
