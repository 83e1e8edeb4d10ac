"""The statement that answers a probe, composed of one part a channel; what varies is the layer and the search.

Each part returns rows ``r, channel, unshown``; an empty list or a flag that is false leaves a part out. A
vector is searched for among all rows of the owners, or in an index that may filter inside. Words in angle
brackets stand for the parts of a layer (label, time, filters).
"""

import re
from enum import StrEnum
from functools import lru_cache

from mnemic.graph.model import Layer
from mnemic.graph.neo4j.queries.parts import LABEL, PASSING, SHOWN, TIME
from mnemic.graph.neo4j.queries.walking import REACHED, steps
from mnemic.graph.store import CHAIN


class Search(StrEnum):
    """How vectors are searched: all of the owners', in an index of everybody's, in one that filters.

    An index is not asked where the owners have few; then all are compared. Or only those of given rows are:
    an index does not know what a transaction has written.
    """

    EXACT = "exact"
    INDEX = "index"
    FILTERED = "filtered"
    GIVEN = "given"


_BOOKS = """
    MATCH (t:Tenant {name: $p.tenant})
    CALL () {
        UNWIND $p.owners AS name
        MATCH (o:Owner {tenant: $p.tenant, name: name})
        RETURN collect(o {.name, version: coalesce(o.version, 0), rows: coalesce(o.<layer>_rows, 0), terms: coalesce(o.<layer>_terms, 0),
            vectors: coalesce(o.<layer>_vectors, 0), total: o.<layer>_total}) AS books
    }
    WITH t, books, reduce(n = 0, book IN books | n + book.rows) AS size,
         reduce(n = 0, book IN books | n + book.terms) AS length
    CALL () {
        UNWIND $p.words AS word
        CALL (word) {
            CALL db.index.fulltext.queryNodes('mnemic_<layer>_words', word.word) YIELD node
            RETURN count(node) AS count
        }
        WITH word, count ORDER BY count, word.owner, word.term
        RETURN collect({owner: word.owner, term: word.term, word: word.word, count: count}) AS found
    }
    CALL (found) {
        UNWIND found AS each
        WITH each.term AS term, sum(each.count) AS count
        RETURN collect([term, count]) AS frequency
    }"""

_BEST = """
    CALL (ranked) {
        UNWIND ranked AS each
        WITH each WHERE each.shown
        RETURN each.r AS r, false AS unshown ORDER BY each.score DESC, each.at DESC, each.id LIMIT $p.limit
        UNION ALL
        UNWIND ranked AS each
        WITH each WHERE NOT each.shown
        RETURN each.r AS r, true AS unshown ORDER BY each.score DESC, each.at DESC, each.id LIMIT $p.hidden
    }
    RETURN r, '<channel>' AS channel, unshown"""
_RANKED = "WITH collect({r: r, score: score, at: r.<time>, id: r.id, shown: shown}) AS ranked"

_WORDS = f"""
    WITH found, frequency, size, length
    CALL () {{ MATCH (n:<label>) RETURN count(n) AS all }}
    UNWIND range(0, size(found[..1000]) - 1) AS i
    WITH found[i] AS each, frequency, size, length, all,
         reduce(spent = 0, other IN found[..i] |
            CASE WHEN other.owner = found[i].owner THEN spent + other.count ELSE spent END) AS spent
    WHERE each.count > 0 AND (spent = 0 OR spent + each.count <= $p.looked_at)
    WITH each, size, length * 1.0 / size AS usual, all, toFloat([pair IN frequency WHERE pair[0] = each.term][0][1]) AS count
    WITH each.word AS word, usual, log(1 + (size - count + 0.5) / (count + 0.5)) AS rarity,
         log(1 + (all - each.count + 0.5) / (each.count + 0.5)) AS rated
    WITH usual, collect({{word: ' ' + word + ' ', rarity: rarity}}) AS looked, collect(word + '^' + toString(
            CASE WHEN rarity > 0.001 * rated THEN round(rarity / rated, 4) ELSE 0.001 END)) AS weighted
    WITH usual, looked, reduce(query = '', word IN weighted | query + word + ' ') AS query
    CALL db.index.fulltext.queryNodes('mnemic_<layer>_words', query, {{limit: $p.ranked}}) YIELD node AS r
    WHERE r.owner IN $p.owners AND r.tenant = $p.tenant AND <passing>
    WITH r, usual, reduce(weight = 0.0, each IN looked |
        CASE WHEN ' ' + r.words + ' ' CONTAINS each.word THEN weight + each.rarity ELSE weight END) AS weight
    WITH r, weight / (1 + 1.2 * (0.25 + 0.75 * r.length / CASE WHEN usual > 1.0 THEN usual ELSE 1.0 END)) AS score,
         <shown> AS shown
    WHERE shown OR $p.hidden > 0
    {_RANKED}"""
