"""Connections to one file: one that writes, as many that read as there are threads reading at once.

A file is read through connections of their own, so that readers and the writer do not wait for each
other; ``:memory:`` has one connection that all share in turns.
"""

import os
from collections import defaultdict
from collections.abc import Iterable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from threading import Lock, get_ident
from typing import Any

import apsw

from mnemic.errors import StoreBusy, StoreError
from mnemic.graph.embedded.faults import translated
from mnemic.graph.embedded.migrations import prepare
from mnemic.graph.embedded.mirror import Mirrors

MEMORY = ":memory:"


@dataclass(frozen=True, slots=True)
class Access:
    """How a file is opened: ``timeout`` in seconds, ``synchronous`` ``full`` or ``normal``."""

    place: str
    key: str | None = field(repr=False)
    synchronous: str
    timeout: float

    def connect(self, *, reader: bool = False) -> apsw.Connection:
        """Return a new connection with everything set that SQLite does not keep in the file."""
        with self.translated(None):
            db = apsw.Connection(self.place)
        with self.translated(db):
            if self.key is not None:
                db.pragma("key", self.key)
            db.set_busy_timeout(int(self.timeout * 1000))
            db.pragma("synchronous", self.synchronous)
            db.pragma("fullfsync", self.synchronous == "full")
            db.pragma("secure_delete", True)
            db.pragma("foreign_keys", True)
            db.pragma("temp_store", "memory")
            db.pragma("cache_size", -32_768)  # KiB
            db.pragma("query_only", reader)
            db.pragma("mmap_size", 2**31 if reader else 0)
        return db

    def translated(self, db: apsw.Connection | None) -> AbstractContextManager[None]:
        """Translate SQLite's errors on ``db`` (None: while it is being opened)."""
        return translated(db, self.place, keyed=self.key is not None)


@dataclass(slots=True)
class Transaction:
    """What a running transaction did: it ``wrote``, it ``overwrote`` text that must not stay behind.

    ``touched`` are the rows that it changed, by table, each with what stands there if it was read since.
    """

    wrote: bool = False
    overwrote: bool = False
    touched: defaultdict[str, dict[int, Any]] = field(default_factory=lambda: defaultdict(dict))

    def note(self, touched: Iterable[tuple[str, int]], *, overwrote: bool) -> None:
        """Take down a write."""
        self.wrote, self.overwrote = True, self.overwrote or overwrote
        for table, row in touched:
            self.touched[table][row] = None

    def unread(self) -> None:
        """Forget what was read: some of it was undone."""
        for rows in self.touched.values():
            rows.update(dict.fromkeys(rows))


