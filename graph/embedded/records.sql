-- Version 3: what a service keeps beside the graph. "row" is the order of arrival, never used twice.

CREATE TABLE record (
  row INTEGER PRIMARY KEY AUTOINCREMENT,
  kind TEXT NOT NULL,
  id TEXT NOT NULL,
  owner TEXT NOT NULL,                        -- empty: the tenant's; need not own anything in the graph
  body TEXT NOT NULL,
  lane TEXT NOT NULL,
  state TEXT NOT NULL,
  due INTEGER NOT NULL,
  version INTEGER NOT NULL
) STRICT;
CREATE UNIQUE INDEX record_by_id ON record (kind, id);
CREATE INDEX record_by_kind ON record (kind);
CREATE INDEX record_by_owner ON record (owner, kind);
CREATE INDEX record_by_state ON record (kind, state);
CREATE INDEX record_by_lane ON record (kind, lane, row, due) WHERE state = 'open';

CREATE TABLE record_about (
  record INTEGER NOT NULL REFERENCES record (row) ON DELETE CASCADE,
  turn INTEGER NOT NULL REFERENCES turn (row),
  PRIMARY KEY (record, turn)
) STRICT, WITHOUT ROWID;
CREATE INDEX record_about_turn ON record_about (turn, record);
