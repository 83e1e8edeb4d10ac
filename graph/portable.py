"""Rows as lines of JSON and back: what an archive holds, and what contents are compared by."""

import json
from base64 import b64decode, b64encode
from collections.abc import Mapping
from dataclasses import asdict
from datetime import datetime
from enum import Enum
from functools import cache
from hashlib import blake2b
from typing import Any

from pydantic import TypeAdapter

from mnemic.errors import InvalidInput
from mnemic.graph.encoding import read_vector, write_vector
from mnemic.graph.model import (
    Embedded,
    Entity,
    Layer,
    Memory,
    Name,
    Replaces,
    Turn,
    Vector,
)
from mnemic.graph.records import Record

Row = Name | Entity | Turn | Memory | Replaces | Embedded | Record

_TYPES: Mapping[str, type[Row]] = {
    "name": Name,
    "entity": Entity,
    "turn": Turn,
    "memory": Memory,
    "replaces": Replaces,
    "vectors": Embedded,
    "record": Record,
}
_THE_STORES = ("version", "born")
"""What of a record is the store's own, and another in each store."""

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
        if isinstance(row, Record):
            plain = {name: value for name, value in plain.items() if name not in _THE_STORES}
    return json.dumps(
        {"type": _NAMES[type(row)], **plain}, ensure_ascii=False, default=_plain, separators=(",", ":")
    )


def read_row(line: str) -> Row:
    """Return the row behind :func:`write_row`; ``InvalidInput`` where the line holds none."""
    try:
        plain = json.loads(line)
        name = plain["type"]
        return _embedded(plain) if name == "vectors" else _reader(name).validate_json(line, strict=True)
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
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


@cache
def _reader(name: str) -> TypeAdapter[Row]:
    return TypeAdapter(_TYPES[name])


def _embedded(plain: Mapping[str, Any]) -> Embedded:
    summary, detail = (_vector(plain[part]) for part in ("summary", "detail"))
    return Embedded(layer=Layer(plain["layer"]), id=str(plain["id"]), summary=summary, detail=detail)


def _vector(packed: str) -> Vector:
    return read_vector(b64decode(packed))
