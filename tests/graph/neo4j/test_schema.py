"""What the database must have is made on start, checked, and carries a version."""

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import astuple
from functools import partial
from typing import Any, TypeVar, cast

import pytest

from mnemic.errors import EmbedderMismatch, StoreCorrupt, StoreTooNew
from mnemic.graph.encoding import utc_offset
from mnemic.graph.model import Turn
from mnemic.graph.neo4j import Neo4jStore, migrations
from mnemic.graph.neo4j.connection import Connection, Log, Run
from mnemic.graph.neo4j.queries import schema
from mnemic.graph.store import Probe
from tests.graph.builders import DIMENSION, delta, embedded, entity, memory, nominated, vector, view
from tests.graph.neo4j.conftest import Open
from tests.graph.test_contract_writing import FULL_ENTITY, FULL_MEMORY, FULL_TURN

T = TypeVar("T")


class Standing:
    """A connection to a database that has, for who asks here, a ``version`` of its own.

    The real one is everybody's on this server: a store that another test opens meanwhile must find it as it is.
    """

    def __init__(self, connection: Connection, version: int) -> None:
        self._connection, self.version = connection, version

    def read(self, statement: str, parameters: Mapping[str, Any]) -> Any:
        if statement == schema.VERSION:
            return [[self.version]]
        return self._connection.read(statement, parameters)

    def write(self, work: Callable[[Run, Log], T]) -> T:
        def inside(run: Run, log: Log) -> T:
            def noted(statement: str, parameters: Mapping[str, Any]) -> Iterable[Sequence[Any]]:
                if statement != schema.PUT_VERSION:
                    return run(statement, parameters)
                self.version = parameters["version"]
                return ()

            return work(noted, log)

        return self._connection.write(inside)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._connection, name)


def standing(store: Neo4jStore, version: int) -> Connection:
    return cast(Connection, Standing(store._connection, version))


def version_of(connection: Connection) -> int:
    ((version,),) = connection.read(schema.VERSION, {})
    return int(version)


def test_all_that_must_be_there_is_there(opened: Open) -> None:
    store = opened()
    found = {name: state for name, state, *_ in store._connection.read(schema.SHOW_INDEXES, {})}
    for name in {**schema.CONSTRAINTS, **schema.INDEXES}:
        assert found[name] == "ONLINE"
    assert store.stats().schema == version_of(store._connection) == len(migrations.STEPS)


def test_a_newer_database_is_refused(opened: Open) -> None:
    store = opened()
    with pytest.raises(StoreTooNew, match="upgrade mnemic"):
        migrations.prepare(store._connection, "acme", steps=())


def test_a_newer_mnemic_takes_the_steps_that_are_missing(opened: Open) -> None:
    store, taken = opened(), []
    steps = (*migrations.STEPS, lambda connection: taken.append(connection))
    connection = standing(store, len(migrations.STEPS))
    migrations.prepare(connection, "acme", steps=steps)
    migrations.prepare(connection, "acme", steps=steps)
    assert taken == [connection]
    assert version_of(connection) == len(steps)
    opened().close()  # the others' version is what it was


def test_a_log_of_the_first_version_loses_its_names(opened: Open) -> None:
    store = opened()
    store._connection.write(lambda run, log: log.extend([("ada", "name", "Zeus"), ("ada", "memory", "m1")]))
    migrations.prepare(standing(store, 1), store._tenant)
    assert [(each.kind, each.id) for each in store.changes()] == [("name", ""), ("memory", "m1")]


UNPACK: Mapping[str, Any] = {
    "Memory": (FULL_MEMORY, ("terms", "cues", "sources"), ("metadata",), ("mentions", "episodes")),
    "Turn": (FULL_TURN, ("terms",), ("metadata",), ()),
    "Entity": (FULL_ENTITY, ("handles",), ("profile",), ()),
}


def test_rows_of_the_second_version_are_packed(opened: Open) -> None:
    store = opened()
    store.apply(delta(FULL_TURN, FULL_ENTITY, entity("e2"), FULL_MEMORY))
    for label, (row, lists, maps, edges) in UNPACK.items():
        old: dict[str, object] = {name: list(getattr(row, name)) for name in lists}
        old |= {name: json.dumps(getattr(row, name)) for name in maps}
        old |= {name: json.dumps([astuple(each) for each in getattr(row, name)]) for name in edges}
        if isinstance(row, Turn):
            old["utc_offset"] = utc_offset(row.at)
        make_old = f"MATCH (r:{label} {{tenant: $p.tenant, id: $p.id}}) SET r += $p.old REMOVE r.row"
        given = {"tenant": store._tenant, "id": row.id, "old": old}
        store._connection.write(partial(_run, make_old, given))
    migrations.prepare(standing(store, 2), store._tenant)

    assert store.memories(view(), ids=[FULL_MEMORY.id]) == [FULL_MEMORY]
    assert store.turns(view(), ids=[FULL_TURN.id]) == [FULL_TURN]
    assert FULL_ENTITY in store.entities(view())


def _run(statement: str, parameters: dict[str, object], run: Run, log: Log) -> None:
    run(statement, parameters)


def test_an_index_that_is_missing_is_told_with_the_way_out(
    opened: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = opened()
    monkeypatch.setitem(schema.INDEXES, "mnemic_absent", "CREATE INDEX mnemic_absent FOR (n:X) ON (n.y)")
    with pytest.raises(StoreCorrupt, match="mnemic_absent is missing; drop it"):
        migrations.check(store._connection)


def test_an_index_on_something_else_is_told(opened: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    store = opened()
    monkeypatch.setitem(
        schema.INDEXES, "mnemic_change", "CREATE INDEX mnemic_change FOR (n:Change) ON (n.tenant)"
    )
    with pytest.raises(StoreCorrupt, match="mnemic_change is on"):
        migrations.check(store._connection)


def test_vectors_of_another_embedder_are_refused_with_the_way_out(opened: Open) -> None:
    store = opened()
    store.adopt("another", DIMENSION - 1)
    with pytest.raises(EmbedderMismatch, match="adopt the other"):
        store.apply(delta(memory("m1"), embedded("m1", vector(1))))


def test_rows_of_the_third_version_keep_the_vector_that_is_searched_by(opened: Open) -> None:
    store = opened()
    store.adopt("test", DIMENSION)
    store.apply(delta(memory("m1"), embedded("m1", vector(0, 1), vector(1))))
    two = "SET r.summary_embedding = r.embedding, r.detail_embedding = r.embedding REMOVE r.embedding"
    store._connection.write(
        partial(_run, f"MATCH (r:Memory {{tenant: $p.tenant}}) {two}", {"tenant": store._tenant})
    )
    migrations.prepare(standing(store, 3), store._tenant)
    (row,) = store._connection.read(
        "MATCH (r:Memory {tenant: $p.tenant}) RETURN r.embedding, keys(r)", {"tenant": store._tenant}
    )
    assert list(row[0]) == list(vector(1))
    assert not {"summary_embedding", "detail_embedding"} & set(row[1])
    assert nominated(store.gather(view(), Probe(vector=vector(1), limit=1)), "vector") == {"m1"}
