"""How stores write down times, JSON, edges and vectors: the same in each, so that the same comes back from each."""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta, timezone
from functools import lru_cache
from typing import Any, cast

import numpy as np

from mnemic.errors import EmbedderMismatch, InvalidInput
from mnemic.graph.clock import require_aware
from mnemic.graph.model import Embedded, Episode, Kind, Memory, Mention, Replaces, State, Vector

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
MICROSECOND = timedelta(microseconds=1)
parse_json = json.JSONDecoder().raw_decode  # what json.loads does without looking for white space

KINDS = {kind.value: kind for kind in Kind}
STATES = {state.value: state for state in State}
"""What their values stand for; looking one up is far quicker than calling the class."""


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


def utc_offset(moment: datetime) -> int:
    """Return the microseconds by which an aware ``moment`` is told ahead of UTC."""
    return cast(timedelta, moment.utcoffset()) // MICROSECOND


def told_moment(number: int, offset: int) -> datetime:
    """Return the moment behind :func:`instant` with the offset that it was told with."""
    moment = moment_at(number)
    return moment.astimezone(timezone(timedelta(microseconds=offset))) if offset else moment


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


@lru_cache(4096)  # the edges of what is recalled come again; features are numbers by name, no texts
def read_features(written: str) -> Mapping[str, float]:
    """Return the features of a REPLACES edge."""
    return read_mapping(written)


def read_replaces(row: Sequence[Any]) -> Replaces:
    """Return the edge behind ``newer older at reason cue score features``; the features may be left out."""
    return Replaces(
        newer=row[0],
        older=row[1],
        at=moment_at(row[2]),
        reason=row[3],
        cue=row[4],
        score=row[5],
        features=read_features(row[6]) if len(row) > 6 else {},
    )


def read_profile(written: str) -> dict[str, tuple[str, ...]]:
    """Return the profile of an entity."""
    return {predicate: tuple(values) for predicate, values in read_mapping(written).items()}


def write_mentions(memory: Memory) -> str:
    """Return the mentions of a memory as JSON, an array each."""
    rows = [(each.entity, each.start, each.end, each.alias, each.role) for each in memory.mentions]
    return write_json(rows, "mentions")


def read_mentions(written: str) -> tuple[Mention, ...]:
    """Return what :func:`write_mentions` wrote."""
    return () if written == "[]" else tuple([Mention(*each) for each in parse_json(written)[0]])


def write_episodes(memory: Memory) -> str:
    """Return the episodes of a memory as JSON, an array each."""
    return write_json([(each.subject, each.predicate, each.object) for each in memory.episodes], "episodes")


def read_episodes(written: str) -> tuple[Episode, ...]:
    """Return what :func:`write_episodes` wrote."""
    return () if written == "[]" else tuple([Episode(*each) for each in parse_json(written)[0]])


def write_vector(vector: Vector) -> bytes:
    """Return a vector as float16: 2 bytes a number, about 3 decimals."""
    return vector.astype(np.float16).tobytes()


def read_vector(packed: bytes) -> Vector:
    """Return one stored vector."""
    return np.frombuffer(packed, np.float16).astype(np.float32)


def read_vectors(blobs: Iterable[bytes], dimension: int) -> np.ndarray[tuple[int, int], np.dtype[np.float32]]:
    """Return stored vectors as one float32 matrix, a row each."""
    return read_vector(b"".join(blobs)).reshape(-1, dimension)


def check_vectors(vectors: Embedded, embedder: str, dimension: int) -> None:
    """Raise where ``vectors`` are not of this embedder's dimension, or hold numbers that are not finite."""
    for part in (vectors.summary, vectors.detail):
        if part.shape != (dimension,):
            raise EmbedderMismatch(
                f"vectors: {vectors.id!r} has shape {part.shape}, this store holds {dimension} dimensions of "
                f"the embedder {embedder!r}; embed with that one, or adopt the other"
            )
        if not np.isfinite(part).all():
            raise InvalidInput("vectors", f"{vectors.id!r} has numbers that are not finite", "embed it again")


@contextmanager
def readable_text(field: str) -> Iterator[None]:
    """Raise ``InvalidInput`` for text that UTF-8 cannot hold (half of a surrogate pair)."""
    try:
        yield
    except UnicodeEncodeError as error:
        raise InvalidInput(
            field, f"has half of a character at position {error.start}", "decode the text correctly"
        ) from error
