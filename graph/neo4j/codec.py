"""Rows of the model to properties of nodes and edges, and what the statements return back to rows."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from mnemic.graph.encoding import (
    KINDS,
    STATES,
    moment_at,
    optional_moment,
    read_episodes,
    read_mapping,
    read_mentions,
    read_profile,
    stored_instant,
    told_moment,
    utc_offset,
    write_episodes,
    write_json,
    write_mentions,
)
from mnemic.graph.model import (
    Entity,
    Layer,
    Memory,
    Name,
    Replaces,
    Turn,
)
from mnemic.graph.neo4j import words

Properties = dict[str, Any]

FACT = "fact_"
"""What the properties of an entity begin with that show its profile, one a predicate."""

_MILLION = 1_000_000


def _times(row: Entity | Turn | Memory, *names: str) -> Properties:
    """Return the times of ``row`` as pairs of seconds and nanoseconds, as the server makes a datetime of."""
    times: Properties = {}
    for name in names:
        moment = getattr(row, name)
        if moment is None:
            times[name] = None
        else:
            seconds, microseconds = divmod(stored_instant(moment, name), _MILLION)
            times[name] = [seconds, microseconds * 1000]
    return times


def write_entity(entity: Entity, tenant: str) -> Properties:
    """Return an entity's ``properties`` and ``times``. Its profile stands twice: whole, and to be read."""
    facts = {FACT + predicate: ", ".join(values) for predicate, values in entity.profile.items() if values}
    return {
        "properties": {
            **facts,
            "tenant": tenant,
            "id": entity.id,
            "owner": entity.owner,
            "key": entity.key,
            "name": entity.name,
            "kind": entity.kind,
            "aliases": list(entity.aliases),
            "handles": list(entity.handles),
            "profile": write_json(dict(entity.profile), "profile"),
        },
        "times": _times(entity, "profile_updated_at"),
    }


def read_entity(row: Sequence[Any]) -> Entity:
    """Return the entity behind the columns ``ENTITY``."""
    return Entity(
        id=row[0],
        owner=row[1],
        key=row[2],
        name=row[3],
        kind=row[4],
        aliases=tuple(row[5]),
        handles=tuple(row[6]),
        profile=read_profile(row[7]),
        profile_updated_at=optional_moment(row[8]),
    )


def write_turn(turn: Turn, tenant: str) -> Properties:
    """Return a turn's ``properties`` and ``times``."""
    return {
        "properties": {
            "tenant": tenant,
            "id": turn.id,
            "owner": turn.owner,
            "session": turn.session,
            "position": turn.position,
            "speaker": turn.speaker,
            "role": turn.role,
            "text": turn.text,
            "utc_offset": utc_offset(turn.at),
            "terms": list(turn.terms),
            "words": words.write_words(words.mark(tenant, turn.owner), turn.terms),
            "length": len(turn.terms),
            "metadata": write_json(dict(turn.metadata), "metadata"),
        },
        "times": _times(turn, "at", "recorded_at"),
    }


def read_turn(row: Sequence[Any]) -> Turn:
    """Return the turn behind the columns ``TURN``."""
    return Turn(
        id=row[0],
        owner=row[1],
        session=row[2],
        position=row[3],
        speaker=row[4],
        role=row[5],
        text=row[6],
        at=told_moment(row[7], row[8]),
        recorded_at=moment_at(row[9]),
        terms=tuple(row[10]),
        metadata=read_mapping(row[11]),
    )


