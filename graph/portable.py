"""Rows as lines of JSON and back: what an archive holds, and what contents are compared by."""

import json
from base64 import b64decode, b64encode
from collections.abc import Callable, Mapping
from dataclasses import asdict, fields
from datetime import datetime
from enum import Enum
from hashlib import blake2b
from typing import Any

from mnemic.errors import InvalidInput
from mnemic.graph.encoding import read_vector, write_vector
from mnemic.graph.model import (
    Embedded,
    Entity,
    Episode,
    Kind,
    Layer,
    Memory,
    Mention,
    Name,
    Replaces,
    State,
    Turn,
    Vector,
)

Row = Name | Entity | Turn | Memory | Replaces | Embedded

_TYPES: Mapping[str, type[Row]] = {
    "name": Name,
    "entity": Entity,
    "turn": Turn,
    "memory": Memory,
    "replaces": Replaces,
    "vectors": Embedded,
}
_NAMES = {kind: name for name, kind in _TYPES.items()}


def write_row(row: Row) -> str:
    """Return ``row`` as one line of JSON, the same for equal rows."""
    if isinstance(row, Embedded):
        plain: dict[str, Any] = {
            "layer": row.layer.value,
            "id": row.id,
            "summary": _packed(row.summary),
            "detail": _packed(row.detail),
        }
    else:
        plain = asdict(row)
    return json.dumps(
        {"type": _NAMES[type(row)], **plain}, ensure_ascii=False, default=_plain, separators=(",", ":")
    )


def read_row(line: str) -> Row:
    """Return the row behind :func:`write_row`; ``InvalidInput`` where the line holds none."""
    try:
        plain = json.loads(line)
        kind = _TYPES[plain.pop("type")]
        values = {name: _READ.get((kind, name), _same)(value) for name, value in plain.items()}
        return kind(**values)
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise InvalidInput("archive", f"holds a line that is no row ({error})", "make it again") from error


class Content:
    """A hash of rows that does not depend on their order: the sum of theirs, 128 bits."""

    def __init__(self) -> None:
        self._sum, self.count = 0, 0

    def add(self, row: Row) -> None:
        """Take in one more row."""
        digest = blake2b(write_row(row).encode("utf-8", "surrogatepass"), digest_size=16).digest()
        self._sum = (self._sum + int.from_bytes(digest)) % 2**128
        self.count += 1

    @property
    def hash(self) -> str:
        """Return the hash in hexadecimal digits."""
        return f"{self._sum:032x}"


def _plain(value: object) -> object:
    if isinstance(value, datetime):
        return value.isoformat()
    if isinstance(value, Enum):
        return value.value
    raise TypeError(f"{value!r} cannot be written")


def _packed(vector: Vector) -> str:
    return b64encode(write_vector(vector)).decode()


def _vector(packed: str) -> Vector:
    return read_vector(b64decode(packed))


def _same(value: Any) -> Any:
    return tuple(value) if isinstance(value, list) else value


def _moment(value: str | None) -> datetime | None:
    return None if value is None else datetime.fromisoformat(value)


_READ: Mapping[tuple[type[Row], str], Callable[[Any], Any]] = {
    **{
        (kind, field.name): _moment
        for kind in (Entity, Turn, Memory, Replaces)
        for field in fields(kind)
        if field.type in (datetime, datetime | None)
    },
    (Memory, "kind"): Kind,
    (Memory, "state"): State,
    (Memory, "mentions"): lambda rows: tuple(Mention(**row) for row in rows),
    (Memory, "episodes"): lambda rows: tuple(Episode(**row) for row in rows),
    (Entity, "profile"): lambda profile: {predicate: tuple(values) for predicate, values in profile.items()},
    (Embedded, "layer"): Layer,
    (Embedded, "summary"): _vector,
    (Embedded, "detail"): _vector,
}
