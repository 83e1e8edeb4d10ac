"""Expansion: activation spreads from the entities of a question over the edges of the graph.

A hub passes little on: what an entity gives is divided by the logarithm of its degree. Older edges are
weaker. The best way to each entity is kept, as the explanation of what it brought.
"""

import itertools
import math
from collections.abc import Mapping, Sequence
from datetime import datetime

import networkx as nx

from mnemic.engine.rank import Reach
from mnemic.graph.model import Memory
from mnemic.graph.store import Subgraph

_DECAY = 0.5
_HALF_LIFE = 365.0
_FAINT = 0.02


def graph_of(subgraph: Subgraph) -> "nx.MultiDiGraph[str]":
    """Return the subgraph as a NetworkX graph: nodes are entity ids, edges carry predicate and memory."""
    graph: nx.MultiDiGraph[str] = nx.MultiDiGraph()
    graph.add_nodes_from(subgraph.entities)
    for memory in subgraph.memories:
        for episode in memory.episodes:
            if episode.subject in subgraph.entities and episode.object in subgraph.entities:
                graph.add_edge(
                    episode.subject, episode.object, key=memory.id, predicate=episode.predicate, memory=memory
                )
    return graph


def spread(subgraph: Subgraph, seeds: Sequence[str], at: datetime) -> Reach:
    """Return how much activation from ``seeds`` reaches each entity, at most 1, and by which way.

    Best-first search over products of edge weights (Dijkstra on their negative logarithms).
    """
    graph = graph_of(subgraph)
    kinds = {id: entity.kind for id, entity in subgraph.entities.items()}
    present = [seed for seed in seeds if seed in graph]
    if not present:
        return Reach({}, {}, kinds)
    plain: nx.Graph[str] = nx.Graph()
    plain.add_nodes_from(graph)
    for one, other, data in graph.edges(data=True):
        cost = -math.log(_strength(data["memory"], at) * _passes(subgraph.degree, one, other))
        if not plain.has_edge(one, other) or plain[one][other]["cost"] > cost:
            plain.add_edge(one, other, cost=cost, predicate=data["predicate"])
    lengths, ways = shortest_ways(plain, present, -math.log(_FAINT))
    activation = {id: math.exp(-length) for id, length in lengths.items() if id not in present}
    return Reach(activation, {id: _spelled(plain, ways[id], subgraph) for id in activation}, kinds)


def shortest_ways(
    graph: "nx.Graph[str]", sources: Sequence[str], cutoff: float
) -> tuple[dict[str, float], dict[str, list[str]]]:
    """Return the cost of and the way to each node that lies within ``cutoff`` of a source (edge data ``cost``)."""
    lengths, ways = nx.multi_source_dijkstra(graph, set(sources), cutoff=cutoff, weight="cost")
    assert isinstance(lengths, dict)
    assert isinstance(ways, dict)
    return lengths, ways


def _strength(memory: Memory, at: datetime) -> float:
    days = max(0.0, (at - memory.valid_from).total_seconds() / 86400.0)
    return _DECAY * (0.5 + 0.5 * math.exp(-days * math.log(2) / _HALF_LIFE))


def _passes(degree: Mapping[str, int], one: str, other: str) -> float:
    busiest = max(degree.get(one, 1), degree.get(other, 1), 1)
    return 1.0 / (1.0 + math.log(busiest) / 4.0)


def _spelled(graph: "nx.Graph[str]", way: Sequence[str], subgraph: Subgraph) -> tuple[str, ...]:
    """Return a way as names with the predicates between them."""
    parts = [subgraph.entities[way[0]].name]
    for one, other in itertools.pairwise(way):
        parts += [graph[one][other]["predicate"], subgraph.entities[other].name]
    return tuple(parts)