class Connections:
    """The connections of one store in one process. Safe to share between threads."""

    def __init__(self, access: Access, tenant: str, mirrors: Mirrors) -> None:
        self.access, self.tenant = access, tenant
        self._mirrors = mirrors
        self._unswept = _log_of(access.place).exists()
        self._writer = _prepared(access, tenant)
        self._readers: list[apsw.Connection] = []
        self._turn = Lock()
        self._transaction: Transaction | None = None
        self._thread = 0
        self._closed = False
        self._process = os.getpid()

    @property
    def transaction(self) -> Transaction | None:
        """Return the transaction that this thread is in, if any."""
        return self._transaction if self._thread == get_ident() else None

    @contextmanager
    def reading(self) -> Iterator[apsw.Connection]:
        """Give a connection with one unchanging picture of the store: inside a transaction, its own."""
        self._check()
        if self.transaction is not None:
            with self.access.translated(self._writer):
                yield self._writer
        elif self.access.place == MEMORY:
            with self._claimed() as db, self.access.translated(db):
                yield db
        else:
            with self._reader() as db:
                yield db

    @contextmanager
    def writing(self) -> Iterator[tuple[apsw.Connection, Transaction]]:
        """Give the writing connection and its transaction: all is kept or, on an error, nothing.

        Inside a transaction of this thread it joins that one; its own part is then undone alone. Raises
        ``StoreBusy`` when the writer is not free in time.
        """
        self._check()
        running = self.transaction
        if running is not None:
            with self._joined(self._writer, running):
                yield self._writer, running
            return
        with self._claimed() as db:
            with self._begun(db) as transaction:
                yield db, transaction
            if transaction.overwrote or self._unswept:
                self._sweep(wait=transaction.overwrote)

    def close(self) -> None:
        """Close every connection; one that is in use closes when it comes back."""
        if self.transaction is not None:
            raise StoreError(f"store {self.access.place}: it cannot be closed inside its own transaction")
        if self._closed:
            return
        with self._claimed() as db:
            if self._unswept:
                self._sweep(wait=False)
            self._closed = True
            self._close_idle()
            db.close()

    @contextmanager
    def _reader(self) -> Iterator[apsw.Connection]:
        try:
            db = self._readers.pop()
        except IndexError:
            db = self.access.connect(reader=True)
        try:
            with self.access.translated(db):
                db.execute("BEGIN")
                yield db
        finally:
            if db.in_transaction:
                db.execute("ROLLBACK")
            self._readers.append(db)
            if self._closed:
                self._close_idle()

    def _close_idle(self) -> None:
        with suppress(IndexError):  # another thread may take the last one
            while True:
                self._readers.pop().close()

    @contextmanager
    def _joined(self, db: apsw.Connection, running: Transaction) -> Iterator[None]:
        kept = False
        try:
            with self.access.translated(db), db:  # a savepoint
                yield
            kept = True
        finally:
            if not kept:
                self._mirrors.forget()
                running.unread()

    @contextmanager
    def _begun(self, db: apsw.Connection) -> Iterator[Transaction]:
        transaction = Transaction()
        try:
            with self.access.translated(db):
                db.execute("BEGIN IMMEDIATE")
                self._transaction, self._thread = transaction, get_ident()
                self._mirrors.begin(db)
                yield transaction
                db.execute("COMMIT")
            self._mirrors.share()
        finally:
            self._transaction, self._thread = None, 0
            if db.in_transaction:
                db.execute("ROLLBACK")
            self._mirrors.forget()

    @contextmanager
    def _claimed(self) -> Iterator[apsw.Connection]:
        if not self._turn.acquire(timeout=self.access.timeout):
            raise StoreBusy(
                f"store {self.access.place}: another thread holds it for longer than {self.access.timeout:g} s; "
                "try again, or open it with a longer timeout"
            )
        try:
            self._check()
            yield self._writer
        finally:
            self._turn.release()

    def _sweep(self, *, wait: bool) -> None:
        """Write the log back and empty it, so that nothing overwritten is left in it.

        A reader of an old picture stands in the way. Then it is tried again after each later write and
        before closing; the last connection that closes, of whatever process, empties the log anyway.
        """
        if self.access.place == MEMORY:
            return
        db, self._unswept = self._writer, True
        db.set_busy_timeout(int(self.access.timeout * 1000) if wait else 0)
        try:
            with self.access.translated(db):
                db.wal_checkpoint(mode=apsw.SQLITE_CHECKPOINT_TRUNCATE)
            self._unswept = False
        except StoreBusy:
            pass  # it stays unswept
        finally:
            db.set_busy_timeout(int(self.access.timeout * 1000))

    def _check(self) -> None:
        if self._closed:
            raise StoreError(f"store {self.access.place}: it is closed; open it again")
        if self._process != os.getpid():
            raise StoreError(f"store {self.access.place}: it was opened before a fork; open it in the child")


def _prepared(access: Access, tenant: str) -> apsw.Connection:
    with ExitStack() as undo:
        db = access.connect()
        undo.callback(db.close)
        with access.translated(db):
            prepare(db, access.place, tenant)
        undo.pop_all()
    return db


def _log_of(place: str) -> Path:
    return Path(f"{place}-wal")
