"""Opening: where the file is, whose it is, which version, and what is no store at all."""

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import apsw
import pytest

from mnemic.errors import (
    InvalidInput,
    MissingScope,
    StoreCorrupt,
    StoreError,
    StoreTooNew,
    WrongKey,
    WrongTenant,
)
from mnemic.graph.embedded import EmbeddedStore
from mnemic.graph.embedded.migrations import APPLICATION, STEPS, prepare
from mnemic.graph.records import Record
from tests.graph.builders import day, delta, ids, memory, view


def opened(path: Path | str, tenant: str = "acme", key: str | None = None) -> EmbeddedStore:
    return EmbeddedStore.open(path, tenant=tenant, key=key)


def test_what_was_written_is_there_when_opened_again(tmp_path: Path) -> None:
    with opened(tmp_path / "a.db") as store:
        store.apply(delta(memory("m1")))
    with opened(tmp_path / "a.db") as store:
        assert store.memories(view(), ids=["m1"]) == [memory("m1")]


def test_nothing_of_a_store_in_memory_is_shared_or_kept() -> None:
    with opened(":memory:") as first, opened(":memory:") as second:
        first.apply(delta(memory("m1")))
        assert second.stats().memories == 0


def test_a_closed_store_leaves_one_file(tmp_path: Path) -> None:
    with opened(tmp_path / "a.db") as store:
        store.apply(delta(memory("m1")))
        store.memories(view(), ids=["m1"])
    assert [file.name for file in tmp_path.iterdir()] == ["a.db"]


@pytest.mark.parametrize("key", [None, "raw:" + "2b" * 32])
def test_a_store_says_how_much_room_its_file_takes(tmp_path: Path, key: str | None) -> None:
    with opened(tmp_path / "a.db", key=key) as store:
        at_first = store.stats().bytes
        store.apply(delta(memory("m1", text="quillfish " * 10_000)))
        grown = store.stats().bytes
    assert 0 < at_first < grown == (tmp_path / "a.db").stat().st_size


# -- the path -----------------------------------------------------------------------------------------


def test_a_folder_holds_one_file_per_tenant(tmp_path: Path) -> None:
    for tenant in ("acme", "Acme", "a/b", "a_b", "..", "测试 公司", "x" * 300, "x" * 301):
        with opened(tmp_path, tenant) as store:
            assert store.stats().memories == 0
            store.apply(delta(memory("m1")))
    names = sorted(file.name for file in tmp_path.iterdir())
    assert len({name.lower() for name in names}) == 8
    assert "acme.db" in names
    assert any(name.startswith("测试_公司-") for name in names)
    with opened(f"{tmp_path}/", "a/b") as store:
        assert store.stats().memories == 1


@pytest.mark.parametrize("path", ["missing/a.db", "missing/"])
def test_a_missing_folder_is_named(tmp_path: Path, path: str) -> None:
    with pytest.raises(InvalidInput, match=r"path: the folder .*missing does not exist; create it first"):
        opened(f"{tmp_path}/{path}")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("path", "tenant", "key", "field"),
    [("", "acme", None, "path"), (":memory:", " ", None, "tenant"), (":memory:", "acme", "", "key")],
)
def test_what_is_empty_is_refused(path: str, tenant: str, key: str | None, field: str) -> None:
    with pytest.raises(InvalidInput) as refused:
        opened(path, tenant, key)
    assert refused.value.field == field
    assert isinstance(refused.value, MissingScope) == (field == "tenant")


@pytest.mark.skipif(not Path("/proc/self").exists(), reason="needs a folder where nobody can write")
def test_a_file_that_cannot_be_made_is_a_store_error() -> None:
    with pytest.raises(StoreError, match="cannot be opened; check the path"):
        opened("/proc/acme.db")


# -- whose, and which version -------------------------------------------------------------------------


def test_a_file_remembers_its_tenant(tmp_path: Path) -> None:
    opened(tmp_path / "a.db", "acme").close()
    with pytest.raises(WrongTenant, match="'acme'"):
        opened(tmp_path / "a.db", "rival")
    opened(tmp_path / "a.db", "acme").close()


def test_a_newer_file_is_refused_and_left_alone(tmp_path: Path) -> None:
    opened(tmp_path / "a.db").close()
    db = apsw.Connection(str(tmp_path / "a.db"))
    db.pragma("user_version", len(STEPS) + 1)
    db.close()
    before = (tmp_path / "a.db").read_bytes()
    with pytest.raises(StoreTooNew, match="upgrade mnemic"):
        opened(tmp_path / "a.db")
    assert (tmp_path / "a.db").read_bytes() == before


def test_an_old_file_is_brought_up_to_date_once(tmp_path: Path) -> None:
    path = str(tmp_path / "a.db")
    with opened(path) as store:
        store.apply(delta(memory("m1")))
    taken = []

    def further(db: apsw.Connection) -> None:
        taken.append(db.execute("SELECT count(*) FROM memory").get)
        db.execute("ALTER TABLE memory ADD COLUMN mood TEXT")

    db = apsw.Connection(path)
    for _ in range(2):
        prepare(db, path, "acme", (*STEPS, further))
    assert taken == [1]
    assert db.pragma("user_version") == len(STEPS) + 1
    assert db.execute("SELECT id, mood FROM memory").get == ("m1", None)
    db.close()


