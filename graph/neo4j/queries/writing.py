"""Statements that write as many rows as there are.

Where rows are many and plain they come as lists: the driver packs the names of a map again for each.
"""

from mnemic.graph.model import Layer
from mnemic.graph.neo4j.queries.parts import (
    LABEL,
    SET_ENTITY_TIMES,
    SET_TIMES,
    TIME,
)

# -- locks, books, log --------------------------------------------------------------------------------

LOCK = """
    UNWIND $p.names AS name
    MERGE (o:Owner {tenant: $p.tenant, name: name})
    SET o.locked = true, o.version = coalesce(o.version, 0)
    WITH o
    RETURN o.name, o.memory_total, o.turn_total"""
"""Whoever holds an owner's node is the only one that writes for that owner, in whatever process."""

PUT_BOOKS = """
    UNWIND $p.rows AS row
    MATCH (o:Owner {tenant: $p.tenant, name: row.name})
    SET o.version = coalesce(o.version, 0) + 1,
        o.entity_rows = coalesce(o.entity_rows, 0) + row.entity_rows,
        o.memory_rows = coalesce(o.memory_rows, 0) + row.memory_rows,
        o.memory_terms = coalesce(o.memory_terms, 0) + row.memory_terms,
        o.memory_vectors = coalesce(o.memory_vectors, 0) + row.memory_vectors,
        o.turn_rows = coalesce(o.turn_rows, 0) + row.turn_rows,
        o.turn_terms = coalesce(o.turn_terms, 0) + row.turn_terms,
        o.turn_vectors = coalesce(o.turn_vectors, 0) + row.turn_vectors,
        o.memory_total = row.memory_total, o.turn_total = row.turn_total
    RETURN o.name, o.memory_vectors, o.turn_vectors"""
DROP_OWNERS = "MATCH (o:Owner {tenant: $p.tenant}) WHERE o.name IN $p.names DELETE o"
FORGET_OWNERS = """
    MATCH (c:Change) WHERE c.tenant = $p.tenant AND any(owner IN c.owners WHERE owner IN $p.names)
    WITH c, [i IN range(0, size(c.ids) - 1) | CASE WHEN c.owners[i] IN $p.names THEN '' ELSE c.ids[i] END] AS ids
    SET c.ids = ids, c.owners = [owner IN c.owners | CASE WHEN owner IN $p.names THEN '' ELSE owner END]"""
"""The log outlives the owners and may not keep their names, which the ids of turns hold too."""
EMPTY_BOOKS = """
    MATCH (o:Owner {tenant: $p.tenant}) WHERE o.name IS NOT NULL
    SET o.version = coalesce(o.version, 0) + 1, o.memory_vectors = 0, o.turn_vectors = 0
    REMOVE o.memory_total, o.turn_total"""

LOG = """
    MATCH (t:Tenant {name: $p.tenant})
    SET t.locked = true
    WITH t, t.sequence AS before
    SET t.sequence = before + size($p.ids)
    CREATE (:Change {tenant: $p.tenant, first: before + 1, last: before + size($p.ids),
                     owners: $p.owners, kinds: $p.kinds, ids: $p.ids})
    WITH t, before + size($p.ids) - $p.kept AS done
    CALL (done) {
        MATCH (c:Change) WHERE c.tenant = $p.tenant AND c.last <= done
        DELETE c
    }
    RETURN t.embedder, t.dimension"""

# -- what stands there before -------------------------------------------------------------------------

BEFORE = """
    MATCH (t:Tenant {name: $p.tenant})
    CALL () {
        UNWIND $p.memories AS id MATCH (r:Memory {tenant: $p.tenant, id: id})
        RETURN collect([r.id, r.row, r.summary_packed, r.detail_packed]) AS memories
    }
    CALL () {
        UNWIND $p.turns AS id MATCH (r:Turn {tenant: $p.tenant, id: id})
        RETURN collect([r.id, r.row, r.summary_packed, r.detail_packed]) AS turns
    }
    CALL () {
        UNWIND $p.entities AS id MATCH (r:Entity {tenant: $p.tenant, id: id})
        RETURN collect(r.row) AS entities
    }
    CALL () {
        UNWIND $p.edges AS edge
        MATCH (n:Memory {tenant: $p.tenant, id: edge[0]})-[r:REPLACES]->(o:Memory {tenant: $p.tenant, id: edge[1]})
        RETURN collect([n.id, o.id, r.at.epochMillis * 1000 + r.at.microsecond % 1000,
                        r.reason, r.cue, r.score, r.features]) AS edges
    }
    CALL () {
        UNWIND $p.names AS name MATCH (r:Name {tenant: $p.tenant, owner: name[0], name: name[1]})
        RETURN collect([r.name, r.kind, r.aliases, r.owner]) AS names
    }
    CALL () {
        UNWIND $p.ends_memories AS id MATCH (r:Memory {tenant: $p.tenant, id: id})
        RETURN collect([r.id, r.owner]) AS memory_ends
    }
    CALL () {
        UNWIND $p.ends_turns AS id MATCH (r:Turn {tenant: $p.tenant, id: id})
        RETURN collect(r.id) AS turn_ends
    }
    CALL () {
        UNWIND $p.ends_entities AS id MATCH (r:Entity {tenant: $p.tenant, id: id})
        RETURN collect(r.id) AS entity_ends
    }
    RETURN t.embedder, t.dimension, memories, turns, entities, edges, names,
           memory_ends, turn_ends, entity_ends"""

