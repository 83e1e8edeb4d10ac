"""What the database must know: constraints, indexes, the version."""

from mnemic.graph.model import Layer
from mnemic.graph.neo4j.queries.parts import LABEL

CONSTRAINTS = {
    "mnemic_tenant": "CREATE CONSTRAINT mnemic_tenant IF NOT EXISTS FOR (n:Tenant) REQUIRE n.name IS UNIQUE",
    "mnemic_owner": "CREATE CONSTRAINT mnemic_owner IF NOT EXISTS FOR (n:Owner) REQUIRE (n.tenant, n.name) IS UNIQUE",
    "mnemic_entity": "CREATE CONSTRAINT mnemic_entity IF NOT EXISTS FOR (n:Entity) REQUIRE (n.tenant, n.id) IS UNIQUE",
    "mnemic_handle": """
        CREATE CONSTRAINT mnemic_handle IF NOT EXISTS FOR (n:Handle)
        REQUIRE (n.tenant, n.text, n.owner) IS UNIQUE""",
    "mnemic_memory": "CREATE CONSTRAINT mnemic_memory IF NOT EXISTS FOR (n:Memory) REQUIRE (n.tenant, n.id) IS UNIQUE",
    "mnemic_turn": "CREATE CONSTRAINT mnemic_turn IF NOT EXISTS FOR (n:Turn) REQUIRE (n.tenant, n.id) IS UNIQUE",
    "mnemic_session": """
        CREATE CONSTRAINT mnemic_session IF NOT EXISTS FOR (n:Session)
        REQUIRE (n.tenant, n.owner, n.name) IS UNIQUE""",
    "mnemic_name": """
        CREATE CONSTRAINT mnemic_name IF NOT EXISTS FOR (n:Name)
        REQUIRE (n.tenant, n.owner, n.name) IS UNIQUE""",
    "mnemic_queue": """
        CREATE CONSTRAINT mnemic_queue IF NOT EXISTS FOR (n:Queue) REQUIRE (n.tenant, n.kind) IS UNIQUE""",
    "mnemic_record": """
        CREATE CONSTRAINT mnemic_record IF NOT EXISTS FOR (n:Record) REQUIRE (n.tenant, n.kind, n.id) IS UNIQUE""",
}

INDEXES = {
    "mnemic_entity_key": "CREATE INDEX mnemic_entity_key IF NOT EXISTS FOR (n:Entity) ON (n.tenant, n.key)",
    "mnemic_entity_owner": "CREATE INDEX mnemic_entity_owner IF NOT EXISTS FOR (n:Entity) ON (n.tenant, n.owner)",
    "mnemic_memory_time": """
        CREATE INDEX mnemic_memory_time IF NOT EXISTS FOR (n:Memory) ON (n.tenant, n.owner, n.valid_from)""",
    "mnemic_memory_importance": """
        CREATE INDEX mnemic_memory_importance IF NOT EXISTS
        FOR (n:Memory) ON (n.tenant, n.owner, n.importance, n.valid_from)""",
    "mnemic_memory_slot": """
        CREATE INDEX mnemic_memory_slot IF NOT EXISTS FOR (n:Memory) ON (n.tenant, n.subject, n.predicate)""",
    "mnemic_turn_session": """
        CREATE INDEX mnemic_turn_session IF NOT EXISTS
        FOR (n:Turn) ON (n.tenant, n.owner, n.session, n.position)""",
    "mnemic_turn_time": "CREATE INDEX mnemic_turn_time IF NOT EXISTS FOR (n:Turn) ON (n.tenant, n.owner, n.at)",
    "mnemic_change": "CREATE INDEX mnemic_change IF NOT EXISTS FOR (n:Change) ON (n.tenant, n.last)",
    "mnemic_record_kind": """
        CREATE INDEX mnemic_record_kind IF NOT EXISTS FOR (n:Record) ON (n.tenant, n.kind, n.born)""",
    "mnemic_record_owner": """
        CREATE INDEX mnemic_record_owner IF NOT EXISTS FOR (n:Record) ON (n.tenant, n.owner, n.kind, n.born)""",
    "mnemic_record_lane": """
        CREATE INDEX mnemic_record_lane IF NOT EXISTS FOR (n:Record) ON (n.tenant, n.kind, n.lane, n.born)""",
    "mnemic_record_state": """
        CREATE INDEX mnemic_record_state IF NOT EXISTS FOR (n:Record) ON (n.tenant, n.kind, n.state, n.born)""",
    "mnemic_episode": "CREATE INDEX mnemic_episode IF NOT EXISTS FOR ()-[r:EPISODE]-() ON (r.tenant, r.memory)",
    "mnemic_replaces": "CREATE INDEX mnemic_replaces IF NOT EXISTS FOR ()-[r:REPLACES]-() ON (r.tenant)",
    "mnemic_memory_words": """
        CREATE FULLTEXT INDEX mnemic_memory_words IF NOT EXISTS FOR (n:Memory) ON EACH [n.words]
        OPTIONS {indexConfig: {`fulltext.analyzer`: 'whitespace'}}""",
    "mnemic_turn_words": """
        CREATE FULLTEXT INDEX mnemic_turn_words IF NOT EXISTS FOR (n:Turn) ON EACH [n.words]
        OPTIONS {indexConfig: {`fulltext.analyzer`: 'whitespace'}}""",
}
"""Made on start. The vector indexes come when an owner has so many that they pay, see ``VECTOR_INDEXES``."""

