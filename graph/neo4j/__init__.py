"""The store on a Neo4j server: entities, memories and turns as nodes, what joins them as edges."""

from mnemic.graph.neo4j.store import SCHEMES, Entrance, Neo4jStore

__all__ = ["SCHEMES", "Entrance", "Neo4jStore"]
