"""Assistants: the SDK's own client, in step with the test that drives it."""

from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from typing import Any

import httpx2
import pytest
from anyio.from_thread import BlockingPortal, start_blocking_portal
from anyio.to_thread import run_sync
from mcp import Client
from mcp.client.streamable_http import streamable_http_client
from mcp_types import CallToolResult

from mnemic import Client as RemoteMemory
from mnemic import ManualClock, Mnemic
from mnemic.api.mcp.server import create_server
from tests.engine.told import START, door


class Assistant:
    """A client that is connected; each method of the SDK's waits for its answer."""

    def __init__(self, portal: BlockingPortal, client: Client) -> None:
        self._portal, self._client = portal, client

    def __getattr__(self, name: str) -> Any:
        method = getattr(self._client, name)
        if not callable(method):
            return method
        return lambda *args, **kwargs: self._portal.call(partial(method, *args, **kwargs))

    def use(self, tool: str, **arguments: object) -> str:
        """Return the words that a tool answers, which must have gone well."""
        answer = self.call_tool(tool, arguments)
        assert not answer.is_error, text_of(answer)
        return text_of(answer)

    def data(self, tool: str, **arguments: object) -> dict[str, Any]:
        """Return the data that a tool answers."""
        answer = self.call_tool(tool, arguments)
        assert not answer.is_error, text_of(answer)
        data: dict[str, Any] = answer.structured_content
        return data

    def fail(self, tool: str, **arguments: object) -> str:
        """Return the words of a call that must fail."""
        answer = self.call_tool(tool, arguments)
        assert answer.is_error
        assert answer.structured_content is None
        return text_of(answer)


def text_of(answer: CallToolResult) -> str:
    [content] = answer.content
    assert content.type == "text"
    return content.text


@contextmanager
def talking(to: Any, mode: str = "auto") -> Iterator[Assistant]:
    """Connect to a server in this process, a command, an address or a transport."""
    client = Client(to, mode=mode)
    with start_blocking_portal() as portal, portal.wrap_async_context_manager(client) as opened:
        yield Assistant(portal, opened)


def with_key(url: str, key: str, **headers: str) -> Any:
    """Return the transport to an address with a key."""
    client = httpx2.AsyncClient(headers={"Authorization": f"Bearer {key}", **headers}, timeout=30)
    return streamable_http_client(url, http_client=client)


def server_of(memory: Mnemic | RemoteMemory) -> Any:
    async def do(action: str, work: Any) -> Any:
        return await run_sync(work, memory)

    return create_server(lambda request: do)


@pytest.fixture
def clock() -> ManualClock:
    return ManualClock(START)


@pytest.fixture
def memory(clock: ManualClock) -> Iterator[Mnemic]:
    with door(clock=clock) as memory:
        yield memory


@pytest.fixture
def assistant(memory: Mnemic) -> Iterator[Assistant]:
    """An assistant that speaks the newest protocol."""
    with talking(server_of(memory)) as assistant:
        yield assistant
