"""Every statement of the embedded store. Values are parameters, always; what varies is the layer's table.

Parameters that a filter needs: ``owners`` (numbers) and ``states``, both between commas, ``valid`` and
``known`` (microseconds), and of a probe ``kinds tags sessions speakers`` (JSON arrays, NULL where there
is no such filter).
"""

from mnemic.graph.embedded.codec import AFTER_ALL, BEFORE_ALL, ENTITY, MEMORY, TURN
from mnemic.graph.model import IDLE, Layer

# -- filters ------------------------------------------------------------------------------------------

_OWNED = "instr(:owners, ',' || r.owner || ',')"

_SHOWN = {
    # the meaning of View.shows
    Layer.MEMORY: """
        instr(:states, ',' || r.state || ',')
        AND r.recorded_at <= :known AND (r.retired_at IS NULL OR r.retired_at > :known)
        AND r.valid_from <= :valid
        AND (r.valid_to IS NULL OR r.valid_to > :valid OR r.closed_at > :known)
        AND (r.expires_at IS NULL OR r.expires_at > :valid)""",
    Layer.TURN: "r.at <= :valid",
}

_PASSING = {
    Layer.MEMORY: """
        (:kinds IS NULL OR r.kind IN (SELECT value FROM json_each(:kinds)))
        AND (:sessions IS NULL OR r.session IN (SELECT value FROM json_each(:sessions)))
        AND (:speakers IS NULL OR r.speaker IN (SELECT value FROM json_each(:speakers)))
        AND (:tags IS NULL OR EXISTS (
            SELECT 1 FROM json_each(r.tags) AS tag WHERE tag.value IN (SELECT value FROM json_each(:tags))))""",
    # a turn has neither kind nor tags
    Layer.TURN: """
        :kinds IS NULL AND :tags IS NULL
        AND (:sessions IS NULL OR r.session IN (SELECT value FROM json_each(:sessions)))
        AND (:speakers IS NULL OR r.speaker IN (SELECT value FROM json_each(:speakers)))""",
}

_TIME = {Layer.MEMORY: "valid_from", Layer.TURN: "at"}
_COLUMNS = {Layer.MEMORY: MEMORY, Layer.TURN: TURN}


def _list(columns: tuple[str, ...], alias: str) -> str:
    return ", ".join(f"{alias}.{column}" for column in columns)


def _upsert(table: str, columns: tuple[str, ...]) -> str:
    marks = ", ".join(f":{column}" for column in columns)
    changes = ", ".join(f"{column} = excluded.{column}" for column in columns[1:])
    return (
        f"INSERT INTO {table} ({', '.join(columns)}) VALUES ({marks}) "
        f"ON CONFLICT ({columns[0]}) DO UPDATE SET {changes} RETURNING row"
    )


# -- writing ------------------------------------------------------------------------------------------

PUT_OWNER = "INSERT INTO owner (name) VALUES (?) RETURNING number"
OWNER_NUMBER = "SELECT number FROM owner WHERE name = ?"
ALL_OWNERS = "SELECT number, name FROM owner"

PUT_ENTITY = _upsert("entity", ENTITY)
PUT_ROW = {layer: _upsert(layer.value, columns) for layer, columns in _COLUMNS.items()}
OLD_ENTITY = f"SELECT {_list(ENTITY, 'r')} FROM entity AS r WHERE r.id = ?"
OLD_ROW = {
    layer: f"SELECT r.row, {_list(columns, 'r')} FROM {layer.value} AS r WHERE r.id = ?"
    for layer, columns in _COLUMNS.items()
}
ROW_OF = {
    "entity": "SELECT row, owner FROM entity WHERE id = ?",
    "turn": "SELECT row, owner FROM turn WHERE id = ?",
    "memory": "SELECT row, owner FROM memory WHERE id = ?",
}

