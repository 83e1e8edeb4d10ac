"""Walking the entity graph in one round trip."""

from collections.abc import Iterable, Sequence
from typing import Any

from mnemic.graph.model import Memory
from mnemic.graph.neo4j import codec
from mnemic.graph.neo4j.connection import Connection
from mnemic.graph.neo4j.parameters import of_view
from mnemic.graph.neo4j.queries.walking import walk
from mnemic.graph.store import MEMORIES_PER_ENTITY, Subgraph
from mnemic.graph.view import View


def expand(
    connection: Connection, tenant: str, view: View, seeds: Sequence[str], *, hops: int, limit: int
) -> Subgraph:
    """Walk from ``seeds`` at most ``hops`` far; hold at most ``limit`` entities."""
    parameters = {**of_view(tenant, view), **of_walk(limit), "seeds": list(seeds)}
    ((reached, memories, cut),) = connection.read(walk(hops), parameters)
    return read_subgraph(reached, map(codec.read_memory, memories), cut=cut)


def of_walk(limit: int) -> dict[str, int]:
    """Return the bounds of a walk over at most ``limit`` entities, as parameters."""
    return {"spread": limit, "room": MEMORIES_PER_ENTITY * limit}


def read_subgraph(reached: Sequence[Any], memories: Iterable[Memory], *, cut: bool) -> Subgraph:
    """Return the subgraph of these memories and what was ``reached``: rows of entities, hops, degrees."""
    entities = [codec.read_entity(row) for row, _, _ in reached]
    ids = [entity.id for entity in entities]
    return Subgraph(
        entities=dict(zip(ids, entities, strict=True)),
        memories=tuple(memories),
        distance={id: hops for id, (_, hops, _) in zip(ids, reached, strict=True)},
        degree={id: degree for id, (_, _, degree) in zip(ids, reached, strict=True)},
        truncated=cut,
    )
