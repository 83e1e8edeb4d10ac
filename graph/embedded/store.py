"""The embedded store: one tenant's graph in one SQLite file, no server."""

import os
import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from typing import Literal, Self

import apsw

from mnemic.errors import InvalidInput, MissingScope
from mnemic.graph.bounds import require_indexable, require_keepable
from mnemic.graph.embedded import read, records
from mnemic.graph.embedded.asking import ask
from mnemic.graph.embedded.connection import MEMORY, Access, Connections
from mnemic.graph.embedded.erase import Eraser
from mnemic.graph.embedded.expand import expand
from mnemic.graph.embedded.mirror import Mirrors
from mnemic.graph.embedded.picture import Picture
from mnemic.graph.embedded.write import Writer, adopt
from mnemic.graph.encoding import readable_text
from mnemic.graph.ids import digest
from mnemic.graph.model import Embedded, Entity, GraphDelta, Layer, Memory, Name, Replaces, Turn
from mnemic.graph.records import Record, Which
from mnemic.graph.store import Change, Gathered, Head, Probe, Stats, Store, Subgraph, T
from mnemic.graph.view import View

_RAW = re.compile("raw:[0-9a-fA-F]{64}")
_NAME_LENGTH = 60
"""Letters of a tenant's name in its file's name: 240 bytes at most, file systems allow 255."""


