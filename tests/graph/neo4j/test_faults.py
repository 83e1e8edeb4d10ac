"""What goes wrong between us and a server: it is said clearly, nothing is half written, and it is got over."""

import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from uuid import uuid4

import pytest
from neo4j.exceptions import DriverError, Neo4jError

from mnemic.errors import AccessDenied, InvalidInput, MnemicError, StoreBusy, StoreError, StoreUnavailable
from mnemic.graph.neo4j import Neo4jStore
from mnemic.graph.neo4j.connection import GRACE
from mnemic.graph.neo4j.faults import translate
from mnemic.graph.store import Store
from tests.graph.builders import DIMENSION, EMBEDDER, delta, embedded, ids, memory, vector, view
from tests.graph.neo4j.conftest import Open
from tests.servers.process import PASSWORD, USER, Server
from tests.servers.releases import RELEASES
from tests.servers.shared import SERVERS, Access, require

NOWHERE = "bolt://127.0.0.1:9"


def test_a_server_that_is_down_is_told_at_once() -> None:
    with pytest.raises(StoreUnavailable, match="cannot be reached"):
        Neo4jStore.open(NOWHERE, tenant="acme", timeout=2)


@pytest.mark.parametrize("address", ["neo4j:/host", "http://host:7474", "neo4j+x://host"])
def test_an_address_that_is_none_is_told(address: str) -> None:
    with pytest.raises(InvalidInput, match="neo4j://host:7687"):
        Neo4jStore.open(address, tenant="acme", timeout=2)


def test_a_wrong_password_is_told(access: Access) -> None:
    with pytest.raises(AccessDenied, match="password"):
        Neo4jStore.open(access.address, tenant="acme", user=access.user, password="wrong-password")


def test_a_database_that_is_not_there_is_told(opened: Open) -> None:
    with pytest.raises(StoreError, match="database of that name"):
        opened(database="nowhere")


def test_a_transaction_that_takes_too_long_is_ended_and_leaves_nothing(opened: Open) -> None:
    holder, waiter = opened(), opened(timeout=5)
    holder.apply(delta(memory("m0")))  # a cold server takes seconds for the first of each statement
    holds, done = threading.Event(), threading.Event()

    def hold(inner: Store) -> None:
        inner.apply(delta(memory("m1")))
        holds.set()
        done.wait(60)

    with ThreadPoolExecutor(1) as pool:
        holding = pool.submit(holder.transact, "ada", hold)
        holds.wait(60)
        started = time.monotonic()
        with pytest.raises(StoreBusy):
            waiter.apply(delta(memory("m2")))
        assert time.monotonic() - started < 50
        done.set()
        holding.result(60)
    assert [row.id for row in waiter.memories(view(), ids=["m1", "m2"])] == ["m1"]
    waiter.apply(delta(memory("m2")))
    assert len(holder.memories(view(), ids=["m1", "m2"])) == 2


def test_more_callers_than_connections_are_told(opened: Open) -> None:
    store = opened(connections=1, timeout=10)

    # a holder without a deadline: one with the same deadline is ended by the server at just that moment
    with (
        store._connection._driver.session() as holder,
        holder.begin_transaction(),
        pytest.raises(StoreBusy, match="connections"),
    ):
        store.stats()
    assert store.stats().memories == 0


def test_a_deadlock_is_tried_again(opened: Open) -> None:
    store, both = opened(), threading.Barrier(2)
    runs: list[str] = []

    def crosswise(first: str, second: str) -> None:
        def work(inner: Store) -> None:
            runs.append(first)
            if runs.count(first) == 1:
                both.wait(20)
            inner.apply(delta(memory(f"{first}-other", owner=second), memory(f"{first}-own", owner=first)))

        store.transact(first, work)

    with ThreadPoolExecutor(2) as pool:
        for done in [pool.submit(crosswise, "ada", "bob"), pool.submit(crosswise, "bob", "ada")]:
            done.result(60)
    assert len(runs) > 2
    assert store.stats().memories == 4


