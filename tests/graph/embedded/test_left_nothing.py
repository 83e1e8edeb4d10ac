"""What is erased or overwritten is nowhere in the store's files, byte for byte."""

import random
import shutil
from dataclasses import replace
from pathlib import Path

import apsw
import pytest

from mnemic.graph.embedded import EmbeddedStore, erase
from mnemic.graph.embedded.terms import write_term
from mnemic.graph.model import GraphDelta, Mention, Name
from mnemic.graph.records import Record, Which
from mnemic.graph.store import Store
from tests.graph.builders import day, delta, embedded, entity, memory, replaces, turn, vector

SECRETS = ("xylophone-Heist", "保险箱在画后面", "Zürich&Vault", "omelette42", "wandering", "c++secret")


@pytest.fixture
def store(tmp_path: Path) -> EmbeddedStore:
    store = EmbeddedStore.open(tmp_path / "acme.db", tenant="acme")
    store.adopt("test-embedder", 8)
    noise = [
        memory(
            f"n{number}",
            number,
            owner="bob",
            text=f"noise {number} " * 20,
            terms=(f"noise{number}", "common"),
        )
        for number in range(300)
    ]
    store.apply(delta(*noise))
    return store


def fill(store: Store) -> None:
    """Put every secret into every place that text can go to."""
    for number, secret in enumerate(SECRETS):
        long = f"{secret} " * 3000  # overflows its page
        thing = entity(
            f"e{number}",
            name=secret,
            aliases=(secret,),
            handles=(secret,),
            profile={secret: (secret,)},
            key=secret,
        )
        said = turn(
            f"t{number}",
            number,
            session=secret,
            speaker=secret,
            text=long,
            terms=(secret, "common"),
            metadata={"m": secret},
        )
        kept = memory(
            f"m{number}",
            number,
            text=long,
            summary=secret,
            value=secret,
            speaker=secret,
            terms=(secret, f"{secret}s", "common"),
            tags=(secret,),
            mentions=(Mention(f"e{number}", 0, 5, secret),),
            sources=(f"t{number}",),
            metadata={"m": secret},
        )
        record = Record(
            kind="job", id=f"r{number}", owner="ada", body=long, lane=secret, about=(f"t{number}",)
        )
        edge = replaces(f"m{number}", "m0", reason=secret, cue=secret)
        store.apply(
            delta(
                thing,
                said,
                kept,
                embedded(f"m{number}", vector(number + 1, 2, 3, 4, 5, 6, 7)),
                *[edge] * (number > 0),
            )
        )
        assert store.keep(record, version=0) is not None


def traces(folder: Path) -> set[str]:
    """Return which secrets stand in any file of the store, as text or as index terms."""
    content = b"".join(file.read_bytes() for file in sorted(folder.iterdir()))
    found = set()
    for secret in SECRETS:
        shapes = {secret, secret.lower(), write_term(1, secret)[2:]}
        if any(shape.encode() in content for shape in shapes):
            found.add(secret)
    if vector(3, 2, 3, 4, 5, 6, 7).astype("<f2").tobytes() in content:
        found.add("vector")
    return found


def everything() -> dict[str, list[str]]:
    numbers = range(len(SECRETS))
    return {
        "memories": [f"m{number}" for number in numbers],
        "turns": [f"t{number}" for number in numbers],
        "entities": [f"e{number}" for number in numbers],
    }


def test_the_search_for_traces_finds_what_is_there(store: EmbeddedStore, tmp_path: Path) -> None:
    fill(store)
    assert traces(tmp_path) == {*SECRETS, "vector"}
    store.close()
    assert traces(tmp_path) == {*SECRETS, "vector"}


@pytest.mark.parametrize("rebuild_from", [1, 2_000])
def test_erased_rows_leave_nothing(
    store: EmbeddedStore, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, rebuild_from: int
) -> None:
    monkeypatch.setattr(erase, "REBUILD_FROM", rebuild_from)
    fill(store)
    assert store.erase(**everything()) == 3 * len(SECRETS)
    assert traces(tmp_path) == set()
    store.close()
    assert traces(tmp_path) == set()


def test_an_erased_owner_leaves_nothing(store: EmbeddedStore, tmp_path: Path) -> None:
    fill(store)
    store.apply(delta(memory("m9", owner="Zürich&Vault")))
    store.erase(owners=["ada", "Zürich&Vault"])
    assert traces(tmp_path) == set()


def test_a_transaction_that_erases_leaves_nothing(store: EmbeddedStore, tmp_path: Path) -> None:
    fill(store)
    store.transact("ada", lambda inner: inner.erase(owners=["ada"]))
    assert traces(tmp_path) == set()


def only_records(store: EmbeddedStore) -> list[Record]:
    """Put every secret into records of one who has nothing else."""
    rows = [
        Record(kind="job", id=secret, owner=f"zoe {secret}", body=f"{secret} " * 3000, lane=secret)
        for secret in SECRETS
    ]
    return [kept for row in rows if (kept := store.keep(row, version=0)) is not None]


def test_records_that_are_dropped_leave_nothing(store: EmbeddedStore, tmp_path: Path) -> None:
    rows = only_records(store)
    assert traces(tmp_path) == set(SECRETS)
    assert store.drop("job", Which(owners=None, ids=[row.id for row in rows])) == len(SECRETS)
    assert traces(tmp_path) == set()


def test_records_of_an_owner_who_has_nothing_else_leave_nothing(store: EmbeddedStore, tmp_path: Path) -> None:
    rows = only_records(store)
    assert store.erase(owners=[row.owner for row in rows]) == 0
    assert traces(tmp_path) == set()
    assert store.stats().owners == ("bob",)


