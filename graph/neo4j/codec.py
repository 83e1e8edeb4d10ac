"""Rows of the model to properties of nodes and edges, and what the statements return back to rows."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from mnemic.graph.encoding import (
    KINDS,
    STATES,
    moment_at,
    optional_instant,
    optional_moment,
    parse_json,
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
from mnemic.graph.neo4j.queries.parts import ENTITY_TIMES, MEMORY_TIMES, TURN_TIMES

Properties = dict[str, Any]

FACT = "fact_"
"""What the properties of an entity begin with that show its profile, one a predicate."""

_MILLION = 1_000_000


def _times(row: Entity | Turn | Memory, names: Sequence[str]) -> list[int | None]:
    """Return the times of ``row``: seconds and nanoseconds of each, as the server makes a datetime of."""
    times: list[int | None] = []
    for name in names:
        moment = getattr(row, name)
        if moment is None:
            times += (None, None)
        else:
            seconds, microseconds = divmod(stored_instant(moment, name), _MILLION)
            times += (seconds, microseconds * 1000)
    return times


def _packed(*columns: object) -> str:
    """Return a row as one JSON array: 300 rows are read in a tenth of the time that their properties take."""
    return write_json(columns, "row")


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
            "row": _packed(
                *(entity.id, entity.owner, entity.key, entity.name, entity.kind),
                *(entity.aliases, entity.handles, write_json(dict(entity.profile), "profile")),
                optional_instant(entity.profile_updated_at, "profile_updated_at"),
            ),
        },
        "times": _times(entity, ENTITY_TIMES),
    }


def read_entity(packed: str) -> Entity:
    """Return the entity behind ``row``."""
    row = parse_json(packed)[0]
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
            "words": words.write_words(words.mark(tenant, turn.owner), turn.terms),
            "length": len(turn.terms),
            "row": _packed(
                *(turn.id, turn.owner, turn.session, turn.position, turn.speaker, turn.role, turn.text),
                *(stored_instant(turn.at, "at"), utc_offset(turn.at)),
                *(stored_instant(turn.recorded_at, "recorded_at"), turn.terms),
                write_json(dict(turn.metadata), "metadata"),
            ),
        },
        "times": _times(turn, TURN_TIMES),
    }


def read_turn(packed: str) -> Turn:
    """Return the turn behind ``row``."""
    row = parse_json(packed)[0]
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

    The whole row stands packed beside them, its edges too: it is read without walking. The properties are
    for filters and for people, the edges for the walks.
    """
    importance, confidence = float(memory.importance), float(memory.confidence)
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
            "importance": importance,
            "confidence": confidence,
            "pinned": bool(memory.pinned),
            "speaker": memory.speaker,
            "session": memory.session,
            "words": words.write_words(words.mark(tenant, memory.owner), memory.terms),
            "length": len(memory.terms),
            "tags": list(memory.tags),
            "access_count": memory.access_count,
            "row": _packed(
                *(memory.id, memory.owner, memory.kind.value, memory.text, memory.summary),
                memory.state.value,
                *(optional_instant(getattr(memory, name), name) for name in MEMORY_TIMES),
                *(memory.subject, memory.predicate, memory.object, memory.value, memory.modality),
                *(importance, confidence, bool(memory.pinned), memory.speaker, memory.session),
                *(memory.terms, memory.cues, memory.tags),
                *(write_mentions(memory), write_episodes(memory), memory.sources),
                *(write_json(dict(memory.metadata), "metadata"), memory.access_count),
            ),
        },
        "times": _times(memory, MEMORY_TIMES),
    }


def read_memory(packed: str) -> Memory:
    """Return the memory behind ``row``."""
    row = parse_json(packed)[0]
    return Memory(
        id=row[0],
        owner=row[1],
        kind=KINDS[row[2]],
        text=row[3],
        summary=row[4],
        state=STATES[row[5]],
        at=moment_at(row[6]),
        recorded_at=moment_at(row[7]),
        valid_from=moment_at(row[8]),
        retired_at=optional_moment(row[9]),
        valid_to=optional_moment(row[10]),
        closed_at=optional_moment(row[11]),
        expires_at=optional_moment(row[12]),
        last_accessed_at=optional_moment(row[13]),
        subject=row[14],
        predicate=row[15],
        object=row[16],
        value=row[17],
        modality=row[18],
        importance=row[19],
        confidence=row[20],
        pinned=row[21],
        speaker=row[22],
        session=row[23],
        terms=tuple(row[24]),
        cues=tuple(row[25]),
        tags=tuple(row[26]),
        mentions=read_mentions(row[27]),
        episodes=read_episodes(row[28]),
        sources=tuple(row[29]),
        metadata=read_mapping(row[30]),
        access_count=row[31],
    )


READ: Mapping[Layer, Callable[[str], Memory | Turn]] = {
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


def read_name(row: Sequence[Any]) -> Name:
    """Return the dictionary entry behind ``name kind aliases owner``."""
    return Name(name=row[0], kind=row[1], aliases=tuple(row[2]), owner=row[3])


_SPOKEN = np.array([f"{half:.7g}" for half in np.arange(2**16, dtype=np.uint16).view(np.float16)], object)
"""Every float16 as text, to as many digits as give the same float32."""


def write_numbers(packed: bytes) -> str:
    """Return a stored vector as text that the server splits into numbers; a zero vector, which is near nothing, as none.

    The driver packs a list one number at a time, which takes 1 ms a vector; this takes 0.04.
    """
    if not any(packed):
        return ""
    return " ".join(_SPOKEN[np.frombuffer(packed, np.uint16)].tolist())
