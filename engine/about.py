"""What is known of an entity: profile, current facts, plans, changes, neighbours, open tasks, timeline."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from mnemic.engine.called import names_by_key, value_of
from mnemic.engine.core import Core
from mnemic.engine.draft import RELATED
from mnemic.engine.find import as_thing, find_entities
from mnemic.engine.notes import differ
from mnemic.engine.profile import profile_of
from mnemic.engine.results import About, Changed, Fact, Neighbour
from mnemic.graph.ids import told_ids
from mnemic.graph.model import DOUBT, Entity, Kind, Memory, Replaces
from mnemic.graph.view import View

_TIMELINE = 200
"""So many of the latest memories make a timeline."""

_MOST = 10_000
"""So many memories of one entity are looked at for its facts."""

_GRAVE = 0.45
"""A doubt this sure takes a fact out of the current ones; a slighter one leaves it there."""

_SAID = frozenset({"asserted"})
_AHEAD = frozenset({"planned", "proposed"})


def about(core: Core, view: View, name: str) -> About:
    """Return what ``view`` shows of the entity ``name``; raises ``NotFound`` where it shows none."""
    entities = find_entities(core, view, name)
    ids = [entity.id for entity in entities]
    shown = [view.as_known(m) for m in core.store.timeline(view, entities=ids, limit=_MOST)]
    everything = core.store.timeline(view, entities=ids, hidden=True, limit=_MOST)
    names = names_in(core, view, everything)
    edges = core.store.replacements(view, [m.id for m in everything])
    doubted = _doubted(shown, edges)
    held = [m for m in shown if m.modality in _SAID and m.kind is not Kind.TASK]
    current = [m for m in held if m.id not in doubted]
    return About(
        entity=as_thing(entities),
        profile=profile_of((m for m in current if m.subject in ids), names),
        facts=tuple(as_fact(m, ids, names) for m in current),
        plans=tuple(as_fact(m, ids, names) for m in shown if m.modality in _AHEAD),
        changes=tuple(_changes(everything, edges, view, names)),
        doubtful=tuple(as_fact(m, ids, names) for m in held if m.id in doubted),
        neighbours=tuple(_neighbours(current, ids, names)),
        tasks=tuple(as_fact(m, ids, names) for m in shown if m.kind is Kind.TASK and m.modality in _SAID),
        timeline=tuple(as_fact(m, ids, names) for m in shown[:_TIMELINE]),
    )


def as_fact(memory: Memory, ids: Sequence[str], names: Mapping[str, Entity]) -> Fact:
    """Return a memory as a fact of the entity with one of ``ids``.

    The value is the object of its statement, seen from the entity: the subject's name where the entity is
    the object. A memory that fits no predicate, or speaks of others and only mentions the entity, is its
    own value, in words.
    """
    inverse = memory.object in ids and memory.subject not in ids
    value = value_of(memory, names) if memory.predicate and memory.subject in ids else memory.text
    if inverse and memory.subject in names:
        value = names[memory.subject].name
    return Fact(
        predicate=memory.predicate if is_party(memory, ids) else "",
        value=value,
        text=memory.text,
        modality=memory.modality,
        since=memory.valid_from,
        until=memory.valid_to,
        memory=memory.id,
        turns=told_ids(memory.sources),
        inverse=inverse,
        confidence=memory.confidence,
    )


def is_party(memory: Memory, ids: Sequence[str]) -> bool:
    """Tell whether a memory states something of the entity, and does not only mention it."""
    return memory.subject in ids or memory.object in ids


def _doubted(shown: Sequence[Memory], edges: Sequence[Replaces]) -> set[str]:
    """Return the ids of memories that one shown beside them puts in doubt, and does not only contradict."""
    present = {memory.id: memory for memory in shown}
    return {
        edge.older
        for edge in edges
        if edge.reason == DOUBT and edge.score >= _GRAVE and {edge.older, edge.newer} <= present.keys()
        if not differ(edge, present[edge.older], present[edge.newer])
    }


def _changes(
    memories: Sequence[Memory], edges: Sequence[Replaces], view: View, names: Mapping[str, Entity]
) -> list[Changed]:
    rows = {memory.id: memory for memory in memories}
    changes = []
    for edge in edges:
        older, newer = rows.get(edge.older), rows.get(edge.newer)
        if older is None or newer is None or not edge.overrules:
            continue
        if edge.at > view.known or newer.valid_from > view.valid:
            continue
        changes.append(
            Changed(
                predicate=older.predicate,
                old=value_of(older, names) or older.text,
                new="" if newer.modality == "ended" else value_of(newer, names) or newer.text,
                at=newer.valid_from,
                reason=edge.reason,
                turns=told_ids(newer.sources),
            )
        )
    return sorted(changes, key=lambda c: (c.at, c.old))


def _neighbours(
    memories: Sequence[Memory], ids: Sequence[str], names: Mapping[str, Entity]
) -> list[Neighbour]:
    """Return the entities that a stated relation joins to this one, each relation once."""
    found: dict[tuple[str, str, bool], Neighbour] = {}
    for memory in memories:
        for episode in memory.episodes:
            inverse = episode.object in ids
            other = names.get(episode.subject if inverse else episode.object)
            near = episode.subject in ids or inverse
            if near and other is not None and other.id not in ids and episode.predicate != RELATED:
                neighbour = Neighbour(
                    name=other.name,
                    kind=other.kind,
                    predicate=episode.predicate,
                    inverse=inverse,
                    memory=memory.id,
                    turns=told_ids(memory.sources),
                )
                found.setdefault((other.key, episode.predicate, inverse), neighbour)
    return list(found.values())


def names_in(core: Core, view: View, memories: Sequence[Memory]) -> dict[str, Entity]:
    """Return the entities that memories are about or mention, by id; the private view gives one its name."""
    ids = {id for m in memories for id in (m.subject, m.object, *(x.entity for x in m.mentions)) if id}
    found = core.store.entities(view, ids=sorted(ids)) if ids else []
    called = names_by_key(found)
    return {entity.id: replace(entity, name=called[entity.key]) for entity in found}