"""BM25 (Robertson, Zaragoza 2009) with every term once a row, over the reader's own corpus; of the rarest
terms, as far as ``$p.looked_at`` rows of an owner, and never more than the parser takes (1,024).

The index ranks alike, but over the corpus of all tenants: each word is weighted by how much rarer it is in
the reader's, and of the ``$p.ranked`` best the scores are worked out exactly.
"""

_SIMILARITY = "vector.similarity.cosine(r.embedding, $p.vector)"
_SCORED = f"""
    WITH r, {_SIMILARITY} AS score, <shown> AS shown WHERE shown OR $p.hidden > 0
    {_RANKED}"""
_SCANNED = """
    UNWIND CASE WHEN t.dimension = size($p.vector) <and> THEN $p.owners ELSE [] END AS owner
    MATCH (r:<label> {tenant: $p.tenant, owner: owner})
    WHERE r.<time> IS NOT NULL AND r.embedding IS NOT NULL AND <passing>"""
_GIVEN = f"""
    WITH t
    UNWIND CASE WHEN t.dimension = size($p.vector) THEN $p.near ELSE [] END AS id
    MATCH (r:<label> {{tenant: $p.tenant, id: id}})
    WHERE r.owner IN $p.owners AND r.embedding IS NOT NULL AND <passing>
    {_SCORED}"""
_FROM_INDEX = """
    CALL db.index.vector.queryNodes('mnemic_<layer>_vector', $p.fetched, $p.vector) YIELD node AS r
    WHERE r.tenant = $p.tenant AND r.owner IN $p.owners"""
_FROM_FILTERED = """
    UNWIND $p.owners AS owner
    CALL (owner) {
        MATCH (r:<label>)
        SEARCH r IN (VECTOR INDEX mnemic_<layer>_vector_filtered FOR $p.vector
                     WHERE r.tenant = $p.tenant AND r.owner = owner LIMIT $p.fetched)
        RETURN r
    }"""
_IN_INDEX = {Search.INDEX: _FROM_INDEX, Search.FILTERED: _FROM_FILTERED}
_NEAREST = {
    Search.EXACT: _SCANNED.replace("<and>", "") + _SCORED,
    Search.GIVEN: _GIVEN,
    **{
        search: f"""
    WITH t, reduce(n = 0, book IN books | n + book.vectors) > $p.few AS many
    CALL (t, many) {{
        {_SCANNED.replace("<and>", "AND NOT many")}
        RETURN r
        UNION ALL
        UNWIND CASE WHEN t.dimension = size($p.vector) AND many THEN [1] ELSE [] END AS _
        {text}
        WITH r WHERE <passing>
        RETURN r
    }}
    {_SCORED}"""
        for search, text in _IN_INDEX.items()
    },
}

_TIME = """
    UNWIND CASE WHEN $p.timed THEN $p.owners ELSE [] END AS owner
    CALL (owner) {
        MATCH (r:<label> {tenant: $p.tenant, owner: owner})
        WHERE r.<time> >= $p.since AND r.<time> < $p.until AND <shown> AND <passing>
        RETURN r ORDER BY r.<time> DESC, r.id LIMIT $p.limit
    }
    WITH r ORDER BY r.<time> DESC, r.id LIMIT $p.limit
    RETURN r, 'time' AS channel, false AS unshown"""
_ENTITIES = """
    UNWIND seeds AS id
    MATCH (:Entity {tenant: $p.tenant, id: id})<-[:MENTIONS]-(r:Memory)
    WHERE r.owner IN $p.owners AND <shown> AND <passing>
    WITH DISTINCT r ORDER BY r.valid_from DESC, r.id LIMIT $p.limit
    RETURN r, 'entities' AS channel, false AS unshown"""
