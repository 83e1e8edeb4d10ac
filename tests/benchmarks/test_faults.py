"""The benchmark of faults counts what it promises; a file stands in for the server."""

import random
from collections.abc import Callable
from pathlib import Path
from typing import Any, cast

import pytest

from benchmarks import faults
from mnemic.errors import StoreUnavailable
from mnemic.graph.embedded import EmbeddedStore
from mnemic.graph.model import GraphDelta
from mnemic.graph.neo4j import Neo4jStore
from tests.servers.process import Server


class Standin:
    """A server whose faults are ours."""

    address = "bolt://nowhere"

    def __init__(self) -> None:
        self.writes, self.opens = True, True


@pytest.fixture
def server(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Standin:
    server, apply = Standin(), EmbeddedStore.apply

    def opened(address: str, *, tenant: str, **_: Any) -> EmbeddedStore:
        if not server.opens:
            raise StoreUnavailable("store: it is gone")
        return EmbeddedStore.open(tmp_path / "acme.db", tenant=tenant, synchronous="normal")

    def applied(store: EmbeddedStore, delta: GraphDelta) -> None:
        if not server.writes:
            raise StoreUnavailable("store: it takes no writes")
        apply(store, delta)

    monkeypatch.setattr(Neo4jStore, "open", opened)
    monkeypatch.setattr(EmbeddedStore, "apply", applied)
    monkeypatch.setattr(faults, "_PATIENCE", 1.0)
    return server


def tally(server: Standin, fault: Callable[[Standin], None]) -> faults.Tally:
    struck = cast(Callable[[Server], None], fault)
    return faults.disturbed(struck, cast(Server, server), random.Random(1))


def test_a_server_that_goes_on_is_sound(server: Standin) -> None:
    found = tally(server, lambda server: None)
    assert found.acknowledged > 10
    assert found.sound


def test_a_server_that_does_not_recover_is_a_failure(server: Standin) -> None:
    def refuse(server: Standin) -> None:
        server.writes = False

    found = tally(server, refuse)
    assert (found.lost, found.doubled, found.half, found.stuck) == (0, 0, 0, 1)
    assert not found.sound


def test_a_server_that_stays_away_is_a_failure(server: Standin) -> None:
    def vanish(server: Standin) -> None:
        server.writes = server.opens = False

    assert not tally(server, vanish).sound
