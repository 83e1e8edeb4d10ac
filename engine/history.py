"""The whole chain of a slot on both clocks, and the tasks that are still open."""

from collections.abc import Mapping, Sequence
from datetime import datetime

from mnemic.engine.about import is_party, names_in
from mnemic.engine.called import value_of
from mnemic.engine.core import Core
from mnemic.engine.find import as_thing, find_entities
from mnemic.engine.lasting import due
from mnemic.engine.results import Chain, History, Task, Version
from mnemic.extraction.predicates import shipped_inventory
from mnemic.extraction.times import find_times
from mnemic.graph.clock import BEGINNING
from mnemic.graph.ids import told_ids
from mnemic.graph.model import Entity, Kind, Memory, Replaces, Turn
from mnemic.graph.view import View

_OVER = frozenset({"ended", "negated"})
"""How a memory is meant that says of a value that it holds no longer, or never did."""

_HELD = _OVER | {"asserted"}


def history(
    core: Core, view: View, name: str, predicate: str | None, *, until: datetime | None = None
) -> History:
    """Return all that the slots of ``name`` held, oldest first, as far as ``view`` knows.

    With ``until`` without what began later, in the world. Memories that a newer one overruled without a
    common slot stand in its chain as well. Raises ``UnknownName`` for an unknown predicate.
    """
    if predicate is not None:
        shipped_inventory()[predicate]
    entities = find_entities(core, view, name)
    ids = [entity.id for entity in entities]
    memories = [m for id in ids for m in core.store.slot(view, id, predicate)]
    if predicate is None:
        memories += [m for m in core.store.timeline(view, entities=ids, hidden=True) if m not in memories]
    known = [m for m in memories if m.recorded_at <= view.known and m.modality in _HELD]
    known = [m for m in known if until is None or m.valid_from <= until]
    edges = core.store.replacements(view, [m.id for m in known])
    names = names_in(core, view, known)
    chains = _chains(view, known, ids, names, [e for e in edges if e.at <= view.known and e.overrules])
    return History(entity=as_thing(entities), chains=tuple(chains))


def _chains(
    view: View,
    memories: Sequence[Memory],
    ids: Sequence[str],
    names: Mapping[str, Entity],
    edges: Sequence[Replaces],
) -> list[Chain]:
    """Group memories to chains: of one slot, or joined by REPLACES; what only mentions the entity is in words.

    What ends another is no row of its own: that one's end tells of it.
    """
    slots = {m.id: f"{m.subject}\x1f{m.predicate}" for m in memories if m.predicate and is_party(m, ids)}
    group = {m.id: slots.get(m.id, m.id) for m in memories}
    for edge in edges:
        if edge.older in group and edge.newer in group:
            old, new = group[edge.older], group[edge.newer]
            group = {id: new if name == old else name for id, name in group.items()}
    rows: dict[str, list[Memory]] = {}
    for memory in sorted(memories, key=lambda m: (m.valid_from, m.recorded_at, m.id)):
        rows.setdefault(group[memory.id], []).append(memory)
    replaced = {edge.older: edge for edge in edges}
    over = {m.id for m in memories if m.modality in _OVER}
    closing = {e.newer for e in edges if e.newer in over and slots.get(e.older) == slots.get(e.newer, "")}
    return [
        Chain(
            predicate=next((m.predicate for m in chain if m.id in slots), ""),
            versions=tuple(
                _version(view.as_known(m), value_of(m, names) if m.id in slots else "", replaced.get(m.id))
                for m in chain
                if m.id not in closing
            ),
        )
        for chain in rows.values()
    ]


def _version(memory: Memory, value: str, edge: Replaces | None) -> Version:
    since, until = memory.valid_from, memory.valid_to
    if memory.modality in _OVER:
        since, until = BEGINNING if memory.modality == "ended" else since, until or since
    return Version(
        value=value or memory.text,
        text=memory.text,
        modality=memory.modality,
        state=memory.state.value,
        valid_from=since,
        valid_to=until,
        recorded_at=memory.recorded_at,
        retired_at=memory.retired_at,
        memory=memory.id,
        turns=told_ids(memory.sources),
        replaced_by=edge.newer if edge else "",
        reason=edge.reason if edge else "",
    )


def tasks(core: Core, view: View) -> tuple[Task, ...]:
    """Return the open tasks, oldest first; one that is overdue is open until it is done."""
    rows = core.store.timeline(view, kinds=frozenset({Kind.TASK.value}), limit=1000)
    opened = [m for m in rows if m.modality == "asserted"]
    names = {
        e.id: e.name
        for e in core.store.entities(view, ids=sorted({m.subject for m in opened if m.subject}) or [""])
    }
    told = sorted({id for memory in opened for id in memory.sources[:1]})
    turns = {turn.id: turn for turn in core.store.turns(view, ids=told or [""])}
    return tuple(
        Task(
            text=memory.value or memory.text,
            who=names.get(memory.subject, memory.speaker),
            due=_due(memory, turns.get(next(iter(memory.sources), ""))),
            since=memory.valid_from,
            memory=memory.id,
            turns=told_ids(memory.sources),
        )
        for memory in sorted(opened, key=lambda m: (m.valid_from, m.id))
    )


def _due(task: Memory, turn: Turn | None) -> datetime | None:
    """Return when the words of a task say that it is due, on the clock of the turn that told it."""
    at = turn.at if turn is not None else task.at
    return due(find_times(task.text, at), at)
