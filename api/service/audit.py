"""The record of who read, wrote and erased what: append-only files of hash-chained lines, without any content.

Each process writes a file of its own. An entry holds the hash of the one before it and its own, over its canonical
JSON, so that an entry that was changed, removed or put in between breaks the chain; what was cut off at the end
shows where the newest hash is known from elsewhere (`mnemic audit verify` prints it).
"""

import json
import os
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC
from hashlib import sha256
from pathlib import Path
from threading import Lock
from typing import Any
from uuid import uuid4

from mnemic.engine.results import Forgotten, Found, Page, Receipt, Result
from mnemic.errors import NotFound, StoreFull
from mnemic.graph.clock import Clock

FIRST = "0" * 64
"""What stands for the entry before the first."""
_SUFFIX = ".jsonl"
_MOST = 100
"""So many ids of what was read stand in an entry; their whole number stands beside them."""


class Chain(Result):
    """What a check of one file found: ``broken`` is the number of the first entry that does not fit, 0 for none.

    ``head`` is the hash of the last entry that fits.
    """

    file: str
    entries: int
    head: str
    broken: int = 0


class Audit:
    """Writes entries to a new file in ``folder``. Safe to share between threads.

    Raises ``StoreFull`` where there is no room for an entry.
    """

    def __init__(self, folder: Path, clock: Clock, name: str | None = None) -> None:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        started = clock().astimezone(UTC).strftime("%Y%m%dT%H%M%SZ")
        path = folder / f"{name or f'{started}-{os.getpid()}-{uuid4().hex[:8]}'}{_SUFFIX}"
        self._file = open(path, "ab", opener=lambda name, flags: os.open(name, flags, 0o600))  # noqa: SIM115
        self._clock, self._lock, self._number, self._head = clock, Lock(), 0, FIRST

    def record(self, *, lasting: bool, **told: Any) -> None:
        """Append an entry of what is ``told``; ``lasting`` ones are on disk when this returns."""
        with self._lock:
            entry = {"number": self._number + 1, "at": self._clock().astimezone(UTC).isoformat(), **told}
            hashed = _hash(self._head, entry)
            line = json.dumps({**entry, "before": self._head, "hash": hashed}, ensure_ascii=False)
            try:
                self._file.write(line.encode() + b"\n")
                self._file.flush()
                if lasting:
                    os.fsync(self._file.fileno())
            except OSError as error:
                raise StoreFull(f"the audit log cannot be written: {error.strerror}; make room") from error
            self._number, self._head = self._number + 1, hashed

    def close(self) -> None:
        """End the file."""
        with self._lock:
            self._file.close()


def touched(result: object) -> dict[str, Any]:
    """Return the ids of what a call gave or changed, never its words."""
    ids = _ids(result)
    return {"ids": ids[:_MOST], "count": len(ids)} if ids else {}


def verify(folder: Path) -> list[Chain]:
    """Check every file of ``folder``; raises ``NotFound`` where there is none."""
    files = sorted(folder.glob(f"*{_SUFFIX}"))
    if not files:
        raise NotFound("audit log", str(folder))
    return [_checked(file) for file in files]


def entries(folder: Path) -> Iterator[dict[str, Any]]:
    """Yield every entry, file by file."""
    for file in sorted(folder.glob(f"*{_SUFFIX}")):
        for line in file.read_bytes().split(b"\n"):
            if line:
                yield json.loads(line)


def _checked(file: Path) -> Chain:
    head, number = FIRST, 0
    for line in filter(None, file.read_bytes().split(b"\n")):
        entry = _entry(line)
        hashed = entry.pop("hash", None)
        before = entry.pop("before", None)
        if before != head or hashed != _hash(head, entry) or entry.get("number") != number + 1:
            return Chain(file=file.name, entries=number, head=head, broken=number + 1)
        head, number = str(hashed), number + 1
    return Chain(file=file.name, entries=number, head=head)


def _entry(line: bytes) -> dict[str, Any]:
    """Return what a line says; nothing for one that was cut off."""
    try:
        told = json.loads(line)
    except ValueError:
        return {}
    return told if isinstance(told, dict) else {}


def _hash(before: str, entry: Mapping[str, Any]) -> str:
    canonical = json.dumps(entry, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    return sha256(f"{before}{canonical}".encode()).hexdigest()


def _ids(result: object) -> Sequence[str]:
    match result:
        case Found():
            return [item.id for item in result.items]
        case Receipt():
            return [*result.turns, *(stored.id for stored in result.stored)]
        case Forgotten():
            return [*result.turns, *result.memories]
        case Page():
            return [row.id for row in result.items]
        case _:
            return [result.id] if hasattr(result, "id") else []
