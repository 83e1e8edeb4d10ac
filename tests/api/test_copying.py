"""Moving between stores: what comes back is what was there, whatever lies in between."""

import gzip
import json
import random
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from itertools import islice, product
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from typer.testing import Result

from mnemic.api.copying import backup, content, copy, restore
from mnemic.errors import InvalidInput, MnemicError, StoreBusy, StoreError
from mnemic.graph.embedded import EmbeddedStore
from mnemic.graph.model import Layer, Name, Turn
from mnemic.graph.neo4j import Neo4jStore
from mnemic.graph.portable import Row, read_row, write_row
from mnemic.graph.records import Record, Which
from mnemic.graph.store import Stats, Store
from tests.graph.builders import (
    DIMENSION,
    EMBEDDER,
    day,
    delta,
    embedded,
    entity,
    memory,
    replaces,
    turn,
    vector,
)
from tests.graph.test_contract_writing import FULL_ENTITY, FULL_MEMORY, FULL_TURN
from tests.servers.shared import SERVERS, Access

ROWS = 1100
"""More than two batches."""


def small() -> EmbeddedStore:
    """Return a store with one of everything, of several owners, in every state of completeness."""
    store = EmbeddedStore.open(":memory:", tenant="acme")
    store.adopt(EMBEDDER, DIMENSION)
    store.apply(
        delta(
            *(
                FULL_TURN,
                FULL_ENTITY,
                entity("e2"),
                FULL_MEMORY,
                memory("m2", owner="team"),
                replaces("m2", "m1"),
            ),
            *(embedded("m1", vector(1, 2), vector(2, 1)), embedded("m2", vector(1))),
            embedded("t1", vector(0, 1), layer=Layer.TURN),
            *(turn("t2", owner="bob"), memory("m3", owner="bob")),
            names=(Name(name="Atlas", kind="project"), Name(name="Zeus", kind="person", owner="bob")),
        )
    )
    store.keep(Record(kind="key", id="k1", body='{"a": "钥匙"}'), version=0)
    for number in range(3):
        job = Record(
            kind="job", id=f"j{number}", owner="zoe", lane="l", about=("t1",) * (number == 1), due=day(2)
        )
        store.keep(job, version=0)
    store.keep(Record(kind="job", id="j0", owner="zoe", lane="l", body="2"), version=1)
    return store


def large() -> EmbeddedStore:
    store = small()
    store.apply(delta(*(memory(f"n{number:04}", number % 50) for number in range(ROWS))))
    return store


def empty() -> EmbeddedStore:
    return EmbeddedStore.open(":memory:", tenant="acme")


def test_rows_survive_being_written_as_lines() -> None:
    rows: list[Row] = [FULL_TURN, FULL_ENTITY, FULL_MEMORY, replaces("m2", "m1", features={"near": 0.5})]
    rows += [Name(name="Atlas", kind="project", aliases=("地图",)), memory("m1"), entity("e1")]
    for row in rows:
        back = read_row(write_row(row))
        assert back == row
        if isinstance(row, Turn):
            assert isinstance(back, Turn)
            assert back.at.utcoffset() == row.at.utcoffset()


def test_what_is_kept_beside_the_graph_comes_along_in_its_order() -> None:
    with small() as source, empty() as target:
        list(copy(source, target))
        assert target.stats().records == {"job": 3, "key": 1}
        for kind in ("job", "key"):
            moved, old = (store.kept(kind, Which(owners=None)) for store in (target, source))
            assert [replace(row, version=1, born=0) for row in moved] == [
                replace(row, version=1, born=0) for row in old
            ]
        before = content(target).hash
        list(copy(source, target))
        assert content(target).hash == before
        target.erase(turns=["t1"])
        assert target.stats().records == {"job": 2, "key": 1}


def test_a_store_of_records_alone_is_something(tmp_path: Path) -> None:
    with empty() as source, empty() as target:
        source.keep(Record(kind="job", id="j", owner="ada"), version=0)
        list(backup(source, tmp_path / "a.gz"))
        list(restore(tmp_path / "a.gz", target))
        assert target.stats().records == {"job": 1}


def test_a_copy_holds_the_same() -> None:
    with large() as source, empty() as target:
        steps = list(copy(source, target))
        assert steps[-1][0] == steps[-1][1] == content(source).count
        assert content(target).hash == content(source).hash