# -- rows ---------------------------------------------------------------------------------------------

PUT_ENTITIES = f"""
    UNWIND $p.rows AS row
    MERGE (r:Entity {{tenant: $p.tenant, id: row.properties.id}})
    SET r = row.properties, {SET_ENTITY_TIMES}"""
DROP_HANDLES = """
    UNWIND $p.ids AS id
    MATCH (:Entity {tenant: $p.tenant, id: id})<-[names:NAMES]-(h:Handle)
    DELETE names
    WITH DISTINCT h WHERE NOT EXISTS { (h)-[:NAMES]->() }
    DELETE h"""
PUT_HANDLES = """
    UNWIND $p.rows AS row
    MATCH (e:Entity {tenant: $p.tenant, id: row.entity})
    MERGE (h:Handle {tenant: $p.tenant, text: row.text, owner: e.owner})
    MERGE (h)-[:NAMES]->(e)"""

PUT_TURNS = f"""
    UNWIND $p.rows AS row
    MERGE (r:Turn {{tenant: $p.tenant, id: row.properties.id}})
    SET r += row.properties, {SET_TIMES[Layer.TURN]}"""
DROP_IN = """
    UNWIND $p.ids AS id
    MATCH (:Turn {tenant: $p.tenant, id: id})-[r:IN]->(s:Session)
    DELETE r
    WITH DISTINCT s WHERE NOT EXISTS { (s)<-[:IN]-() }
    DELETE s"""
PUT_IN = """
    UNWIND $p.ids AS id
    MATCH (t:Turn {tenant: $p.tenant, id: id})
    MERGE (s:Session {tenant: $p.tenant, owner: t.owner, name: t.session})
    CREATE (t)-[:IN]->(s)"""

PUT_MEMORIES = f"""
    UNWIND $p.rows AS row
    MERGE (r:Memory {{tenant: $p.tenant, id: row.properties.id}})
    SET r += row.properties, {SET_TIMES[Layer.MEMORY]}"""
DROP_EDGES = """
    UNWIND $p.ids AS id
    MATCH (:Memory {tenant: $p.tenant, id: id})-[r:MENTIONS|FROM|CONSOLIDATED_INTO]->()
    DELETE r"""
DROP_EPISODES = """
    UNWIND $p.ids AS id
    MATCH ()-[r:EPISODE {tenant: $p.tenant, memory: id}]->()
    DELETE r"""
PUT_MENTIONS = """
    UNWIND $p.rows AS row
    MATCH (m:Memory {tenant: $p.tenant, id: row[0]})
    MATCH (e:Entity {tenant: $p.tenant, id: row[1]})
    CREATE (m)-[:MENTIONS {start: row[2], end: row[3], alias: row[4], role: row[5]}]->(e)"""
PUT_SOURCES = """
    UNWIND $p.rows AS row
    MATCH (m:Memory {tenant: $p.tenant, id: row[0]})
    MATCH (t:Turn {tenant: $p.tenant, id: row[1]})
    CREATE (m)-[:FROM]->(t)"""
PUT_CONSOLIDATED = """
    UNWIND $p.ids AS id
    MATCH (m:Memory {tenant: $p.tenant, id: id})
    MATCH (e:Entity {tenant: $p.tenant, id: m.subject})
    CREATE (m)-[:CONSOLIDATED_INTO]->(e)"""
PUT_EPISODES = """
    UNWIND $p.rows AS row
    MATCH (m:Memory {tenant: $p.tenant, id: row[0]})
    MATCH (a:Entity {tenant: $p.tenant, id: row[1]})
    MATCH (b:Entity {tenant: $p.tenant, id: row[3]})
    CREATE (a)-[r:EPISODE]->(b)
    SET r = {tenant: m.tenant, memory: m.id, owner: m.owner, predicate: row[2], state: m.state,
             at: m.at, recorded_at: m.recorded_at, retired_at: m.retired_at, valid_from: m.valid_from,
             valid_to: m.valid_to, closed_at: m.closed_at, expires_at: m.expires_at}"""

# -- vectors, replaces, names -------------------------------------------------------------------------