def write_memory(memory: Memory, tenant: str) -> Properties:
    """Return a memory's ``properties`` and ``times``.

    Its edges stand on the node too, so that a row is read without walking; the edges are for the walks.
    """
    return {
        "properties": {
            "tenant": tenant,
            "id": memory.id,
            "owner": memory.owner,
            "kind": memory.kind.value,
            "text": memory.text,
            "summary": memory.summary,
            "state": memory.state.value,
            "subject": memory.subject,
            "predicate": memory.predicate,
            "object": memory.object,
            "value": memory.value,
            "modality": memory.modality,
            "importance": float(memory.importance),
            "confidence": float(memory.confidence),
            "pinned": bool(memory.pinned),
            "speaker": memory.speaker,
            "session": memory.session,
            "terms": list(memory.terms),
            "words": words.write_words(words.mark(tenant, memory.owner), memory.terms),
            "length": len(memory.terms),
            "cues": list(memory.cues),
            "tags": list(memory.tags),
            "mentions": write_mentions(memory),
            "episodes": write_episodes(memory),
            "sources": list(memory.sources),
            "metadata": write_json(dict(memory.metadata), "metadata"),
            "access_count": memory.access_count,
        },
        "times": _times(
            memory,
            *("at", "recorded_at", "valid_from", "retired_at", "valid_to", "closed_at", "expires_at"),
            "last_accessed_at",
        ),
    }


def read_memory(row: Sequence[Any]) -> Memory:
    """Return the memory behind the columns ``MEMORY``."""
    return Memory(
        id=row[0],
        owner=row[1],
        kind=KINDS[row[2]],
        text=row[3],
        summary=row[4],
        at=moment_at(row[5]),
        recorded_at=moment_at(row[6]),
        valid_from=moment_at(row[7]),
        state=STATES[row[8]],
        retired_at=optional_moment(row[9]),
        valid_to=optional_moment(row[10]),
        closed_at=optional_moment(row[11]),
        expires_at=optional_moment(row[12]),
        subject=row[13],
        predicate=row[14],
        object=row[15],
        value=row[16],
        modality=row[17],
        importance=row[18],
        confidence=row[19],
        pinned=row[20],
        speaker=row[21],
        session=row[22],
        terms=tuple(row[23]),
        cues=tuple(row[24]),
        tags=tuple(row[25]),
        mentions=read_mentions(row[26]),
        episodes=read_episodes(row[27]),
        sources=tuple(row[28]),
        metadata=read_mapping(row[29]),
        access_count=row[30],
        last_accessed_at=optional_moment(row[31]),
    )


READ: Mapping[Layer, Callable[[Sequence[Any]], Memory | Turn]] = {
    Layer.MEMORY: read_memory,
    Layer.TURN: read_turn,
}
"""What reads a row of each layer."""


def write_replaces(edge: Replaces) -> Properties:
    """Return a REPLACES edge: its ends, its time in microseconds, its properties."""
    seconds, microseconds = divmod(stored_instant(edge.at, "at"), _MILLION)
    return {
        "newer": edge.newer,
        "older": edge.older,
        "at": [seconds, microseconds * 1000],
        "reason": edge.reason,
        "cue": edge.cue,
        "score": float(edge.score),
        "features": write_json(dict(edge.features), "features"),
    }


def read_replaces(row: Sequence[Any]) -> Replaces:
    """Return the edge behind ``newer older at reason cue score features``."""
    return Replaces(
        newer=row[0],
        older=row[1],
        at=moment_at(row[2]),
        reason=row[3],
        cue=row[4],
        score=row[5],
        features=read_mapping(row[6]),
    )


def read_name(row: Sequence[Any]) -> Name:
    """Return the dictionary entry behind ``name kind aliases owner``."""
    return Name(name=row[0], kind=row[1], aliases=tuple(row[2]), owner=row[3])


_SPOKEN = np.array([f"{half:.7g}" for half in np.arange(2**16, dtype=np.uint16).view(np.float16)], object)
"""Every float16 as text, to as many digits as give the same float32."""


def write_numbers(packed: bytes) -> str:
    """Return a stored vector as text that the server splits into numbers.

    The driver packs a list one number at a time, which takes 1 ms a vector; this takes 0.04.
    """
    return " ".join(_SPOKEN[np.frombuffer(packed, np.uint16)].tolist())
