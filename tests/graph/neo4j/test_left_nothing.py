"""What is erased or dropped stands nowhere on the server any more: in no node, no edge, no log."""

import json
import re
from dataclasses import replace
from typing import Any

import pytest
from neo4j import GraphDatabase

from mnemic.graph.model import Layer, Name
from mnemic.graph.neo4j import Neo4jStore
from mnemic.graph.records import Record, Which
from tests.graph.builders import (
    delta,
    embedded,
    entity,
    memory,
    mentions,
    replaces,
    turn,
    uses,
    vector,
)
from tests.graph.neo4j.conftest import Open
from tests.servers.shared import Access

MARK = "zanzibar"
BOB = f"{MARK}-bob"
PROPERTIES = """
    MATCH (n {tenant: $tenant}) OPTIONAL MATCH (n)-[r]-()
    RETURN labels(n), properties(n), collect(properties(r))"""


def written(access: Access, store: Neo4jStore) -> str:
    """Return all that the tenant's nodes and edges hold, as text."""
    with GraphDatabase.driver(access.address, auth=(access.user, access.password)) as driver:
        rows: Any = driver.execute_query(PROPERTIES, {"tenant": store._tenant}).records
    return json.dumps([list(row) for row in rows], default=str, ensure_ascii=False)


def fill(store: Neo4jStore, owner: str) -> None:
    """Write rows of ``owner`` that say the mark in every text that a row has."""
    said: dict[str, Any] = {
        "text": f"to {MARK}",
        "summary": MARK,
        "terms": (MARK,),
        "session": MARK,
        "speaker": MARK,
    }
    said |= {"tags": (MARK,), "metadata": {MARK: MARK}}
    told = {name: said[name] for name in ("text", "terms", "session", "speaker", "metadata")}
    names = {"name": MARK, "key": f"place:{MARK}", "handles": (MARK,), "aliases": (MARK,)}
    store.apply(
        delta(
            *(entity(f"{owner}1", owner, **names, profile={"visits": (MARK,)}), entity(f"{owner}2", owner)),
            turn(f"{owner}3", 0, owner, **told),
            memory(
                f"{owner}4", 0, owner, **said, value=MARK, predicate="visits", subject=f"{owner}2",
                mentions=mentions(f"{owner}1"), episodes=(uses(f"{owner}2", f"{owner}1"),), sources=(f"{owner}3",),
            ),
            memory(f"{owner}5", 1, owner),
            replaces(f"{owner}5", f"{owner}4", reason=MARK, cue=MARK),
            *(embedded(f"{owner}4", vector(1)), embedded(f"{owner}3", vector(1), layer=Layer.TURN)),
            names=(Name(name=MARK, kind="place", aliases=(MARK,), owner=owner),),
        )
    )  # fmt: skip
    for number, about in enumerate(((), (f"{owner}3",))):
        whose = owner if not about else ""
        record = Record(kind="job", id=f"{number}", owner=whose, body=MARK, lane=MARK, about=about)
        assert store.keep(replace(record, id=f"{owner}{6 + number}"), version=0) is not None


@pytest.fixture
def store(opened: Open) -> Neo4jStore:
    """A store in which ada and another have said the mark."""
    return opened()


def test_rows_that_are_erased_leave_nothing(access: Access, store: Neo4jStore) -> None:
    fill(store, "ada")
    assert MARK in written(access, store)
    store.erase(memories=["ada4"], turns=["ada3"], entities=["ada1"])
    store.apply(delta(dropped_names=(("ada", MARK),)))
    store.drop("job", Which(owners=["ada"]))
    assert MARK not in written(access, store)


def test_an_owner_who_is_erased_leaves_nothing(access: Access, store: Neo4jStore) -> None:
    fill(store, BOB)
    fill(store, "ada")
    store.erase(memories=["ada4"], turns=["ada3"], entities=["ada1"])
    store.apply(delta(dropped_names=(("ada", MARK),)))
    store.drop("job", Which(owners=["ada"]))
    store.erase(owners=[BOB])
    left = written(access, store)
    assert MARK not in re.sub(rf'"{BOB}\d', "", left), "ids of rows stay in the log, and nothing else"


def test_what_a_row_said_before_it_was_written_anew_is_gone(access: Access, store: Neo4jStore) -> None:
    fill(store, "ada")
    store.apply(
        delta(
            *(entity("ada1"), turn("ada3"), memory("ada4"), replaces("ada5", "ada4")),
            dropped_names=(("ada", MARK),),
        )
    )
    for id in ("ada6", "ada7"):
        assert store.keep(Record(kind="job", id=id), version=1) is not None
    assert MARK not in written(access, store)
