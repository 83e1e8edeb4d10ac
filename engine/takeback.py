"""Taking back what turns told, so that they can be told once more: memories, what these overruled, what rests on them."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from mnemic.engine.conflict import Manner
from mnemic.graph.clock import BEGINNING
from mnemic.graph.model import DOUBT, Embedded, GraphDelta, Layer, Memory, Replaces, State
from mnemic.graph.store import Store
from mnemic.graph.view import View

_SETTLED = frozenset({State.MERGED, State.ARCHIVED})
"""Memories in these states are no longer what their turns made of them: they and their turns stay as they are."""


@dataclass(slots=True)
class Taken:
    """What was taken back: rows by id, and what has to be known to put back what the turns alone do not tell."""

    turns: set[str] = field(default_factory=set)
    memories: dict[str, Memory] = field(default_factory=dict)
    edges: list[Replaces] = field(default_factory=list)
    vectors: dict[str, Embedded] = field(default_factory=dict)
    subjects: set[str] = field(default_factory=set)
    left: set[str] = field(default_factory=set)

    @property
    def named(self) -> set[str]:
        """The entities that these memories spoke of."""
        return {mention.entity for memory in self.memories.values() for mention in memory.mentions}

    def of_turn(self, turn: str) -> list[Memory]:
        """Return the memories that came from a turn first."""
        return [memory for memory in self.memories.values() if memory.sources[:1] == (turn,)]


def take_back(store: Store, view: View, turns: Iterable[str], taken: Taken) -> set[str]:
    """Remove what ``turns`` told, inside a running transaction, and return the turns that have to be told again.

    These are the given ones with those that share a memory with one of them or whose memory overruled one
    of theirs. What they overruled is in force again. ``view`` names the owner alone.
    """
    chosen, memories, edges = _grown(store, view, turns)
    left = _left_alone(chosen, memories.values(), edges)
    chosen -= left
    taken.left |= left
    gone = {m.id: m for m in memories.values() if set(m.sources) & chosen}
    own = [edge for edge in edges if edge.newer in gone or edge.older in gone]
    revived = _revived(store, view, [e for e in own if e.newer in gone and e.older not in gone])
    taken.turns |= chosen
    taken.memories |= gone
    taken.edges += own
    taken.vectors |= {each.id: each for each in store.vectors(Layer.MEMORY, sorted(gone))} if gone else {}
    taken.subjects |= {m.subject for m in (*gone.values(), *revived) if m.subject}
    if gone:
        store.erase(memories=sorted(gone))
    if revived:
        store.apply(GraphDelta(memories=tuple(revived)))
    return chosen


def unspoken_of(store: Store, view: View, entities: Iterable[str]) -> list[str]:
    """Return those of the ``entities`` that no memory speaks of."""
    return [id for id in sorted(entities) if not store.timeline(view, entities=[id], hidden=True, limit=1)]


def _grown(
    store: Store, view: View, turns: Iterable[str]
) -> tuple[set[str], dict[str, Memory], list[Replaces]]:
    """Return the turns with those that depend on them, their memories, and the edges of these."""
    grown: set[str] = set()
    fresh = set(turns)
    held: dict[str, Memory] = {}
    edges: dict[tuple[str, str], Replaces] = {}
    while fresh:
        grown |= fresh
        found = {m.id: m for m in store.memories(view, turns=sorted(fresh)) if m.id not in held}
        held |= found
        touching = store.replacements(view, sorted(found)) if found else []
        edges |= {(edge.newer, edge.older): edge for edge in touching}
        newer = {e.newer for e in touching if e.older in found and e.reason != DOUBT} - held.keys()
        overruling = store.memories(view, ids=sorted(newer)) if newer else []
        fresh = {turn for m in (*found.values(), *overruling) for turn in m.sources} - grown
    return grown, held, list(edges.values())


def _left_alone(turns: set[str], memories: Iterable[Memory], edges: Sequence[Replaces]) -> set[str]:
    """Return the turns that cannot be told again, because something of theirs is settled otherwise."""
    by_id = {memory.id: memory for memory in memories}
    bound = [set(m.sources) for m in by_id.values()]
    for edge in edges:
        if edge.newer in by_id and edge.older in by_id and edge.reason != DOUBT:
            bound.append({*by_id[edge.newer].sources, *by_id[edge.older].sources})
    left = {turn for m in by_id.values() if m.state in _SETTLED for turn in m.sources}
    grows = bool(left)
    while grows:
        more = {turn for group in bound if group & left for turn in group} - left
        left |= more
        grows = bool(more)
    return left & turns


def _revived(store: Store, view: View, edges: Sequence[Replaces]) -> list[Memory]:
    """Return what was overruled by these edges, in force again."""
    told = {edge.older: edge.at for edge in edges if edge.reason != DOUBT}
    return [
        replace(
            memory,
            valid_from=memory.at if memory.valid_from == BEGINNING else memory.valid_from,
            valid_to=None,
            closed_at=None,
            retired_at=None,
            state=State.ACTIVE,
        )
        for memory in (store.memories(view, ids=sorted(told)) if told else [])
        if memory.state is State.SUPERSEDED and told[memory.id] in (memory.closed_at, memory.retired_at)
    ]


def put_back(store: Store, view: View, taken: Taken) -> None:
    """Give the memories that were told again what only their earlier selves knew: pins, readings, doubts."""
    now = {m.id: m for m in store.memories(view, turns=sorted(taken.turns))} if taken.turns else {}
    rows = [row for row in (_as_before(m, taken) for m in now.values()) if row is not None]
    doubts = [
        e for e in taken.edges if e.reason == DOUBT and e.older in now and e.newer not in taken.memories
    ]
    ends = {e.newer for e in doubts}
    there = {m.id for m in store.memories(view, ids=sorted(ends))} if ends else set()
    kept = tuple(e for e in doubts if e.newer in there and now[e.older].text == taken.memories[e.older].text)
    if rows or kept:
        store.apply(GraphDelta(memories=tuple(rows), replaces=kept))


def _as_before(memory: Memory, taken: Taken) -> Memory | None:
    """Return a memory with what became of its earlier self; None where that is nothing."""
    earlier = _earlier(memory, taken)
    if earlier is None:
        return None
    kept = replace(
        memory,
        pinned=earlier.pinned,
        access_count=memory.access_count + max(0, earlier.access_count - len(earlier.sources)),
        last_accessed_at=max(filter(None, (memory.last_accessed_at, earlier.last_accessed_at)), default=None),
        expires_at=earlier.expires_at,
    )
    return kept if kept != memory else None


def _earlier(memory: Memory, taken: Taken) -> Memory | None:
    same = taken.memories.get(memory.id)
    if same is not None and same.text == memory.text:
        return same
    alike = [m for m in taken.of_turn(memory.sources[0]) if m.text == memory.text] if memory.sources else []
    return alike[0] if alike else None


def declared_replaces(store: Store, view: View, turn: str, taken: Taken) -> str | None:
    """Return the memory that a turn was said outright to overrule, under the id that it has now."""
    own = {memory.id for memory in taken.of_turn(turn)}
    olders = [e.older for e in taken.edges if e.newer in own and e.reason == Manner.DECLARED.value]
    for older in olders:
        if store.memories(view, ids=[older]):
            return older
        gone = taken.memories.get(older)
        told = store.memories(view, turns=gone.sources) if gone is not None else []
        again = [m for m in told if gone is not None and m.text == gone.text]
        if again:
            return again[0].id
    return None


def vectors_of(turn: str, taken: Taken) -> Mapping[str, Embedded]:
    """Return the vectors of what a turn told before, by text."""
    return {m.text: taken.vectors[m.id] for m in taken.of_turn(turn) if m.id in taken.vectors}
