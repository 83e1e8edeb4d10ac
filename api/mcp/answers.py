"""What tools answer: the results of the front door cut down to what an assistant has a use for, and bounded.

Scores, features and channels stay behind; the fields that remain have the names that they have there.
"""

from collections.abc import Callable, Sequence
from datetime import datetime
from typing import Annotated, Self, TypeVar

from pydantic import BaseModel, BeforeValidator, ConfigDict

from mnemic.engine.draft import RELATED
from mnemic.engine.results import Explored

LONGEST, MOST = 1_000, 20
"""So many characters of a text, and rows of a list, are told."""

T = TypeVar("T")


def cut(text: str) -> str:
    """Return the beginning of a long text."""
    return text if len(text) <= LONGEST else text[: LONGEST - 1] + "…"


def _first(most: int) -> Callable[[Sequence[T]], Sequence[T]]:
    return lambda rows: rows[:most]


Short = Annotated[str, BeforeValidator(cut)]
Few = Annotated[tuple[T, ...], BeforeValidator(_first(MOST))]
Some = Annotated[tuple[T, ...], BeforeValidator(_first(3 * MOST))]


class Answer(BaseModel):
    """The base of all answers: made from a result by the names of its fields."""

    model_config = ConfigDict(frozen=True, from_attributes=True)

    @classmethod
    def of(cls, result: object) -> Self:
        """Return what of ``result`` is told."""
        return cls.model_validate(result)


class Said(Answer):
    """A statement in its parts."""

    subject: Short
    predicate: str
    value: Short
    modality: str


class Stored(Answer):
    """A memory that was made."""

    id: str
    kind: str
    text: Short
    said: Said | None
    state: str


class Ignored(Answer):
    """A sentence of which no memory was made."""

    text: Short
    reason: str


class Replaced(Answer):
    """A memory that no longer holds, and the one in its place."""

    newer: str
    older: str
    older_text: Short
    reason: str


class Again(Answer):
    """A memory that was known already."""

    id: str
    text: Short


class Hidden(Answer):
    """A secret that was blanked."""

    kind: str


class Gone(Answer):
    """What was removed because the message asked for it."""

    memories: tuple[str, ...]
    turns: tuple[str, ...]


class Kept(Answer):
    """What ``remember`` did; every message is kept in ``turns``, ``known`` are those that were told before."""

    turns: tuple[str, ...]
    known: tuple[str, ...]
    stored: Few[Stored]
    replaced: Few[Replaced]
    reinforced: Few[Again]
    ignored: Few[Ignored]
    masked: Few[Hidden]
    forgotten: Gone
    notes: Few[Short]


class Why(Answer):
    """What led to a statement: the seed, and the way through the graph from there."""

    seed: str
    path: tuple[str, ...]


class Item(Answer):
    """A statement that answers: ``layer`` is ``memory``, or ``turn`` for a line that was told."""

    id: str
    layer: str
    kind: str
    text: Short
    said: Said | None
    speaker: str
    since: datetime
    until: datetime | None
    score: float
    why: Why
    mark: str


class Nothing(Answer):
    """Why there is no answer, and what came nearest."""

    reason: str
    nearest: Short


class Recalled(Answer):
    """What ``recall`` found; none of the ``items`` where nothing is known."""

    items: tuple[Item, ...]
    notes: tuple[Short, ...]
    nothing: Nothing | None


class Thing(Answer):
    """Somebody or something that is known."""

    name: str
    kind: str
    aliases: Few[str]


class Fact(Answer):
    """Something held true of it; ``inverse`` when it is the object of the statement."""

    predicate: str
    value: Short
    text: Short
    since: datetime
    until: datetime | None
    inverse: bool
    memory: str


class Changed(Answer):
    """A value that gave way to another, or ended."""

    predicate: str
    old: Short
    new: Short
    at: datetime
    reason: str


class Neighbour(Answer):
    """Somebody or something beside it."""

    name: str
    kind: str
    predicate: str
    inverse: bool


class Known(Answer):
    """What is known of a name; ``left_out`` counts the rows of each list that are not told."""

    entity: Thing
    profile: dict[str, tuple[Short, ...]]
    facts: Few[Fact]
    plans: Few[Fact]
    changes: Few[Changed]
    neighbours: Few[Neighbour]
    doubtful: Few[Fact]
    tasks: Few[Fact]
    left_out: dict[str, int] = {}

    @classmethod
    def of(cls, result: object) -> Self:
        """Return what of an ``About`` is told."""
        lists = ("facts", "plans", "changes", "neighbours", "doubtful", "tasks")
        beyond = {name: len(getattr(result, name)) - MOST for name in lists}
        left_out = {name: count for name, count in beyond.items() if count > 0}
        return super().of(result).model_copy(update={"left_out": left_out})


class Near(Answer):
    """Who or what was reached, and in how many steps."""

    name: str
    kind: str
    hops: int


class Edge(Answer):
    """One statement that joins two of them."""

    subject: str
    predicate: str
    object: Short
    since: datetime
    memory: str


class Around(Answer):
    """What is connected with a name; ``truncated`` where more lies beyond the limit."""

    centre: Thing
    nodes: tuple[Near, ...]
    edges: Some[Edge]
    truncated: bool

    @classmethod
    def of(cls, result: object) -> Self:
        """Return what of an ``Explored`` is told."""
        assert isinstance(result, Explored)
        nodes = [
            Near(name=node.name, kind=node.kind, hops=result.hops[node.name])
            for node in result.nodes
            if node.name != result.centre.name
        ]
        return cls(
            centre=Thing.of(result.centre),
            nodes=tuple(sorted(nodes, key=lambda node: (node.hops, node.name))),
            edges=tuple(map(Edge.of, sorted(result.edges, key=lambda edge: edge.predicate == RELATED))),
            truncated=result.truncated or len(result.edges) > 3 * MOST,
        )


class Version(Answer):
    """One value, from when to when it held, and why it gave way."""

    value: Short
    text: Short
    modality: str
    state: str
    valid_from: datetime
    valid_to: datetime | None
    recorded_at: datetime
    retired_at: datetime | None
    reason: str
    memory: str


def _last(versions: Sequence[T]) -> Sequence[T]:
    return versions[-MOST:]


class Chain(Answer):
    """The last values of one relation, oldest first."""

    predicate: str
    versions: Annotated[tuple[Version, ...], BeforeValidator(_last)]


class Past(Answer):
    """All that was held true of a name."""

    entity: Thing
    chains: Few[Chain]


class Forgetting(Answer):
    """What would go, or went: ``confirm`` is the code that makes it go, empty once it is ``gone``."""

    memories: dict[str, Short] = {}
    turns: dict[str, Short] = {}
    confirm: str = ""
    gone: bool = False
