-- One tenant's property graph, version 1.
--
-- Times are microseconds since 1970 in UTC. JSON columns hold what is only ever read together with
-- its row; what is searched by has a table of its own. "row" is internal and never used twice.

CREATE TABLE meta (
  one INTEGER PRIMARY KEY CHECK (one = 1),
  tenant TEXT NOT NULL,
  embedder TEXT NOT NULL DEFAULT '',
  dimension INTEGER NOT NULL DEFAULT 0,
  filling INTEGER NOT NULL DEFAULT 0          -- counts the embedders: copies of older vectors are void
) STRICT;

CREATE TABLE owner (
  number INTEGER PRIMARY KEY AUTOINCREMENT,
  name TEXT NOT NULL UNIQUE
) STRICT;

CREATE TABLE entity (
  row INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL UNIQUE,
  owner INTEGER NOT NULL REFERENCES owner (number),
  key TEXT NOT NULL,
  name TEXT NOT NULL,
  kind TEXT NOT NULL,
  aliases TEXT NOT NULL,
  handles TEXT NOT NULL,
  profile TEXT NOT NULL,
  profile_updated_at INTEGER
) STRICT;
CREATE INDEX entity_by_key ON entity (key);

CREATE TABLE handle (
  handle TEXT NOT NULL,
  entity INTEGER NOT NULL REFERENCES entity (row) ON DELETE CASCADE,
  PRIMARY KEY (handle, entity)
) STRICT, WITHOUT ROWID;
CREATE INDEX handle_by_entity ON handle (entity);

CREATE TABLE turn (
  row INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL UNIQUE,
  owner INTEGER NOT NULL REFERENCES owner (number),
  session TEXT NOT NULL,
  position INTEGER NOT NULL,
  speaker TEXT NOT NULL,
  role TEXT NOT NULL,
  text TEXT NOT NULL,
  at INTEGER NOT NULL,
  utc_offset INTEGER NOT NULL,                -- of "at" as it was given, in microseconds
  recorded_at INTEGER NOT NULL,
  terms TEXT NOT NULL,                        -- encoded, see terms.py
  length INTEGER NOT NULL,                    -- how many terms
  metadata TEXT NOT NULL
) STRICT;
CREATE INDEX turn_by_session ON turn (owner, session, position, id);
CREATE INDEX turn_by_time ON turn (owner, at);

CREATE TABLE memory (
  row INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL UNIQUE,
  owner INTEGER NOT NULL REFERENCES owner (number),
  kind TEXT NOT NULL,
  text TEXT NOT NULL,
  summary TEXT NOT NULL,
  at INTEGER NOT NULL,
  recorded_at INTEGER NOT NULL,
  valid_from INTEGER NOT NULL,
  state TEXT NOT NULL,
  retired_at INTEGER,
  valid_to INTEGER,
  closed_at INTEGER,
  expires_at INTEGER,
  subject TEXT NOT NULL,
  predicate TEXT NOT NULL,
  object TEXT NOT NULL,
  value TEXT NOT NULL,
  modality TEXT NOT NULL,
  importance REAL NOT NULL,
  confidence REAL NOT NULL,
  pinned INTEGER NOT NULL,
  speaker TEXT NOT NULL,
  session TEXT NOT NULL,
  terms TEXT NOT NULL,
  length INTEGER NOT NULL,
  cues TEXT NOT NULL,
  tags TEXT NOT NULL,
  mentions TEXT NOT NULL,
  episodes TEXT NOT NULL,
  sources TEXT NOT NULL,
  metadata TEXT NOT NULL,
  access_count INTEGER NOT NULL,
  last_accessed_at INTEGER
) STRICT;
CREATE INDEX memory_by_time ON memory (owner, valid_from);
CREATE INDEX memory_by_importance ON memory (owner, importance, valid_from);
CREATE INDEX memory_by_slot ON memory (subject, predicate) WHERE subject <> '';

CREATE TABLE mention (
  memory INTEGER NOT NULL REFERENCES memory (row) ON DELETE CASCADE,
  entity INTEGER NOT NULL REFERENCES entity (row),
  valid_from INTEGER NOT NULL,                -- the memory's
  PRIMARY KEY (memory, entity)
) STRICT, WITHOUT ROWID;
CREATE INDEX mention_by_entity ON mention (entity, valid_from, memory);