_SALIENT = """
    UNWIND CASE WHEN $p.salient THEN $p.owners ELSE [] END AS owner
    CALL (owner) {
        MATCH (r:Memory {tenant: $p.tenant, owner: owner})
        WHERE r.importance IS NOT NULL AND r.valid_from IS NOT NULL AND <shown> AND <passing>
        RETURN r ORDER BY r.importance DESC, r.valid_from DESC, r.id LIMIT $p.limit
    }
    WITH r ORDER BY r.importance DESC, r.valid_from DESC, r.id LIMIT $p.limit
    RETURN r, 'salient' AS channel, false AS unshown"""

_NEIGHBOURS = """
    CALL (nominated) {
        UNWIND nominated AS each
        RETURN each.r AS r, each.channels AS channels, each.unshown AS unshown
        UNION ALL
        UNWIND CASE WHEN $p.window > 0 THEN nominated ELSE [] END AS each
        WITH each.r AS n, each.unshown AS beyond WHERE NOT beyond
        CALL (n) {
            MATCH (r:Turn {tenant: $p.tenant, owner: n.owner, session: n.session})
            WHERE (r.position < n.position OR (r.position = n.position AND r.id < n.id))
            AND <shown> AND <passing>
            RETURN r ORDER BY r.position DESC, r.id DESC LIMIT $p.window
            UNION ALL
            MATCH (r:Turn {tenant: $p.tenant, owner: n.owner, session: n.session})
            WHERE (r.position > n.position OR (r.position = n.position AND r.id > n.id))
            AND <shown> AND <passing>
            RETURN r ORDER BY r.position, r.id LIMIT $p.window
        }
        RETURN r, ['neighbour'] AS channels, false AS unshown
    }
    WITH r, collect(channels) AS all, min(unshown) AS unshown
    WITH collect({r: r, channels: reduce(flat = [], each IN all | flat + each), unshown: unshown}) AS nominated"""

_NAMED = """
    CALL () {
        UNWIND $p.owners AS owner UNWIND $p.handles AS text
        MATCH (:Handle {tenant: $p.tenant, text: text, owner: owner})-[:NAMES]->(e:Entity)
        WITH DISTINCT e ORDER BY e.id
        RETURN collect({e: e, vague: e.kind = $p.vague,
                        handles: COLLECT { MATCH (h:Handle)-[:NAMES]->(e) RETURN h.text }}) AS names
    }
    WITH t, books, size, length, found, frequency, [one IN names WHERE NOT (one.vague
        AND any(other IN names WHERE other.vague AND other.e <> one.e AND all(own IN one.handles
            WHERE any(handle IN other.handles WHERE handle <> own AND handle CONTAINS own)))) | one.e] AS named
    WITH t, books, size, length, found, frequency, named,
         $p.entities + [e IN named WHERE NOT e.id IN $p.entities | e.id] AS seeds
    CALL (seeds) { <steps> RETURN levels, held, cut }"""

_CANDIDATES = """
    CALL (t, books, found, frequency, size, length, seeds) {
        CALL (t, books, found, frequency, size, length, seeds) { <channels> }
        WITH r, collect(DISTINCT channel) AS channels, min(unshown) AS unshown
        WITH collect({r: r, channels: channels, unshown: unshown}) AS nominated
        <neighbours>
        RETURN [each IN nominated | {r: each.r, channels: each.channels}] AS nominated
    }
    CALL (nominated, held) {
        WITH nominated, [each IN nominated | each.r.id] AS ids, held
        UNWIND held AS id
        WITH id, ids WHERE NOT id IN ids
        MATCH (r:Memory {tenant: $p.tenant, id: id})
        RETURN collect({r: r, channels: ['graph']}) AS walked
    }
    WITH t, books, frequency, named, levels, held, cut, nominated + walked AS all"""

