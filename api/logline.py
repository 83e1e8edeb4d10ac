"""What the readers of logs share: numbered lines, the messages they make of them, and bad lines."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from mnemic.engine.message import read_messages
from mnemic.engine.results import Result
from mnemic.engine.settings import Settings
from mnemic.errors import InvalidInput
from mnemic.graph.clock import system_clock

LINE_BYTES = 16 * 2**20
"""The longest line that is read; it holds the longest message with every character escaped in JSON."""

MAX_TEXT = Settings().max_text
"""Characters that one message may have."""


class BadLine(Result):
    """What could not be read of ``file``, and why: a line, up to the ``last`` one that continues it."""

    file: str
    line: int
    last: int
    reason: str


@dataclass(frozen=True, slots=True)
class Draft:
    """A message as its file has it, starting on ``line``: checked, but without id and session of its own."""

    line: int
    fields: dict[str, Any]


@dataclass(frozen=True, slots=True)
class Unreadable:
    """Why the lines from ``line`` to ``last`` are no message."""

    line: int
    last: int
    error: InvalidInput


Numbered = tuple[int, str | InvalidInput]
"""A line with its number from 1, or why it cannot be decoded."""


def decoded(lines: Iterable[bytes]) -> Iterator[Numbered]:
    """Yield the lines as text without their ends."""
    for number, raw in enumerate(lines, 1):
        if number == 1:
            raw = raw.removeprefix(b"\xef\xbb\xbf")
        if len(raw) > LINE_BYTES:
            yield number, InvalidInput("line", f"is longer than {LINE_BYTES:,} bytes", "split it")
            continue
        try:
            yield number, raw.decode("utf-8").rstrip("\r\n")
        except UnicodeDecodeError as error:
            yield number, InvalidInput("line", f"is not UTF-8 (byte {error.start + 1})", "save it as UTF-8")


def text_of(line: str | InvalidInput) -> str:
    """Return the text of a numbered line, or raise why there is none."""
    if isinstance(line, InvalidInput):
        raise line
    return line


def checked(fields: dict[str, Any]) -> dict[str, Any]:
    """Return ``fields`` as they are, or raise what ``remember`` would say to them."""
    read_messages(
        fields,
        owner="owner",
        teller="teller",
        speaker="speaker",
        role="user",
        session="session",
        at=system_clock(),
        id=None,
        max_text=MAX_TEXT,
    )
    return fields