DROP_HANDLES = "DELETE FROM handle WHERE entity = ?"
PUT_HANDLE = "INSERT OR IGNORE INTO handle (handle, entity) VALUES (?, ?)"
DROP_MENTIONS = "DELETE FROM mention WHERE memory = ?"
PUT_MENTION = "INSERT OR IGNORE INTO mention (memory, entity, valid_from) VALUES (?, ?, ?)"
DROP_EPISODES = "DELETE FROM episode WHERE memory = ?"
PUT_EPISODE = "INSERT OR IGNORE INTO episode (memory, entity, other, valid_from) VALUES (?, ?, ?, ?)"
DROP_SOURCES = "DELETE FROM source WHERE memory = ?"
PUT_SOURCE = "INSERT OR IGNORE INTO source (memory, turn) VALUES (?, ?)"

PUT_WORDS = {layer: f"INSERT INTO {layer.value}_words (rowid, terms) VALUES (?, ?)" for layer in Layer}
DROP_WORDS = {
    layer: f"INSERT INTO {layer.value}_words ({layer.value}_words, rowid, terms) VALUES ('delete', ?, ?)"
    for layer in Layer
}
REBUILD_WORDS = {
    layer: f"INSERT INTO {layer.value}_words ({layer.value}_words) VALUES ('rebuild')" for layer in Layer
}

PUT_REPLACES = """
    INSERT INTO replaces (newer, older, at, reason, cue, score, features) VALUES (?, ?, ?, ?, ?, ?, ?)
    ON CONFLICT (newer, older) DO UPDATE SET at = excluded.at, reason = excluded.reason,
        cue = excluded.cue, score = excluded.score, features = excluded.features"""
OLD_REPLACES = "SELECT at, reason, cue, score, features FROM replaces WHERE newer = ? AND older = ?"
DROP_REPLACES = """
    DELETE FROM replaces
    WHERE newer = (SELECT row FROM memory WHERE id = ?) AND older = (SELECT row FROM memory WHERE id = ?)
    RETURNING newer, (SELECT owner FROM memory WHERE row = newer)"""

PUT_VECTOR = {
    layer: f"""
        INSERT INTO {layer.value}_vector (row, summary, detail) VALUES (?, ?, ?)
        ON CONFLICT (row) DO UPDATE SET summary = excluded.summary, detail = excluded.detail"""
    for layer in Layer
}
OLD_VECTOR = {layer: f"SELECT summary, detail FROM {layer.value}_vector WHERE row = ?" for layer in Layer}
DROP_VECTORS = {layer: f"DELETE FROM {layer.value}_vector" for layer in Layer}

COUNT = """
    INSERT INTO corpus (owner, layer, rows, terms, vectors) VALUES (?, ?, ?, ?, ?)
    ON CONFLICT (owner, layer) DO UPDATE SET rows = rows + excluded.rows, terms = terms + excluded.terms,
        vectors = vectors + excluded.vectors"""
TOTAL = "SELECT total FROM corpus WHERE owner = ? AND layer = ?"
PUT_TOTAL = "UPDATE corpus SET total = ? WHERE owner = ? AND layer = ?"
DROP_TOTALS = "UPDATE corpus SET vectors = 0, total = NULL"

OLD_NAME = "SELECT kind, aliases FROM name WHERE owner = ? AND name = ?"
PUT_NAME = """
    INSERT INTO name (owner, name, kind, aliases) VALUES (?, ?, ?, ?)
    ON CONFLICT (owner, name) DO UPDATE SET kind = excluded.kind, aliases = excluded.aliases"""
DROP_NAME = "DELETE FROM name WHERE owner = ? AND name = ? RETURNING name"
DROP_NAMES = "DELETE FROM name WHERE owner = ?"

LOG = "INSERT INTO change (owner, kind, id, layer, row, words) VALUES (?, ?, ?, ?, ?, ?)"
BLANK_LOG = "UPDATE change SET id = '' WHERE owner = ?"
"""The log outlives an owner, whose name the ids of turns hold."""
SHORTEN_LOG = "DELETE FROM change WHERE sequence <= (SELECT max(sequence) FROM change) - ?"

EMBEDDER = "SELECT embedder, dimension FROM meta"
ADOPT = "UPDATE meta SET embedder = ?, dimension = ?, filling = filling + 1"

# -- erasing ------------------------------------------------------------------------------------------

