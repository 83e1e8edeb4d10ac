"""The Neo4j store: one tenant's graph on a server that other tenants may share."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any, Self, TypedDict, Unpack

from neo4j import Auth, GraphDatabase
from neo4j.exceptions import ConfigurationError

from mnemic.errors import InvalidInput, MissingScope
from mnemic.graph.bounds import require_indexable, require_keepable
from mnemic.graph.encoding import readable_text
from mnemic.graph.model import Embedded, Entity, GraphDelta, Layer, Memory, Name, Replaces, Turn
from mnemic.graph.neo4j import migrations
from mnemic.graph.neo4j.books import Books, put_down
from mnemic.graph.neo4j.connection import Connection, Log, Run
from mnemic.graph.neo4j.erase import erase
from mnemic.graph.neo4j.expand import expand
from mnemic.graph.neo4j.faults import translated
from mnemic.graph.neo4j.gather import gather
from mnemic.graph.neo4j.indexes import Indexes
from mnemic.graph.neo4j.queries import schema
from mnemic.graph.neo4j.read import Reader
from mnemic.graph.neo4j.records import Records
from mnemic.graph.neo4j.write import Writer, adopt
from mnemic.graph.records import Record, Which
from mnemic.graph.store import Change, Gathered, Head, Probe, Stats, Store, Subgraph, T
from mnemic.graph.view import View

SCHEMES = ("neo4j", "neo4j+s", "neo4j+ssc", "bolt", "bolt+s", "bolt+ssc")
"""What an address of a server may begin with."""

_FILTERS_INSIDE = (2026, 1)
"""The first release whose vector indexes filter inside."""


class Entrance(TypedDict, total=False):
    """How to enter a server; each may be left out.

    ``database`` is the server's default where none is named. ``timeout`` in seconds (30) is how long one
    transaction may take, how long transient failures are tried again, and how long to wait for one of the
    ``connections`` (100) that are open at most.
    """

    user: str | None
    password: str | None
    database: str | None
    timeout: float
    connections: int


class Neo4jStore(Store):
    """One tenant's property graph on a Neo4j server. Safe to share between threads.

    Open it with :meth:`open`. A process that forks opens its own in the child.
    """

    def __init__(self, connection: Connection, tenant: str, indexes: Indexes) -> None:
        self._connection, self._tenant, self._indexes = connection, tenant, indexes
        self._reader, self._records = Reader(connection, tenant), Records(connection, tenant)

    @classmethod
    def open(cls, address: str, *, tenant: str, **entrance: Unpack[Entrance]) -> Self:
        """Open the store of ``tenant`` on the server at ``address``, making what is missing of its schema.

        ``address`` begins with one of ``SCHEMES``; how to enter is said by :class:`Entrance`.

        Raises ``InvalidInput`` for an address that is none, ``StoreUnavailable``, ``AccessDenied``,
        ``StoreTooNew``, ``StoreCorrupt``, or ``StoreError`` when there is no such database.
        """
        connection = connect(address, tenant=tenant, **entrance)
        try:
            migrations.prepare(connection, tenant)
            indexes = Indexes(connection, filters=_release(connection) >= _FILTERS_INSIDE)
            indexes.look()
            return cls(connection, tenant, indexes)
        except BaseException:
            connection.close()
            raise

    @staticmethod
    def is_made(address: str, *, tenant: str, **entrance: Unpack[Entrance]) -> bool:
        """Tell whether the server at ``address`` knows ``tenant``, and make nothing."""
        connection = connect(address, tenant=tenant, **entrance)
        try:
            ((there,),) = connection.read(schema.HAS_TENANT, {"tenant": tenant})
            return bool(there)
        finally:
            connection.close()

    # -- writing ------------------------------------------------------------------------------------

    def transact(self, owner: str, work: Callable[[Store], T]) -> T:
        """See :meth:`Store.transact`; the owner's node is locked for as long as the step takes."""
        result = self._connection.transact(
            lambda run: Books(run, self._tenant, Log()).open([owner]), lambda: work(self)
        )
        self._indexes.prepare()
        return result

    def apply(self, delta: GraphDelta) -> None:
        """See :meth:`Store.apply`."""
        with readable_text("delta"):
            require_indexable(self._tenant, delta)
            counts = self._connection.write(lambda run, log: Writer(run, self._tenant, log, delta).apply())
        for layer, vectors in counts.items():
            self._indexes.note(layer, vectors)
        self._indexes.prepare()

    def erase(
        self,
        *,
        owners: Sequence[str] = (),
        memories: Sequence[str] = (),
        turns: Sequence[str] = (),
        entities: Sequence[str] = (),
    ) -> int:
        """See :meth:`Store.erase`; what the server keeps of removed records is the server's."""

        def work(run: Run, log: Log) -> int:
            return erase(
                run, self._tenant, log, owners=owners, memories=memories, turns=turns, entities=entities
            )

        with readable_text("ids"):
            return self._connection.write(work)

    def adopt(self, embedder: str, dimension: int) -> None:
        """See :meth:`Store.adopt`."""
        with readable_text("embedder"):
            self._connection.write(lambda run, log: adopt(run, self._tenant, log, embedder, dimension))

    # -- recall -------------------------------------------------------------------------------------

    def gather(self, view: View, probe: Probe) -> Gathered:
        """See :meth:`Store.gather`."""
        with readable_text("probe"):
            return gather(self._connection, self._indexes, self._tenant, view, probe)

    def expand(self, view: View, seeds: Sequence[str], *, hops: int, limit: int = 200) -> Subgraph:
        """See :meth:`Store.expand`."""
        with readable_text("seeds"):
            return expand(self._connection, self._tenant, view, seeds, hops=hops, limit=limit)

    # -- look-ups -----------------------------------------------------------------------------------

    def entities(
        self, view: View, *, ids: Sequence[str] = (), keys: Sequence[str] = (), handles: Sequence[str] = ()
    ) -> list[Entity]:
        """See :meth:`Store.entities`."""
        with readable_text("argument"):
            return self._reader.entities(view, ids, keys, handles)

    def memories(
        self, view: View, *, ids: Sequence[str] = (), turns: Sequence[str] = (), hidden: bool = True
    ) -> list[Memory]:
        """See :meth:`Store.memories`."""
        with readable_text("argument"):
            return self._reader.memories(view, ids, turns, hidden=hidden)

    def turns(
        self, view: View, *, ids: Sequence[str] = (), session: str | None = None, last: int | None = None
    ) -> list[Turn]:
        """See :meth:`Store.turns`."""
        with readable_text("argument"):
            return self._reader.turns(view, ids, session, last)

    def slot(
        self, view: View, subject: str, predicate: str | None = None, *, hidden: bool = True
    ) -> list[Memory]:
        """See :meth:`Store.slot`."""
        with readable_text("argument"):
            return self._reader.slot(view, subject, predicate, hidden=hidden)

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
        with readable_text("argument"):
            return self._reader.timeline(view, probe, hidden=hidden)

    def replacements(self, view: View, memories: Sequence[str]) -> list[Replaces]:
        """See :meth:`Store.replacements`."""
        with readable_text("argument"):
            return self._reader.replacements(view, memories)

    def names(self, view: View | None = None) -> list[Name]:
        """See :meth:`Store.names`."""
        return self._reader.names(view)

    # -- records beside the graph ---------------------------------------------------------------------

    def keep(self, record: Record, *, version: int) -> Record | None:
        """See :meth:`Store.keep`."""
        with readable_text("record"):
            require_keepable(self._tenant, record)
            return self._records.keep(record, version)

    def kept(
        self, kind: str, which: Which, *, after: int | None = None, limit: int = 100, newest: bool = False
    ) -> list[Record]:
        """See :meth:`Store.kept`."""
        with readable_text("argument"):
            return self._records.kept(kind, which, after=after, limit=limit, newest=newest)

    def count(self, kind: str, which: Which) -> int:
        """See :meth:`Store.count`."""
        with readable_text("argument"):
            return self._records.count(kind, which)

    def take(self, kind: str, *, now: datetime, until: datetime) -> Record | None:
        """See :meth:`Store.take`."""
        with readable_text("kind"):
            return self._records.take(kind, now, until)

    def drop(self, kind: str, which: Which) -> int:
        """See :meth:`Store.drop`."""
        with readable_text("argument"):
            return self._records.drop(kind, which)

    # -- upkeep -------------------------------------------------------------------------------------

    def scan(
        self, view: View, layer: Layer, *, after: str = "", unembedded: bool = False
    ) -> Iterator[Memory | Turn]:
        """See :meth:`Store.scan`; what is written meanwhile behind the last id is seen too."""
        while page := self._reader.scan_page(view, layer, after=after, unembedded=unembedded):
            yield from page
            after = page[-1].id

    def vectors(self, layer: Layer, ids: Sequence[str]) -> list[Embedded]:
        """See :meth:`Store.vectors`."""
        with readable_text("ids"):
            return self._reader.vectors(layer, ids)

    def changes(self, since: int = 0, *, limit: int = 1000) -> list[Change]:
        """See :meth:`Store.changes`."""
        return self._reader.changes(since, limit)

    def head(self) -> Head:
        """See :meth:`Store.head`."""
        return self._reader.head()

    def stats(self) -> Stats:
        """See :meth:`Store.stats`; a server does not say how many bytes a tenant takes."""
        return self._reader.stats(len(migrations.STEPS), self._records.kinds())

    def close(self) -> None:
        """See :meth:`Store.close`."""
        self._connection.close()


