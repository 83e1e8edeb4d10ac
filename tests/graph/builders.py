"""Rows made briefly: a test names what it is about and leaves out the rest."""

from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from typing import Any

import numpy as np

from mnemic.graph.model import (
    Embedded,
    Entity,
    Episode,
    GraphDelta,
    Kind,
    Layer,
    Memory,
    Mention,
    Replaces,
    Turn,
    Vector,
)
from mnemic.graph.store import Candidate, Gathered
from mnemic.graph.view import View

START = datetime(2026, 1, 1, tzinfo=UTC)
DIMENSION = 8
EMBEDDER = "test-embedder"


def day(number: float) -> datetime:
    """Return the instant so many days after the start."""
    return START + timedelta(days=number)


def view(*owners: str, valid: float = 1000, known: float = 1000, **rest: Any) -> View:
    """Return a view from these days; of ada when no owner is named."""
    return View(owners=frozenset(owners or ("ada",)), valid=day(valid), known=day(known), **rest)


def entity(id: str, owner: str = "ada", **rest: Any) -> Entity:
    values: dict[str, Any] = {"key": f"thing:{id}", "name": id, "kind": "thing", "handles": (id,)}
    return Entity(id=id, owner=owner, **(values | rest))


def turn(id: str, position: int = 0, owner: str = "ada", **rest: Any) -> Turn:
    values: dict[str, Any] = {
        **{"session": "standup", "speaker": owner, "role": "user", "text": f"text of {id}"},
        **{"at": day(position), "recorded_at": day(position)},
    }
    return Turn(id=id, owner=owner, position=position, **(values | rest))


def memory(id: str, at: float = 0, owner: str = "ada", **rest: Any) -> Memory:
    """Return a memory that was told, recorded and true from the day ``at`` on."""
    values: dict[str, Any] = {
        **{"kind": Kind.FACT, "text": f"text of {id}", "summary": f"summary of {id}"},
        **{"at": day(at), "recorded_at": day(at), "valid_from": day(at)},
    }
    return Memory(id=id, owner=owner, **(values | rest))


def mentions(*entities: str) -> tuple[Mention, ...]:
    return tuple(Mention(each) for each in entities)


def uses(subject: str, other: str) -> Episode:
    return Episode(subject, "uses", other)


def replaces(newer: str, older: str, at: float = 0, **rest: Any) -> Replaces:
    return Replaces(newer=newer, older=older, at=day(at), **({"reason": "newer statement"} | rest))


def vector(*numbers: float) -> Vector:
    """Return a unit vector that begins with these numbers."""
    padded = np.zeros(DIMENSION, np.float32)
    padded[: len(numbers)] = numbers
    unit: Vector = padded / np.linalg.norm(padded)
    return unit


def embedded(id: str, summary: Vector, detail: Vector | None = None, layer: Layer = Layer.MEMORY) -> Embedded:
    return Embedded(layer=layer, id=id, summary=summary, detail=summary if detail is None else detail)


def delta(*rows: Memory | Turn | Entity | Replaces | Embedded, **rest: Any) -> GraphDelta:
    """Return a delta of rows of any kind."""

    def of(kind: type) -> tuple[Any, ...]:
        return tuple(row for row in rows if isinstance(row, kind))

    return GraphDelta(
        turns=of(Turn),
        entities=of(Entity),
        memories=of(Memory),
        replaces=of(Replaces),
        vectors=of(Embedded),
        **rest,
    )


def ids(rows: Iterable[Memory | Turn | Entity]) -> list[str]:
    return [row.id for row in rows]


def nominated(gathered: Gathered, channel: str) -> set[str]:
    """Return the ids that a channel nominated."""
    return {each.row.id for each in gathered.candidates if channel in each.channels}


def candidate(gathered: Gathered, id: str) -> Candidate:
    (found,) = [each for each in gathered.candidates if each.row.id == id]
    return found