def test_what_a_record_said_before_is_gone_when_anything_is(store: EmbeddedStore, tmp_path: Path) -> None:
    for row in only_records(store):
        new = replace(row, body="{}", lane="", owner="")
        assert store.keep(new, version=row.version) is not None
        assert store.drop("job", Which(owners=None, ids=[row.id])) == 1
    assert traces(tmp_path) == set()


def test_what_is_written_over_leaves_nothing(store: EmbeddedStore, tmp_path: Path) -> None:
    fill(store)
    numbers = range(len(SECRETS))
    for number in numbers:
        store.keep(Record(kind="job", id=f"r{number}"), version=1)
    store.apply(
        delta(
            *(entity(f"e{number}") for number in numbers),
            *(turn(f"t{number}", number) for number in numbers),
            *(memory(f"m{number}", number) for number in numbers),
            *(embedded(f"m{number}", vector(1)) for number in numbers),
            *(replaces(f"m{number}", "m0") for number in numbers if number),
        )
    )
    assert traces(tmp_path) == set()


def test_reverted_edges_and_dropped_names_leave_nothing(store: EmbeddedStore, tmp_path: Path) -> None:
    store.apply(
        delta(
            *(memory("m1"), memory("m2"), replaces("m2", "m1", reason=SECRETS[0])),
            names=(Name(name=SECRETS[3], kind=SECRETS[1], aliases=(SECRETS[2],)),),
        )
    )
    store.apply(GraphDelta(reverted=(("m2", "m1"),), dropped_names=(("", SECRETS[3]),)))
    assert traces(tmp_path) == set()


def test_an_ordinary_change_of_life_does_not_empty_the_log(store: EmbeddedStore, tmp_path: Path) -> None:
    store.apply(delta(memory("m1")))
    store.apply(delta(memory("m1", access_count=2, last_accessed_at=day(1))))
    assert (tmp_path / "acme.db-wal").stat().st_size > 0


def test_a_reader_in_the_way_delays_the_sweep_until_the_next_write(tmp_path: Path) -> None:
    store = EmbeddedStore.open(tmp_path / "acme.db", tenant="acme", timeout=0.05)
    store.adopt("test-embedder", 8)
    fill(store)
    reader = apsw.Connection(str(tmp_path / "acme.db"))
    reader.execute("BEGIN")
    assert reader.execute("SELECT count(*) FROM memory").get == len(SECRETS)

    store.erase(owners=["ada"])
    assert traces(tmp_path) != set()
    reader.execute("ROLLBACK")
    store.apply(delta(memory("m1", owner="bob")))
    assert traces(tmp_path) == set()
    reader.close()


def test_a_reader_in_the_way_of_the_last_write_is_waited_for_by_close(tmp_path: Path) -> None:
    store = EmbeddedStore.open(tmp_path / "acme.db", tenant="acme", timeout=0.05)
    store.adopt("test-embedder", 8)
    fill(store)
    reader = apsw.Connection(str(tmp_path / "acme.db"))
    reader.execute("BEGIN")
    assert reader.execute("SELECT count(*) FROM memory").get == len(SECRETS)
    store.erase(owners=["ada"])
    reader.execute("ROLLBACK")
    store.close()
    assert traces(tmp_path) == set()
    reader.close()


def test_what_a_crash_left_in_the_log_is_swept_by_the_next_write(tmp_path: Path) -> None:
    living, crashed = tmp_path / "living", tmp_path / "crashed"
    living.mkdir()
    store = EmbeddedStore.open(living / "acme.db", tenant="acme", timeout=0.05)
    store.adopt("test-embedder", 8)
    fill(store)
    reader = apsw.Connection(str(living / "acme.db"))
    reader.execute("BEGIN")
    assert reader.execute("SELECT count(*) FROM memory").get == len(SECRETS)
    store.erase(owners=["ada"])
    shutil.copytree(living, crashed)
    reader.close()
    store.close()

    assert traces(crashed) != set()
    with EmbeddedStore.open(crashed / "acme.db", tenant="acme") as store:
        store.apply(delta(memory("m1", owner="bob")))
        assert traces(crashed) == set()


@pytest.mark.parametrize("seed", range(3))
def test_no_beginning_of_an_erased_term_stays_in_the_index(tmp_path: Path, seed: int) -> None:
    """Terms as long and as alike as possible, so that the index must tell them apart late."""
    chance = random.Random(seed)
    words = [f"prefix{'q' * chance.randrange(20)}{chance.randrange(10**9)}" for _ in range(4_000)]
    with EmbeddedStore.open(tmp_path / "acme.db", tenant="acme") as store:
        rows = [
            memory(f"m{number}", terms=tuple(words[number * 8 : number * 8 + 8])) for number in range(500)
        ]
        for start in range(0, 500, 50):
            store.apply(delta(*rows[start : start + 50]))
        gone = chance.sample(range(500), 60)
        for start in range(0, 60, 12):
            store.erase(memories=[f"m{number}" for number in gone[start : start + 12]])

        db = apsw.Connection(str(tmp_path / "acme.db"))
        kept = {term for row in rows if row.id not in {f"m{number}" for number in gone} for term in row.terms}
        for (separator,) in db.execute("SELECT term FROM memory_words_idx"):
            beginning = bytes(separator)[1:].decode().partition("x")[2]
            assert any(term.startswith(beginning) for term in kept)
        db.execute("INSERT INTO memory_words (memory_words) VALUES ('integrity-check')")
        db.close()
        assert store.stats().memories == 440
