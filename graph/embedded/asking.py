"""Answering a whole recall: names looked up, candidates gathered, the graph walked, and what stands around."""

from collections.abc import Sequence, Set
from dataclasses import replace

import apsw

from mnemic.graph.embedded import queries, read
from mnemic.graph.embedded.expand import expand
from mnemic.graph.embedded.gather import gather
from mnemic.graph.embedded.picture import Picture
from mnemic.graph.embedded.select import first, select
from mnemic.graph.model import Entity, Layer, Memory, Replaces, Turn
from mnemic.graph.store import CHAIN, NOTHING, NOWHERE, Around, Candidate, Gathered, Probe, Subgraph
from mnemic.graph.view import View


def ask(picture: Picture, view: View, probe: Probe) -> Gathered:
    """Answer ``probe``."""
    named = _named(picture, view, probe) if probe.handles else []
    probe = replace(probe, entities=tuple(dict.fromkeys([*probe.entities, *(entity.id for entity in named)])))
    gathered = gather(picture, view, probe)
    subgraph, walked = NOWHERE, list[Candidate]()
    if probe.hops is not None:
        subgraph = expand(picture, view, probe.entities, hops=probe.hops, limit=probe.spread)
        walked = _walked(picture, view, probe, gathered, subgraph)
    candidates = (*gathered.candidates, *walked)
    around = _around(picture, view, candidates, probe.heard) if probe.around else NOTHING
    return Gathered(candidates, gathered.corpus, tuple(named), subgraph, around)


def _named(picture: Picture, view: View, probe: Probe) -> list[Entity]:
    """Return the entities that go by one of the handles, without parts of vague names."""
    found = read.entities(picture, view, (), (), probe.handles)
    vague = [entity for entity in found if entity.kind == probe.vague]
    return [entity for entity in found if entity not in vague or not _is_part(entity, vague)]


def _is_part(entity: Entity, others: Sequence[Entity]) -> bool:
    return any(
        other.id != entity.id
        and all(any(own != handle and own in handle for handle in other.handles) for own in entity.handles)
        for other in others
    )


def _walked(
    picture: Picture, view: View, probe: Probe, gathered: Gathered, subgraph: Subgraph
) -> list[Candidate]:
    """Return the shown memories that only the walk reached, with their vectors."""
    known = {candidate.row.id for candidate in gathered.candidates}
    rows = [row for row in subgraph.memories if row.id not in known and view.shows(row) and probe.passes(row)]
    vectors = {each.id: each for each in read.vectors(picture.db, Layer.MEMORY, [row.id for row in rows])}
    return [
        Candidate(row, frozenset({"graph"}), vectors[row.id].summary, vectors[row.id].detail)
        if row.id in vectors
        else Candidate(row, frozenset({"graph"}))
        for row in rows
    ]


def _around(picture: Picture, view: View, candidates: Sequence[Candidate], heard: int) -> Around:
    db = picture.db
    memories = {each.row.id: each.row for each in candidates if isinstance(each.row, Memory)}
    turns = [each.row.id for each in candidates if isinstance(each.row, Turn)]
    beside = {row.id: row for row in read.memories(picture, view, (), turns, hidden=True)} if turns else {}
    edges = read.edges(db, view, [*memories, *beside])
    further = _chains(db, view, edges, memories.keys())
    overruling = {edge.newer for edge in edges if edge.older in memories} | {edge.newer for edge in further}
    newer = sorted(overruling - memories.keys())
    beside |= {row.id: row for row in read.memories(picture, view, newer, (), hidden=True)} if newer else {}
    mentioned = {mention.entity for row in (*memories.values(), *beside.values()) for mention in row.mentions}
    entities = read.entities(picture, view, sorted(mentioned), (), ()) if mentioned else []
    newest, _ = first(db, queries.LOG_ENDS)
    return Around(
        edges=tuple(sorted([*edges, *further], key=lambda edge: (edge.at, edge.newer, edge.older))),
        memories=beside,
        entities={entity.id: entity for entity in entities},
        renamed=frozenset(owner for (owner,) in select(db, queries.RENAMED, (heard,))),
        sequence=newest,
    )


def _chains(db: apsw.Connection, view: View, edges: Sequence[Replaces], known: Set[str]) -> list[Replaces]:
    """Return by which further edges what overrules one of the ``known`` was overruled itself, step by step."""
    further: list[Replaces] = []
    seen = set(known)
    tips = {edge.newer for edge in edges if edge.older in known and edge.overrules} - seen
    for _ in range(CHAIN - 1):
        if not tips:
            break
        seen |= tips
        found = read.overruling(db, view, sorted(tips))
        further += [edge for edge in found if edge.newer not in known]
        tips = {edge.newer for edge in found} - seen
    return further