OF_OWNER = {
    "entity": "SELECT id, row FROM entity WHERE owner = ?",
    "turn": "SELECT id, row FROM turn WHERE owner = ?",
    "memory": "SELECT id, row FROM memory WHERE owner = ?",
}
DOOMED_ROW = {
    layer: f"""
        SELECT r.terms, r.length, ifnull(v.detail, v.summary)
        FROM {layer.value} AS r LEFT JOIN {layer.value}_vector AS v ON v.row = r.row WHERE r.row = ?"""
    for layer in Layer
}
DROP_ROW = {layer: f"DELETE FROM {layer.value} WHERE row = ?" for layer in Layer}
DROP_ENTITY = "DELETE FROM entity WHERE row = ?"
DROP_CORPUS = "DELETE FROM corpus WHERE owner = ?"
DROP_OWNER = "DELETE FROM owner WHERE number = ?"
MEMORIES_OF_TURN = "SELECT m.id FROM source AS s JOIN memory AS m ON m.row = s.memory WHERE s.turn = ?"
MEMORIES_OF_ENTITY = """
    SELECT m.id FROM memory AS m WHERE m.row IN (
        SELECT memory FROM mention WHERE entity = :entity UNION SELECT memory FROM episode WHERE entity = :entity)"""
SEPARATORS = {layer: f"SELECT term FROM {layer.value}_words_idx" for layer in Layer}
TOKENS_FROM = {
    layer: f"SELECT term FROM {layer.value}_frequency WHERE term >= ? AND term < ?" for layer in Layer
}

# -- what is kept in memory ---------------------------------------------------------------------------------------

LOG_ENDS = (
    "SELECT (SELECT ifnull(max(sequence), 0) FROM change), (SELECT ifnull(min(sequence), 0) FROM change)"
)
LOG_STATE = f"{LOG_ENDS}, filling, dimension FROM meta"
CHANGED_ROWS = "SELECT row, max(words) FROM change WHERE sequence > ? AND layer = ? GROUP BY row"
EMBEDDED = "SELECT ifnull(sum(vectors), 0) FROM corpus WHERE layer = ?"
TOTALS = "SELECT total, vectors FROM corpus WHERE layer = ? AND vectors > 0"

_MIRROR = {
    Layer.MEMORY: f"""
        SELECT r.row, r.owner, r.recorded_at, ifnull(r.retired_at, {AFTER_ALL}), r.valid_from,
            ifnull(r.valid_to, {AFTER_ALL}), ifnull(r.closed_at, {BEFORE_ALL}), ifnull(r.expires_at, {AFTER_ALL}),
            r.length, r.state, r.kind, r.session, r.speaker, r.tags, ifnull(v.detail, v.summary), {{terms}}
        FROM memory AS r LEFT JOIN memory_vector AS v ON v.row = r.row""",
    Layer.TURN: f"""
        SELECT r.row, r.owner, r.recorded_at, {AFTER_ALL}, r.at,
            {AFTER_ALL}, {BEFORE_ALL}, {AFTER_ALL},
            r.length, NULL, NULL, r.session, r.speaker, NULL, ifnull(v.detail, v.summary), {{terms}}
        FROM turn AS r LEFT JOIN turn_vector AS v ON v.row = r.row""",
}
MIRROR_AFTER = {
    layer: f"{sql.format(terms='NULL')} WHERE r.row > ? ORDER BY r.row LIMIT ?"
    for layer, sql in _MIRROR.items()
}
MIRROR_ROWS = {
    layer: f"{sql.format(terms='r.terms')} WHERE r.row IN carray(?)" for layer, sql in _MIRROR.items()
}

# -- recall -------------------------------------------------------------------------------------------

CORPUS = "SELECT rows, terms, vectors, total FROM corpus WHERE owner = ? AND layer = ?"
ROWS_WITH_TERM = {
    layer: f"SELECT group_concat(rowid) FROM {layer.value}_words WHERE {layer.value}_words MATCH ?"
    for layer in Layer
}
BY_ID = {
    layer: f"SELECT row FROM {layer.value} WHERE row IN carray(?) ORDER BY id LIMIT ?" for layer in Layer
}
VECTORS_AT = {
    layer: f"SELECT row, summary, ifnull(detail, summary) FROM {layer.value}_vector WHERE row IN carray(?)"
    for layer in Layer
}

