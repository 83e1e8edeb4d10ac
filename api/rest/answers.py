"""Results as answers: JSON written on the thread that did the work, or row by row."""

from collections.abc import Callable, Generator, Iterator
from functools import cache
from typing import Any

from anyio import CancelScope
from anyio.to_thread import run_sync
from fastapi.responses import StreamingResponse
from pydantic import TypeAdapter
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from mnemic.api.facade import Mnemic
from mnemic.api.rest.caller import Caller

_ROWS = "application/x-ndjson"


@cache
def writer(kind: Any) -> TypeAdapter[Any]:
    """Return what writes results of this kind as JSON."""
    return TypeAdapter(kind)


async def shown(caller: Caller, action: str, kind: Any, work: Callable[[Mnemic], Any]) -> Response:
    """Do ``work`` for the caller and answer with its result, which is of this kind."""
    content = b""

    def told(memory: Mnemic) -> Any:
        nonlocal content
        result = work(memory)
        content = writer(kind).dump_json(result)
        return result

    await caller.do(action, told)
    return Response(content, media_type="application/json")


class Rows(StreamingResponse):
    """Rows as lines of JSON; what gives them is ended when the answer is, also where its reader left half way."""

    def __init__(self, rows: Generator[bytes, None, None]) -> None:
        super().__init__(rows, media_type=_ROWS)
        self._rows = rows

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send them."""
        try:
            await super().__call__(scope, receive, send)
        finally:
            with CancelScope(shield=True):
                await run_sync(self._rows.close)


async def lines(caller: Caller, action: str, rows: Callable[[Mnemic], Iterator[dict[str, Any]]]) -> Response:
    """Answer with rows as lines of JSON; the tenant's store stays open until the last one is read."""

    def written() -> Generator[bytes, None, None]:
        with caller.service.tenants.memory(caller.scope) as memory:
            for row in rows(memory):
                yield writer(dict[str, Any]).dump_json(row) + b"\n"

    await caller.do(action, lambda memory: None)
    return Rows(written())


def rows_described() -> dict[int | str, dict[str, Any]]:
    """Return the description of an answer that comes row by row, for the OpenAPI document."""
    schema = {"type": "string", "description": "A JSON object a line."}
    return {200: {"description": "Row by row.", "content": {_ROWS: {"schema": schema}}}}
