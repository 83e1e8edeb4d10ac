"""The property graph: what its nodes and edges hold. Plain frozen rows, no behaviour of any database.

A :class:`Memory` carries its own outgoing edges (mentions, episodes, source turns), so that one row is
one statement with all that belongs to it. Only REPLACES, which joins two memories, is a row of its own.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import Any

import numpy as np
from numpy.typing import NDArray

Vector = NDArray[np.float32]
"""One embedding: shape ``(dimension,)``, float32, unit length."""

TEAM = "team"
"""The owner of what the whole tenant may read."""


class State(StrEnum):
    """Where a memory stands in its life; deleted ones are physically gone."""

    ACTIVE = "active"
    SUPERSEDED = "superseded"
    MERGED = "merged"
    ARCHIVED = "archived"
    QUARANTINED = "quarantined"


class Kind(StrEnum):
    """What sort of thing a memory remembers."""

    FACT = "fact"
    PREFERENCE = "preference"
    DECISION = "decision"
    EVENT = "event"
    INTENT = "intent"
    TASK = "task"


class Layer(StrEnum):
    """Warm memories, or the cold turns that they come from."""

    MEMORY = "memory"
    TURN = "turn"


@dataclass(frozen=True, slots=True, kw_only=True)
class Entity:
    """A node of the users' world, seen by one owner.

    ``key`` (kind and folded canonical name) bridges the views that different owners have of one thing.
    ``handles`` are the folded name and aliases by which it is looked up, made above the store.
    ``profile`` maps a predicate to its consolidated current values, newest first.
    """

    id: str
    owner: str
    key: str
    name: str
    kind: str
    aliases: tuple[str, ...] = ()
    handles: tuple[str, ...] = ()
    profile: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    profile_updated_at: datetime | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    """One raw message: the cold layer. ``position`` counts within its session from 0.

    ``at`` keeps the offset it was given with; ``terms`` are the index terms made above the store.
    """

    id: str
    owner: str
    session: str
    position: int
    speaker: str
    role: str
    text: str
    at: datetime
    recorded_at: datetime
    terms: tuple[str, ...] = ()
    metadata: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Mention:
    """A memory names an entity: where in the memory's text, by which alias, in which role.

    ``role`` is ``subject``, ``object``, ``old`` (the value that gives way), ``speaker`` or ``other``.
    A mention that is understood but not written (a dropped subject, "I") has an empty span and alias.
    """

    entity: str
    start: int = 0
    end: int = 0
    alias: str = ""
    role: str = "other"


@dataclass(frozen=True, slots=True)
class Episode:
    """An edge between two entities that a memory put there; its times are the memory's."""

    subject: str
    predicate: str
    object: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Memory:
    """One remembered statement that stands on its own: the warm layer.

    ``at`` is when it was told. Two clocks: ``[valid_from, valid_to)`` is when it was true,
    ``[recorded_at, retired_at)`` when we believed it. ``closed_at`` is when we learnt ``valid_to``: before that we took it for open.
    ``expires_at`` is when it stops counting by itself: a view of a later moment does not show it. Both
    stores honour it; no writer sets it yet (a task's term and kinds that fade are the lifecycle's to set).

    ``subject`` (an entity id) with ``predicate`` is its slot; both are empty where the statement fits no
    known predicate. ``value`` is what the slot holds: the object's name, or the words of the text.
    ``cues`` are the cue classes heard in it, ``terms`` its index terms, ``sources`` ids of its turns.
    """

    id: str
    owner: str
    kind: Kind
    text: str
    summary: str
    at: datetime
    recorded_at: datetime
    valid_from: datetime
    state: State = State.ACTIVE
    retired_at: datetime | None = None
    valid_to: datetime | None = None
    closed_at: datetime | None = None
    expires_at: datetime | None = None
    subject: str = ""
    predicate: str = ""
    object: str = ""
    value: str = ""
    modality: str = "asserted"
    importance: float = 0.0
    confidence: float = 1.0
    pinned: bool = False
    speaker: str = ""
    session: str = ""
    terms: tuple[str, ...] = ()
    cues: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    mentions: tuple[Mention, ...] = ()
    episodes: tuple[Episode, ...] = ()
    sources: tuple[str, ...] = ()
    metadata: Mapping[str, Any] = field(default_factory=dict)
    access_count: int = 1
    last_accessed_at: datetime | None = None


DOUBT = "doubt"
"""The reason of a REPLACES edge that takes nothing away: the newer memory is only preferred."""

UNDONE = "undone"
"""The reason of a REPLACES edge that was taken back: the two are not about the same, and stand side by side."""

IDLE = (DOUBT, UNDONE)
"""The reasons of edges by which nothing gives way."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Replaces:
    """The memory ``newer`` overrules the memory ``older``: when we learnt it, why, by which words.

    ``score`` is how sure the overruling is (1.0 where a rule or the caller said so), ``features`` the
    visible numbers that it rests on.
    """

    newer: str
    older: str
    at: datetime
    reason: str
    cue: str = ""
    score: float = 1.0
    features: Mapping[str, float] = field(default_factory=dict)

    @property
    def overrules(self) -> bool:
        """Tell whether the older memory gives way by this edge."""
        return self.reason not in IDLE


@dataclass(frozen=True, slots=True, kw_only=True)
class Embedded:
    """The vectors of a memory or a turn: ``summary`` of its own words, ``detail`` with what came before."""

    layer: Layer
    id: str
    summary: Vector
    detail: Vector


@dataclass(frozen=True, slots=True, kw_only=True)
class Name:
    """An entry of the tenant's own dictionary; with an ``owner`` it counts for that one alone.

    An empty ``kind`` says that the owner was asked, and the words name nothing.
    """

    name: str
    kind: str
    aliases: tuple[str, ...] = ()
    owner: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class GraphDelta:
    """All that one write changes; a store applies it whole or not at all.

    Rows are upserts: a row with a known id takes the place of the old one with all its edges.
    ``reverted`` names REPLACES edges to remove, ``dropped_names`` the names to remove, each with its
    owner (empty: the tenant's).
    """

    turns: tuple[Turn, ...] = ()
    entities: tuple[Entity, ...] = ()
    memories: tuple[Memory, ...] = ()
    replaces: tuple[Replaces, ...] = ()
    reverted: tuple[tuple[str, str], ...] = ()
    vectors: tuple[Embedded, ...] = ()
    names: tuple[Name, ...] = ()
    dropped_names: tuple[tuple[str, str], ...] = ()