LATEST = {
    layer: f"""
        SELECT r.row, r.{_TIME[layer]}, r.id FROM {layer.value} AS r
        WHERE r.owner = :owner AND r.{_TIME[layer]} >= :since AND r.{_TIME[layer]} < :until
        AND (:hidden OR ({_SHOWN[layer]})) AND {_PASSING[layer]}
        ORDER BY r.{_TIME[layer]} DESC, r.id LIMIT :limit"""
    for layer in Layer
}
MENTIONING = f"""
    SELECT r.row, r.valid_from, r.id FROM mention AS m CROSS JOIN memory AS r ON r.row = m.memory
    WHERE m.entity = (SELECT row FROM entity WHERE id = :entity) AND m.valid_from >= :since AND m.valid_from < :until
    AND {_OWNED} AND (:hidden OR ({_SHOWN[Layer.MEMORY]})) AND {_PASSING[Layer.MEMORY]}
    ORDER BY m.valid_from DESC, r.id LIMIT :limit"""
SALIENT = f"""
    SELECT r.row, r.importance, r.valid_from, r.id FROM memory AS r INDEXED BY memory_by_importance
    WHERE r.owner = :owner AND {_SHOWN[Layer.MEMORY]} AND {_PASSING[Layer.MEMORY]}
    ORDER BY r.importance DESC, r.valid_from DESC, r.id LIMIT :limit"""


def _beside(relation: str, order: str) -> str:
    return f"""
        SELECT near.row FROM carray(:rows) AS given CROSS JOIN turn AS n ON n.row = given.value
            CROSS JOIN turn AS near ON near.row IN (
                SELECT r.row FROM turn AS r WHERE r.owner = n.owner AND r.session = n.session
                AND (r.position, r.id) {relation} (n.position, n.id)
                AND {_SHOWN[Layer.TURN]} AND {_PASSING[Layer.TURN]}
                ORDER BY r.position {order}, r.id {order} LIMIT :window)"""


BEFORE = _beside("<", "DESC")
AFTER = _beside(">", "ASC")

# -- expansion ----------------------------------------------------------------------------------------

SEEDS = f"SELECT r.row FROM entity AS r WHERE r.id = :id AND {_OWNED}"
HOPS = f"""
    SELECT r.row, r.valid_from, r.id, e.other
    FROM episode AS e CROSS JOIN memory AS r ON r.row = e.memory CROSS JOIN entity AS o ON o.row = e.other
    WHERE e.entity = :entity AND {_OWNED} AND {_SHOWN[Layer.MEMORY]}
    AND instr(:owners, ',' || o.owner || ',')
    ORDER BY e.valid_from DESC, r.id, e.other LIMIT :page OFFSET :start"""
SIBLINGS = """
    SELECT s.row FROM entity AS e CROSS JOIN entity AS s ON s.key = e.key
    WHERE e.row = :entity AND s.row <> e.row AND instr(:owners, ',' || s.owner || ',')
    ORDER BY s.row"""
MENTIONS = f"""
    SELECT r.row, r.valid_from, r.id, NULL FROM mention AS m CROSS JOIN memory AS r ON r.row = m.memory
    WHERE m.entity = :entity AND {_OWNED} AND {_SHOWN[Layer.MEMORY]}
    ORDER BY m.valid_from DESC, r.id LIMIT :page OFFSET :start"""
DEGREES = "SELECT entity, memories FROM degree WHERE entity IN carray(?)"

# -- look-ups -----------------------------------------------------------------------------------------

