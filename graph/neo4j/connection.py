"""The way to the server: one driver, and the transaction that a thread is in.

Every statement runs in a managed transaction of the driver, which runs its work again after transient
failures: a deadlock, a leader that changed, a connection that broke before the commit.
"""

import threading
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, Protocol, TypeVar

from neo4j import READ_ACCESS, WRITE_ACCESS, Driver, GraphDatabase, ManagedTransaction, Session, unit_of_work
from neo4j.exceptions import ClientError, ServiceUnavailable, SessionExpired

from mnemic.graph.neo4j.faults import translate, translated

T = TypeVar("T")

Rows = list[list[Any]]

_MADE_MEANWHILE = "Neo.ClientError.Schema.EquivalentSchemaRuleAlreadyExists"


GRACE = 5.0
"""So many seconds a server may take beyond the timeout to end a transaction and say so."""

Entry = tuple[str, str, str]
"""One change: whose row, of which kind, its id."""


class Log(list[Entry]):
    """What a transaction changed, and the embedder and dimension of the vectors that it wrote, if any."""

    embedder: tuple[str, int] | None = None


class Run(Protocol):
    """Runs one statement and returns its rows, to be read once.

    The server works while the next statement is being packed: it is waited for when the rows are read, when
    another statement is run, or at the commit. What goes wrong in it is raised there.
    """

    def __call__(self, statement: str, parameters: Mapping[str, Any]) -> Iterable[Sequence[Any]]:
        """Run ``statement``; all that it needs to know comes as ``parameters``."""


class _Again(BaseException):
    """The work of a transaction must run again, because a part of it that failed was undone."""


@dataclass(slots=True)
class Transaction:
    """A transaction that a thread is in.

    A server has no savepoints. So when a part (a transaction inside it) fails and the work goes on, all of
    it is undone and run again, and this time that part fails at once: ``failed`` says which, counted in
    the order in which they begin, and with what.
    """

    run: Run
    failed: Mapping[int, BaseException]
    log: Log = field(default_factory=Log)
    parts: int = 0
    wrote: bool = False
    spoilt: dict[int, BaseException] = field(default_factory=dict)

    def part(self, work: Callable[[], T]) -> T:
        """Run ``work`` as a part that leaves nothing where it fails."""
        number = self.parts
        self.parts += 1
        if number in self.failed:
            raise self.failed[number]
        try:
            return work()
        except Exception as error:
            if self.wrote:
                self.spoilt[number] = error
            raise

    def check(self) -> None:
        """Stop the work when a part of it failed and it goes on."""
        if self.spoilt:
            raise _Again


class Connection:
    """A driver on one database, safe to share between threads.

    ``put_down`` writes the log of a transaction, last of all: the log is one for all owners, so that who
    has begun to write it keeps the others waiting until the commit.
    """

    def __init__(
        self,
        driver: Driver,
        database: str | None,
        place: str,
        timeout: float,
        put_down: Callable[[Run, Log], object],
    ) -> None:
        self._driver, self._database, self.place, self._timeout = driver, database, place, timeout
        self._put_down = put_down
        self._bookmarks = GraphDatabase.bookmark_manager()
        self._local = threading.local()

    @property
    def transaction(self) -> Transaction | None:
        """The transaction that this thread is in, if any."""
        return getattr(self._local, "transaction", None)

    def read(self, statement: str, parameters: Mapping[str, Any]) -> Rows:
        """Return the rows of ``statement``, read in the thread's transaction or in one of its own."""
        if (transaction := self.transaction) is not None:
            transaction.check()
            return _rows(transaction.run(statement, parameters))
        return self.read_apart(statement, parameters)

    def read_apart(self, statement: str, parameters: Mapping[str, Any]) -> Rows:
        """Return the rows of ``statement`` as they are committed, whatever transaction the thread is in."""
        with self._session(READ_ACCESS) as session:
            return session.execute_read(self._timed(lambda run: _rows(run(statement, parameters))))

    def write(self, work: Callable[[Run, Log], T]) -> T:
        """Run ``work`` in the thread's transaction or in one of its own; it adds what it changes to the log."""
        if (transaction := self.transaction) is not None:
            transaction.check()
            transaction.wrote = True
            return work(transaction.run, transaction.log)

        def whole(run: Run) -> T:
            log = Log()
            result = work(run, log)
            self._put_down(run, log)
            return result

        with self._session(WRITE_ACCESS) as session:
            return session.execute_write(self._timed(whole))

    def transact(self, begin: Callable[[Run], object], work: Callable[[], T]) -> T:
        """Run ``begin`` and ``work`` in one transaction; inside another, as a part of that."""
        if (transaction := self.transaction) is not None:
            transaction.check()
            return transaction.part(work)
        failed: dict[int, BaseException] = {}
        while True:
            current = Transaction(_unconnected, dict(failed))

            def whole(run: Run, current: Transaction = current) -> T:
                current.run, current.parts, current.wrote = run, 0, False
                current.spoilt.clear()
                current.log = Log()
                begin(run)
                self._local.transaction = current
                try:
                    result = work()
                    current.check()
                    self._put_down(run, current.log)
                    return result
                finally:
                    self._local.transaction = None

            try:
                with self._session(WRITE_ACCESS) as session:
                    return session.execute_write(self._timed(whole))
            except _Again:
                failed.update(current.spoilt)

    def change_schema(self, statement: str) -> None:
        """Run one statement that makes a constraint or an index, unless somebody else does so just now."""
        with self._session(WRITE_ACCESS) as session:
            try:
                session.execute_write(self._timed(lambda run: run(statement, {})))
            except ClientError as error:
                if error.code != _MADE_MEANWHILE:
                    raise

    def close(self) -> None:
        """Close the driver; a second call does nothing."""
        self._driver.close()

    def _timed(self, work: Callable[[Run], T]) -> Callable[[ManagedTransaction], T]:
        """Return ``work`` as the driver wants it; the server ends it when it takes too long.

        Where the server has been silent for as long as that, the driver would try once more, and wait anew.
        """
        begun = time.monotonic()

        @unit_of_work(timeout=self._timeout)
        def inside(transaction: ManagedTransaction) -> T:
            _listen(transaction, self._timeout + GRACE)

            def run(statement: str, parameters: Mapping[str, Any]) -> Iterable[Sequence[Any]]:
                return transaction.run(statement, {"p": dict(parameters)})

            try:
                return work(run)
            except (ServiceUnavailable, SessionExpired) as error:
                if time.monotonic() - begun > self._timeout:
                    raise translate(error, self.place) from error
                raise

        return inside

    @contextmanager
    def _session(self, access: str) -> Iterator[Session]:
        with (
            translated(self.place),
            self._driver.session(
                database=self._database, default_access_mode=access, bookmark_manager=self._bookmarks
            ) as session,
        ):
            yield session


def _listen(transaction: Any, seconds: float) -> None:
    """Give the connection up when nothing comes for so long: a server that is frozen does not close it.

    The driver has no setting for this; by itself it waits as long as the server once told it to, two minutes.
    """
    transaction._connection.socket.set_read_timeout(seconds)


def _rows(answer: Iterable[Sequence[Any]]) -> Rows:
    return [list(row) for row in answer]


def _unconnected(statement: str, parameters: Mapping[str, Any]) -> Rows:
    raise AssertionError("the transaction has not begun")
