"""Records beside the graph: kept, listed, leased and dropped on the server."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from mnemic.errors import NotFound
from mnemic.graph.encoding import moment_at, stored_instant
from mnemic.graph.neo4j.connection import Connection, Log, Run
from mnemic.graph.neo4j.queries import records as queries
from mnemic.graph.records import OPEN, Record, Which

_MILLION = 1_000_000
_NEXT = (queries.NEXT_OF_OLDEST, queries.NEXT)
_PROPERTIES = ("owner", "body", "lane", "state")


class Records:
    """The records of one tenant."""

    def __init__(self, connection: Connection, tenant: str) -> None:
        self._connection, self._tenant = connection, tenant

    def keep(self, record: Record, version: int) -> Record | None:
        """Write ``record`` over the one of this version, or as a new one; None where there is another."""
        due = _sent(record.due, "due")
        return self._connection.write(lambda run, log: self._keep(run, record, due, version))

    def kept(self, kind: str, which: Which, *, after: int | None, limit: int, newest: bool) -> list[Record]:
        """Return records in order of arrival."""
        wanted = {**self._filters(kind, which), "after": after, "limit": max(limit, 0)}
        return [_read(row) for row in self._connection.read(queries.RECORDS[_way(which), newest], wanted)]

    def count(self, kind: str, which: Which) -> int:
        """Count records."""
        ((count,),) = self._connection.read(queries.COUNT[_way(which)], self._filters(kind, which))
        return int(count)

    def take(self, kind: str, now: datetime, until: datetime) -> Record | None:
        """Lease the record that is to be taken next; where there is none, nobody is kept waiting."""
        wanted = {
            "tenant": self._tenant,
            "kind": kind,
            "now": now,
            "open": OPEN,
            "due": _sent(until, "until"),
        }
        if not any(self._connection.read(statement, wanted) for statement in _NEXT):
            return None
        return self._connection.write(lambda run, log: _take(run, wanted))

    def drop(self, kind: str, which: Which) -> int:
        """Remove records, and return how many there were."""
        wanted = self._filters(kind, which)

        def work(run: Run, log: Log) -> int:
            list(run(queries.LOCK_QUEUE, wanted))
            ((count,),) = run(queries.DROP[_way(which)], wanted)
            return int(count)

        return self._connection.write(work)

    def kinds(self) -> dict[str, int]:
        """Return how many records there are of each kind."""
        rows = self._connection.read(queries.KINDS, {"tenant": self._tenant})
        return {str(kind): int(count) for kind, count in rows}

    def _keep(self, run: Run, record: Record, due: list[int], version: int) -> Record | None:
        key = {"tenant": self._tenant, "kind": record.kind, "id": record.id}
        ((last, there, born),) = run(queries.LOCK, key)
        if (there or 0) != version:
            return None
        _require_turns(run, self._tenant, record.about)
        born = last + 1 if there is None else born
        properties = {name: getattr(record, name) for name in _PROPERTIES}
        properties |= {"version": version + 1, "born": born}
        run(queries.PUT, {**key, "properties": properties, "born": born, "due": due})
        if there is not None:
            run(queries.DROP_ABOUT, key)
        if record.about:
            run(queries.PUT_ABOUT, {**key, "turns": list(record.about)})
        ((*row,),) = run(queries.RECORD, key)
        return _read(row)

    def _filters(self, kind: str, which: Which) -> dict[str, Any]:
        given = {"owners": which.owners, "ids": which.ids, "states": which.states}
        listed = {name: None if each is None else sorted(each) for name, each in given.items()}
        fixed = {"tenant": self._tenant, "kind": kind, "open": OPEN}
        return {**listed, **fixed, "lane": which.lane, "before": which.before}


def drop_with(run: Run, tenant: str, owners: Sequence[str], turns: Sequence[str]) -> None:
    """Remove what ``owners`` have beside the graph, and what is about ``turns``; nobody writes any meanwhile."""
    if owners or turns:
        list(run(queries.LOCK_QUEUES, {"tenant": tenant}))
    if owners:
        run(queries.OF_OWNERS, {"tenant": tenant, "owners": list(owners)})
    if turns:
        run(queries.ABOUT, {"tenant": tenant, "turns": list(turns)})


def _require_turns(run: Run, tenant: str, turns: Sequence[str]) -> None:
    """Raise ``NotFound`` for a turn that is not there, before anything is written."""
    if turns:
        found = {id for (id,) in run(queries.TURNS_THERE, {"tenant": tenant, "turns": list(turns)})}
        for turn in turns:
            if turn not in found:
                raise NotFound("turn", turn)


def _take(run: Run, wanted: dict[str, Any]) -> Record | None:
    list(run(queries.LOCK_QUEUE, wanted))
    found = next((rows for statement in _NEXT if (rows := list(run(statement, wanted)))), None)
    if found is None:
        return None
    key = {**wanted, "id": found[0][0]}
    run(queries.LEASE, key)
    ((*row,),) = run(queries.RECORD, key)
    return _read(row)


def _sent(moment: datetime, field: str) -> list[int]:
    """Return a moment as it is sent: seconds and nanoseconds."""
    seconds, microseconds = divmod(stored_instant(moment, field), _MILLION)
    return [seconds, microseconds * 1000]


def _way(which: Which) -> str:
    """Return by which index the records are found."""
    if which.ids is not None:
        return "ids"
    if which.lane is not None:
        return "lane"
    if which.owners is not None:
        return "owners"
    return "kind" if which.states is None else "states"


def _read(row: Sequence[Any]) -> Record:
    kind, id, owner, body, lane, state, due, version, born, about = row
    return Record(
        kind=kind,
        id=id,
        owner=owner,
        body=body,
        lane=lane,
        state=state,
        due=moment_at(due),
        about=tuple(sorted(about)),
        version=version,
        born=born,
    )
