"""Places and files that cannot be used, through the front door: an error of its kind, and nothing is harmed."""

import random
import subprocess
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from textwrap import dedent

import apsw
import pytest

from mnemic import (
    InvalidInput,
    Mnemic,
    MnemicError,
    StoreCorrupt,
    StoreError,
    StoreTooNew,
    WrongKey,
    WrongTenant,
)
from tests.engine.told import door

SAID = "Ben lives in Berlin."


def use(place: str | Path, key: str | None = None) -> None:
    """Open a store, read it through the doors, and write into it."""
    with Mnemic(place, user="ada", embedder="none", key=key) as memory:
        memory.recall("Where does Ben live?")
        memory.recall("Where does Ben live?", depth="deep")
        memory.about("Ben")
        list(memory.export())
        memory.remember("Lea lives in Oslo.")


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """A store in which something stands."""
    place = tmp_path / "memory.db"
    with door(place) as memory:
        memory.remember(SAID)
    return place


def newer(file: Path) -> None:
    db = apsw.Connection(str(file))
    db.pragma("user_version", 10_000)
    db.close()


BROKEN: dict[str, tuple[Callable[[Path], object], type[MnemicError]]] = {
    "cut within its header": (lambda file: file.write_bytes(file.read_bytes()[:50]), StoreCorrupt),
    "cut within a page": (lambda file: file.write_bytes(file.read_bytes()[:5000]), StoreCorrupt),
    "cut in half": (
        lambda file: file.write_bytes(file.read_bytes()[: file.stat().st_size // 2]),
        StoreCorrupt,
    ),
    "noise": (lambda file: file.write_bytes(random.Random(7).randbytes(5001)), StoreCorrupt),
    "text": (lambda file: file.write_text("Dear diary, " * 1000), StoreCorrupt),
    "newer": (newer, StoreTooNew),
}


@pytest.mark.parametrize("kind", BROKEN)
def test_a_broken_file_is_reported_as_what_it_is_and_left_alone(file: Path, kind: str) -> None:
    act, error = BROKEN[kind]
    act(file)
    before = file.read_bytes()
    with pytest.raises(error, match=r"memory\.db"):
        use(file)
    assert file.read_bytes() == before


@pytest.mark.parametrize("seed", range(12))
def test_scattered_damage_is_never_more_than_an_error_of_ours(file: Path, seed: int) -> None:
    chance = random.Random(seed)
    content = bytearray(file.read_bytes())
    for _ in range(10 * (seed + 1)):
        content[chance.randrange(100, len(content))] = chance.randrange(256)
    file.write_bytes(content)
    with suppress(MnemicError):
        use(file)


def test_keys_and_tenants_are_told_apart(tmp_path: Path, file: Path) -> None:
    sealed = tmp_path / "sealed.db"
    Mnemic(sealed, user="ada", embedder="none", key="sesame").close()
    for place, key in ((sealed, None), (sealed, "other"), (file, "sesame")):
        with pytest.raises(WrongKey, match="key"):
            use(place, key)
    with pytest.raises(WrongTenant):
        Mnemic(file, user="ada", embedder="none", tenant="acme")


@pytest.mark.parametrize("key", ["", "a\x00b", "\ud800", "raw:", "raw:zz", "raw:" + "2b" * 31])
def test_a_key_that_cannot_be_one_is_refused_before_a_file_is_made(tmp_path: Path, key: str) -> None:
    with pytest.raises(InvalidInput) as caught:
        use(tmp_path / "new.db", key)
    assert caught.value.field == "key"
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    "place",
    [
        *(
            "",
            " ",
            "a\x00b",
            "\ud800",
            "x" * 300,
            "x" * 10_000_000,
            "missing/memory.db",
            "memory.db/inner.db",
        ),
        *("neo4j://", "bolt://host:port", "neo4j://[half", "bolt://host:0", "bolt://host:99999"),
        *("http://host:7687", "neo4j+x://host:7687", "bolt://ada:secret@host:7687"),
    ],
    ids=lambda place: place[:20].encode("unicode_escape").decode(),
)
def test_a_place_that_cannot_be_one_is_refused_by_name(
    file: Path, monkeypatch: pytest.MonkeyPatch, place: str
) -> None:
    monkeypatch.chdir(file.parent)
    with pytest.raises(InvalidInput) as caught:
        use(place)
    assert caught.value.field in ("where", "path")
    assert len(str(caught.value)) < 1000
    assert "secret" not in str(caught.value)
    assert [each.name for each in file.parent.iterdir()] == ["memory.db"]


@pytest.mark.parametrize("place", ["/dev/null", "/proc/self/memory.db"])
def test_what_is_no_place_for_a_file_is_a_store_error(place: str) -> None:
    with pytest.raises(StoreError, match=place):
        use(place)


def test_a_full_disk_keeps_all_that_was_told_before(tmp_path: Path) -> None:
    script = """
        import resource, signal
        from mnemic import Mnemic, StoreFull
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        with Mnemic("memory.db", user="ada", embedder="none") as memory:
            memory.remember("Ben lives in Berlin.")
            resource.setrlimit(resource.RLIMIT_FSIZE, (450_000, resource.RLIM_INFINITY))
            for number in range(100):
                try:
                    memory.remember(f"Note {number}: " + "quillfish " * 5_000, id=str(number))
                except StoreFull as full:
                    print(number, full)
                    break
            resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
            told = [row["id"] for row in memory.export() if row["type"] == "turn"]
            assert len(told) == number + 1, (told, number)
            assert memory.recall("Where does Ben live?").items
            memory.remember("Lea lives in Oslo.")
    """
    done = subprocess.run(
        [sys.executable, "-c", dedent(script)], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert "nothing of this write was kept" in done.stdout