@pytest.fixture(scope="module", params=SERVERS)
def own_server(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server of these tests' own of each release, which they may freeze and kill; skipped on a named one."""
    name = request.param
    if name not in RELEASES:
        pytest.skip("a server that others use is not killed")
    require(name)
    with Server(RELEASES[name], tmp_path_factory.mktemp("own") / "home") as server:
        _open_at_once(server, f"acme-{uuid4()}")
        yield server


def test_a_server_that_is_frozen_is_given_up_and_we_go_on_when_it_answers(own_server: Server) -> None:
    opened = partial(
        Neo4jStore.open, own_server.address, tenant=f"acme-{uuid4()}", user=USER, password=PASSWORD
    )
    with opened() as slow:
        slow.apply(delta(memory("m1")))  # a cold server takes seconds for the first of each statement
        slow.stats()
        with opened(timeout=2) as store:
            store.stats()
            own_server.pause()
            try:
                for call in (store.stats, lambda: store.apply(delta(memory("m2")))):
                    started = time.monotonic()
                    with pytest.raises(StoreUnavailable, match="does not answer"):
                        call()
                    assert time.monotonic() - started < 1.5 * (2 + GRACE)  # not waited for twice
            finally:
                own_server.resume()
            _until(lambda: _answers(store))
            store.apply(delta(memory("m3")))
            assert {"m1", "m3"} <= set(ids(store.timeline(view())))


def _answers(store: Neo4jStore) -> bool:
    try:
        store.stats()
    except MnemicError:
        return False
    return True


def test_a_server_that_is_killed_loses_nothing_that_was_acknowledged_and_we_go_on(own_server: Server) -> None:
    acknowledged: list[str] = []
    stop = threading.Event()

    def write(store: Store, mark: str) -> None:
        number = 0
        while not stop.is_set():
            id = f"{mark}{number:04}"
            try:
                store.apply(delta(memory(id, terms=("plan",)), embedded(id, vector(1))))
            except MnemicError:
                stop.wait(0.2)
                continue
            acknowledged.append(id)
            number += 1

    tenant = f"acme-{uuid4()}"
    with Neo4jStore.open(own_server.address, tenant=tenant, user=USER, password=PASSWORD, timeout=5) as store:
        store.adopt(EMBEDDER, DIMENSION)
        with ThreadPoolExecutor(2) as pool:
            writing = [pool.submit(write, store, mark) for mark in "ab"]
            _until(lambda: len(acknowledged) > 20)
            own_server.kill()
            with pytest.raises(StoreUnavailable):
                store.stats()
            own_server.start()
            before = len(acknowledged)
            _until(lambda: len(acknowledged) > before + 10)
            stop.set()
            for each in writing:
                each.result(30)
        kept = ids(row for row in store.timeline(view(), limit=100_000))
        stats = store.stats()
    assert set(acknowledged) <= set(kept)
    assert len(kept) == len(set(kept)) == stats.memories == stats.vectors


def _open_at_once(server: Server, tenant: str) -> None:
    """Open a fresh database from several sides: one makes the schema, whichever comes first."""

    def open_store(_: int) -> None:
        Neo4jStore.open(server.address, tenant=tenant, user=USER, password=PASSWORD, timeout=60).close()

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(open_store, range(4)))


def _until(true: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 60
    while not true():
        assert time.monotonic() < deadline
        time.sleep(0.05)


@pytest.mark.parametrize(
    ("code", "kind"),
    [
        ("Neo.ClientError.Security.Unauthorized", AccessDenied),
        ("Neo.ClientError.Database.DatabaseNotFound", StoreError),
        ("Neo.ClientError.Transaction.TransactionTimedOut", StoreBusy),
        ("Neo.ClientError.Transaction.TransactionTimedOutClientConfiguration", StoreBusy),
        ("Neo.ClientError.Transaction.LockClientStopped", StoreBusy),
        ("Neo.ClientError.Transaction.TransactionTerminated", StoreBusy),
        ("Neo.TransientError.Transaction.DeadlockDetected", StoreBusy),
        ("Neo.DatabaseError.General.UnknownError", StoreError),
    ],
)
def test_every_kind_of_answer_has_its_error(code: str, kind: type[StoreError]) -> None:
    error = Neo4jError._hydrate_neo4j(code=code, message="it went wrong")
    assert type(translate(error, "bolt://host")) is kind


def test_every_error_of_the_driver_is_translated() -> None:
    def below(kind: type[Exception]) -> set[type[Exception]]:
        return {kind, *(each for child in kind.__subclasses__() for each in below(child))}

    for kind in below(DriverError) | below(Neo4jError):
        error = kind("it went wrong")
        assert isinstance(error, DriverError | Neo4jError)
        assert isinstance(translate(error, "bolt://host"), MnemicError)
