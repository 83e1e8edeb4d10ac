"""What the database must have is made on start, checked, and carries a version."""

import json
from collections.abc import Mapping
from dataclasses import astuple
from functools import partial
from typing import Any

import pytest

from mnemic.errors import EmbedderMismatch, StoreCorrupt, StoreTooNew
from mnemic.graph.encoding import utc_offset
from mnemic.graph.model import Turn
from mnemic.graph.neo4j import migrations
from mnemic.graph.neo4j.connection import Log, Run
from mnemic.graph.neo4j.queries import schema
from mnemic.graph.store import Probe
from tests.graph.builders import DIMENSION, delta, embedded, entity, memory, nominated, vector, view
from tests.graph.neo4j.conftest import Open
from tests.graph.test_contract_writing import FULL_ENTITY, FULL_MEMORY, FULL_TURN


def test_all_that_must_be_there_is_there(opened: Open) -> None:
    store = opened()
    found = {name: state for name, state, *_ in store._connection.read(schema.SHOW_INDEXES, {})}
    for name in {**schema.CONSTRAINTS, **schema.INDEXES}:
        assert found[name] == "ONLINE"
    assert store.stats().schema == len(migrations.STEPS)


def test_a_newer_database_is_refused(opened: Open) -> None:
    store = opened()
    with pytest.raises(StoreTooNew, match="upgrade mnemic"):
        migrations.prepare(store._connection, "acme", steps=())


def test_a_newer_mnemic_takes_the_steps_that_are_missing(opened: Open) -> None:
    store, taken = opened(), []
    steps = (*migrations.STEPS, lambda connection: taken.append(connection))
    try:
        migrations.prepare(store._connection, "acme", steps=steps)
        migrations.prepare(store._connection, "acme", steps=steps)
    finally:
        store._connection.write(lambda run, log: run(schema.PUT_VERSION, {"version": len(migrations.STEPS)}))
    assert taken == [store._connection]


def test_a_log_of_the_first_version_loses_its_names(opened: Open) -> None:
    store = opened()
    tenant = store._tenant
    store._connection.write(lambda run, log: log.extend([("ada", "name", "Zeus"), ("ada", "memory", "m1")]))
    store._connection.write(lambda run, log: run(schema.PUT_VERSION, {"version": 1}))
    migrations.prepare(store._connection, tenant)
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
    store._connection.write(partial(_run, schema.PUT_VERSION, {"version": 2}))
    migrations.prepare(store._connection, store._tenant)

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
    store._connection.write(partial(_run, schema.PUT_VERSION, {"version": 3}))
    migrations.prepare(store._connection, store._tenant)
    (row,) = store._connection.read(
        "MATCH (r:Memory {tenant: $p.tenant}) RETURN r.embedding, keys(r)", {"tenant": store._tenant}
    )
    assert list(row[0]) == list(vector(1))
    assert not {"summary_embedding", "detail_embedding"} & set(row[1])
    assert nominated(store.gather(view(), Probe(vector=vector(1), limit=1)), "vector") == {"m1"}
