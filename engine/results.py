"""What the front door returns: frozen models, each item with the ids of the turns it comes from."""

from datetime import datetime
from typing import Any, Generic, TypeVar

from pydantic import BaseModel, ConfigDict, Field

from mnemic.errors import NotFound

T = TypeVar("T")


class Result(BaseModel):
    """The base of all results: frozen, nothing unknown inside."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class Said(Result):
    """A statement in its parts; ``predicate`` is empty where no known predicate fits."""

    subject: str
    predicate: str
    value: str
    modality: str


class Stored(Result):
    """A memory that was written: what it says, how important it was found, and by which features."""

    id: str
    kind: str
    text: str
    said: Said | None
    state: str
    importance: float
    features: dict[str, float]
    turns: tuple[str, ...]


class Ignored(Result):
    """A sentence that did not become a memory (its turn is kept all the same), and why."""

    text: str
    reason: str
    importance: float
    features: dict[str, float]
    turn: str


class Replaced(Result):
    """A REPLACES edge that was written: the older memory, why it gave way, by which words, how surely.

    ``turns`` are those that the older memory came from.
    """

    newer: str
    older: str
    older_text: str
    turns: tuple[str, ...]
    reason: str
    cue: str
    score: float
    features: dict[str, float] = Field(default_factory=dict)


class Reinforced(Result):
    """A known memory that was said again: it got a further source instead of a twin."""

    id: str
    text: str
    turn: str


class Hidden(Result):
    """A secret that was masked before anything was stored; ``field`` is ``text``, ``tags`` or ``metadata``."""

    kind: str
    turn: str
    field: str = "text"


class Doomed(Result):
    """What a ``forget`` would remove: the words of the memories and of the turns, by their ids."""

    memories: dict[str, str] = Field(default_factory=dict)
    turns: dict[str, str] = Field(default_factory=dict)


class Forgotten(Result):
    """What was physically removed."""

    memories: tuple[str, ...] = ()
    turns: tuple[str, ...] = ()
    rows: int = 0


class Unreplaced(Result):
    """An overruling that was taken back: ``reason`` is what it was, ``turns`` are those of the older memory.

    ``in_force``: whether the older memory holds again; ``overruled_by`` is what overrules it all the same: another
    statement of the same message, or a later value of its slot that took its place anyway.
    """

    newer: str
    newer_text: str
    older: str
    older_text: str
    reason: str
    turns: tuple[str, ...]
    in_force: bool
    overruled_by: str = ""


class Asked(Result):
    """What a language model was asked: of which turn, what it said, whether that was believed, how long it took.

    ``stage`` is ``extract``, ``judge`` or ``summarise``; ``note`` tells why there is no answer to use.
    """

    stage: str
    model: str
    turn: str
    seconds: float
    said: str = ""
    used: bool = False
    note: str = ""


class Receipt(Result):
    """What one call of ``remember`` did: every turn is kept, ``known`` ones had been delivered before.

    ``silent`` are the places, from 0, of messages without words, such as calls of tools: they are left out.
    """

    turns: tuple[str, ...]
    silent: tuple[int, ...] = ()
    known: tuple[str, ...] = ()
    stored: tuple[Stored, ...] = ()
    ignored: tuple[Ignored, ...] = ()
    replaced: tuple[Replaced, ...] = ()
    reinforced: tuple[Reinforced, ...] = ()
    masked: tuple[Hidden, ...] = ()
    forgotten: Forgotten = Forgotten()
    notes: tuple[str, ...] = ()
    asked: tuple[Asked, ...] = ()


class Job(Result):
    """Messages that are told later: ``state`` is ``waiting``, ``running``, ``done``, or ``dead`` with the ``reason``.

    ``attempts`` were begun; while it waits again, ``reason`` tells why the last one failed. ``receipt`` is that
    of ``remember``, without the words of what has been forgotten by the same call. A job is forgotten with the
    turns that its receipt speaks of.
    """

    id: str
    state: str
    attempts: int
    reason: str
    receipt: Receipt | None
    created_at: datetime
    finished_at: datetime | None


class Reread(Result):
    """What reading the history again did: the turns that hold a name, those of them and beside them told again.

    ``left`` turns were left as they are, because what came of them has been merged or archived since.
    ``before`` and ``after`` count the memories of the turns that were told again.
    """

    found: int = 0
    told: int = 0
    left: int = 0
    before: int = 0
    after: int = 0


class Evidence(Result):
    """Where a form stands: its turn, at which characters, and the words around it."""

    turn: str
    at: datetime
    speaker: str
    start: int
    end: int
    before: str
    behind: str


class Proposal(Result):
    """A form that may be a name: a guess of its kind, in how many turns and sessions it stands, and why so.

    ``why`` counts the places by what speaks for a name: ``capital quoted code spelt handle``, or the kind that
    the words beside it tell.
    """

    name: str
    kind: str
    turns: int
    sessions: int
    why: dict[str, int]
    evidence: tuple[Evidence, ...]


class Why(Result):
    """Why an item came back: its score per channel, what seeded it, and the way through the graph."""

    channels: dict[str, float]
    seed: str
    path: tuple[str, ...] = ()


class Item(Result):
    """One recalled memory or turn. ``layer`` is ``memory`` or ``turn``; times are the world's.

    ``mark`` is ``quarantined`` for a turn of which nothing counts as known; only ``deep`` returns such.
    """

    id: str
    layer: str
    kind: str
    text: str
    said: Said | None
    speaker: str
    since: datetime
    until: datetime | None
    score: float
    why: Why
    turns: tuple[str, ...]
    owner: str
    mark: str = ""


class Suppressed(Result):
    """A candidate that was kept back: why, and by which memory where one overrules it."""

    id: str
    text: str
    turns: tuple[str, ...]
    reason: str
    by: str = ""
    score: float = 0.0


class Nothing(Result):
    """Why a recall returned nothing, with the nearest miss and its score against the floor."""

    reason: str
    nearest: str = ""
    score: float = 0.0
    floor: float = 0.0


class Found(Result):
    """The answer of a recall; ``text`` is ready to put before a model, empty when nothing fits."""

    query: str
    text: str
    items: tuple[Item, ...] = ()
    suppressed: tuple[Suppressed, ...] = ()
    notes: tuple[str, ...] = ()
    nothing: Nothing | None = None
    weights: str = ""

    def explain(self, id: str) -> Item | Suppressed:
        """Return what this answer itself holds of a row: the item with its reasons, or why it was kept back.

        An answer knows no more than these; ``Mnemic.why`` explains any row. Raises ``NotFound`` for another id.
        """
        held: tuple[Item | Suppressed, ...] = (*self.items, *self.suppressed)
        row = next((each for each in held if each.id == id), None)
        if row is None:
            raise NotFound("item of this answer", id, [each.id for each in held][:3])
        return row


class Channel(Result):
    """How a row fared in one channel: whether that brought it, in which place (0: none) of how many, its raw score."""

    name: str
    nominated: bool
    place: int
    of: int
    score: float


class Part(Result):
    """What one feature adds to the log odds of a score: its value times its weight."""

    feature: str
    value: float
    weight: float
    adds: float


class Explained(Result):
    """Why a row answers a question, or why not.

    ``returned``: it is among the items; ``place`` is its place among all that nothing speaks against (0: none).
    ``kept_out`` says in a few words what kept it out, ``by`` and ``by_text`` what it gave way to, ``because`` the
    same as a sentence with the figures, ``missing`` what would have had to be there. The score is the logistic
    function of ``base`` and what all ``parts`` add, unless it is ``inherited`` from what the row belongs with;
    ``takes`` is the score that it takes to be returned.
    """

    query: str
    id: str
    layer: str
    text: str
    turns: tuple[str, ...]
    returned: bool
    place: int = 0
    kept_out: str = ""
    because: str = ""
    by: str = ""
    by_text: str = ""
    missing: tuple[str, ...] = ()
    score: float = 0.0
    takes: float = 0.0
    inherited: float = 0.0
    base: float = 0.0
    parts: tuple[Part, ...] = ()
    channels: tuple[Channel, ...] = ()
    seed: str = ""
    path: tuple[str, ...] = ()
    weights: str = ""


class Thing(Result):
    """An entity as a reader sees it."""

    id: str
    name: str
    kind: str
    aliases: tuple[str, ...] = ()


class Remembered(Result):
    """A memory as it is stored: what it says, how it is meant to count, from when to when on both clocks.

    ``since`` and ``until`` are the world's, ``recorded_at`` and ``retired_at`` ours; ``at`` is when it was told.
    ``version`` tells this state of it from any other.
    """

    id: str
    kind: str
    text: str
    said: Said | None
    state: str
    importance: float
    confidence: float
    tags: tuple[str, ...]
    metadata: dict[str, Any]
    speaker: str
    session: str
    at: datetime
    since: datetime
    until: datetime | None
    recorded_at: datetime
    retired_at: datetime | None
    owner: str
    turns: tuple[str, ...]
    version: str


class Spoken(Result):
    """A turn as it is stored."""

    id: str
    session: str
    speaker: str
    role: str
    text: str
    at: datetime
    recorded_at: datetime
    owner: str
    metadata: dict[str, Any]


class Page(Result, Generic[T]):
    """Some rows of many; ``next`` is the cursor of those behind them, None at the end."""

    items: tuple[T, ...]
    next: str | None = None


class Fact(Result):
    """Something held true of an entity: ``inverse`` when the entity is the object of the statement."""

    predicate: str
    value: str
    text: str
    modality: str
    since: datetime
    until: datetime | None
    memory: str
    turns: tuple[str, ...]
    inverse: bool = False
    confidence: float = 1.0


class Changed(Result):
    """A value that gave way to another (``new`` is empty where it ended without successor)."""

    predicate: str
    old: str
    new: str
    at: datetime
    reason: str
    turns: tuple[str, ...]


class Neighbour(Result):
    """An entity one edge away, by which relation, and the memory that says so."""

    name: str
    kind: str
    predicate: str
    inverse: bool
    memory: str
    turns: tuple[str, ...]


class About(Result):
    """What is known of an entity: its profile, current facts, changes, neighbours, tasks and timeline.

    ``doubtful`` facts are those that something newer may have replaced, not surely enough to drop them.
    """

    entity: Thing
    profile: dict[str, tuple[str, ...]]
    facts: tuple[Fact, ...]
    plans: tuple[Fact, ...] = ()
    changes: tuple[Changed, ...] = ()
    neighbours: tuple[Neighbour, ...] = ()
    doubtful: tuple[Fact, ...] = ()
    tasks: tuple[Fact, ...] = ()
    timeline: tuple[Fact, ...] = ()


class Edge(Result):
    """One step through the graph, in the direction in which it was said."""

    subject: str
    predicate: str
    object: str
    memory: str
    since: datetime
    turns: tuple[str, ...]


class Explored(Result):
    """A subgraph around an entity: who was reached in how many hops, over which edges."""

    centre: Thing
    nodes: tuple[Thing, ...]
    hops: dict[str, int]
    edges: tuple[Edge, ...]
    truncated: bool = False


class Path(Result):
    """How two entities are connected; ``steps`` is empty when they are not, within the hops allowed."""

    source: Thing
    target: Thing
    names: tuple[str, ...]
    steps: tuple[Edge, ...]


class Version(Result):
    """One value that a slot held, on both clocks.

    One of modality ``ended`` or ``negated`` was never told otherwise: until ``valid_to`` it held, or never.
    """

    value: str
    text: str
    modality: str
    state: str
    valid_from: datetime
    valid_to: datetime | None
    recorded_at: datetime
    retired_at: datetime | None
    memory: str
    turns: tuple[str, ...]
    replaced_by: str = ""
    reason: str = ""


class Chain(Result):
    """All that one slot held, oldest first."""

    predicate: str
    versions: tuple[Version, ...]


class History(Result):
    """The chains of an entity's slots (one, when a predicate was asked for)."""

    entity: Thing
    chains: tuple[Chain, ...]


class Task(Result):
    """Something to do that is neither done nor dropped; when it is ``due`` may be past."""

    text: str
    who: str
    due: datetime | None
    since: datetime
    memory: str
    turns: tuple[str, ...]
