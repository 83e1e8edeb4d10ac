"""What the database must have is made on start, checked, and carries a version."""

import pytest

from mnemic.errors import EmbedderMismatch, StoreCorrupt, StoreTooNew
from mnemic.graph.neo4j import migrations
from mnemic.graph.neo4j.queries import schema
from tests.graph.builders import DIMENSION, delta, embedded, memory, vector
from tests.graph.neo4j.conftest import Open


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
