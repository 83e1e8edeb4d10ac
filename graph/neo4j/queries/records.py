"""Statements about records beside the graph. Whoever changes those of a kind holds its queue, until the commit."""

_DUE = "datetime({epochSeconds: $p.due[0], nanosecond: $p.due[1]})"
_MICROSECONDS = "r.due.epochMillis * 1000 + r.due.microsecond % 1000"
_RECORD = f"""
    r.kind, r.id, r.owner, r.body, r.lane, r.state, {_MICROSECONDS}, r.version, r.born,
    [(r)-[:ABOUT]->(t:Turn) | t.id]"""

LOCK = """
    MERGE (q:Queue {tenant: $p.tenant, kind: $p.kind})
    ON CREATE SET q.last = 0
    SET q.locked = true
    WITH q
    OPTIONAL MATCH (r:Record {tenant: $p.tenant, kind: $p.kind, id: $p.id})
    RETURN q.last, r.version, r.born"""
PUT = f"""
    MATCH (q:Queue {{tenant: $p.tenant, kind: $p.kind}})
    SET q.last = CASE WHEN $p.born > q.last THEN $p.born ELSE q.last END
    MERGE (r:Record {{tenant: $p.tenant, kind: $p.kind, id: $p.id}})
    SET r += $p.properties, r.due = {_DUE}"""
TURNS_THERE = "UNWIND $p.turns AS id MATCH (t:Turn {tenant: $p.tenant, id: id}) RETURN DISTINCT t.id"
DROP_ABOUT = """
    MATCH (:Record {tenant: $p.tenant, kind: $p.kind, id: $p.id})-[a:ABOUT]->(:Turn)
    DELETE a"""
PUT_ABOUT = """
    MATCH (r:Record {tenant: $p.tenant, kind: $p.kind, id: $p.id})
    UNWIND $p.turns AS id
    MATCH (t:Turn {tenant: $p.tenant, id: id})
    MERGE (r)-[:ABOUT]->(t)"""

_OPEN = "MATCH (r:Record {tenant: $p.tenant, kind: $p.kind, state: $p.open}) WHERE r.born IS NOT NULL"
NEXT_OF_OLDEST = f"""
    {_OPEN}
    WITH r ORDER BY r.tenant, r.kind, r.state, r.born LIMIT 64
    WITH r WHERE r.due <= $p.now AND (r.lane = '' OR NOT EXISTS {{
        MATCH (o:Record {{tenant: $p.tenant, kind: $p.kind, lane: r.lane}}) WHERE o.born < r.born AND o.state = $p.open }})
    RETURN r.id ORDER BY r.born LIMIT 1"""
"""It mostly is among the oldest; where all of these wait or are taken, ``NEXT`` looks at every lane."""
NEXT = f"""
    {_OPEN}
    WITH r.lane AS lane, CASE r.lane WHEN '' THEN r.born END AS alone, min([r.born, r.due, r.id]) AS first
    WITH first WHERE first[1] <= $p.now
    RETURN first[2] ORDER BY first[0] LIMIT 1"""
LOCK_QUEUE = "MATCH (q:Queue {tenant: $p.tenant, kind: $p.kind}) SET q.locked = true RETURN q.last"
LOCK_QUEUES = "MATCH (q:Queue {tenant: $p.tenant}) WHERE q.kind IS NOT NULL SET q.locked = true RETURN q.last"
LEASE = f"""
    MATCH (r:Record {{tenant: $p.tenant, kind: $p.kind, id: $p.id}})
    SET r.version = r.version + 1, r.due = {_DUE}"""
RECORD = f"MATCH (r:Record {{tenant: $p.tenant, kind: $p.kind, id: $p.id}}) RETURN {_RECORD}"

_BY = {
    "ids": ("$p.ids", "id: each", "tenant kind id born"),
    "lane": ("[$p.lane]", "lane: each", "tenant kind lane born"),
    "owners": ("$p.owners", "owner: each", "tenant owner kind born"),
    "states": ("$p.states", "state: each", "tenant kind state born"),
    "kind": ("[0]", "", "tenant kind born"),
}
"""By which index they are found: of each of which values, by what, and in which order the index has them."""
_WHICH = """
    AND ($p.owners IS NULL OR r.owner IN $p.owners) AND ($p.ids IS NULL OR r.id IN $p.ids)
    AND ($p.states IS NULL OR r.state IN $p.states)
    AND ($p.lane IS NULL OR (r.lane = $p.lane AND r.state = $p.open))
    AND ($p.before IS NULL OR r.due < $p.before)"""


def _found(way: str) -> str:
    _, by, _ = _BY[way]
    kind = ", ".join(filter(None, ["tenant: $p.tenant, kind: $p.kind", by]))
    return f"MATCH (r:Record {{{kind}}}) WHERE r.born IS NOT NULL {_WHICH}"


def _page(way: str, newest: bool) -> str:
    """Return what reads a page: of each value as many as it may hold, in the order of the index."""
    values, _, order = _BY[way]
    down = " DESC" * newest
    return f"""
        UNWIND {values} AS each
        CALL (each) {{
            {_found(way)} AND ($p.after IS NULL OR r.born {"<" if newest else ">"} $p.after)
            RETURN r ORDER BY {", ".join(f"r.{name}{down}" for name in order.split())} LIMIT $p.limit
        }}
        WITH DISTINCT r ORDER BY r.born{down} LIMIT $p.limit
        RETURN {_RECORD} ORDER BY r.born{down}"""


RECORDS = {(way, newest): _page(way, newest) for way in _BY for newest in (False, True)}
_EMPTIED = "WITH DISTINCT r SET r = {} DETACH DELETE r RETURN count(r)"
COUNT = {way: f"UNWIND {_BY[way][0]} AS each {_found(way)} RETURN count(DISTINCT r)" for way in _BY}
DROP = {way: f"UNWIND {_BY[way][0]} AS each {_found(way)} {_EMPTIED}" for way in _BY}
OF_OWNERS = f"""
    UNWIND $p.owners AS owner
    MATCH (r:Record {{tenant: $p.tenant, owner: owner}}) WHERE r.kind IS NOT NULL AND r.born IS NOT NULL
    {_EMPTIED}"""
ABOUT = f"""
    UNWIND $p.turns AS id
    MATCH (:Turn {{tenant: $p.tenant, id: id}})<-[:ABOUT]-(r:Record)
    {_EMPTIED}"""
KINDS = """
    MATCH (q:Queue {tenant: $p.tenant}) WHERE q.kind IS NOT NULL
    CALL (q) { MATCH (r:Record {tenant: $p.tenant, kind: q.kind}) WHERE r.born IS NOT NULL RETURN count(r) AS records }
    WITH q, records WHERE records > 0
    RETURN q.kind, records ORDER BY q.kind"""
TENANTS_WITH_OPEN = """
    MATCH (t:Tenant)
    CALL (t) {
        MATCH (r:Record {tenant: t.name, kind: $p.kind, state: $p.open}) WHERE r.born IS NOT NULL
        RETURN r LIMIT 1
    }
    RETURN t.name"""
"""Of all tenants; one look into an index for each."""