CREATE TABLE degree (
  entity INTEGER PRIMARY KEY REFERENCES entity (row) ON DELETE CASCADE,
  memories INTEGER NOT NULL                   -- how many mention it
) STRICT;
CREATE TRIGGER mention_comes AFTER INSERT ON mention BEGIN
  INSERT INTO degree (entity, memories) VALUES (new.entity, 1)
    ON CONFLICT (entity) DO UPDATE SET memories = memories + 1;
END;
CREATE TRIGGER mention_goes AFTER DELETE ON mention BEGIN
  UPDATE degree SET memories = memories - 1 WHERE entity = old.entity;
END;

-- Each episode stands here once in either direction, so that a hop is one range of one index.
CREATE TABLE episode (
  memory INTEGER NOT NULL REFERENCES memory (row) ON DELETE CASCADE,
  entity INTEGER NOT NULL REFERENCES entity (row),
  other INTEGER NOT NULL,
  valid_from INTEGER NOT NULL,                -- the memory's
  PRIMARY KEY (memory, entity, other)
) STRICT, WITHOUT ROWID;
CREATE INDEX episode_by_entity ON episode (entity, valid_from, memory, other);

CREATE TABLE source (
  memory INTEGER NOT NULL REFERENCES memory (row) ON DELETE CASCADE,
  turn INTEGER NOT NULL REFERENCES turn (row),
  PRIMARY KEY (memory, turn)
) STRICT, WITHOUT ROWID;
CREATE INDEX source_by_turn ON source (turn, memory);

CREATE TABLE replaces (
  newer INTEGER NOT NULL REFERENCES memory (row) ON DELETE CASCADE,
  older INTEGER NOT NULL REFERENCES memory (row) ON DELETE CASCADE,
  at INTEGER NOT NULL,
  reason TEXT NOT NULL,
  cue TEXT NOT NULL,
  score REAL NOT NULL,
  features TEXT NOT NULL,
  PRIMARY KEY (newer, older)
) STRICT, WITHOUT ROWID;
CREATE INDEX replaces_by_older ON replaces (older, newer);

-- float16; detail is NULL where it equals summary.
CREATE TABLE memory_vector (
  row INTEGER PRIMARY KEY REFERENCES memory (row) ON DELETE CASCADE,
  summary BLOB NOT NULL,
  detail BLOB
) STRICT;
CREATE TABLE turn_vector (
  row INTEGER PRIMARY KEY REFERENCES turn (row) ON DELETE CASCADE,
  summary BLOB NOT NULL,
  detail BLOB
) STRICT;

-- The index only says which rows hold a term; ranking is done on top, per reader. "ascii" splits at
-- nothing but what terms.py keeps out of a term.
CREATE VIRTUAL TABLE memory_words USING fts5 (
  terms, content = 'memory', content_rowid = 'row', tokenize = 'ascii', detail = none, columnsize = 0
);
CREATE VIRTUAL TABLE turn_words USING fts5 (
  terms, content = 'turn', content_rowid = 'row', tokenize = 'ascii', detail = none, columnsize = 0
);
INSERT INTO memory_words (memory_words, rank) VALUES ('secure-delete', 1);
INSERT INTO turn_words (turn_words, rank) VALUES ('secure-delete', 1);
CREATE VIRTUAL TABLE memory_frequency USING fts5vocab ('memory_words', 'row');
CREATE VIRTUAL TABLE turn_frequency USING fts5vocab ('turn_words', 'row');

-- Running sums: rows, their terms, their vectors, and the sum of the detail vectors as float64
-- (sums of float16 numbers are exact in it, so that what is taken away leaves no error).
CREATE TABLE corpus (
  owner INTEGER NOT NULL REFERENCES owner (number),
  layer TEXT NOT NULL,
  rows INTEGER NOT NULL DEFAULT 0,
  terms INTEGER NOT NULL DEFAULT 0,
  vectors INTEGER NOT NULL DEFAULT 0,
  total BLOB,
  PRIMARY KEY (owner, layer)
) STRICT, WITHOUT ROWID;

CREATE TABLE name (
  owner TEXT NOT NULL,                        -- empty: the tenant's
  name TEXT NOT NULL,
  kind TEXT NOT NULL,
  aliases TEXT NOT NULL,
  PRIMARY KEY (owner, name)
) STRICT, WITHOUT ROWID;

CREATE TABLE change (
  sequence INTEGER PRIMARY KEY AUTOINCREMENT,
  owner INTEGER,
  kind TEXT NOT NULL,
  id TEXT NOT NULL,
  layer TEXT,                                 -- or "entity": the table of a row that is kept in memory
  row INTEGER,
  words INTEGER                               -- whether the row is found by other words than before
) STRICT;
