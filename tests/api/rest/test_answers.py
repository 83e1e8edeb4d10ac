"""Rows are ended when their answer is: by its end, by a reader who leaves, by a way that breaks."""

from collections.abc import Iterator

import anyio
import pytest
from anyio import sleep, sleep_forever
from starlette.requests import ClientDisconnect
from starlette.types import Message

from mnemic.api.rest.answers import Rows

ENDS = ["read to the end", "the reader leaves", "the way breaks"]


@pytest.mark.parametrize("end", ENDS)
@pytest.mark.parametrize("version", ["2.0", "2.4"])
def test_rows_are_ended_with_their_answer(end: str, version: str) -> None:
    ended: list[str] = []

    def rows() -> Iterator[bytes]:
        try:
            for _ in range(5 if end == ENDS[0] else 10_000):
                yield b"{}\n"
        finally:
            ended.append(end)

    sent: list[Message] = []

    async def receive() -> Message:
        while end != ENDS[1] or len(sent) < 4:
            await sleep(0.01)
        return {"type": "http.disconnect"}

    async def send(message: Message) -> None:
        sent.append(message)
        if end == ENDS[2] and len(sent) > 3:
            raise OSError("the way is broken")
        if end == ENDS[1] and len(sent) > 5 and version == "2.0":
            await sleep_forever()
        if end == ENDS[1] and len(sent) > 5:
            raise OSError("the reader has left")

    async def answer() -> None:
        scope = {"type": "http", "asgi": {"spec_version": version}}
        await Rows(rows())(scope, receive, send)  # type: ignore[arg-type]

    try:
        anyio.run(answer)
    except* (OSError, ClientDisconnect):
        assert end != ENDS[0]
    assert ended == [end]
