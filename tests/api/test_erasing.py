"""Erasing a user: nothing of theirs is left, the others keep theirs, and the report shows whether it is genuine."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from typer.testing import Result

from mnemic import InvalidInput, Mnemic
from mnemic.api.erasing import erase_user, is_genuine
from mnemic.api.opening import plain_files
from mnemic.engine.jobs import submit
from tests.engine.told import as_user, door

SHARED = "The checkout runs on PostgreSQL since March."


def filled(file: Path) -> Mnemic:
    memory = door(file)
    bob = as_user(memory, "bob")
    for teller in (memory, bob):
        teller.remember(SHARED)
    memory.remember("小王住在成都，门牌号是春熙路十七号。")
    memory.remember("Lea owns Atlas, says everybody in the team.", visibility="team")
    bob.remember("Ben lives in Bern.")
    return memory


def test_all_of_the_user_is_gone_and_all_of_the_others_stays(tmp_path: Path) -> None:
    file = tmp_path / "acme.db"
    with filled(file) as memory:
        bob = as_user(memory, "bob")
        kept = list(bob.export())
        report = erase_user(memory, "ada", plain_files(str(file), "default", None))
        assert report.removed["turns"] == 2
        assert (report.left, report.found) == (0, 0)
        assert report.sought == 2  # the one that bob told in the same words among them
        assert [row for row in memory.export() if row.get("owner") == "ada"] == []
        assert list(bob.export()) == kept
        assert erase_user(memory, "ada").removed["turns"] == 0
        for rest in tmp_path.iterdir():
            assert "春熙路".encode() not in rest.read_bytes()


def test_nobody_is_erased_by_a_slip(tmp_path: Path) -> None:
    with filled(tmp_path / "acme.db") as memory:
        before = list(memory.export())
        with pytest.raises(InvalidInput, match="once more"):
            erase_user(memory, "bob")
        assert list(memory.export()) == before


def test_a_report_that_was_changed_is_no_longer_genuine(tmp_path: Path) -> None:
    with filled(tmp_path / "acme.db") as memory, door(tmp_path / "other.db") as other:
        report = erase_user(memory, "ada")
        assert is_genuine(memory, report)
        assert not is_genuine(memory, report.model_copy(update={"user": "bob"}))
        assert not is_genuine(other, report)


def test_the_command_prints_a_report_and_checks_it(run: Callable[..., Result], tmp_path: Path) -> None:
    run("remember", SHARED)
    refused = run("erase", "bob")
    assert refused.exit_code == 2
    report = run("erase", "ada")
    assert json.loads(report.stdout)["removed"]["turns"] == 1
    file = tmp_path / "report.json"
    file.write_text(report.stdout, "utf-8")
    assert run("erase", "--check", str(file)).exit_code == 0
    file.write_text(report.stdout.replace('"ada"', '"bob"'), "utf-8")
    assert run("erase", "--check", str(file)).exit_code == 1
    file.write_text("{", "utf-8")
    assert run("erase", "--check", str(file)).exit_code == 2


def test_the_same_words_in_somebody_elses_waiting_job_stand_in_nobodys_way(tmp_path: Path) -> None:
    file = tmp_path / "acme.db"
    with filled(file) as memory:
        bob = as_user(memory, "bob")
        text = "The spare key of the boat house is with Lea now."
        memory.remember(text)
        submit(bob.core, bob.scope, {"message": text})
        assert erase_user(memory, "ada", plain_files(str(file), "default", None)).found == 0
