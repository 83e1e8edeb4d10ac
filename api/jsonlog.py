"""JSONL of messages: one object a line with role, content and maybe name, id, at and session.

The content may be a text, a list of parts, or null where a tool is called.
"""

import json
from collections.abc import Iterable, Iterator
from datetime import tzinfo
from typing import Any

from mnemic.api.logline import Draft, Numbered, Unreadable, checked, text_of
from mnemic.api.moments import parse_moment
from mnemic.errors import InvalidInput


def read_jsonl(lines: Iterable[Numbered], default_offset: tzinfo | None) -> Iterator[Draft | Unreadable]:
    """Yield a message or what is wrong with it for every line that is not blank."""
    for number, line in lines:
        if isinstance(line, str) and not line.strip():
            continue
        try:
            yield Draft(number, _fields(text_of(line), default_offset))
        except InvalidInput as error:
            yield Unreadable(number, number, error)


def _fields(line: str, default_offset: tzinfo | None) -> dict[str, Any]:
    """Return the fields of an object: without nulls, but for its content, and with an offset of ``at``."""
    try:
        row = json.loads(line)
    except json.JSONDecodeError as error:
        problem = f"is no JSON ({error.msg}, column {error.colno})"
        raise InvalidInput("line", problem, "write one object a line") from error
    except (ValueError, RecursionError) as error:  # a number or a nesting beyond all bounds
        raise InvalidInput("line", f"is no JSON ({error})", "write one object a line") from error
    if not isinstance(row, dict):
        raise InvalidInput("line", "is no object", 'write {"role": …, "content": …}')
    fields = {key: value for key, value in row.items() if value is not None or key == "content"}
    if "id" in fields:
        fields["id"] = _id(fields["id"])
    if isinstance(fields.get("at"), str):
        fields["at"] = parse_moment(fields["at"], "at", default_offset)
    return checked(fields | {"content": fields.get("content")})


def _id(written: object) -> str:
    if isinstance(written, bool) or not isinstance(written, (str, int)) or written == "":
        raise InvalidInput("id", f"{written!r} is no id", "write a string, or leave it out")
    return str(written)
