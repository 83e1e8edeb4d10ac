"""Expansion: activation spreads from the entities of a question over the edges of the graph.

A hub passes little on: what an entity gives is divided by the logarithm of its degree. Older edges are
weaker. The best way to each entity is kept, as the explanation of what it brought.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import pairwise

import networkx as nx

from mnemic.engine.called import names_by_key
from mnemic.engine.rank import Reach
from mnemic.graph.model import Memory
from mnemic.graph.store import Subgraph

_DECAY = 0.5
_HALF_LIFE = 365.0
_FAINT = 0.02


@dataclass(frozen=True, slots=True)
class World:
    """Subgraphs as one NetworkX graph whose nodes are entity keys, so that the owners' views are one node.

    Edges carry ``predicate`` and ``memory``. ``names`` are the names by key, ``keys`` the keys by entity id.
    """

    graph: "nx.MultiDiGraph[str]"
    names: Mapping[str, str]
    keys: Mapping[str, str]


def world_of(subgraphs: Sequence[Subgraph]) -> World:
    """Return the subgraphs laid over each other."""
    entities = {id: entity for subgraph in subgraphs for id, entity in subgraph.entities.items()}
    keys = {id: entity.key for id, entity in entities.items()}
    graph: nx.MultiDiGraph[str] = nx.MultiDiGraph()
    graph.add_nodes_from(dict.fromkeys(keys.values()))
    for memory in {m.id: m for subgraph in subgraphs for m in subgraph.memories}.values():
        for e in memory.episodes:
            if e.subject in keys and e.object in keys and keys[e.subject] != keys[e.object]:
                edge = f"{memory.id}/{e.predicate}"
                graph.add_edge(
                    keys[e.subject], keys[e.object], key=edge, predicate=e.predicate, memory=memory
                )
    return World(graph, names_by_key(entities.values()), keys)


def spread(subgraph: Subgraph, seeds: Sequence[str], at: datetime) -> Reach:
    """Return how much activation from ``seeds`` reaches each entity, at most 1, and by which way.

    Best-first search over products of edge weights (Dijkstra on their negative logarithms).
    """
    world = world_of([subgraph])
    kinds = {id: entity.kind for id, entity in subgraph.entities.items()}
    sources = sorted({world.keys[seed] for seed in seeds if seed in world.keys})
    if not sources:
        return Reach({}, {}, kinds)
    lengths, ways = shortest_ways(_plain(world, subgraph, at), sources, -math.log(_FAINT))
    reached = {id: key for id, key in world.keys.items() if key in lengths and key not in sources}
    activation = {id: math.exp(-lengths[key]) for id, key in reached.items()}
    spelled = {key: _spelled(world, ways[key]) for key in set(reached.values())}
    return Reach(activation, {id: spelled[key] for id, key in reached.items()}, kinds)


def shortest_ways(
    graph: "nx.Graph[str]", sources: Sequence[str], cutoff: float
) -> tuple[dict[str, float], dict[str, list[str]]]:
    """Return the cost of and the way to each node that lies within ``cutoff`` of a source (edge data ``cost``)."""
    lengths, ways = nx.multi_source_dijkstra(graph, set(sources), cutoff=cutoff, weight="cost")
    assert isinstance(lengths, dict)
    assert isinstance(ways, dict)
    return lengths, ways


def _plain(world: World, subgraph: Subgraph, at: datetime) -> "nx.Graph[str]":
    """Return the undirected graph of the strongest edges, with their costs."""
    degree: dict[str, int] = {}
    for id, count in subgraph.degree.items():
        if id in world.keys:
            degree[world.keys[id]] = degree.get(world.keys[id], 0) + count
    plain: nx.Graph[str] = nx.Graph()
    plain.add_nodes_from(world.graph)
    for one, other, data in world.graph.edges(data=True):
        cost = -math.log(_strength(data["memory"], at) * _passes(degree, one, other))
        if not plain.has_edge(one, other) or plain[one][other]["cost"] > cost:
            plain.add_edge(one, other, cost=cost, predicate=data["predicate"])
    return plain


def _strength(memory: Memory, at: datetime) -> float:
    days = max(0.0, (at - memory.valid_from).total_seconds() / 86400.0)
    return _DECAY * (0.5 + 0.5 * math.exp(-days * math.log(2) / _HALF_LIFE))


def _passes(degree: Mapping[str, int], one: str, other: str) -> float:
    busiest = max(degree.get(one, 1), degree.get(other, 1), 1)
    return 1.0 / (1.0 + math.log(busiest) / 4.0)


def _spelled(world: World, way: Sequence[str]) -> tuple[str, ...]:
    """Return a way as names with the predicates between them."""
    parts = [world.names[way[0]]]
    for one, other in pairwise(way):
        between = {
            **(world.graph.get_edge_data(one, other) or {}),
            **(world.graph.get_edge_data(other, one) or {}),
        }
        parts += [min(data["predicate"] for data in between.values()), world.names[other]]
    return tuple(parts)
