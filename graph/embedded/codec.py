"""Rows of the model to rows of the file and back."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from mnemic.graph.embedded.terms import read_terms, write_terms
from mnemic.graph.encoding import (
    KINDS,
    STATES,
    moment_at,
    optional_instant,
    optional_moment,
    read_episodes,
    read_mapping,
    read_mentions,
    read_profile,
    read_strings,
    stored_instant,
    told_moment,
    utc_offset,
    write_episodes,
    write_json,
    write_mentions,
)
from mnemic.graph.model import Entity, Memory, Name, Replaces, Turn

Row = dict[str, Any]
"""A row's values by column."""

ENTITY = ("id", "owner", "key", "name", "kind", "aliases", "handles", "profile", "profile_updated_at")
TURN = (
    *("id", "owner", "session", "position", "speaker", "role", "text", "at", "utc_offset", "recorded_at"),
    *("terms", "length", "metadata"),
)
MEMORY = (
    *("id", "owner", "kind", "text", "summary", "at", "recorded_at", "valid_from", "state"),
    *(
        "retired_at",
        "valid_to",
        "closed_at",
        "expires_at",
        "subject",
        "predicate",
        "object",
        "value",
        "modality",
    ),
    *("importance", "confidence", "pinned", "speaker", "session", "terms", "length", "cues", "tags"),
    *("mentions", "episodes", "sources", "metadata", "access_count", "last_accessed_at"),
)
"""The columns of each table, in the order of what ``write_*`` returns and ``read_*`` takes."""

BEFORE_ALL = -(2**63)
AFTER_ALL = 2**63 - 1
"""Stand for the open ends of time where numbers are compared."""


def write_entity(entity: Entity, owner: int) -> Row:
    """Return an entity's columns; ``owner`` is its owner's number."""
    return {
        "id": entity.id,
        "owner": owner,
        "key": entity.key,
        "name": entity.name,
        "kind": entity.kind,
        "aliases": write_json(entity.aliases, "aliases"),
        "handles": write_json(entity.handles, "handles"),
        "profile": write_json(dict(entity.profile), "profile"),
        "profile_updated_at": optional_instant(entity.profile_updated_at, "profile_updated_at"),
    }


def read_entity(row: Sequence[Any], owners: Mapping[int, str]) -> Entity:
    """Return the entity behind the columns ``ENTITY``; ``owners`` names the owners by number."""
    return Entity(
        id=row[0],
        owner=owners[row[1]],
        key=row[2],
        name=row[3],
        kind=row[4],
        aliases=read_strings(row[5]),
        handles=read_strings(row[6]),
        profile=read_profile(row[7]),
        profile_updated_at=optional_moment(row[8]),
    )


def write_turn(turn: Turn, owner: int) -> Row:
    """Return a turn's columns; ``owner`` is its owner's number."""
    return {
        "id": turn.id,
        "owner": owner,
        "session": turn.session,
        "position": turn.position,
        "speaker": turn.speaker,
        "role": turn.role,
        "text": turn.text,
        "at": stored_instant(turn.at, "at"),
        "utc_offset": utc_offset(turn.at),
        "recorded_at": stored_instant(turn.recorded_at, "recorded_at"),
        "terms": write_terms(owner, turn.terms),
        "length": len(turn.terms),
        "metadata": write_json(dict(turn.metadata), "metadata"),
    }


def read_turn(row: Sequence[Any], owners: Mapping[int, str]) -> Turn:
    """Return the turn behind the columns ``TURN``."""
    return Turn(
        id=row[0],
        owner=owners[row[1]],
        session=row[2],
        position=row[3],
        speaker=row[4],
        role=row[5],
        text=row[6],
        at=told_moment(row[7], row[8]),
        recorded_at=moment_at(row[9]),
        terms=read_terms(row[10]),
        metadata=read_mapping(row[12]),
    )


def write_memory(memory: Memory, owner: int) -> Row:
    """Return a memory's columns; ``owner`` is its owner's number."""
    return {
        "id": memory.id,
        "owner": owner,
        "kind": memory.kind.value,
        "text": memory.text,
        "summary": memory.summary,
        "at": stored_instant(memory.at, "at"),
        "recorded_at": stored_instant(memory.recorded_at, "recorded_at"),
        "valid_from": stored_instant(memory.valid_from, "valid_from"),
        "state": memory.state.value,
        "retired_at": optional_instant(memory.retired_at, "retired_at"),
        "valid_to": optional_instant(memory.valid_to, "valid_to"),
        "closed_at": optional_instant(memory.closed_at, "closed_at"),
        "expires_at": optional_instant(memory.expires_at, "expires_at"),
        "subject": memory.subject,
        "predicate": memory.predicate,
        "object": memory.object,
        "value": memory.value,
        "modality": memory.modality,
        "importance": float(memory.importance),
        "confidence": float(memory.confidence),
        "pinned": int(memory.pinned),
        "speaker": memory.speaker,
        "session": memory.session,
        "terms": write_terms(owner, memory.terms),
        "length": len(memory.terms),
        "cues": write_json(memory.cues, "cues"),
        "tags": write_json(memory.tags, "tags"),
        "mentions": write_mentions(memory),
        "episodes": write_episodes(memory),
        "sources": write_json(memory.sources, "sources"),
        "metadata": write_json(dict(memory.metadata), "metadata"),
        "access_count": memory.access_count,
        "last_accessed_at": optional_instant(memory.last_accessed_at, "last_accessed_at"),
    }


def read_memory(row: Sequence[Any], owners: Mapping[int, str]) -> Memory:
    """Return the memory behind the columns ``MEMORY``."""
    return Memory(
        id=row[0],
        owner=owners[row[1]],
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
        pinned=bool(row[20]),
        speaker=row[21],
        session=row[22],
        terms=read_terms(row[23]),
        cues=read_strings(row[25]),
        tags=read_strings(row[26]),
        mentions=read_mentions(row[27]),
        episodes=read_episodes(row[28]),
        sources=read_strings(row[29]),
        metadata=read_mapping(row[30]),
        access_count=row[31],
        last_accessed_at=optional_moment(row[32]),
    )


READ: Mapping[str, Callable[[Sequence[Any], Mapping[int, str]], Entity | Memory | Turn]] = {
    "entity": read_entity,
    "turn": read_turn,
    "memory": read_memory,
}
"""What reads a row of each table."""


def write_replaces(edge: Replaces) -> tuple[int, str, str, float, str]:
    """Return ``at reason cue score features``."""
    features = write_json(dict(edge.features), "features")
    return stored_instant(edge.at, "at"), edge.reason, edge.cue, float(edge.score), features


def read_name(row: Sequence[Any]) -> Name:
    """Return the dictionary entry behind ``name kind aliases owner``."""
    return Name(name=row[0], kind=row[1], aliases=read_strings(row[2]), owner=row[3])
