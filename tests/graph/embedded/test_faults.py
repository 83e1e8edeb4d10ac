"""SQLite's errors in mnemic's words: none gets through, and each says what to do."""

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from textwrap import dedent
from threading import Event, Thread

import apsw
import pytest

from mnemic.errors import StoreBusy, StoreCorrupt, StoreError, StoreFull
from mnemic.graph.embedded import EmbeddedStore
from mnemic.graph.embedded.faults import MEANING, translate, translated
from mnemic.graph.store import Store
from tests.graph.builders import delta, memory, view

OUR_FAULTS = {
    "AbortError BindingsError ConnectionNotClosedError ConstraintError EmptyError ExecTraceAbort",
    "ExecutionCompleteError ExtensionLoadingError IncompleteExecutionError InternalError InterruptError InvalidContextError",
    "MismatchError MisuseError NoFTS5Error NotFoundError RangeError SQLError SchemaChangeError",
    "ThreadingViolationError VFSFileClosedError VFSNotImplementedError",
}
"""Errors that no state of a file, a disk or another process brings about."""


def classes(root: type[apsw.Error] = apsw.Error) -> Iterator[type[apsw.Error]]:
    for kind in root.__subclasses__():
        yield kind
        yield from classes(kind)


def test_every_class_of_error_has_a_meaning_or_is_a_fault_of_ours() -> None:
    ours = {name for line in OUR_FAULTS for name in line.split()}
    meant = {kind.__name__ for kind in MEANING} | {"NotADBError", "IOError"}
    assert {kind.__name__ for kind in classes()} == ours | meant
    assert not ours & meant


def test_every_class_of_error_becomes_a_store_error_that_names_the_store(tmp_path: Path) -> None:
    place = tmp_path / "acme.db"
    place.write_bytes(b"?")
    for kind in classes():
        with (
            pytest.raises(StoreError, match=r"acme\.db") as raised,
            translated(None, str(place), keyed=False),
        ):
            raise kind("x")
        assert isinstance(raised.value.__cause__, kind)


def test_other_errors_pass_through() -> None:
    with pytest.raises(KeyError), translated(None, "acme.db", keyed=False):
        raise KeyError("mine")


def test_a_quota_is_a_full_disk_and_a_broken_disk_is_not() -> None:
    assert type(translate(apsw.IOError(), "a.db", keyed=False, system_errno=28)) is StoreFull
    assert type(translate(apsw.IOError(), "a.db", keyed=False, system_errno=5)) is StoreError


# -- busy ---------------------------------------------------------------------------------------------


def test_another_process_that_writes_too_long_makes_the_store_busy(tmp_path: Path) -> None:
    with EmbeddedStore.open(tmp_path / "acme.db", tenant="acme", timeout=0.05) as store:
        other = apsw.Connection(str(tmp_path / "acme.db"))
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(StoreBusy, match="longer timeout"):
            store.apply(delta(memory("m1")))
        assert store.memories(view(), ids=["m1"]) == []
        other.execute("COMMIT")
        other.close()
        store.apply(delta(memory("m1")))


@pytest.mark.parametrize("place", [":memory:", "acme.db"])
def test_another_thread_that_writes_too_long_makes_the_store_busy(tmp_path: Path, place: str) -> None:
    path = place if place == ":memory:" else tmp_path / place
    started, finish = Event(), Event()

    def work(inner: Store) -> None:
        inner.apply(delta(memory("m1")))
        started.set()
        finish.wait(5)

    with EmbeddedStore.open(path, tenant="acme", timeout=0.05) as store:
        writer = Thread(target=store.transact, args=("ada", work))
        writer.start()
        started.wait(5)
        with pytest.raises(StoreBusy, match="another thread"):
            store.apply(delta(memory("m2")))
        finish.set()
        writer.join(5)
        assert store.stats().memories == 1


# -- full ---------------------------------------------------------------------------------------------


def test_a_full_store_keeps_what_it_has_and_nothing_of_the_write(tmp_path: Path) -> None:
    with EmbeddedStore.open(tmp_path / "acme.db", tenant="acme") as store:
        store.apply(delta(memory("m1")))
        writer = store._connections._writer
        writer.pragma("max_page_count", writer.pragma("page_count") + 5)
        big = [memory(f"b{number}", text="word " * 2000, terms=("big",)) for number in range(20)]
        with pytest.raises(StoreFull, match="nothing of this write was kept"):
            store.apply(delta(memory("m2"), *big))
        assert store.stats().memories == 1
        writer.pragma("max_page_count", 1_000_000)
        store.apply(delta(memory("m2"), *big))
        assert store.stats().memories == 22


@pytest.mark.skipif(sys.platform == "win32", reason="needs a limit on the size of files")
def test_a_disk_quota_is_a_full_store(tmp_path: Path) -> None:
    program = """
        import resource, sys
        from mnemic.errors import StoreFull
        from mnemic.graph.embedded import EmbeddedStore
        from mnemic.graph.model import GraphDelta, Name

        store = EmbeddedStore.open(sys.argv[1], tenant="acme")
        resource.setrlimit(resource.RLIMIT_FSIZE, (900_000, 900_000))
        try:
            for number in range(10_000):
                store.apply(GraphDelta(names=(Name(name=f"{number}", kind="k" * 3000),)))
        except StoreFull as full:
            assert len(store.names()) == number
            print("full", number > 10, full)
    """
    command = [sys.executable, "-c", dedent(program), str(tmp_path / "acme.db")]
    result = subprocess.run(command, capture_output=True, text=True, check=True)
    assert result.stdout.startswith("full True store ")


# -- damage -------------------------------------------------------------------------------------------


def test_damage_that_shows_late_is_reported_by_the_read_that_meets_it(tmp_path: Path) -> None:
    path = tmp_path / "acme.db"
    with EmbeddedStore.open(path, tenant="acme") as store:
        store.apply(delta(*(memory(f"m{number:03}", text="word " * 200) for number in range(400))))
        root = store._connections._writer.execute(
            "SELECT rootpage FROM sqlite_schema WHERE name = 'memory'"
        ).get
    content = bytearray(path.read_bytes())
    content[(root - 1) * 4096 : root * 4096] = b"\xff" * 4096
    path.write_bytes(bytes(content))
    with EmbeddedStore.open(path, tenant="acme") as store:
        assert store.names() == []
        with pytest.raises(StoreCorrupt, match="restore a backup"):
            store.timeline(view())
        with pytest.raises(StoreCorrupt):
            store.apply(delta(memory("m1")))
        assert store.names() == []