ROWS = {
    table: f"SELECT r.row, {_list(columns, 'r')} FROM {table} AS r WHERE r.row IN carray(?)"
    for table, columns in (("entity", ENTITY), ("turn", TURN), ("memory", MEMORY))
}
ALL_ENTITIES = f"SELECT r.row FROM entity AS r WHERE {_OWNED}"
ENTITIES_BY = {
    "ids": "SELECT row FROM entity WHERE id IN (SELECT value FROM json_each(?))",
    "keys": "SELECT row FROM entity WHERE key IN (SELECT value FROM json_each(?))",
    "handles": "SELECT entity FROM handle WHERE handle IN (SELECT value FROM json_each(?))",
}
MEMORIES_BY = {
    "ids": "SELECT row FROM memory WHERE id IN (SELECT value FROM json_each(?))",
    "turns": """
        SELECT s.memory FROM source AS s JOIN turn AS t ON t.row = s.turn
        WHERE t.id IN (SELECT value FROM json_each(?))""",
}
TURNS_BY_ID = "SELECT row FROM turn WHERE id IN (SELECT value FROM json_each(?))"
SESSION_TURNS = """
    SELECT row FROM turn WHERE owner = :owner AND session = :session
    ORDER BY position DESC, id DESC LIMIT :last"""
SLOTS_OF = "SELECT row FROM memory WHERE subject = ? AND subject <> ''"
SLOT = f"{SLOTS_OF} AND predicate = ?"
_TOUCHING = """
    SELECT n.id AS newer, o.id AS older, e.at, e.reason, e.cue, e.score{features}
    FROM memory AS m CROSS JOIN replaces AS e ON {end} = m.row
        CROSS JOIN memory AS n ON n.row = e.newer CROSS JOIN memory AS o ON o.row = e.older
    WHERE m.id IN (SELECT value FROM json_each(:ids))
    AND instr(:owners, ',' || n.owner || ',') AND instr(:owners, ',' || o.owner || ',')"""
_EDGES = f"""
    {_TOUCHING.format(end="e.newer", features="{features}")} UNION {_TOUCHING.format(end="e.older", features="{features}")}
    ORDER BY e.at, newer, older"""
EDGES = _EDGES.format(features="")
OVERRULING = f"{_TOUCHING.format(end='e.older', features='')} AND e.reason NOT IN {IDLE}"
REPLACEMENTS = _EDGES.format(features=", e.features")
NAMES = """
    SELECT name, kind, aliases, owner FROM name WHERE owner IN (SELECT value FROM json_each(?))
    ORDER BY name, owner"""

# -- upkeep -------------------------------------------------------------------------------------------

SCAN = {
    layer: f"""
        SELECT {_list(columns, "r")} FROM {layer.value} AS r
        WHERE r.id > :after AND {_OWNED}
        AND NOT (:unembedded AND EXISTS (SELECT 1 FROM {layer.value}_vector AS v WHERE v.row = r.row))
        ORDER BY r.id LIMIT :limit"""
    for layer, columns in _COLUMNS.items()
}
VECTORS = {
    layer: f"""
        SELECT r.id, v.summary, v.detail FROM {layer.value} AS r JOIN {layer.value}_vector AS v ON v.row = r.row
        WHERE r.id IN (SELECT value FROM json_each(?)) ORDER BY r.id"""
    for layer in Layer
}
CHANGES = """
    SELECT c.sequence, ifnull(o.name, ''), c.kind, c.id
    FROM change AS c LEFT JOIN owner AS o ON o.number = c.owner
    WHERE c.sequence > ? ORDER BY c.sequence LIMIT ?"""
RENAMED = """
    SELECT DISTINCT ifnull(o.name, '') FROM change AS c LEFT JOIN owner AS o ON o.number = c.owner
    WHERE c.sequence > ? AND c.kind = 'name'"""
STATS = """
    SELECT (SELECT count(*) FROM turn), (SELECT count(*) FROM memory), (SELECT count(*) FROM entity),
        (SELECT count(*) FROM replaces),
        (SELECT count(*) FROM memory_vector) + (SELECT count(*) FROM turn_vector),
        (SELECT count(*) FROM name), embedder, dimension
    FROM meta"""
OWNER_NAMES = "SELECT name FROM owner ORDER BY name"

# -- records ------------------------------------------------------------------------------------------

_RECORD = """
    r.row, r.kind, r.id, r.owner, r.body, r.lane, r.state, r.due, r.version,
    (SELECT json_group_array(t.id) FROM record_about AS a JOIN turn AS t ON t.row = a.turn WHERE a.record = r.row)"""
