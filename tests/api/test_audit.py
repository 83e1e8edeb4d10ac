"""The record of who did what: chained, without content, and whatever is changed in it shows."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from typer.testing import Result

from mnemic import ManualClock, NotFound
from mnemic.api.service.audit import FIRST, Audit, entries, verify
from tests.engine.told import START


def written(folder: Path, count: int) -> Path:
    audit = Audit(folder, ManualClock(START), "one")
    for number in range(count):
        audit.record(lasting=False, action="recall", user=f"ada{number}")
    audit.close()
    return folder / "one.jsonl"


def test_a_chain_that_nobody_touched_is_whole(tmp_path: Path) -> None:
    written(tmp_path, 5)
    (chain,) = verify(tmp_path)
    assert (chain.entries, chain.broken) == (5, 0)
    assert chain.head != FIRST
    assert [entry["user"] for entry in entries(tmp_path)] == [f"ada{number}" for number in range(5)]


@settings(max_examples=60, deadline=None)
@given(at=st.integers(0, 4), change=st.sampled_from(["edit", "drop", "swap", "double", "garble"]))
def test_whatever_is_changed_shows(tmp_path_factory: pytest.TempPathFactory, at: int, change: str) -> None:
    file = written(tmp_path_factory.mktemp("audit"), 6)
    lines = file.read_text("utf-8").splitlines()
    match change:
        case "edit":
            lines[at] = lines[at].replace("ada", "bob")
        case "drop":
            del lines[at]
        case "swap":
            lines[at], lines[at + 1] = lines[at + 1], lines[at]
        case "double":
            lines.insert(at, lines[at])
        case _:
            lines[at] = lines[at][:-9]
    file.write_text("\n".join(lines), "utf-8")
    (chain,) = verify(file.parent)
    assert 0 < chain.broken <= at + 2


def test_an_entry_that_is_made_to_fit_needs_all_behind_it_made_anew(tmp_path: Path) -> None:
    file = written(tmp_path, 3)
    (before,) = verify(tmp_path)
    forged = written(tmp_path / "other", 3).read_text("utf-8").replace("ada1", "bob1").splitlines()
    entry = json.loads(forged[1])
    assert entry["user"] == "bob1"
    file.write_text("\n".join(forged), "utf-8")
    (after,) = verify(tmp_path)
    assert after.broken == 2
    assert after.head != before.head


def test_where_there_is_no_log_it_is_said(tmp_path: Path) -> None:
    with pytest.raises(NotFound, match="audit log"):
        verify(tmp_path)


def test_the_command_tells_a_whole_log_from_a_broken_one(run: Callable[..., Result], tmp_path: Path) -> None:
    file = written(tmp_path / "log", 3)
    assert run("audit", "verify", str(file.parent)).exit_code == 0
    shown = run("audit", "show", str(file.parent), "--of", "ada1")
    assert [json.loads(line)["user"] for line in shown.stdout.splitlines()] == ["ada1"]
    file.write_text(file.read_text("utf-8").replace("ada1", "bob1"), "utf-8")
    broken = run("audit", "verify", str(file.parent), "--json")
    assert (broken.exit_code, json.loads(broken.stdout)[0]["broken"]) == (1, 2)
    assert run("audit", "verify", str(tmp_path / "nowhere")).exit_code == 3
