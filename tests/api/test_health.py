"""What `mnemic doctor` looks at."""

import re
import tomllib
from collections.abc import Callable
from pathlib import Path
from uuid import uuid4

import pytest

from mnemic import Mnemic
from mnemic.api.health import Health, examine
from mnemic.api.settings import Environment
from mnemic.errors import StoreError
from mnemic.graph.model import GraphDelta
from mnemic.graph.neo4j import Neo4jStore
from tests.servers.shared import SERVERS, Access

_PROJECT = Path(__file__).parents[2] / "pyproject.toml"


def found(health: Health, name: str) -> str:
    (check,) = [check for check in health.checks if check.name == name]
    return f"{check.status}: {check.detail}"


def test_every_library_that_is_installed_everywhere_is_looked_for() -> None:
    wanted = tomllib.loads(_PROJECT.read_text("utf-8"))["project"]["dependencies"]
    listed = found(examine(Environment(path=":memory:", embedder="none")), "libraries")
    for line in wanted:
        if ";" not in line:
            assert f"{re.split('[<>=]', line)[0]} " in listed


def test_a_store_that_is_there_is_written_to_and_nothing_of_it_stays(tmp_path: Path) -> None:
    environment = Environment(path=str(tmp_path / "acme.db"), user="ada", embedder="none")
    assert "writing there" not in [check.name for check in examine(environment).checks]
    with Mnemic(environment.path, user="ada", embedder="none") as memory:
        memory.remember("We moved the payment service to PostgreSQL.")
        before = memory.stats()
        assert found(examine(environment), "writing there").startswith("good: 1 turn written")
        assert memory.stats() == before
        assert len(memory.core.store.changes()) == before.sequence


@pytest.mark.parametrize("name", SERVERS)
def test_a_server_is_written_to_and_nothing_of_it_stays(
    name: str, server: Callable[[str], Access], monkeypatch: pytest.MonkeyPatch
) -> None:
    access = server(name)
    monkeypatch.setenv("MNEMIC_NEO4J_USER", access.user)
    monkeypatch.setenv("MNEMIC_NEO4J_PASSWORD", access.password)
    environment = Environment(path=access.address, user="ada", tenant=f"acme-{uuid4()}", embedder="none")
    with Mnemic(access.address, user="ada", tenant=environment.tenant, embedder="none") as memory:
        memory.remember("We moved the payment service to PostgreSQL.")
        before = memory.stats()
        assert found(examine(environment), "writing there").startswith("good: 1 turn written")
        assert memory.stats() == before

        def refused(store: Neo4jStore, delta: GraphDelta) -> None:
            raise StoreError("store: it takes no writes")

        monkeypatch.setattr(Neo4jStore, "apply", refused)
        health = examine(environment)
        assert not health.well
        assert found(health, "writing there") == "bad: store: it takes no writes"
