"""The statement that walks the entity graph from ``seeds``: one part a hop, so that a walk is one round trip.

``$p.room`` is how many memories a walk holds, ``$p.spread`` how many entities. What touches the frontier is
taken up latest first until there is no room; what it leads to becomes the next frontier.
"""

from functools import lru_cache

from mnemic.graph.model import Layer
from mnemic.graph.neo4j.queries.parts import SHOWN

_SHOWN = SHOWN[Layer.MEMORY]

_START = f"""
    CALL (seeds) {{
        UNWIND range(0, size(seeds) - 1) AS i
        MATCH (e:Entity {{tenant: $p.tenant, id: seeds[i]}}) WHERE e.owner IN $p.owners
        MATCH (s:Entity {{tenant: $p.tenant, key: e.key}}) WHERE s.owner IN $p.owners
        WITH s, min([i, CASE WHEN s = e THEN 0 ELSE 1 END, s.id]) AS rank ORDER BY rank LIMIT $p.spread + 1
        RETURN collect(s) AS reached
    }}
    WITH reached[..$p.spread] AS frontier, size(reached) > $p.spread AS cut
    CALL (frontier) {{
        UNWIND frontier AS e
        MATCH (e)<-[:MENTIONS]-(r:Memory) WHERE r.owner IN $p.owners AND {_SHOWN}
        WITH DISTINCT r ORDER BY r.valid_from DESC, r.id LIMIT $p.room + 1
        RETURN collect(r.id) AS found
    }}
    WITH frontier, frontier AS seen, [frontier] AS levels, found[..$p.room] AS held,
         cut OR size(found) > $p.room AS cut"""

_HOP = f"""
    CALL (frontier, held) {{
        UNWIND frontier AS e
        MATCH (e)-[r:EPISODE]-(o:Entity)
        WHERE r.owner IN $p.owners AND o.owner IN $p.owners AND {_SHOWN}
        WITH r.memory AS memory, r.valid_from AS since, collect(DISTINCT o) AS others
        ORDER BY since DESC, memory LIMIT 2 * $p.room + 1
        RETURN collect({{memory: memory, others: others}}) AS touched
    }}
    WITH seen, levels, held, cut, touched,
         [each IN touched WHERE NOT each.memory IN held | each.memory] AS fresh, $p.room - size(held) AS left
    WITH seen, levels, held + fresh[..left] AS held, cut OR size(fresh) > left AS cut,
         CASE WHEN size(fresh) <= left THEN touched
              ELSE touched[..[i IN range(0, size(touched) - 1) WHERE touched[i].memory = fresh[left]][0]]
         END AS taken
    CALL (taken, seen) {{
        UNWIND range(0, size(taken) - 1) AS i
        UNWIND taken[i].others AS o
        MATCH (s:Entity {{tenant: $p.tenant, key: o.key}}) WHERE s.owner IN $p.owners AND NOT s IN seen
        WITH s, min([i, o.id, CASE WHEN s = o THEN 0 ELSE 1 END, s.id]) AS rank ORDER BY rank LIMIT $p.spread + 1
        RETURN collect(s) AS reached
    }}
    WITH levels, held, seen, reached[..$p.spread - size(seen)] AS frontier,
         cut OR size(reached) > $p.spread - size(seen) AS cut
    WITH frontier, seen + frontier AS seen, levels + [frontier] AS levels, held, cut"""

REACHED = """
    CALL (levels) {
        UNWIND range(0, size(levels) - 1) AS hops
        UNWIND levels[hops] AS r
        RETURN collect([r.row, hops, COUNT { (r)<-[:MENTIONS]-() }]) AS reached
    }"""
"""What a walk reached, of its ``levels``."""

_FINISH = """
    CALL (held) {
        UNWIND held AS id
        MATCH (r:Memory {tenant: $p.tenant, id: id})
        RETURN collect(r.row) AS memories
    }
    RETURN reached, memories, cut"""
_STAY = "WITH [] AS levels, [] AS held, false AS cut"


def steps(hops: int | None) -> str:
    """Return what walks so many hops from ``seeds`` and gives ``levels held cut``; None walks nowhere."""
    return _STAY if hops is None else f"{_START + _HOP * hops} WITH levels, held, cut"


@lru_cache(32)
def walk(hops: int) -> str:
    """Return the statement that walks so many hops from ``$p.seeds``."""
    return f"WITH $p.seeds AS seeds {steps(hops)} {REACHED} {_FINISH}"
