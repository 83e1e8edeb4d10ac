"""Exploring relations: the subgraph around an entity, and how two of them are connected."""

from collections.abc import Mapping, Sequence
from itertools import pairwise

import networkx as nx

from mnemic.engine.core import Core
from mnemic.engine.find import as_thing, find_entities
from mnemic.engine.results import Edge, Explored, Path
from mnemic.engine.walk import graph_of, shortest_ways
from mnemic.errors import InvalidInput
from mnemic.graph.ids import told_ids
from mnemic.graph.model import Entity, Memory
from mnemic.graph.store import Subgraph
from mnemic.graph.view import View

_MOST_HOPS = 6


def explore(core: Core, view: View, name: str, hops: int, limit: int) -> Explored:
    """Return what lies within ``hops`` edges of ``name``, at most ``limit`` entities, nearest first."""
    _require_hops(hops, "hops")
    if limit < 1:
        raise InvalidInput("limit", f"{limit} is too few", "ask for at least one entity")
    centre = find_entities(core, view, name)
    subgraph = core.store.expand(view, [entity.id for entity in centre], hops=hops, limit=limit)
    nodes = sorted(subgraph.entities.values(), key=lambda e: (subgraph.distance[e.id], e.name, e.id))
    return Explored(
        centre=as_thing(centre),
        nodes=tuple(as_thing([entity]) for entity in nodes),
        hops={entity.name: subgraph.distance[entity.id] for entity in reversed(nodes)},
        edges=tuple(_edges(subgraph)),
        truncated=subgraph.truncated,
    )


def path(core: Core, view: View, source: str, target: str, max_hops: int) -> Path:
    """Return a shortest way between two entities over what ``view`` shows, stated relations preferred."""
    _require_hops(max_hops, "max_hops")
    ends = [find_entities(core, view, name) for name in (source, target)]
    ids = [[entity.id for entity in entities] for entities in ends]
    half = -(-max_hops // 2)
    halves = [core.store.expand(view, side, hops=half, limit=500) for side in ids]
    graph = graph_of(halves[0])
    graph.update(graph_of(halves[1]))
    _bridge(graph, {**halves[0].entities, **halves[1].entities})
    way = _shortest(graph, ids[0], ids[1], max_hops)
    entities = {**halves[0].entities, **halves[1].entities}
    return Path(
        source=as_thing(ends[0]),
        target=as_thing(ends[1]),
        names=tuple(dict.fromkeys(entities[id].name for id in way)),
        steps=tuple(
            _step(graph, one, other, entities)
            for one, other in pairwise(way)
            if graph.has_edge(one, other) or graph.has_edge(other, one)
        ),
    )


def _require_hops(hops: int, field: str) -> None:
    if not 0 <= hops <= _MOST_HOPS:
        raise InvalidInput(field, f"{hops} is out of range", f"choose 0 to {_MOST_HOPS}")


def _bridge(graph: "nx.MultiDiGraph[str]", entities: Mapping[str, Entity]) -> None:
    """Join the owners' views of one entity, so that a way may cross from private to team memories."""
    by_key: dict[str, list[str]] = {}
    for id, entity in entities.items():
        by_key.setdefault(entity.key, []).append(id)
    for ids in by_key.values():
        for one, other in pairwise(ids):
            graph.add_edge(one, other, key="same", predicate="same_as", memory=None)


def _shortest(
    graph: "nx.MultiDiGraph[str]", sources: Sequence[str], targets: Sequence[str], most: int
) -> list[str]:
    plain: nx.Graph[str] = nx.Graph()
    for one, other, data in graph.edges(data=True):
        cost = 0.0 if data["memory"] is None else 1.0 + 0.1 * (data["predicate"] == "related_to")
        if not plain.has_edge(one, other) or plain[one][other]["cost"] > cost:
            plain.add_edge(one, other, cost=cost)
    reachable = [id for id in sources if id in plain]
    if not reachable:
        return []
    lengths, ways = shortest_ways(plain, reachable, 1.1 * most)
    found = [(lengths[id], id) for id in targets if id in lengths]
    way = ways[min(found)[1]] if found else []
    return way if sum(1 for one, other in pairwise(way) if plain[one][other]["cost"]) <= most else []


def _step(graph: "nx.MultiDiGraph[str]", one: str, other: str, entities: Mapping[str, Entity]) -> Edge:
    choices = [(one, other, data) for data in (graph.get_edge_data(one, other) or {}).values()]
    choices += [(other, one, data) for data in (graph.get_edge_data(other, one) or {}).values()]
    subject, thing, data = min(
        (c for c in choices if c[2]["memory"] is not None),
        key=lambda c: (c[2]["predicate"] == "related_to", c[2]["memory"].id),
    )
    return _edge(subject, data["predicate"], thing, data["memory"], entities)


def _edges(subgraph: Subgraph) -> list[Edge]:
    return [
        _edge(e.subject, e.predicate, e.object, memory, subgraph.entities)
        for memory in subgraph.memories
        for e in memory.episodes
        if e.subject in subgraph.entities and e.object in subgraph.entities
    ]


def _edge(subject: str, predicate: str, thing: str, memory: Memory, entities: Mapping[str, Entity]) -> Edge:
    return Edge(
        subject=entities[subject].name,
        predicate=predicate,
        object=entities[thing].name,
        memory=memory.id,
        since=memory.valid_from,
        turns=told_ids(memory.sources),
    )
