import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from typer.testing import Result

from mnemic.api import intake

Run = Callable[..., Result]

CHAT = """\
2026-03-02 10:00 Tom: I own Lighthouse, still on Angular.
2026年3月2日 10:04 林悦：订票服务还是我负责
2026-03-02 10:05 Tom: ok
2026-03-02 10:05 Tom: ok
"""


@pytest.fixture
def chat(tmp_path: Path) -> Path:
    file = tmp_path / "chat.txt"
    file.write_text(CHAT, "utf-8")
    return file


def imported(done: Result) -> Any:
    assert done.exit_code in (0, 2), done.output
    return json.loads(done.stdout)


def turns(run: Run) -> list[Any]:
    rows = [json.loads(line) for line in run("export").stdout.splitlines()]
    return [row for row in rows if row["type"] == "turn"]


def test_an_import_tells_what_came_of_it(run: Run, chat: Path) -> None:
    total = imported(run("import", "chat.txt", "--offset", "+08:00", "--json"))
    assert (total["messages"], total["known"], total["bad"]) == (4, 0, 0)
    assert total["stored"] > 0
    assert {turn["session"] for turn in turns(run)} == {"chat-2026-03-02"}


def test_importing_twice_doubles_nothing(run: Run, chat: Path) -> None:
    first = run("import", "chat.txt", "--offset", "+08:00")
    assert "4 new, 0 known" in first.stdout
    before = run("export").stdout
    assert imported(run("import", "chat.txt", "--offset", "+08:00", "--json"))["known"] == 4
    assert run("export").stdout == before


def test_a_file_that_has_grown_and_was_renamed_adds_only_what_is_new(run: Run, chat: Path) -> None:
    run("import", "chat.txt", "--offset", "+08:00")
    chat.with_name("later.txt").write_text(CHAT + "2026-03-03 09:00 Tom: new\n", "utf-8")
    total = imported(run("import", "later.txt", "--offset", "+08:00", "--json"))
    assert (total["messages"], total["known"]) == (5, 4)
    assert len(turns(run)) == 5


def test_bad_lines_are_reported_by_number_and_the_rest_is_imported(run: Run, chat: Path) -> None:
    chat.write_text(CHAT.replace("10:04", "25:71"), "utf-8")
    shown = run("import", "chat.txt")
    assert shown.exit_code == 2
    assert shown.stderr.startswith("chat.txt, line 2: at: '2026年3月2日 25:71' is no date and time")
    total = imported(run("import", "chat.txt", "--json"))
    assert (total["messages"], total["known"], total["bad"]) == (3, 3, 1)
    assert [bad["line"] for bad in total["bad_lines"]] == [2]


def test_strict_writes_nothing_when_a_line_is_bad(run: Run, chat: Path, tmp_path: Path) -> None:
    chat.write_text(CHAT + "2026-03-03 25:71 Tom: x\n", "utf-8")
    shown = run("import", "chat.txt", "--strict", "--json")
    assert shown.exit_code == 2
    assert (imported(shown)["messages"], imported(shown)["bad"]) == (0, 1)
    assert not (tmp_path / "memory.db").exists()


def test_strict_imports_a_file_without_bad_lines(run: Run, chat: Path) -> None:
    assert imported(run("import", "chat.txt", "--strict", "--json"))["messages"] == 4


def test_the_bundled_examples_are_imported(run: Run) -> None:
    examples = Path(__file__).parents[2] / "examples"
    team = run("import", str(examples / "team.jsonl"), "--visibility", "team", "--json")
    assert (imported(team)["messages"], team.exit_code) == (68, 0)
    chat = run("import", str(examples / "chat.txt"), "--offset", "+08:00", "--json")
    assert (imported(chat)["messages"], chat.exit_code) == (14, 2)
    assert [bad["line"] for bad in imported(chat)["bad_lines"]] == [8]


def test_standard_input_is_read(run: Run) -> None:
    done = run("import", "-", "--session", "archive", "--json", stdin=CHAT.encode())
    assert imported(done)["messages"] == 4
    assert {turn["session"] for turn in turns(run)} == {"archive"}


def test_what_is_imported_for_the_team_is_the_teams(run: Run, chat: Path) -> None:
    run("import", "chat.txt", "--visibility", "team")
    assert {turn["owner"] for turn in turns(run)} == {"team"}
    assert imported(run("import", "chat.txt", "--json"))["known"] == 0


def test_many_messages_are_imported_in_batches(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(intake, "BATCH", 4)
    lines = [json.dumps({"role": "user", "content": f"message {number}"}) for number in range(10)]
    (tmp_path / "log.jsonl").write_text("\n".join(lines), "utf-8")
    assert imported(run("import", "log.jsonl", "--json"))["messages"] == 10
    assert len(turns(run)) == 10


def test_an_id_given_twice_is_one_turn(run: Run, tmp_path: Path) -> None:
    line = json.dumps({"role": "user", "content": "hello", "id": "x"})
    (tmp_path / "log.jsonl").write_text(f"{line}\n{line}\n", "utf-8")
    total = imported(run("import", "log.jsonl", "--json"))
    assert (total["messages"], total["known"]) == (2, 1)


def test_no_bar_is_drawn_where_nobody_watches(run: Run, chat: Path) -> None:
    assert run("import", "chat.txt").stderr == ""


def test_an_export_is_jsonl_or_one_array_or_a_file(run: Run, chat: Path, tmp_path: Path) -> None:
    run("import", "-", stdin="")
    assert json.loads(run("export", "--json").stdout) == []
    run("import", "chat.txt")
    rows = [json.loads(line) for line in run("export").stdout.splitlines()]
    assert json.loads(run("export", "--json").stdout) == rows
    assert json.loads(run("export", "out.jsonl", "--json").stdout) == {"file": "out.jsonl", "rows": len(rows)}
    assert [json.loads(line) for line in (tmp_path / "out.jsonl").read_text("utf-8").splitlines()] == rows


def test_messages_without_words_are_counted_apart(run: Run, tmp_path: Path) -> None:
    lines = [{"role": "user", "content": "Tom owns Lighthouse."}, {"role": "assistant", "content": None}]
    (tmp_path / "log.jsonl").write_text("\n".join(map(json.dumps, lines)), "utf-8")
    total = imported(run("import", "log.jsonl", "--json"))
    assert (total["messages"], total["silent"], total["bad"]) == (1, 1, 0)
    assert "1 message without words left out" in run("import", "log.jsonl").stdout