VECTOR_INDEXES = {
    layer: (
        f"mnemic_{layer.value}_vector",
        f"""
        CREATE VECTOR INDEX mnemic_{layer.value}_vector IF NOT EXISTS
        FOR (n:{LABEL[layer]}) ON (n.embedding)
        OPTIONS {{indexConfig: {{`vector.similarity_function`: 'cosine'}}}}""",
    )
    for layer in Layer
}
FILTERED_VECTOR_INDEXES = {
    layer: (
        f"mnemic_{layer.value}_vector_filtered",
        f"""
        CYPHER 25 CREATE VECTOR INDEX mnemic_{layer.value}_vector_filtered IF NOT EXISTS
        FOR (n:{LABEL[layer]}) ON n.embedding WITH [n.tenant, n.owner]
        OPTIONS {{indexConfig: {{`vector.similarity_function`: 'cosine'}}}}""",
    )
    for layer in Layer
}
"""The same for servers that filter inside the index. Any dimension goes in: each tenant has its own."""

VERSION = "OPTIONAL MATCH (n:Mnemic) RETURN max(n.version)"
PUT_VERSION = "MERGE (n:Mnemic {one: 1}) SET n.version = $p.version"
SERVER = "CALL dbms.components() YIELD name, versions RETURN name, versions"
SHOW_INDEXES = "SHOW INDEXES YIELD name, state, type, labelsOrTypes, properties, owningConstraint"
AWAIT_INDEX = "CALL db.awaitIndex($p.name, $p.seconds)"
PUT_TENANT = """
    MERGE (n:Tenant {name: $p.tenant})
    ON CREATE SET n.embedder = '', n.dimension = 0, n.sequence = 0"""
_TIMES = frozenset(
    {"at", "recorded_at", "valid_from", "retired_at", "valid_to", "closed_at", "expires_at"}
    | {"last_accessed_at", "profile_updated_at"}
)
_PACKED = {
    "Entity": ("id", "owner", "key", "name", "kind", "aliases", "handles", "profile", "profile_updated_at"),
    "Turn": (
        *("id", "owner", "session", "position", "speaker", "role", "text", "at", "utc_offset", "recorded_at"),
        *("terms", "metadata"),
    ),
    "Memory": (
        *("id", "owner", "kind", "text", "summary", "state", "at", "recorded_at", "valid_from", "retired_at"),
        *("valid_to", "closed_at", "expires_at", "last_accessed_at", "subject", "predicate", "object"),
        *("value", "modality", "importance", "confidence", "pinned", "speaker", "session", "terms", "cues"),
        *("tags", "mentions", "episodes", "sources", "metadata", "access_count"),
    ),
}


def _column(name: str) -> str:
    return f"r.{name}.epochMillis * 1000 + r.{name}.microsecond % 1000" if name in _TIMES else f"r.{name}"


UNPACKED = {
    label: f"""
        MATCH (r:{label}) WHERE r.row IS NULL AND r.tenant IS NOT NULL
        RETURN r.tenant, r.id, [{", ".join(map(_column, columns))}] LIMIT $p.limit"""
    for label, columns in _PACKED.items()
}
PACK = {
    label: f"""
        UNWIND $p.rows AS row
        MATCH (r:{label} {{tenant: row[0], id: row[1]}})
        SET r.row = row[2]
        REMOVE r.handles, r.profile, r.utc_offset, r.terms, r.cues, r.mentions, r.episodes, r.sources, r.metadata"""
    for label in _PACKED
}
"""What turns rows of the second version, a property for each column, into packed ones."""

SECOND_VECTORS = {
    label: f"""
        MATCH (r:{label}) WHERE r.detail_embedding IS NOT NULL AND r.tenant IS NOT NULL
        WITH r LIMIT $p.limit
        SET r.embedding = r.detail_embedding
        REMOVE r.summary_embedding, r.detail_embedding
        RETURN count(r)"""
    for label in LABEL.values()
}
SECOND_INDEXES = [
    f"DROP INDEX mnemic_{layer.value}_{part}{kind} IF EXISTS"
    for layer in Layer
    for part in ("summary", "detail")
    for kind in ("", "_filtered")
]
"""What turns a database of the third version, which searched by two vectors a row, into one that needs one."""

NAMELESS_LOG = """
    MATCH (c:Change) WHERE any(kind IN c.kinds WHERE kind = $p.kind)
    SET c.ids = [i IN range(0, size(c.ids) - 1) | CASE WHEN c.kinds[i] = $p.kind THEN '' ELSE c.ids[i] END]"""
HAS_TENANT = "RETURN EXISTS { (:Tenant {name: $p.tenant}) }"
TENANTS = "MATCH (t:Tenant) RETURN t.name"
