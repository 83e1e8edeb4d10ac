"""A real upstream and a real service with the proxy before it, each on a port of this machine."""

import json
from collections.abc import AsyncIterator, Callable, Iterator
from typing import Any

import httpx
import pytest
from fastapi import FastAPI, Request
from fastapi.responses import StreamingResponse
from starlette.responses import Response

from mnemic import ManualClock, Mnemic, Scope
from mnemic.api.proxy.beside import Habits
from mnemic.api.proxy.router import proxy_router
from mnemic.api.proxy.upstream import Upstream
from mnemic.api.rest.app import create_app
from mnemic.api.rest.caller import caller
from mnemic.api.service.service import Service
from mnemic.api.service.tenants import Tenants
from tests.api.client.conftest import authenticate
from tests.api.serving import served
from tests.engine.told import NAMES, START

Pieces = Callable[[], AsyncIterator[bytes]]


class Fake:
    """The upstream: answers ``answer`` (or streams ``pieces``), and keeps what it was sent."""

    def __init__(self) -> None:
        self.got: list[tuple[str, dict[str, str], bytes]] = []
        self.url = ""
        self.answer: Callable[[], Response] = lambda: saying("Noted.")

    @property
    def last(self) -> dict[str, Any]:
        body: dict[str, Any] = json.loads(self.got[-1][2])
        return body

    def app(self) -> FastAPI:
        app = FastAPI()

        @app.api_route("/v1/{path:path}", methods=["GET", "POST"])
        async def any_route(request: Request, path: str) -> Response:
            where = f"/{path}" + (f"?{request.url.query}" if request.url.query else "")
            self.got.append((where, dict(request.headers), await request.body()))
            return self.answer()

        return app


def saying(words: str | None, status: int = 200, **headers: str) -> Response:
    message = {"role": "assistant", "content": words}
    body = {"id": "c1", "choices": [{"index": 0, "message": message, "finish_reason": "stop"}]}
    return Response(json.dumps(body), status, headers=headers, media_type="application/json")


def events(*words: str, end: bytes = b"data: [DONE]\n\n") -> list[bytes]:
    """Return the events of a streamed answer."""
    deltas = [
        {"choices": [{"index": 0, "delta": {"content": each}, "finish_reason": None}]} for each in words
    ]
    lines = [b"data: " + json.dumps(delta, ensure_ascii=False).encode() + b"\n\n" for delta in deltas]
    return [b": hello\n\n", *lines, end]


def streaming(pieces: list[bytes], wait: Callable[[int], Any] | None = None) -> Callable[[], Response]:
    async def body() -> AsyncIterator[bytes]:
        for number, piece in enumerate(pieces):
            if wait is not None:
                await wait(number)
            yield piece

    return lambda: StreamingResponse(body(), media_type="text/event-stream; charset=utf-8")


@pytest.fixture(scope="session")
def upstream_url() -> Iterator[tuple[str, Fake]]:
    fake = Fake()
    with served(fake.app()) as url:
        fake.url = f"{url}/v1"
        yield fake.url, fake


@pytest.fixture
def upstream(upstream_url: tuple[str, Fake]) -> Fake:
    fake = upstream_url[1]
    fake.got.clear()
    fake.answer = lambda: saying("Noted.")
    return fake


@pytest.fixture
def tenants(tmp_path: Any) -> Tenants:
    (tmp_path / "data").mkdir()
    return Tenants(str(tmp_path / "data"), embedder="none", clock=ManualClock(START))


Proxy = Callable[..., httpx.Client]


@pytest.fixture
def proxy(upstream: Fake, tenants: Tenants) -> Iterator[Proxy]:
    """Gives an HTTP client of a service with the proxy; the arguments are those of ``Habits``, and ``url``."""
    from contextlib import ExitStack

    with ExitStack() as stack:

        def opened(url: str | None = None, key: str = "tenant.ada.write", **habits: Any) -> httpx.Client:
            router = proxy_router(
                Upstream(url or upstream.url, key="secret-upstream"), caller, Habits(**habits)
            )
            service = Service(tenants, authenticate)
            base = stack.enter_context(served(create_app(service, more=[router])))
            headers = {"Authorization": f"Bearer {key}"}
            return stack.enter_context(httpx.Client(base_url=base, headers=headers, timeout=20))

        yield opened


@pytest.fixture
def memory(tenants: Tenants) -> Iterator[Mnemic]:
    """Ada's embedded door to the memory behind the proxy."""
    with tenants.core("tenant") as core:
        memory = Mnemic.within(core, Scope(tenant="tenant", user="ada"))
        memory.learn(NAMES)
        yield memory


def chat(*messages: str | dict[str, Any], **more: Any) -> dict[str, Any]:
    """Return a body; plain texts are said by the user and the assistant in turn."""
    rows = [
        each if isinstance(each, dict) else {"role": ("user", "assistant")[number % 2], "content": each}
        for number, each in enumerate(messages)
    ]
    return {"model": "m", "messages": rows, **more}