def test_a_copy_that_was_stopped_goes_on() -> None:
    with large() as source, empty() as target:
        list(islice(copy(source, target), 2))
        assert 0 < target.stats().memories < source.stats().memories
        list(copy(source, target))
        assert content(target).hash == content(source).hash


def test_a_target_that_holds_something_else_is_told() -> None:
    with small() as source, empty() as target:
        target.apply(delta(memory("foreign")))
        with pytest.raises(StoreError, match="empty"):
            list(copy(source, target))


def test_an_empty_source_is_told(tmp_path: Path) -> None:
    with empty() as source, empty() as target:
        with pytest.raises(InvalidInput, match="holds nothing"):
            list(copy(source, target))
        with pytest.raises(InvalidInput, match="holds nothing"):
            list(backup(source, tmp_path / "acme.gz"))
    assert not list(tmp_path.iterdir())


def test_each_store_is_counted_once_before_the_copy_and_once_after(monkeypatch: pytest.MonkeyPatch) -> None:
    with small() as source, empty() as target:
        counted: list[Store] = []
        count = EmbeddedStore.stats

        def stats(store: EmbeddedStore) -> Stats:
            counted.append(store)
            return count(store)

        monkeypatch.setattr(EmbeddedStore, "stats", stats)
        list(copy(source, target))
    assert [counted.count(store) for store in (source, target)] == [2, 2]


def test_an_archive_brings_everything_back(tmp_path: Path) -> None:
    file = tmp_path / "acme.jsonl.gz"
    with large() as source, empty() as target:
        list(backup(source, file))
        list(restore(file, target))
        assert content(target).hash == content(source).hash
        assert [path.name for path in tmp_path.iterdir()] == ["acme.jsonl.gz"]


WRITES: dict[str, Callable[[Store], object]] = {
    "a new memory": lambda store: store.apply(delta(memory("late"))),
    "a memory that was changed": lambda store: store.apply(delta(memory("m3", 5, owner="bob"))),
    "a new edge": lambda store: store.apply(delta(replaces("n0002", "n0001"))),
    "a new name": lambda store: store.apply(delta(names=(Name(name="Hermes", kind="project"),))),
    "a vector": lambda store: store.apply(delta(embedded("m3", vector(1)))),
    "erased": lambda store: store.erase(owners=["bob"]),
    "another embedder": lambda store: store.adopt("another", DIMENSION + 1),
}


@pytest.mark.parametrize("write", WRITES)
def test_a_store_that_is_written_to_makes_no_archive(tmp_path: Path, write: str) -> None:
    file = tmp_path / "acme.gz"
    with large() as source, empty() as target:
        saving = backup(source, file)
        next(saving)
        WRITES[write](source)
        with pytest.raises(StoreBusy, match="run it again"):
            list(saving)
        assert not list(tmp_path.iterdir())
        list(backup(source, file))
        list(restore(file, target))
        assert content(target).hash == content(source).hash


def test_a_busy_store_leaves_the_archive_of_yesterday_alone(tmp_path: Path) -> None:
    file = tmp_path / "acme.gz"
    with small() as source:
        list(backup(source, file))
        yesterday, saving = file.read_bytes(), backup(source, file)
        next(saving)
        source.apply(delta(memory("late")))
        with pytest.raises(StoreBusy):
            list(saving)
    assert [path.read_bytes() for path in tmp_path.iterdir()] == [yesterday]


def test_a_backup_that_was_stopped_leaves_nothing(tmp_path: Path) -> None:
    with large() as source:
        next(backup(source, tmp_path / "acme.gz"))
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("kept", [0, 1, 3, -1])
def test_an_archive_that_is_not_whole_is_refused(tmp_path: Path, kept: int) -> None:
    file = tmp_path / "acme.gz"
    with small() as source, empty() as target:
        list(backup(source, file))
        lines = gzip.decompress(file.read_bytes()).splitlines(keepends=True)
        file.write_bytes(gzip.compress(b"".join(lines[:kept])))
        with pytest.raises(InvalidInput, match="file"):
            list(restore(file, target))


def test_what_is_no_archive_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "acme.gz"
    file.write_bytes(b"no archive")
    with empty() as target:
        for wrong in (file, tmp_path / "missing"):
            with pytest.raises(InvalidInput, match="file"):
                list(restore(wrong, target))


ODD: list[Any] = [None, 5, -1.5, True, "x", "\ud800", "a\x00", [], [5], {}, {"x": 5}]


