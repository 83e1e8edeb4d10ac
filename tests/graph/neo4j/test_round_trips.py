"""A server is a round trip away: a recall makes at most two of them, a remember writes in one transaction."""

from collections.abc import Iterator
from typing import Any
from uuid import uuid4

import pytest
from neo4j import ManagedTransaction, Session

from mnemic import FixedEmbedder, Mnemic
from mnemic.graph.model import Layer
from mnemic.graph.neo4j import Neo4jStore, indexes
from tests.graph.neo4j.conftest import until_online
from tests.servers.shared import Access

QUESTIONS = (
    "What does the payment service run on?",
    "Who leads the Lighthouse project?",
    "支付服务现在用什么数据库？",
    "Where did the umbrella go?",
)


opened: dict[str, Mnemic] = {}


@pytest.fixture(scope="module", autouse=True)
def _closed() -> Iterator[None]:
    """Close in the end what the tests share."""
    yield
    for memory in opened.values():
        memory.close()
    opened.clear()


def open_memory(access: Access, tenant: str) -> Mnemic:
    credentials = (access.user, access.password)
    return Mnemic(
        access.address, user="ada", tenant=tenant, embedder=FixedEmbedder(16), credentials=credentials
    )


@pytest.fixture
def memory(access: Access) -> Mnemic:
    """A memory on this server that was told what the questions ask."""
    if access.address not in opened:
        opened[access.address] = memory = open_memory(access, f"acme-{uuid4()}")
        memory.remember("The payment service runs on MySQL. 支付服务用 MySQL。", session="standup")
        memory.remember("We moved the payment service from MySQL to PostgreSQL.", session="standup")
        memory.remember("Maya leads the Lighthouse project, which uses the payment service.")
        memory.recall("How do you do, and who leads Lighthouse?")
    return opened[access.address]


@pytest.fixture
def statements(memory: Mnemic, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Every statement that is sent while a test runs."""
    sent: list[str] = []
    run = ManagedTransaction.run

    def noted(self: ManagedTransaction, query: str, *rest: Any, **given: Any) -> Any:
        sent.append(query)
        return run(self, query, *rest, **given)

    monkeypatch.setattr(ManagedTransaction, "run", noted)
    return sent


@pytest.mark.parametrize("depth", ["warm", "deep", "auto"])
@pytest.mark.parametrize("question", QUESTIONS)
def test_a_recall_takes_at_most_two_round_trips(
    memory: Mnemic, statements: list[str], question: str, depth: str
) -> None:
    memory.recall(question, depth=depth)
    assert len(statements) == (1 if depth != "auto" else len(statements)) <= 2


def test_names_that_another_process_has_learnt_cost_one_more(
    access: Access, memory: Mnemic, statements: list[str]
) -> None:
    with open_memory(access, memory.scope.tenant) as other:
        other.learn([{"name": "payment service", "kind": "service", "aliases": ["Zahlungsdienst"]}])
    statements.clear()
    found = memory.recall("What does the Zahlungsdienst run on?", depth="warm")
    assert "PostgreSQL" in found.text
    statements.clear()
    memory.recall("What does the Zahlungsdienst run on?", depth="warm")
    assert len(statements) == 1


def test_a_user_who_has_learnt_names_and_written_nothing_is_answered_at_once(
    access: Access, statements: list[str]
) -> None:
    with open_memory(access, f"acme-{uuid4()}") as memory:
        memory.learn([{"name": "payment service", "kind": "service"}])
        memory.recall("What does the payment service run on?", depth="warm")
        statements.clear()
        memory.recall("Who runs the payment service?", depth="warm")
    assert len(statements) == 1


@pytest.mark.parametrize("depth", ["warm", "deep"])
def test_a_recall_by_an_index_is_one_round_trip(
    access: Access, statements: list[str], monkeypatch: pytest.MonkeyPatch, depth: str
) -> None:
    monkeypatch.setattr(indexes, "EXACT_UP_TO", 2)
    with open_memory(access, f"acme-{uuid4()}") as memory:
        memory.remember([{"content": f"The service number{n} runs on PostgreSQL."} for n in range(9)])
        store = memory._core.store
        assert isinstance(store, Neo4jStore)
        until_online(store, *Layer)
    with open_memory(access, memory.scope.tenant) as memory:
        memory.recall("What is there?", depth="warm")  # names, once
        statements.clear()
        memory.recall("What does the service number4 run on?", depth=depth, limit=1)
        assert len(statements) == 1


def test_a_remember_writes_in_one_transaction(memory: Mnemic, monkeypatch: pytest.MonkeyPatch) -> None:
    begun: list[Any] = []
    execute_write = Session.execute_write

    def noted(self: Session, *rest: Any, **given: Any) -> Any:
        begun.append(rest)
        return execute_write(self, *rest, **given)

    monkeypatch.setattr(Session, "execute_write", noted)
    receipt = memory.remember("Maya now leads the Beacon project instead of Lighthouse, and likes tea.")
    assert receipt.stored
    assert len(begun) == 1
