"""Plain chat logs: ``2026-03-02 10:00 Name: text`` and its kin.

Understood are ISO dates, slashes, dots and Chinese dates (``2026年3月2日``), seconds or none, a UTC offset
or none, a clock of twelve hours (``10:08 PM``, ``下午3点10分``), the time in square brackets or not, and a
full-width colon as well as a half-width one. A line that does not begin with a date and a time continues
the message before it; one that begins with both in a form that is not understood is bad.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta, timezone, tzinfo
from typing import Any

from mnemic.api.logline import MAX_TEXT, Draft, Numbered, Unreadable, checked, text_of
from mnemic.api.moments import at_home
from mnemic.engine.message import ROLES
from mnemic.errors import InvalidInput

_STAMP = re.compile(
    r"""(?P<bracket>\[)?
    (?P<year>\d{4})
    (?: (?P<mark>[-/.])(?P<month>\d{1,2})(?P=mark)(?P<day>\d{1,2}) (?:,?\s+|T)
      | 年\s*(?P<month_zh>\d{1,2})\s*月\s*(?P<day_zh>\d{1,2})\s*[日号]\s* )
    (?:(?P<half_zh>凌晨|清晨|早上|上午|中午|下午|傍晚|晚上)\s*)?
    (?P<hour>\d{1,2})(?:[:：]|\s*[点时]\s*)(?P<minute>\d{1,2})
    (?:(?:[:：]|\s*分\s*(?=\d+\s*秒))(?P<second>\d{1,2})(?:[.,](?P<fraction>\d{1,6}))?)?(?!\d)(?:\s*[分秒])?
    (?:\s*(?P<half>[AaPp])\.?[Mm]\.?(?![\w.])(?!\s*[:：]))?
    (?:(?P<utc>Z)(?!\w)|\s*(?P<offset>[+-]\d{2}:?\d{2})(?!\d))?
    (?(bracket)\s*\])""",
    re.VERBOSE,
)
_ALIKE = re.compile(
    r"""\u200e?\[?
    (?: \d{1,4}\s?([-/.])\s?\d{1,2}\s?\1\s?\d{2,4} | (?:\d{2,4}\s*年\s*)?\d{1,2}\s*月\s*\d{1,2}\s*[日号]
      | \d{1,2}\.?[ ][A-Z][a-z]{2,8}\.?,?[ ]\d{2,4} | [A-Z][a-z]{2,8}\.?[ ]\d{1,2},?[ ]\d{4} )
    (?:\s*[(（]?(?:周.|星期.|(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]*\.?)[)）]?)?
    (?:[,，]|\sat\b)?[\sT]*(?:[上下中]午|凌晨|清晨|早上|傍晚|晚上)?\s*
    \d{1,2}(?:[:：.]\d\d|\s*[点时])""",
    re.VERBOSE,
)
"""A date and a clock in whatever form."""
_LATER = frozenset("Pp") | {"下午", "傍晚", "晚上"}
_EARLIER = frozenset("Aa") | {"凌晨", "清晨", "早上", "上午"}
_SAID = re.compile(r"\s*(?:[-–—]\s+)?(?P<name>[^:：]{1,80}?)\s*(?:：|:(?!//))\s*(?P<text>.*)", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Head:
    """What stands on the line that starts a message; ``at`` is aware."""

    at: datetime
    name: str
    text: str


def read_chat(lines: Iterable[Numbered], default_offset: tzinfo | None) -> Iterator[Draft | Unreadable]:
    """Yield messages with the lines that continue them, and what is bad with those that continue *it*."""
    current = _Message(0, None)
    for number, line in lines:
        begin: Head | InvalidInput | None
        try:
            begin = read_head(text_of(line), default_offset)
        except InvalidInput as error:
            begin = error
        if begin is None:
            current.go_on(number, text_of(line))
        else:
            yield from current.end()
            current = _Message(number, begin)
    yield from current.end()


def read_head(line: str, default_offset: tzinfo | None) -> Head | None:
    """Return the message that ``line`` starts, or None where it does not begin with a date and a time.

    Raises ``InvalidInput`` where it does, but the form is not understood, the moment does not exist or
    nobody is named.
    """
    stamp = _STAMP.match(line)
    if stamp is None:
        alike = _ALIKE.match(line)
        if alike is not None:
            raise InvalidInput("at", f"{alike[0]!r} is not understood", "write 2026-03-02 10:00 Name: text")
        return None
    at = _moment(stamp, default_offset)
    said = _SAID.fullmatch(line, stamp.end())
    if said is None or not said["name"].strip():
        raise InvalidInput("name", "no speaker follows the time", "write 2026-03-02 10:00 Name: text")
    return Head(at, said["name"].strip(), said["text"])


class _Message:
    """A message while it is being read: how it begins, or why it does not, and the lines that follow."""

    def __init__(self, line: int, begin: Head | InvalidInput | None) -> None:
        self._line, self._last, self._begin = line, line, begin
        self._parts = [begin.text] if isinstance(begin, Head) else []
        self._length = sum(map(len, self._parts))

    def go_on(self, number: int, text: str) -> None:
        """Take in a line that starts no message; no more of them than a message may have characters."""
        if self._begin is None and text.strip():
            self._line, self._begin = number, _nothing_before(text)
        if text.strip():
            self._last = number
        if isinstance(self._begin, Head) and self._length <= MAX_TEXT:
            self._parts.append(text)
            self._length += len(text) + 1

    def end(self) -> Iterator[Draft | Unreadable]:
        """Yield what the lines were: a message, something bad, or nothing at all."""
        try:
            if isinstance(self._begin, Head):
                yield Draft(self._line, checked(self._fields(self._begin)))
            elif self._begin is not None:
                raise self._begin
        except InvalidInput as error:
            yield Unreadable(self._line, self._last, error)

    def _fields(self, head: Head) -> dict[str, Any]:
        role = head.name.casefold() if head.name.casefold() in ROLES else "user"
        return {"role": role, "name": head.name, "at": head.at, "content": "\n".join(self._parts).strip()}


def _nothing_before(text: str) -> InvalidInput:
    if text.lstrip().startswith("["):
        return InvalidInput("line", "starts no message", "if it is a JSON array, write one object a line")
    return InvalidInput(
        "line", "has no date and time, and no message stands before it", "write 2026-03-02 10:00 Name: text"
    )


def _moment(stamp: re.Match[str], default_offset: tzinfo | None) -> datetime:
    part = stamp.groupdict()
    try:
        moment = datetime(
            int(part["year"]),
            int(part["month"] or part["month_zh"]),
            int(part["day"] or part["day_zh"]),
            _hour(int(part["hour"]), part["half"] or part["half_zh"]),
            int(part["minute"]),
            int(part["second"] or 0),
            int((part["fraction"] or "0").ljust(6, "0")),
            tzinfo=UTC if part["utc"] else _offset(part["offset"]),
        )
    except ValueError as error:
        raise InvalidInput("at", f"{stamp[0]!r} is no date and time ({error})", "correct it") from error
    return at_home(moment, "at", default_offset)


def _hour(written: int, half: str | None) -> int:
    """Return the hour of the day; raises ``ValueError`` where its half has none such, or leaves it open."""
    if half == "晚上" and written == 12:
        raise ValueError("晚上12 may be the midnight before or after")
    if half in _EARLIER and written > 12:
        raise ValueError(f"no morning has an hour {written}")
    if half in _EARLIER:
        return written % 12
    if half in _LATER or (half == "中午" and written < 10):
        return written + 12 if written < 12 else written
    return written


def _offset(written: str | None) -> tzinfo | None:
    """Return the offset as written; raises ``ValueError`` for one of a day or more."""
    if written is None:
        return None
    sign = -1 if written[0] == "-" else 1
    return timezone(sign * timedelta(hours=int(written[1:3]), minutes=int(written[-2:])))