class EmbeddedStore(Store):
    """One tenant's property graph in one file. Safe to share between threads and between processes.

    Open it with :meth:`open`. A process that forks opens its own in the child.
    """

    def __init__(self, connections: Connections, mirrors: Mirrors) -> None:
        self._connections, self._mirrors = connections, mirrors

    @classmethod
    def open(
        cls,
        path: str | Path,
        *,
        tenant: str,
        key: str | None = None,
        synchronous: Literal["full", "normal"] = "full",
        timeout: float = 5.0,
    ) -> Self:
        """Open the store of ``tenant`` at ``path``, making it where there is none.

        ``path`` is a file, ``":memory:"``, or a folder (one that exists, or any path that ends with a
        slash) that holds one file per tenant. ``key`` encrypts the file: a passphrase, or ``raw:`` and
        64 hexadecimal digits, which saves deriving a key (30 ms a connection). ``synchronous`` ``"normal"``
        is faster and may lose the last writes when the power fails, never the file. ``timeout`` in
        seconds is how long to wait for another writer.

        Raises ``InvalidInput`` when the folder is missing, ``WrongTenant``, ``WrongKey``,
        ``StoreTooNew``, ``StoreCorrupt``, or ``StoreError`` when the file cannot be opened.
        """
        if not tenant.strip():
            raise MissingScope("tenant", "is missing", "say whose store this is, e.g. tenant='acme'")
        if key == "":
            raise InvalidInput("key", "is empty", "pass a key that is kept elsewhere, or none at all")
        if key is not None and key.startswith("raw:") and not _RAW.fullmatch(key):
            raise InvalidInput("key", "is no raw key", "write 64 hexadecimal digits behind raw:")
        if key is not None and str(path) == MEMORY:
            raise InvalidInput(
                "key", f"encrypts files, and {MEMORY!r} is none", "leave it out, or name a file"
            )
        mirrors = Mirrors()
        access = Access(_place(path, tenant), key, synchronous, timeout)
        return cls(Connections(access, tenant, mirrors), mirrors)

    @staticmethod
    def is_made(path: str | Path, *, tenant: str) -> bool:
        """Tell whether the file that :meth:`open` would open is there; raises ``InvalidInput`` as it does."""
        place = _place(path, tenant)
        return place == MEMORY or Path(place).exists()

    @staticmethod
    def file(path: str | Path, *, tenant: str) -> Path:
        """Return the file that :meth:`open` opens; SQLite's own stand beside it under the same name and more."""
        return Path(_place(path, tenant))

    # -- writing ------------------------------------------------------------------------------------

    def transact(self, owner: str, work: Callable[[Store], T]) -> T:
        """See :meth:`Store.transact`; one writer at a time, whoever the owner is."""
        with self._connections.writing():
            return work(self)

    def apply(self, delta: GraphDelta) -> None:
        """See :meth:`Store.apply`."""
        with readable_text("delta"), self._connections.writing() as (db, transaction):
            require_indexable(self._connections.tenant, delta)
            writer = Writer(db)
            writer.apply(delta)
            writer.finish()
            transaction.note(writer.books.touched, overwrote=writer.overwrote)

    def erase(
        self,
        *,
        owners: Sequence[str] = (),
        memories: Sequence[str] = (),
        turns: Sequence[str] = (),
        entities: Sequence[str] = (),
    ) -> int:
        """See :meth:`Store.erase`; the log is emptied when the transaction is over."""
        with readable_text("ids"), self._connections.writing() as (db, transaction):
            eraser = Eraser(db)
            count = eraser.erase(owners=owners, memories=memories, turns=turns, entities=entities)
            transaction.note(eraser.writer.books.touched, overwrote=count + eraser.records > 0)
        self._mirrors.forget_rows()
        return count

    def adopt(self, embedder: str, dimension: int) -> None:
        """See :meth:`Store.adopt`."""
        with readable_text("embedder"), self._connections.writing() as (db, transaction):
            changed = adopt(db, embedder, dimension)
            transaction.wrote = transaction.wrote or changed
            transaction.overwrote = transaction.overwrote or changed

    # -- recall -------------------------------------------------------------------------------------

    def gather(self, view: View, probe: Probe) -> Gathered:
        """See :meth:`Store.gather`."""
        with self._looking() as picture:
            return ask(picture, view, probe)

    def expand(self, view: View, seeds: Sequence[str], *, hops: int, limit: int = 200) -> Subgraph:
        """See :meth:`Store.expand`."""
        with self._looking() as picture:
            return expand(picture, view, seeds, hops=hops, limit=limit)

    # -- look-ups -----------------------------------------------------------------------------------

    def entities(
        self, view: View, *, ids: Sequence[str] = (), keys: Sequence[str] = (), handles: Sequence[str] = ()
    ) -> list[Entity]:
        """See :meth:`Store.entities`."""
        with self._looking() as picture:
            return read.entities(picture, view, ids, keys, handles)

    def memories(
        self, view: View, *, ids: Sequence[str] = (), turns: Sequence[str] = (), hidden: bool = True
    ) -> list[Memory]:
        """See :meth:`Store.memories`."""
        with self._looking() as picture:
            return read.memories(picture, view, ids, turns, hidden=hidden)

    def turns(
        self, view: View, *, ids: Sequence[str] = (), session: str | None = None, last: int | None = None
    ) -> list[Turn]:
        """See :meth:`Store.turns`."""
        with self._looking() as picture:
            return read.turns(picture, view, ids, session, last)

    def slot(
        self, view: View, subject: str, predicate: str | None = None, *, hidden: bool = True
    ) -> list[Memory]:
        """See :meth:`Store.slot`."""
        with self._looking() as picture:
            return read.slot(picture, view, subject, predicate, hidden=hidden)

    def timeline(
        self,
        view: View,
        *,
        entities: Sequence[str] = (),
        since: datetime | None = None,
        until: datetime | None = None,
        kinds: frozenset[str] = frozenset(),
        hidden: bool = False,
        limit: int = 100,
    ) -> list[Memory]:
        """See :meth:`Store.timeline`."""
        probe = Probe(entities=tuple(entities), since=since, until=until, kinds=kinds, limit=limit)
        with self._looking() as picture:
            return read.timeline(picture, view, probe, hidden=hidden)

    def replacements(self, view: View, memories: Sequence[str]) -> list[Replaces]:
        """See :meth:`Store.replacements`."""
        with self._reading() as db:
            return read.replacements(db, view, memories)

    def names(self, view: View | None = None) -> list[Name]:
        """See :meth:`Store.names`."""
        with self._reading() as db:
            return read.names(db, view)

    # -- records beside the graph ---------------------------------------------------------------------

    def keep(self, record: Record, *, version: int) -> Record | None:
        """See :meth:`Store.keep`; what is written over may stay in SQLite's log until something is removed."""
        with readable_text("record"), self._connections.writing() as (db, _):
            require_keepable(self._connections.tenant, record)
            return records.keep(db, record, version)

    def kept(
        self, kind: str, which: Which, *, after: int | None = None, limit: int = 100, newest: bool = False
    ) -> list[Record]:
        """See :meth:`Store.kept`."""
        with self._reading() as db:
            return records.kept(db, kind, which, after=after, limit=limit, newest=newest)

    def count(self, kind: str, which: Which) -> int:
        """See :meth:`Store.count`."""
        with self._reading() as db:
            return records.count(db, kind, which)

    def take(self, kind: str, *, now: datetime, until: datetime) -> Record | None:
        """See :meth:`Store.take`; where there is none, no writer has to wait."""
        with self._reading() as db:
            if records.next_due(db, kind, now) is None:
                return None
        with readable_text("kind"), self._connections.writing() as (db, _):
            return records.take(db, kind, now, until)

    def drop(self, kind: str, which: Which) -> int:
        """See :meth:`Store.drop`."""
        with readable_text("argument"), self._connections.writing() as (db, transaction):
            count = records.drop(db, kind, which)
            transaction.overwrote = transaction.overwrote or count > 0
            return count

    # -- upkeep -------------------------------------------------------------------------------------

    def scan(
        self, view: View, layer: Layer, *, after: str = "", unembedded: bool = False
    ) -> Iterator[Memory | Turn]:
        """See :meth:`Store.scan`; what is written meanwhile behind the last id is seen too."""
        while True:
            with self._reading() as db:
                page = read.scan_page(db, view, layer, after=after, unembedded=unembedded)
            yield from page
            if not page:
                return
            after = page[-1].id

    def vectors(self, layer: Layer, ids: Sequence[str]) -> list[Embedded]:
        """See :meth:`Store.vectors`."""
        with self._reading() as db:
            return read.vectors(db, layer, ids)

    def changes(self, since: int = 0, *, limit: int = 1000) -> list[Change]:
        """See :meth:`Store.changes`."""
        with self._reading() as db:
            return read.changes(db, since, limit)

    def head(self) -> Head:
        """See :meth:`Store.head`."""
        with self._reading() as db:
            return read.head(db)

    def stats(self) -> Stats:
        """See :meth:`Store.stats`."""
        with self._reading() as db:
            return read.stats(db)

    def close(self) -> None:
        """See :meth:`Store.close`."""
        self._connections.close()

    @contextmanager
    def _reading(self) -> Iterator[apsw.Connection]:
        with readable_text("argument"), self._connections.reading() as db:
            yield db

    @contextmanager
    def _looking(self) -> Iterator[Picture]:
        with self._reading() as db:
            yield Picture(db, self._mirrors, self._connections.transaction)


def _place(path: str | Path, tenant: str) -> str:
    """Return the file's absolute path, or ``":memory:"``."""
    where = str(path)
    if where == MEMORY:
        return where
    if not where.strip():
        raise InvalidInput("path", "is empty", 'name a file or a folder, or ":memory:"')
    try:
        folder = where.endswith(("/", os.sep)) or Path(where).is_dir()
        file = Path(where, f"{_file_name(tenant)}.db") if folder else Path(where)
        beside = file.parent.is_dir()
    except OSError as error:
        raise InvalidInput("path", f"cannot be a file ({error.strerror})", "choose another name") from error
    if not beside:
        raise InvalidInput("path", f"the folder {file.parent} does not exist", "create it first")
    return str(file.absolute())


def _file_name(tenant: str) -> str:
    """Return a name for the tenant's file: readable, safe in every file system, never another tenant's."""
    safe = "".join(letter if letter.isalnum() or letter in "-_" else "_" for letter in tenant)[:_NAME_LENGTH]
    return safe if safe == tenant.lower() else f"{safe}-{digest(tenant)[:8]}"