def connect(
    address: str,
    *,
    tenant: str,
    user: str | None = None,
    password: str | None = None,
    database: str | None = None,
    timeout: float = 30.0,
    connections: int = 100,
) -> Connection:
    """Return the way to the server at ``address``; raises as :meth:`Neo4jStore.open` does."""
    if not tenant.strip():
        raise MissingScope("tenant", "is missing", "say whose store this is, e.g. tenant='acme'")
    if address.partition("://")[0] not in SCHEMES:
        raise InvalidInput("address", f"{address!r} is no address of a server", "write neo4j://host:7687")
    try:
        driver = GraphDatabase.driver(
            address,
            auth=None
            if user is None and password is None
            else Auth("basic", user or "neo4j", password or ""),
            max_connection_pool_size=connections,
            connection_timeout=timeout,
            connection_acquisition_timeout=timeout,
            max_transaction_retry_time=timeout,
            notifications_min_severity="OFF",
        )
    except (ConfigurationError, ValueError) as error:
        raise InvalidInput(
            "address", f"{address!r} is no address of a server ({error})", "write neo4j://host:7687"
        ) from error
    try:
        with translated(address):
            driver.verify_connectivity()
    except BaseException:
        driver.close()
        raise
    return Connection(driver, database, address, timeout, lambda run, log: put_down(run, tenant, log))


def _release(connection: Connection) -> tuple[int, ...]:
    """Return the server's version, such as ``(5, 26, 31)``."""
    rows: list[list[Any]] = connection.read(schema.SERVER, {})
    versions: Mapping[str, Sequence[str]] = dict(rows)
    return tuple(int(part) for part in versions["Neo4j Kernel"][0].split("-")[0].split(".")[:2])