_RECORDS_BY = {
    way: f"record AS r INDEXED BY record_by_{way.removesuffix('s')} WHERE {found}"
    for way, found in {
        "ids": "r.kind = :kind AND r.id IN (SELECT value FROM json_each(:ids))",
        "lane": "r.kind = :kind AND r.lane = :lane AND r.state = 'open'",
        "owners": "r.owner IN (SELECT value FROM json_each(:owners)) AND r.kind = :kind",
        "states": "r.kind = :kind AND r.state IN (SELECT value FROM json_each(:states))",
        "kind": "r.kind = :kind",
    }.items()
}
"""By which index they are found; left to itself SQLite would go through all of a kind."""
_WHICH = """
    AND (:owners IS NULL OR r.owner IN (SELECT value FROM json_each(:owners)))
    AND (:ids IS NULL OR r.id IN (SELECT value FROM json_each(:ids)))
    AND (:states IS NULL OR r.state IN (SELECT value FROM json_each(:states)))
    AND (:lane IS NULL OR (r.lane = :lane AND r.state = 'open'))
    AND (:before IS NULL OR r.due < :before)"""

PUT_RECORD = """
    INSERT INTO record (kind, id, owner, body, lane, state, due, version)
    VALUES (:kind, :id, :owner, :body, :lane, :state, :due, 1)
    ON CONFLICT (kind, id) DO NOTHING RETURNING row"""
CHANGE_RECORD = """
    UPDATE record SET owner = :owner, body = :body, lane = :lane, state = :state, due = :due, version = version + 1
    WHERE kind = :kind AND id = :id AND version = :version RETURNING row"""
DROP_ABOUT = "DELETE FROM record_about WHERE record = ?"
PUT_ABOUT = "INSERT OR IGNORE INTO record_about (record, turn) VALUES (?, ?)"
RECORD = f"SELECT {_RECORD} FROM record AS r WHERE r.row = ?"
RECORDS = {
    (way, newest): f"""
        SELECT {_RECORD} FROM {found} {_WHICH} AND r.row {"<" if newest else ">"} :after
        ORDER BY r.row {"DESC" if newest else "ASC"} LIMIT :limit"""
    for way, found in _RECORDS_BY.items()
    for newest in (False, True)
}
COUNT_RECORDS = {way: f"SELECT count(*) FROM {found} {_WHICH}" for way, found in _RECORDS_BY.items()}
DROP_RECORDS = {way: f"DELETE FROM {found} {_WHICH} RETURNING row" for way, found in _RECORDS_BY.items()}
OLDEST = 64
NEXT_OF_OLDEST = f"""
    SELECT r.row FROM (
        SELECT row, lane, due FROM record WHERE kind = :kind AND state = 'open' ORDER BY row LIMIT {OLDEST}) AS r
    WHERE r.due <= :now AND (r.lane = '' OR NOT EXISTS (
        SELECT 1 FROM record AS o WHERE o.kind = :kind AND o.lane = r.lane AND o.state = 'open' AND o.row < r.row))
    ORDER BY r.row LIMIT 1"""
"""It mostly is among the oldest; where all of these wait or are taken, ``NEXT_RECORD`` looks at every lane."""
NEXT_RECORD = """
    SELECT row FROM (
        SELECT min(row) AS row, due FROM record
        WHERE kind = :kind AND state = 'open' AND lane <> '' GROUP BY lane
        UNION ALL
        SELECT row, due FROM record WHERE kind = :kind AND state = 'open' AND lane = '')
    WHERE due <= :now ORDER BY row LIMIT 1"""
"""Of each lane the oldest open one alone may be taken; beside ``min`` SQLite gives the other columns of that row."""
LEASE = "UPDATE record SET due = ?, version = version + 1 WHERE row = ?"
RECORDS_OF_OWNER = "DELETE FROM record WHERE owner = ? RETURNING row"
RECORDS_ABOUT = (
    "DELETE FROM record WHERE row IN (SELECT record FROM record_about WHERE turn = ?) RETURNING row"
)
RECORD_KINDS = "SELECT kind, count(*) FROM record GROUP BY kind ORDER BY kind"
