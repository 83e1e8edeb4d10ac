"""How stores write down times, JSON and vectors: the same in each, so that the same comes back from each."""

import json
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from typing import Any, cast

import numpy as np

from mnemic.errors import InvalidInput
from mnemic.graph.clock import require_aware
from mnemic.graph.model import Vector

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
MICROSECOND = timedelta(microseconds=1)
parse_json = json.JSONDecoder().raw_decode  # what json.loads does without looking for white space


def instant(moment: datetime) -> int:
    """Return the microseconds from 1970 in UTC to an aware ``moment``."""
    return (moment - EPOCH) // MICROSECOND


_EARLIEST, _LATEST = instant(datetime.min.replace(tzinfo=UTC)), instant(datetime.max.replace(tzinfo=UTC))


def stored_instant(moment: datetime, field: str) -> int:
    """Return ``moment`` for a column; ``InvalidInput`` when it is naive or could not be read back."""
    number = instant(require_aware(moment, field))
    if not _EARLIEST <= number <= _LATEST:
        raise InvalidInput(
            field, f"{moment.isoformat()} is outside the years 1 to 9999 in UTC", "leave it open instead"
        )
    return number


def optional_instant(moment: datetime | None, field: str) -> int | None:
    """Return what :func:`stored_instant` does, and None for None."""
    return None if moment is None else stored_instant(moment, field)


@lru_cache(4096)  # a row's times are often one and the same
def moment_at(number: int) -> datetime:
    """Return the UTC moment behind :func:`instant`."""
    return EPOCH + timedelta(microseconds=number)


def optional_moment(number: int | None) -> datetime | None:
    """Return what :func:`moment_at` does, and None for None."""
    return None if number is None else moment_at(number)


def write_json(value: object, field: str) -> str:
    """Return ``value`` as compact JSON; ``InvalidInput`` names ``field`` when JSON cannot hold it."""
    try:
        return json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    except (TypeError, ValueError) as error:
        raise InvalidInput(
            field, f"JSON cannot hold it ({error})", "use text, numbers, lists, maps"
        ) from error


def read_strings(written: str) -> tuple[str, ...]:
    """Return the strings of a JSON array."""
    return () if written == "[]" else tuple(parse_json(written)[0])


def read_mapping(written: str) -> dict[str, Any]:
    """Return a JSON object."""
    return {} if written == "{}" else cast(dict[str, Any], parse_json(written)[0])


def write_vector(vector: Vector) -> bytes:
    """Return a vector as float16: 2 bytes a number, about 3 decimals."""
    return vector.astype(np.float16).tobytes()


def read_vectors(blobs: Iterable[bytes], dimension: int) -> np.ndarray[tuple[int, int], np.dtype[np.float32]]:
    """Return stored vectors as one float32 matrix, a row each."""
    halves = np.frombuffer(b"".join(blobs), dtype=np.float16)
    return halves.reshape(-1, dimension).astype(np.float32)


@contextmanager
def readable_text(field: str) -> Iterator[None]:
    """Raise ``InvalidInput`` for text that UTF-8 cannot hold (half of a surrogate pair)."""
    try:
        yield
    except UnicodeEncodeError as error:
        raise InvalidInput(
            field, f"has half of a character at position {error.start}", "decode the text correctly"
        ) from error
