"""Records beside the graph: kept, listed, leased and dropped in the tenant's file."""

from datetime import datetime
from typing import Any

import apsw

from mnemic.errors import NotFound
from mnemic.graph.embedded import queries
from mnemic.graph.embedded.codec import AFTER_ALL, BEFORE_ALL
from mnemic.graph.embedded.filters import json_list
from mnemic.graph.embedded.select import first, select
from mnemic.graph.encoding import moment_at, optional_instant, read_strings, stored_instant
from mnemic.graph.records import Record, Which


def keep(db: apsw.Connection, record: Record, version: int) -> Record | None:
    """Write ``record`` over the one of this version, or as a new one; None where there is another."""
    values = {
        **{name: getattr(record, name) for name in ("kind", "id", "owner", "body", "lane", "state")},
        "due": stored_instant(record.due, "due"),
    }
    statement = queries.CHANGE_RECORD if version else queries.PUT_RECORD
    put = first(db, statement, {**values, "version": version} if version else values)
    if put is None:
        return None
    if version:
        db.execute(queries.DROP_ABOUT, (put[0],))
    for turn in record.about:
        if (found := first(db, queries.ROW_OF["turn"], (turn,))) is None:
            raise NotFound("turn", turn)
        db.execute(queries.PUT_ABOUT, (put[0], found[0]))
    return _one(db, put[0])


def kept(
    db: apsw.Connection, kind: str, which: Which, *, after: int | None, limit: int, newest: bool
) -> list[Record]:
    """Return records in order of arrival."""
    edge = after if after is not None else AFTER_ALL if newest else BEFORE_ALL
    page = {"after": edge, "limit": max(limit, 0)}
    rows = select(db, queries.RECORDS[_way(which), newest], {**_filters(kind, which), **page})
    return [_read(row) for row in rows]


def count(db: apsw.Connection, kind: str, which: Which) -> int:
    """Count records."""
    found: int = first(db, queries.COUNT_RECORDS[_way(which)], _filters(kind, which))[0]
    return found


def next_due(db: apsw.Connection, kind: str, now: datetime) -> int | None:
    """Return the row of the record that is to be taken next."""
    wanted = {"kind": kind, "now": stored_instant(now, "now")}
    found = first(db, queries.NEXT_OF_OLDEST, wanted) or first(db, queries.NEXT_RECORD, wanted)
    return found[0] if found is not None else None


def take(db: apsw.Connection, kind: str, now: datetime, until: datetime) -> Record | None:
    """Lease the record that is to be taken next."""
    if (row := next_due(db, kind, now)) is None:
        return None
    db.execute(queries.LEASE, (stored_instant(until, "until"), row))
    return _one(db, row)


def drop(db: apsw.Connection, kind: str, which: Which) -> int:
    """Remove records, and return how many there were."""
    return len(list(select(db, queries.DROP_RECORDS[_way(which)], _filters(kind, which))))


def _one(db: apsw.Connection, row: int) -> Record:
    return _read(first(db, queries.RECORD, (row,)))


def _way(which: Which) -> str:
    """Return by which index the records are found."""
    if which.ids is not None:
        return "ids"
    if which.lane is not None:
        return "lane"
    if which.owners is not None:
        return "owners"
    return "kind" if which.states is None else "states"


def _filters(kind: str, which: Which) -> dict[str, Any]:
    given = {"owners": which.owners, "ids": which.ids, "states": which.states}
    listed = {name: None if each is None else json_list(sorted(each)) for name, each in given.items()}
    return {
        **listed,
        "kind": kind,
        "lane": which.lane,
        "before": optional_instant(which.before, "before"),
    }


def _read(row: tuple[Any, ...]) -> Record:
    born, kind, id, owner, body, lane, state, due, version, about = row
    return Record(
        kind=kind,
        id=id,
        owner=owner,
        body=body,
        lane=lane,
        state=state,
        due=moment_at(due),
        about=tuple(sorted(read_strings(about))),
        version=version,
        born=born,
    )
