"""The speed benchmark measures what it says, on a store so small that the figures mean nothing."""

import json
from pathlib import Path

import pytest

from benchmarks import matcher, speed


@pytest.fixture(autouse=True)
def _small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Measure few calls, all in this process."""
    monkeypatch.setattr(matcher, "SIZES", (10,))
    monkeypatch.setattr(speed, "_alone", lambda work, plan: work(plan))
    for name, number in {"QUESTIONS": 5, "NAMES": 3, "CHUNKS": 2, "BATCH": 4, "SINGLES": 2}.items():
        monkeypatch.setattr(speed, name, number)


def test_several_stores_are_measured_in_one_run(tmp_path: Path) -> None:
    kept, written = tmp_path / "kept", tmp_path / "figures.json"
    speed.main(f"file,{kept}", "8", "none", 2, tmp_path / "filled", written, quiet=True)
    figures = json.loads(written.read_text())["8"]
    assert set(figures) == {"file", str(kept)}
    assert {path.name for path in kept.glob("*.db")} == {"speed-8-0.db", "speed-8-1.db"}
    for measured in figures.values():
        assert measured["copy memories/s"] > 0
        assert {"recall warm p50 ms", "explore 2 hops p95 ms", "write 4 none msg/s"} <= measured.keys()
