"""The tenants' engines: opened once for all, kept while they are used, and let go in the end."""

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Barrier, Event

import pytest

from mnemic import InvalidInput, Scope, StoreUnavailable
from mnemic.api.service import tenants as service
from mnemic.api.service.tenants import Tenants


def of(tmp_path: Path, most: int = 64) -> Tenants:
    return Tenants(f"{tmp_path}/", embedder="none", most=most)


def test_many_at_once_share_one_engine(tmp_path: Path) -> None:
    tenants, together = of(tmp_path), Barrier(8)

    def ask(_: int) -> int:
        together.wait(20)
        with tenants.core("acme") as core:
            return id(core)

    with ThreadPoolExecutor(8) as pool:
        assert len(set(pool.map(ask, range(8)))) == 1
    tenants.close()


def test_no_more_than_the_bound_stay_open_and_none_that_is_used_is_closed(tmp_path: Path) -> None:
    tenants = of(tmp_path, most=2)
    with tenants.memory(Scope(tenant="t0", user="ada")) as held:
        for number in range(1, 6):
            with tenants.memory(Scope(tenant=f"t{number}", user="ada")) as memory:
                memory.remember(f"This is tenant {number}.")
        held.remember("Still open.")
        assert len(tenants._open) == 2
    with tenants.memory(Scope(tenant="t1", user="ada")) as again:
        assert [turn.text for turn in again.turns().items] == ["This is tenant 1."]
    tenants.close()


def test_what_cannot_be_opened_is_said_and_does_not_stand_in_the_way(tmp_path: Path) -> None:
    tenants = Tenants(f"{tmp_path}/", embedder="none", key="")
    for _ in range(2):
        with pytest.raises(InvalidInput, match="key"), tenants.core("acme"):
            pytest.fail("it is open")
    tenants.close()


def test_the_end_waits_for_calls_but_not_for_ever(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tenants, inside, go = of(tmp_path), Event(), Event()

    def call() -> None:
        with tenants.core("acme"):
            inside.set()
            go.wait(20)

    with ThreadPoolExecutor(2) as pool:
        calling = pool.submit(call)
        inside.wait(20)
        ending = pool.submit(tenants.close)
        assert not ending.done()
        go.set()
        ending.result(20)
        calling.result(20)
    with pytest.raises(StoreUnavailable), tenants.core("acme"):
        pytest.fail("it is open")

    monkeypatch.setattr(service, "_PATIENCE", 0.05)
    other = of(tmp_path)
    with other.core("acme"):
        other.close()
