"""The queries of docs/graph-model.md run as they stand there, and what they promise comes back."""

import re
from datetime import UTC, datetime
from importlib.resources import as_file
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from neo4j import GraphDatabase

from mnemic import ManualClock, Mnemic
from mnemic.api.demo import USER, dictionary, messages, tell
from tests.servers.shared import Access

_DOCUMENT = Path(__file__).parents[3] / "docs" / "graph-model.md"
QUERIES = dict(re.findall(r"^([^\n]+):\n\n```cypher\n(.*?)```", _DOCUMENT.read_text("utf-8"), re.M | re.S))
MAY_BE_EMPTY = {"What waits for confirmation"}

tenants: dict[str, str] = {}


@pytest.fixture
def tenant(access: Access) -> str:
    """A tenant on this server that was told the first part of the demo's conversation."""
    if access.address not in tenants:
        name = f"acme-{uuid4()}"
        clock = ManualClock(messages()[0]["at"])
        with (
            as_file(dictionary()) as names,
            Mnemic(
                access.address, user=USER, tenant=name, clock=clock, dictionary=names, embedder="none",
                credentials=(access.user, access.password),
            ) as memory,
        ):  # fmt: skip
            list(tell(memory, clock, messages()[:40]))
        tenants[access.address] = name
    return tenants[access.address]


def test_there_are_a_dozen() -> None:
    assert len(QUERIES) >= 12


@pytest.mark.parametrize("title", QUERIES)
def test_a_query_of_the_document_runs_and_finds_something(access: Access, tenant: str, title: str) -> None:
    parameters: dict[str, Any] = {
        "tenant": tenant,
        "owners": [USER, "team"],
        "name": "payment service",
        "other": "PostgreSQL",
        "predicate": "owner",
        "word": "a",
        "day": datetime(2026, 3, 31, tzinfo=UTC),
        "since": datetime(2025, 1, 1, tzinfo=UTC),
        "until": datetime(2027, 1, 1, tzinfo=UTC),
    }
    with GraphDatabase.driver(access.address, auth=(access.user, access.password)) as driver:
        found = driver.execute_query(QUERIES[title], parameters).records
    assert found or title in MAY_BE_EMPTY
