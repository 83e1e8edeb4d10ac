"""Statements that look up rows, and what upkeep reads."""

from mnemic.graph.model import Layer
from mnemic.graph.neo4j.queries.parts import ENTITY_ROW, LABEL, PASSING, ROW, SHOWN

_OWNED = "r.owner IN $owners"

ALL_ENTITIES = f"""
    UNWIND $owners AS owner
    MATCH (r:Entity {{tenant: $tenant, owner: owner}})
    RETURN {ENTITY_ROW} ORDER BY r.id"""
ENTITIES = f"""
    CALL () {{
        UNWIND $ids AS id MATCH (r:Entity {{tenant: $tenant, id: id}}) RETURN r
        UNION
        UNWIND $keys AS key MATCH (r:Entity {{tenant: $tenant, key: key}}) RETURN r
        UNION
        UNWIND $handles AS text
        MATCH (h:Handle {{tenant: $tenant, text: text}})-[:NAMES]->(r:Entity) RETURN r
    }}
    WITH r WHERE {_OWNED}
    RETURN {ENTITY_ROW} ORDER BY r.id"""
MEMORIES = f"""
    CALL () {{
        UNWIND $ids AS id MATCH (r:Memory {{tenant: $tenant, id: id}}) RETURN r
        UNION
        UNWIND $turns AS id MATCH (:Turn {{tenant: $tenant, id: id}})<-[:FROM]-(r:Memory) RETURN r
    }}
    WITH r WHERE {_OWNED}
    RETURN {ROW[Layer.MEMORY]} ORDER BY r.valid_from, r.id"""
TURNS = f"""
    CALL () {{
        UNWIND $ids AS id MATCH (r:Turn {{tenant: $tenant, id: id}}) RETURN r
        UNION
        UNWIND $owners AS owner UNWIND $sessions AS session
        CALL (owner, session) {{
            MATCH (r:Turn {{tenant: $tenant, owner: owner, session: session}})
            RETURN r ORDER BY r.position DESC, r.id DESC LIMIT $last
        }}
        RETURN r
    }}
    WITH r WHERE {_OWNED}
    RETURN {ROW[Layer.TURN]}"""
SLOT = f"""
    MATCH (r:Memory {{tenant: $tenant, subject: $subject, predicate: $predicate}}) WHERE {_OWNED}
    RETURN {ROW[Layer.MEMORY]}"""
SLOTS_OF = f"""
    MATCH (r:Memory {{tenant: $tenant, subject: $subject}}) WHERE {_OWNED}
    RETURN {ROW[Layer.MEMORY]}"""
_LATEST = "WITH r ORDER BY r.valid_from DESC, r.id LIMIT $limit"
TIMELINE = f"""
    UNWIND $owners AS owner
    CALL (owner) {{
        MATCH (r:Memory {{tenant: $tenant, owner: owner}})
        WHERE r.valid_from >= $since AND r.valid_from < $until
        AND ($hidden OR {SHOWN[Layer.MEMORY]}) AND {PASSING[Layer.MEMORY]}
        RETURN r ORDER BY r.valid_from DESC, r.id LIMIT $limit
    }}
    {_LATEST}
    RETURN {ROW[Layer.MEMORY]}"""
TIMELINE_OF = f"""
    UNWIND $entities AS id
    MATCH (:Entity {{tenant: $tenant, id: id}})<-[:MENTIONS]-(r:Memory)
    WHERE {_OWNED} AND r.valid_from >= $since AND r.valid_from < $until
    AND ($hidden OR {SHOWN[Layer.MEMORY]}) AND {PASSING[Layer.MEMORY]}
    WITH DISTINCT r
    {_LATEST}
    RETURN {ROW[Layer.MEMORY]}"""
REPLACEMENTS = """
    UNWIND $ids AS id
    MATCH (m:Memory {tenant: $tenant, id: id})-[r:REPLACES]-()
    WITH DISTINCT r, startNode(r) AS n, endNode(r) AS o
    WHERE n.owner IN $owners AND o.owner IN $owners
    RETURN n.id, o.id, r.at.epochMillis * 1000 + r.at.microsecond % 1000, r.reason, r.cue, r.score, r.features
    ORDER BY r.at, n.id, o.id"""
NAMES = """
    UNWIND $owners AS owner
    MATCH (r:Name {tenant: $tenant, owner: owner})
    RETURN r.name, r.kind, r.aliases, r.owner ORDER BY r.name, r.owner"""

SCAN = {
    layer: f"""
        MATCH (r:{label}) WHERE r.tenant = $tenant AND r.id > $after AND {_OWNED}
        AND NOT ($unembedded AND r.summary_packed IS NOT NULL)
        RETURN {ROW[layer]} ORDER BY r.tenant, r.id LIMIT $limit"""
    for layer, label in LABEL.items()
}
VECTORS = {
    layer: f"""
        UNWIND $ids AS id
        MATCH (r:{label} {{tenant: $tenant, id: id}}) WHERE r.summary_packed IS NOT NULL
        RETURN DISTINCT r.id, r.summary_packed, coalesce(r.detail_packed, r.summary_packed) ORDER BY r.id"""
    for layer, label in LABEL.items()
}
CHANGES = """
    MATCH (c:Change) WHERE c.tenant = $tenant AND c.last > $since
    WITH c ORDER BY c.tenant, c.last
    UNWIND range(0, size(c.ids) - 1) AS i
    WITH c, i, c.first + i AS sequence WHERE sequence > $since
    RETURN sequence, c.owners[i], c.kinds[i], c.ids[i] LIMIT $limit"""
STATS = """
    MATCH (t:Tenant {name: $tenant})
    CALL () {
        MATCH (o:Owner {tenant: $tenant}) WHERE o.version > 0
        WITH o ORDER BY o.name
        RETURN sum(o.turn_rows) AS turns, sum(o.memory_rows) AS memories, sum(o.entity_rows) AS entities,
               sum(o.turn_vectors) + sum(o.memory_vectors) AS vectors, collect(o.name) AS owners
    }
    CALL () { MATCH ()-[r:REPLACES {tenant: $tenant}]->() RETURN count(r) AS replaces }
    CALL () { MATCH (n:Name {tenant: $tenant}) RETURN count(n) AS names }
    RETURN turns, memories, entities, replaces, vectors, names, t.embedder, t.dimension, owners"""