_TOLD = {
    Layer.MEMORY: "WITH *, [] AS told, [each IN all | each.r] AS rows",
    Layer.TURN: """
    CALL (all) {
        UNWIND CASE WHEN $p.around THEN all ELSE [] END AS each
        WITH each.r AS n
        MATCH (n)<-[:FROM]-(m:Memory) WHERE m.owner IN $p.owners
        RETURN collect(DISTINCT m) AS told
    }
    WITH *, told AS rows""",
}
_AROUND = """
    CALL (rows) {
        CALL (rows) {
            UNWIND CASE WHEN $p.around THEN rows ELSE [] END AS m
            MATCH (m)-[r:REPLACES]-()
            RETURN r
            <chains>
        }
        WITH DISTINCT r, startNode(r) AS n, endNode(r) AS o
        WHERE n.owner IN $p.owners AND o.owner IN $p.owners
        WITH r, n, o ORDER BY r.at, n.id, o.id
        RETURN collect([n.id, o.id, r.at.epochMillis * 1000 + r.at.microsecond % 1000, r.reason, r.cue, r.score]) AS edges, collect(DISTINCT n) AS newer
    }
    WITH *, told + [n IN newer WHERE <adds> AND NOT n IN rows] AS beside
    CALL (rows, beside) {
        UNWIND CASE WHEN $p.around THEN rows + beside ELSE [] END AS m
        MATCH (m)-[:MENTIONS]->(e:Entity) WHERE e.owner IN $p.owners
        WITH DISTINCT e
        RETURN collect(e.row) AS entities
    }
    CALL () {
        MATCH (c:Change) WHERE $p.around AND c.tenant = $p.tenant AND c.last > $p.heard
        UNWIND range(0, size(c.ids) - 1) AS i
        WITH c, i WHERE c.kinds[i] = 'name' AND c.first + i > $p.heard
        RETURN collect(DISTINCT c.owners[i]) AS renamed
    }"""

_CHAINS = f"""UNION
            UNWIND CASE WHEN $p.around THEN rows ELSE [] END AS m
            MATCH (m) (()<-[steps:REPLACES WHERE NOT steps.reason IN $p.idle]-(o WHERE o.owner IN $p.owners)){{2,{CHAIN}}} ()
            UNWIND steps AS r
            RETURN r"""

_ANSWER = """
    CALL () {
        UNWIND $p.owners AS name
        MATCH (o:Owner {tenant: $p.tenant, name: name})
        RETURN collect(coalesce(o.version, 0)) AS now
    }
    RETURN t.embedder, t.dimension, books, now, frequency,
           [each IN all | [each.r.row, each.channels, each.r.summary_packed,
                           coalesce(each.r.detail_packed, each.r.summary_packed)]],
           [e IN named | e.row], [reached, held, cut],
           [edges, [m IN beside | m.row], entities, renamed, t.sequence]"""
"""The versions of the owners are read first and last: where they differ, somebody wrote in between."""


_CYPHER = "CYPHER 25\n"


def _fill(text: str, **parts: str) -> str:
    return re.sub(r"<([a-z]+)>", lambda found: parts.get(found[1], found[0]), text)


NEAREST = {
    (layer, search): _fill(
        (_CYPHER if search is Search.FILTERED else "") + text + " RETURN r.id",
        layer=layer.value,
        label=LABEL[layer],
    )
    for layer in Layer
    for search, text in _IN_INDEX.items()
}
"""What an index alone says: the ids of the nearest rows."""


@lru_cache(64)
def gathering(layer: Layer, search: Search, hops: int | None) -> str:
    """Return the statement that answers a probe of ``layer``, searching vectors so, walking so many hops."""
    nearest = _fill(_NEAREST[search] + _BEST, channel="vector")
    others = [_TIME, _ENTITIES, _SALIENT] if layer is Layer.MEMORY else [_TIME]
    channels = [_fill(_WORDS + _BEST, channel="words"), nearest, *others]
    parts = (_BOOKS, _NAMED, _CANDIDATES, _TOLD[layer], _AROUND, REACHED, _ANSWER)
    return _fill(
        _fill(
            (_CYPHER if search is Search.FILTERED else "") + "\n".join(parts),
            channels=" UNION ALL ".join(channels),
            neighbours=_NEIGHBOURS if layer is Layer.TURN else "",
            steps=steps(hops),
            chains=_CHAINS if layer is Layer.MEMORY else "",
            adds="true" if layer is Layer.MEMORY else "false",
        ),
        layer=layer.value,
        label=LABEL[layer],
        time=TIME[layer],
        shown=SHOWN[layer],
        passing=PASSING[layer],
    )
