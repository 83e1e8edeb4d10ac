"""The wall between tenants and between users, fired at from all sides; and that the firing sees a hole in it."""

from pathlib import Path

import pytest

from benchmarks.wall import TENANTS, USERS, wall
from mnemic.graph.view import Scope


def test_nothing_of_anybody_else_ever_comes_back(tmp_path: Path) -> None:
    with wall(tmp_path, seed=1) as fired:
        while fired.report.calls < 1_000:
            fired.fire()
    assert fired.report.leaks == []
    assert len(fired.report.routes) > 40
    assert fired.report.statuses[200] > 300


@pytest.mark.parametrize("hole", ["users", "ids"])
def test_a_hole_is_seen(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, hole: str) -> None:
    if hole == "users":
        monkeypatch.setattr(Scope, "readable", property(lambda scope: frozenset({*USERS, "team"})))
    else:
        monkeypatch.setattr("mnemic.api.rest.resources._version", lambda _: "another")
        monkeypatch.setattr("mnemic.engine.listing.NotFound", lambda what, id: KeyError(id))
    with wall(tmp_path, seed=1) as fired:
        while fired.report.calls < 300 and not fired.report.leaks:
            fired.fire()
    assert fired.report.leaks
    assert len(TENANTS) > 1