PUT_VECTORS = {
    layer: f"""
        UNWIND $p.rows AS row
        MATCH (r:{label} {{tenant: $p.tenant, id: row[0]}})
        SET r.summary_packed = row[1], r.detail_packed = row[2], r.embedding = null
        WITH r, row WHERE row[3] <> ''
        WITH r, [number IN split(row[3], ' ') | toFloat(number)] AS vector
        CALL db.create.setNodeVectorProperty(r, 'embedding', vector)"""
    for layer, label in LABEL.items()
}
DROP_VECTORS = {
    layer: f"""
        MATCH (r:{label}) WHERE r.tenant = $p.tenant AND r.summary_packed IS NOT NULL
        REMOVE r.summary_packed, r.detail_packed, r.embedding"""
    for layer, label in LABEL.items()
}
EMBEDDER = "MATCH (t:Tenant {name: $p.tenant}) SET t.locked = true WITH t RETURN t.embedder, t.dimension"
ADOPT = "MATCH (t:Tenant {name: $p.tenant}) SET t.embedder = $p.embedder, t.dimension = $p.dimension"

PUT_REPLACES = """
    UNWIND $p.rows AS row
    MATCH (n:Memory {tenant: $p.tenant, id: row.newer})
    MATCH (o:Memory {tenant: $p.tenant, id: row.older})
    MERGE (n)-[r:REPLACES]->(o)
    SET r = {tenant: $p.tenant, at: datetime({epochSeconds: row.at[0], nanosecond: row.at[1]}),
             reason: row.reason, cue: row.cue, score: row.score, features: row.features}"""
DROP_REPLACES = """
    UNWIND $p.rows AS row
    MATCH (:Memory {tenant: $p.tenant, id: row[0]})-[r:REPLACES]->(:Memory {tenant: $p.tenant, id: row[1]})
    DELETE r"""

PUT_NAMES = """
    UNWIND $p.rows AS row
    MERGE (r:Name {tenant: $p.tenant, owner: row.owner, name: row.name})
    SET r.kind = row.kind, r.aliases = row.aliases"""
DROP_NAMES = """
    UNWIND $p.rows AS row
    MATCH (r:Name {tenant: $p.tenant, owner: row[0], name: row[1]})
    DELETE r"""

# -- erasing ------------------------------------------------------------------------------------------

DOOMED = {
    layer: f"""
        CALL () {{
            UNWIND $p.ids AS id MATCH (r:{label} {{tenant: $p.tenant, id: id}}) RETURN r
            UNION
            UNWIND $p.owners AS owner MATCH (r:{label} {{tenant: $p.tenant, owner: owner}})
            WHERE r.{TIME[layer]} IS NOT NULL RETURN r
        }}
        RETURN r.id, r.owner, r.length, coalesce(r.detail_packed, r.summary_packed)"""
    for layer, label in LABEL.items()
}
DOOMED_ENTITIES = """
    CALL () {
        UNWIND $p.ids AS id MATCH (r:Entity {tenant: $p.tenant, id: id}) RETURN r
        UNION
        UNWIND $p.owners AS owner MATCH (r:Entity {tenant: $p.tenant, owner: owner}) RETURN r
    }
    RETURN r.id, r.owner"""
DROP_NAMES_OF = """
    UNWIND $p.owners AS owner
    MATCH (r:Name {tenant: $p.tenant, owner: owner}) WHERE r.name IS NOT NULL
    DELETE r"""
OWNERS_THERE = (
    "UNWIND $p.names AS name MATCH (o:Owner {tenant: $p.tenant, name: name}) RETURN DISTINCT o.name"
)
LEFT_BEHIND = """
    CALL () {
        UNWIND $p.entities AS id
        MATCH (:Entity {tenant: $p.tenant, id: id})<-[:MENTIONS]-(r:Memory) RETURN r
        UNION
        UNWIND $p.turns AS id
        MATCH (:Turn {tenant: $p.tenant, id: id})<-[:FROM]-(r:Memory) RETURN r
        UNION
        UNWIND $p.entities AS id
        MATCH (:Entity {tenant: $p.tenant, id: id})-[e:EPISODE]-()
        MATCH (r:Memory {tenant: $p.tenant, id: e.memory}) RETURN r
    }
    WITH DISTINCT r WHERE NOT r.id IN $p.memories
    RETURN r.row"""
"""Memories that stay and lose an edge to what goes."""
# emptied first: else an index of 2026.09 still gives what the same transaction has written over and deleted
DROP_ROWS = {
    layer: f"UNWIND $p.ids AS id MATCH (r:{label} {{tenant: $p.tenant, id: id}}) SET r = {{}} DETACH DELETE r"
    for layer, label in LABEL.items()
}
DROP_ENTITIES = "UNWIND $p.ids AS id MATCH (r:Entity {tenant: $p.tenant, id: id}) SET r = {} DETACH DELETE r"