@pytest.mark.parametrize("version", range(1, len(STEPS)))
def test_a_file_of_each_older_version_opens_and_keeps_records(tmp_path: Path, version: int) -> None:
    path = str(tmp_path / "a.db")
    db = apsw.Connection(path)
    prepare(db, path, "acme", STEPS[:version])
    db.close()
    with opened(path) as store:
        store.apply(delta(memory("m1")))
        assert store.keep(Record(kind="job", id="j"), version=0) is not None
        assert store.stats().schema == len(STEPS)
    with opened(path) as store:
        assert store.take("job", now=day(1), until=day(2)) is not None


def test_a_migration_that_fails_changes_nothing(tmp_path: Path) -> None:
    path = str(tmp_path / "a.db")
    opened(path).close()

    def broken(db: apsw.Connection) -> None:
        db.execute("ALTER TABLE memory ADD COLUMN mood TEXT")
        raise KeyError("broken")

    db = apsw.Connection(path)
    with pytest.raises(KeyError):
        prepare(db, path, "acme", (*STEPS, broken))
    db.close()
    with opened(path) as store:
        assert store.stats().schema == len(STEPS)


def test_many_may_open_a_new_file_at_once(tmp_path: Path) -> None:
    def write(number: int) -> None:
        with opened(tmp_path / "a.db") as store:
            store.apply(delta(memory(f"m{number}")))

    with ThreadPoolExecutor(6) as pool:
        list(pool.map(write, range(6)))
    with opened(tmp_path / "a.db") as store:
        assert store.stats().memories == 6


# -- what is no store ---------------------------------------------------------------------------------


def test_another_programs_database_is_refused_and_left_alone(tmp_path: Path) -> None:
    db = apsw.Connection(str(tmp_path / "theirs.db"))
    db.execute("CREATE TABLE bookmarks (url)")
    db.close()
    before = (tmp_path / "theirs.db").read_bytes()
    with pytest.raises(StoreCorrupt, match="another program"):
        opened(tmp_path / "theirs.db")
    assert (tmp_path / "theirs.db").read_bytes() == before


@pytest.mark.parametrize("content", [b"just some notes\n", b"x" * 5000])
def test_a_file_that_is_no_database_is_refused(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "notes.txt").write_bytes(content)
    with pytest.raises(StoreCorrupt, match=r"notes\.txt"):
        opened(tmp_path / "notes.txt")
    assert (tmp_path / "notes.txt").read_bytes() == content


def test_an_empty_file_becomes_a_store(tmp_path: Path) -> None:
    (tmp_path / "a.db").touch()
    with opened(tmp_path / "a.db") as store:
        assert store.stats().schema == len(STEPS)


def test_a_damaged_file_is_reported(tmp_path: Path) -> None:
    path = tmp_path / "a.db"
    with opened(path) as store:
        store.apply(delta(*(memory(f"m{number}", text="word " * 50) for number in range(300))))
    content = bytearray(path.read_bytes())
    content[8192:] = b"\x5a" * (len(content) - 8192)
    path.write_bytes(bytes(content))
    with pytest.raises(StoreCorrupt, match="restore a backup"), opened(path) as store:
        ids(store.timeline(view()))


def test_a_store_says_which_program_made_it(tmp_path: Path) -> None:
    opened(tmp_path / "a.db").close()
    db = apsw.Connection(str(tmp_path / "a.db"))
    assert db.pragma("application_id") == APPLICATION
    db.close()


# -- encryption ---------------------------------------------------------------------------------------


def test_an_encrypted_file_shows_nothing_and_opens_with_its_key(tmp_path: Path) -> None:
    path = tmp_path / "a.db"
    with opened(path, key='it\'s a "secret" 密码') as store:
        store.apply(delta(memory("m1", text="the vault is behind the painting", terms=("painting",))))
        for file in tmp_path.iterdir():
            content = file.read_bytes()
            assert b"painting" not in content
            assert b"SQLite format" not in content
    with opened(path, key='it\'s a "secret" 密码') as store:
        assert ids(store.memories(view(), ids=["m1"])) == ["m1"]


def test_a_wrong_a_missing_and_a_needless_key_are_told_apart(tmp_path: Path) -> None:
    opened(tmp_path / "locked.db", key="right").close()
    opened(tmp_path / "open.db").close()
    with pytest.raises(WrongKey, match="the key does not open it"):
        opened(tmp_path / "locked.db", key="wrong")
    with pytest.raises(WrongKey, match="it is encrypted; pass its key"):
        opened(tmp_path / "locked.db")
    with pytest.raises(WrongKey, match="it is not encrypted; open it without a key"):
        opened(tmp_path / "open.db", key="right")
    opened(tmp_path / "locked.db", key="right").close()


def test_a_key_is_never_shown(tmp_path: Path) -> None:
    with opened(tmp_path / "a.db", key="top secret") as store:
        assert "top secret" not in repr(store._connections.access)
    with pytest.raises(WrongKey) as refused:
        opened(tmp_path / "a.db", key="another secret")
    assert "another secret" not in str(refused.value)