def test_an_archive_that_was_tampered_with_is_an_error_of_ours(tmp_path: Path) -> None:
    file = tmp_path / "acme.gz"
    with small() as source:
        list(backup(source, file))
    lines = gzip.decompress(file.read_bytes()).decode().splitlines()
    first = {json.loads(line).get("type"): number for number, line in reversed(list(enumerate(lines)))}
    for number in first.values():
        row = json.loads(lines[number])
        for key, odd in product(row, ODD):
            changed = [*lines[:number], json.dumps(row | {key: odd}), *lines[number + 1 :]]
            file.write_bytes(gzip.compress("\n".join(changed).encode(), 1))
            with empty() as target, suppress(MnemicError):
                list(restore(file, target))


@pytest.mark.parametrize("seed", range(20))
def test_an_archive_that_was_damaged_is_refused(tmp_path: Path, seed: int) -> None:
    file, chance = tmp_path / "acme.gz", random.Random(seed)
    with small() as source:
        list(backup(source, file))
    content = bytearray(file.read_bytes())
    for _ in range(3):
        content[chance.randrange(10, len(content))] ^= 1 + chance.randrange(255)
    file.write_bytes(content)
    with empty() as target, pytest.raises(InvalidInput):
        list(restore(file, target))


@pytest.mark.parametrize("name", SERVERS)
def test_there_and_back_again_nothing_is_lost(name: str, server: Callable[[str], Access]) -> None:
    access = server(name)
    there: Store = Neo4jStore.open(
        access.address, tenant=f"acme-{uuid4()}", user=access.user, password=access.password
    )
    with large() as source, there, empty() as back:
        list(islice(copy(source, there), 1))
        list(copy(source, there))
        list(copy(there, back))
        assert content(back).hash == content(there).hash == content(source).hash


@pytest.mark.parametrize("name", SERVERS)
def test_the_target_has_credentials_and_a_database_of_its_own(
    name: str, server: Callable[[str], Access], run: Callable[..., Result], monkeypatch: pytest.MonkeyPatch
) -> None:
    access, tenants = server(name), [f"acme-{uuid4()}" for _ in range(3)]
    run("remember", "The payment service runs on MySQL.", "--path", "acme.db", "--tenant", tenants[0])
    own = {"USER": access.user, "PASSWORD": access.password}
    for prefix, entrance in (("", {"USER": "nobody", "PASSWORD": "wrong"}), ("TARGET_", own)):
        for field, value in entrance.items():
            monkeypatch.setenv(f"MNEMIC_NEO4J_{prefix}{field}", value)

    def copied(*args: str) -> str:
        result = run("copy", *args, "--json")
        assert bool(result.exit_code) == bool(result.stderr)
        return result.stderr

    there = ("acme.db", access.address, "--tenant", tenants[0], "--target-tenant", tenants[1])
    assert copied(*there) == ""
    assert "database of that name" in copied(*there, "--target-database", "nowhere")
    monkeypatch.setenv("MNEMIC_NEO4J_TARGET_DATABASE", "nowhere")
    assert "database of that name" in copied(*there)
    monkeypatch.delenv("MNEMIC_NEO4J_TARGET_DATABASE")
    assert "password" in copied(access.address, "back.db", "--tenant", tenants[1])
    for field, value in own.items():
        monkeypatch.setenv(f"MNEMIC_NEO4J_{field}", value)
        monkeypatch.delenv(f"MNEMIC_NEO4J_TARGET_{field}")
    again = (access.address, access.address, "--tenant", tenants[1], "--target-tenant", tenants[2])
    assert copied(*again) == ""
    monkeypatch.setenv("MNEMIC_NEO4J_TARGET_USER", "nobody")
    assert "password" in copied(*again)


def test_the_help_names_what_the_target_is_entered_with(run: Callable[..., Result]) -> None:
    shown = run("copy", "--help").stdout
    for name in ("--target-database", *(f"MNEMIC_NEO4J_TARGET_{part}" for part in ("USER", "PASSWORD"))):
        assert name in shown


def test_a_file_has_no_database(run: Callable[..., Result]) -> None:
    run("remember", "The payment service runs on MySQL.", "--path", "acme.db")
    result = run("copy", "acme.db", "other.db", "--target-database", "neo4j")
    assert result.exit_code
    assert "database" in result.stderr
    assert "server" in result.stderr
