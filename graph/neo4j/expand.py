"""Walking the entity graph in one round trip."""

from collections.abc import Sequence

from mnemic.graph.neo4j import codec
from mnemic.graph.neo4j.connection import Connection
from mnemic.graph.neo4j.gather import of_view
from mnemic.graph.neo4j.queries.walking import walk
from mnemic.graph.store import Subgraph
from mnemic.graph.view import View

MEMORIES_PER_ENTITY = 4
"""An expansion holds at most so many times as many memories as entities."""


def expand(
    connection: Connection, tenant: str, view: View, seeds: Sequence[str], *, hops: int, limit: int
) -> Subgraph:
    """Walk from ``seeds`` at most ``hops`` far; hold at most ``limit`` entities."""
    parameters = {
        **of_view(tenant, view),
        "seeds": list(seeds),
        "limit": limit,
        "room": MEMORIES_PER_ENTITY * limit,
    }
    ((found, memories, cut),) = connection.read(walk(hops), parameters)
    entities = [codec.read_entity(row) for row, _, _ in found]
    ids = [entity.id for entity in entities]
    return Subgraph(
        entities=dict(zip(ids, entities, strict=True)),
        memories=tuple(codec.read_memory(row) for row in memories),
        distance={id: hops for id, (_, hops, _) in zip(ids, found, strict=True)},
        degree={id: degree for id, (_, _, degree) in zip(ids, found, strict=True)},
        truncated=cut,
    )
