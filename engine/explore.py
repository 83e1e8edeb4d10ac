"""Exploring relations: the subgraph around an entity, and how two of them are connected.

What several owners know of one entity is one node here: views are joined by their key.
"""

from collections.abc import Sequence
from itertools import groupby, pairwise

import networkx as nx

from mnemic.engine.core import Core
from mnemic.engine.draft import RELATED
from mnemic.engine.find import as_thing, find_entities
from mnemic.engine.results import Edge, Explored, Path
from mnemic.engine.walk import World, shortest_ways, world_of
from mnemic.errors import InvalidInput
from mnemic.graph.ids import told_ids
from mnemic.graph.model import TEAM, Memory
from mnemic.graph.view import View

_MOST_HOPS = 6
_REACH = 500
"""So many entities are looked at from either end of a path."""


def explore(core: Core, view: View, name: str, hops: int, limit: int) -> Explored:
    """Return what lies within ``hops`` edges of ``name``, at most ``limit`` entities, nearest first."""
    _require_hops(hops, "hops")
    if limit < 1:
        raise InvalidInput("limit", f"{limit} is too few", "ask for at least one entity")
    centre = find_entities(core, view, name)
    subgraph = core.store.expand(view, [entity.id for entity in centre], hops=hops, limit=limit)
    reached = sorted(
        subgraph.entities.values(), key=lambda e: (subgraph.distance[e.id], e.name, e.key, e.owner, e.id)
    )
    views = sorted(reached, key=lambda e: (e.key, e.owner == TEAM))
    by_key = [list(group) for _, group in groupby(views, key=lambda e: e.key)]
    nodes = sorted(by_key, key=lambda group: min(map(reached.index, group)))
    return Explored(
        centre=as_thing(centre),
        nodes=tuple(as_thing(group) for group in nodes),
        hops={group[0].name: subgraph.distance[group[0].id] for group in reversed(nodes)},
        edges=tuple(_edges(world_of([subgraph]))),
        truncated=subgraph.truncated,
    )


def path(core: Core, view: View, source: str, target: str, max_hops: int) -> Path:
    """Return a shortest way between two entities over what ``view`` shows, stated relations preferred."""
    _require_hops(max_hops, "max_hops")
    ends = [find_entities(core, view, name) for name in (source, target)]
    half = -(-max_hops // 2)
    halves = [core.store.expand(view, [e.id for e in end], hops=half, limit=_REACH) for end in ends]
    world = world_of(halves)
    way = _shortest(world, ends[0][0].key, ends[1][0].key, max_hops)
    return Path(
        source=as_thing(ends[0]),
        target=as_thing(ends[1]),
        names=tuple(world.names[key] for key in way),
        steps=tuple(_step(world, one, other) for one, other in pairwise(way)),
    )


def _require_hops(hops: int, field: str) -> None:
    if not 0 <= hops <= _MOST_HOPS:
        raise InvalidInput(field, f"{hops} is out of range", f"choose 0 to {_MOST_HOPS}")


def _shortest(world: World, source: str, target: str, most: int) -> Sequence[str]:
    """Return the keys along the cheapest way of at most ``most`` steps; none where there is none."""
    if source not in world.graph or target not in world.graph:
        return []
    plain: nx.Graph[str] = nx.Graph()
    for one, other, data in world.graph.edges(data=True):
        cost = 1.0 + 0.1 * (data["predicate"] == RELATED)
        if not plain.has_edge(one, other) or plain[one][other]["cost"] > cost:
            plain.add_edge(one, other, cost=cost)
    plain.add_nodes_from((source, target))
    way = shortest_ways(plain, [source], 1.1 * most)[1].get(target, [])
    return way if len(way) <= most + 1 else []


def _step(world: World, one: str, other: str) -> Edge:
    """Return the edge between two neighbours that says most: a stated relation, and of these the first by id."""
    choices = [
        (subject, data["predicate"], thing, data["memory"])
        for subject, thing in ((one, other), (other, one))
        for data in (world.graph.get_edge_data(subject, thing) or {}).values()
    ]
    return _edge(world, *min(choices, key=lambda c: (c[1] == RELATED, c[3].id)))


def _edges(world: World) -> list[Edge]:
    return [
        _edge(world, subject, data["predicate"], thing, data["memory"])
        for subject, thing, data in world.graph.edges(data=True)
    ]


def _edge(world: World, subject: str, predicate: str, thing: str, memory: Memory) -> Edge:
    return Edge(
        subject=world.names[subject],
        predicate=predicate,
        object=world.names[thing],
        memory=memory.id,
        since=memory.valid_from,
        turns=told_ids(memory.sources),
    )
