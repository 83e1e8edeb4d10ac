"""Arguments as JSON holds them; what it cannot hold faithfully is refused here, by name."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from math import isfinite
from typing import Any

from mnemic.engine.beside import require_storable
from mnemic.errors import InvalidInput

DEEPEST = 30
"""So deep an argument may nest: a service takes no body of more than two levels beyond."""


def plain(value: object, field: str, deep: int = DEEPEST) -> Any:
    """Return ``value`` of rows, lists, texts, numbers and moments, or raise ``InvalidInput`` naming the place."""
    if value is None or isinstance(value, bool | int):
        return value
    if isinstance(value, str):
        return _text(value, field)
    if isinstance(value, float):
        return _number(value, field)
    if isinstance(value, datetime):
        return value.isoformat()
    if not deep:
        raise InvalidInput(field, f"is nested deeper than {DEEPEST}", "make it flatter")
    if isinstance(value, Mapping):
        return {
            _key(key, field): plain(inner, f"{field}.{str(key)[:60]}", deep - 1)
            for key, inner in value.items()
        }
    if isinstance(value, Sequence) and not isinstance(value, bytes | bytearray | memoryview | range):
        return [plain(inner, f"{field}[{number}]", deep - 1) for number, inner in enumerate(value)]
    raise InvalidInput(field, f"is {type(value).__name__}, which is no JSON", "pass text or numbers")


def _text(value: str, field: str) -> str:
    if not value.isascii():
        require_storable(value, field)  # a lone surrogate cannot travel
    return value


def _number(value: float, field: str) -> float:
    if not isfinite(value):
        raise InvalidInput(field, f"is {value!r}, which JSON does not know", "leave it out")
    return value


def _key(key: object, field: str) -> str:
    if not isinstance(key, str):
        raise InvalidInput(field, f"has the key {key!r}", "use strings as keys")
    return _text(key, f"{field}, a key")
