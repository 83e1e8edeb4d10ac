"""Reading conversations from files: JSONL of messages and plain chat logs, as a stream.

The first line that is not blank decides which of the two a file is. What cannot be read is reported by
its line and never stops the rest.
"""

from collections import OrderedDict
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, tzinfo
from itertools import chain, islice
from pathlib import PurePath
from typing import Any, BinaryIO, TypeVar

from mnemic.api import foreign
from mnemic.api.chatlog import read_chat
from mnemic.api.jsonlog import read_jsonl
from mnemic.api.logline import LINE_BYTES, BadLine, Draft, Numbered, Unreadable, decoded
from mnemic.engine.content import words_of
from mnemic.errors import InvalidInput
from mnemic.graph.ids import digest, turn_id

__all__ = ["BadLine", "Row", "read_lines", "read_log"]

T = TypeVar("T")

_REMEMBERED = 100_000
"""How many messages back a repeated message or id is still known as one; what bounds the memory used."""


@dataclass(frozen=True, slots=True)
class Row:
    """A message, as ``remember`` takes it, with its id and session; it starts on ``line``."""

    line: int
    message: Mapping[str, Any]


def read_lines(file: BinaryIO, advance: Callable[[int], None]) -> Iterator[bytes]:
    """Yield the lines of ``file``, of an endless one only the start; ``advance`` is told the bytes read."""
    while line := file.readline(LINE_BYTES + 1):
        advance(len(line))
        rest = line
        while len(rest) > LINE_BYTES and not rest.endswith(b"\n"):
            rest = file.readline(LINE_BYTES + 1)
            advance(len(rest))
        yield line


def read_log(
    lines: Iterable[bytes],
    *,
    owner: str,
    source: str,
    default_offset: tzinfo | None = None,
    session: str | None = None,
) -> Iterator[Row | BadLine]:
    """Yield the messages of a log and what could not be read of it, in order, in bounded memory.

    Args:
        lines: the file's lines, UTF-8, with or without a byte order mark.
        owner: whose messages they will be; part of the ids that are made.
        source: the file's name, for reports and for the sessions' names.
        default_offset: the UTC offset of times that have none; None is the machine's own.
        session: the session of messages that name none; None makes one for each day of the file.

    A message without an id gets one made from what was said, by whom and when, and how often it was said
    so before, but not from the file or the line. So a file can be read again, also after it has grown or
    was renamed. Raises ``InvalidInput`` when the file as a whole is no log.

    """
    stream = iter(lines)
    head = list(islice(stream, foreign.LINES))
    foreign.require_log(head, source)
    numbered = decoded(chain(head, stream))
    before, is_jsonl = _begin(numbered)
    drafts = (read_jsonl if is_jsonl else read_chat)(chain(before, numbered), default_offset)
    identify = _Identifier(owner, PurePath(source).stem, session)
    for found in drafts:
        result = identify(found) if isinstance(found, Draft) else found
        yield _reported(result, source) if isinstance(result, Unreadable) else result


def _reported(found: Unreadable, source: str) -> BadLine:
    reason = str(found.error).removeprefix("line: ")
    return BadLine(file=source, line=found.line, last=found.last, reason=reason)


def _begin(numbered: Iterator[Numbered]) -> tuple[list[Numbered], bool]:
    """Return the lines up to the first that shows what the file is, and whether it is JSONL."""
    before: list[Numbered] = []
    for number, line in numbered:
        before.append((number, line))
        if isinstance(line, str) and line.strip():
            return before, line.lstrip().startswith("{")
        if len(before) > _REMEMBERED:
            break
    return before, False


class _Identifier:
    """Gives messages their sessions and ids, and finds an id that is used for two messages."""

    def __init__(self, owner: str, stem: str, session: str | None) -> None:
        self._owner, self._stem, self._session = owner, stem, session
        self._counts: OrderedDict[str, int] = OrderedDict()
        self._meant: OrderedDict[str, str] = OrderedDict()

    def __call__(self, draft: Draft) -> Row | Unreadable:
        """Return the message with its id and session, or that its id means another message."""
        fields = dict(draft.fields)
        said = self._said(fields)
        if "id" not in fields:
            fields["id"] = turn_id(self._owner, *said, self._occurrence(digest(*said)))
        elif self._means_other(fields["id"], digest(*said)):
            error = InvalidInput("id", f"{fields['id']!r} names another message above", "give each its own")
            return Unreadable(draft.line, draft.line, error)
        fields["session"] = fields.get("session") or self._session or self._day(fields.get("at"))
        return Row(draft.line, fields)

    @staticmethod
    def _said(fields: Mapping[str, Any]) -> tuple[str, str, str, str]:
        """Return session, speaker, moment and text, each as far as the file itself says it."""
        at = fields["at"].astimezone(UTC).isoformat() if "at" in fields else ""
        speaker = fields.get("name") or fields.get("role", "user")
        return fields.get("session", ""), speaker, at, words_of(fields["content"])

    def _occurrence(self, said: str) -> int:
        count = self._counts.pop(said, 0)
        _keep(self._counts, said, count + 1)
        return count

    def _means_other(self, id: str, said: str) -> bool:
        first = self._meant.pop(id, said)
        _keep(self._meant, id, first)
        return first != said

    def _day(self, at: datetime | None) -> str:
        return f"{self._stem}-{at.date().isoformat()}" if at else self._stem


def _keep(recent: OrderedDict[str, T], key: str, value: T) -> None:
    recent[key] = value
    if len(recent) > _REMEMBERED:
        recent.popitem(last=False)
