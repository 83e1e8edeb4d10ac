"""What every request passes: an id, bounds on its body, headers that protect, a line in the log."""

import json
import logging
import re
import time
from collections.abc import Callable
from dataclasses import dataclass
from uuid import uuid4

import numpy as np
from anyio import fail_after
from anyio.to_thread import run_sync
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
_UNKNOWN = 65_536
_METHODS = frozenset({"GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Bounds:
    """How large a body may be, in bytes, how deep its brackets may nest, in how many seconds it must have come."""

    body: int = 8_000_000
    depth: int = 32
    seconds: float = 60.0


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
        try:
            with fail_after(self._bounds.seconds):
                body = await _read(receive, self._most(scope))
        except TimeoutError:
            await _refuse(
                answer, scope, 408, f"the body took longer than {self._bounds.seconds:g} s; send it faster"
            )
            return
        if body is None:
            await _refuse(
                answer, scope, 413, f"the body has more than {self._bounds.body:,} bytes; send less at once"
            )
        elif await _nests_deeper(body, self._bounds.depth):
            await _refuse(
                answer, scope, 422, f"the body nests deeper than {self._bounds.depth}; send it flatter"
            )
        else:
            await self._app(scope, _again(body, receive), answer)

    def _most(self, scope: Scope) -> int:
        """Return how large a body may be: little is read of whoever shows no key."""
        known = any(name == b"authorization" for name, _ in scope["headers"])
        return self._bounds.body if known else min(self._bounds.body, _UNKNOWN)

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
            self._on_answer(
                scope["method"] if scope["method"] in _METHODS else "OTHER", route, status, seconds
            )


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


_STRING = re.compile(rb'"(?:[^"\\]|\\.)*+"?', re.DOTALL)
_STEP = np.zeros(256, dtype=np.int8)
"""How each byte changes the depth."""
_STEP[list(b"[{")], _STEP[list(b"]}")] = 1, -1
_LARGE = 100_000


async def _nests_deeper(body: bytes, most: int) -> bool:
    """Tell whether the brackets of a JSON text nest deeper, whatever stands inside strings."""
    return await run_sync(_is_deeper, body, most) if len(body) > _LARGE else _is_deeper(body, most)


def _is_deeper(body: bytes, most: int) -> bool:
    steps = _STEP[np.frombuffer(_STRING.sub(b"", body), dtype=np.uint8)]
    return bool(steps.size) and int(np.cumsum(steps, dtype=np.int32).max()) > most


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
    if status in (408, 413):
        headers.append((b"connection", b"close"))
    await answer({"type": "http.response.start", "status": status, "headers": headers})
    await answer({"type": "http.response.body", "body": body})
