"""Statements that look up rows, and what upkeep reads."""

from mnemic.graph.model import Layer
from mnemic.graph.neo4j.queries.parts import LABEL, PASSING, SHOWN

_OWNED = "r.owner IN $p.owners"

ALL_ENTITIES = """
    UNWIND $p.owners AS owner
    MATCH (r:Entity {tenant: $p.tenant, owner: owner})
    RETURN r.row ORDER BY r.id"""
ENTITIES = f"""
    CALL () {{
        UNWIND $p.ids AS id MATCH (r:Entity {{tenant: $p.tenant, id: id}}) RETURN r
        UNION
        UNWIND $p.keys AS key MATCH (r:Entity {{tenant: $p.tenant, key: key}}) RETURN r
        UNION
        UNWIND $p.owners AS owner UNWIND $p.handles AS text
        MATCH (h:Handle {{tenant: $p.tenant, text: text, owner: owner}})-[:NAMES]->(r:Entity) RETURN r
    }}
    WITH r WHERE {_OWNED}
    RETURN r.row ORDER BY r.id"""
MEMORIES = f"""
    CALL () {{
        UNWIND $p.ids AS id MATCH (r:Memory {{tenant: $p.tenant, id: id}}) RETURN r
        UNION
        UNWIND $p.turns AS id MATCH (:Turn {{tenant: $p.tenant, id: id}})<-[:FROM]-(r:Memory) RETURN r
    }}
    WITH r WHERE {_OWNED}
    RETURN r.row ORDER BY r.valid_from, r.id"""
TURNS = f"""
    CALL () {{
        UNWIND $p.ids AS id MATCH (r:Turn {{tenant: $p.tenant, id: id}}) RETURN r
        UNION
        UNWIND $p.owners AS owner UNWIND $p.sessions AS session
        CALL (owner, session) {{
            MATCH (r:Turn {{tenant: $p.tenant, owner: owner, session: session}}) WHERE r.position IS NOT NULL
            RETURN r ORDER BY r.position DESC, r.id DESC LIMIT $p.last
        }}
        RETURN r
    }}
    WITH r WHERE {_OWNED}
    RETURN r.row"""
SLOT = f"""
    MATCH (r:Memory {{tenant: $p.tenant, subject: $p.subject, predicate: $p.predicate}}) WHERE {_OWNED}
    AND ($p.hidden OR {SHOWN[Layer.MEMORY]})
    RETURN r.row"""
SLOTS_OF = f"""
    MATCH (r:Memory {{tenant: $p.tenant, subject: $p.subject}}) WHERE r.predicate IS NOT NULL AND {_OWNED}
    AND ($p.hidden OR {SHOWN[Layer.MEMORY]})
    RETURN r.row"""
_LATEST = "WITH r ORDER BY r.valid_from DESC, r.id LIMIT $p.limit"
TIMELINE = f"""
    UNWIND $p.owners AS owner
    CALL (owner) {{
        MATCH (r:Memory {{tenant: $p.tenant, owner: owner}})
        WHERE r.valid_from >= $p.since AND r.valid_from < $p.until
        AND ($p.hidden OR {SHOWN[Layer.MEMORY]}) AND {PASSING[Layer.MEMORY]}
        RETURN r ORDER BY r.valid_from DESC, r.id LIMIT $p.limit
    }}
    {_LATEST}
    RETURN r.row"""
TIMELINE_OF = f"""
    UNWIND $p.entities AS id
    MATCH (:Entity {{tenant: $p.tenant, id: id}})<-[:MENTIONS]-(r:Memory)
    WHERE {_OWNED} AND r.valid_from >= $p.since AND r.valid_from < $p.until
    AND ($p.hidden OR {SHOWN[Layer.MEMORY]}) AND {PASSING[Layer.MEMORY]}
    WITH DISTINCT r
    {_LATEST}
    RETURN r.row"""
REPLACEMENTS = """
    UNWIND $p.ids AS id
    MATCH (m:Memory {tenant: $p.tenant, id: id})-[r:REPLACES]-()
    WITH DISTINCT r, startNode(r) AS n, endNode(r) AS o
    WHERE n.owner IN $p.owners AND o.owner IN $p.owners
    RETURN n.id, o.id, r.at.epochMillis * 1000 + r.at.microsecond % 1000, r.reason, r.cue, r.score, r.features
    ORDER BY r.at, n.id, o.id"""
NAMES = """
    UNWIND $p.owners AS owner
    MATCH (r:Name {tenant: $p.tenant, owner: owner}) WHERE r.name IS NOT NULL
    RETURN r.name, r.kind, r.aliases, r.owner ORDER BY r.name, r.owner"""

SCAN = {
    layer: f"""
        MATCH (r:{label}) WHERE r.tenant = $p.tenant AND r.id > $p.after AND {_OWNED}
        AND NOT ($p.unembedded AND r.summary_packed IS NOT NULL)
        RETURN r.row ORDER BY r.tenant, r.id LIMIT $p.limit"""
    for layer, label in LABEL.items()
}
VECTORS = {
    layer: f"""
        UNWIND $p.ids AS id
        MATCH (r:{label} {{tenant: $p.tenant, id: id}}) WHERE r.summary_packed IS NOT NULL
        RETURN DISTINCT r.id, r.summary_packed, coalesce(r.detail_packed, r.summary_packed) ORDER BY r.id"""
    for layer, label in LABEL.items()
}
CHANGES = """
    MATCH (c:Change) WHERE c.tenant = $p.tenant AND c.last > $p.since
    WITH c ORDER BY c.tenant, c.last
    UNWIND range(0, size(c.ids) - 1) AS i
    WITH c, i, c.first + i AS sequence WHERE sequence > $p.since
    RETURN sequence, c.owners[i], c.kinds[i], c.ids[i] LIMIT $p.limit"""
HEAD = "MATCH (t:Tenant {name: $p.tenant}) RETURN t.embedder, t.dimension, t.sequence"
STATS = """
    MATCH (t:Tenant {name: $p.tenant})
    CALL () {
        MATCH (o:Owner {tenant: $p.tenant}) WHERE o.name IS NOT NULL AND o.version > 0
        WITH o ORDER BY o.name
        RETURN sum(o.turn_rows) AS turns, sum(o.memory_rows) AS memories, sum(o.entity_rows) AS entities,
               sum(o.turn_vectors) + sum(o.memory_vectors) AS vectors, collect(o.name) AS owners
    }
    CALL () { MATCH ()-[r:REPLACES {tenant: $p.tenant}]->() RETURN count(r) AS replaces }
    CALL () { MATCH (n:Name {tenant: $p.tenant}) WHERE n.owner IS NOT NULL AND n.name IS NOT NULL RETURN count(n) AS names }
    RETURN turns, memories, entities, replaces, vectors, names, t.embedder, t.dimension, t.sequence, owners"""
