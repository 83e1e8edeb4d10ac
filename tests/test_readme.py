"""The lines of Python in the README and the documents, and those for the shell, do what is said beside them."""

import re
import shlex
from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path

import pytest
from typer.testing import CliRunner

from mnemic import Mnemic
from mnemic.api.cli import app

ROOT = Path(__file__).parents[1]
README = ROOT / "README.md"
_BLOCKS = re.compile(r"```python\n(?P<code>.*?)```\n+```\n(?P<printed>.*?)```", re.DOTALL)
_SHELL = re.compile(r"```\n(?P<lines>mnemic dictionary add .*?)```", re.DOTALL)
_DATE = re.compile(r"\d{4}-\d\d-\d\d")


@pytest.mark.parametrize("page", ["README.md", "docs/understanding.md"])
def test_the_lines_of_python_print_what_stands_below_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, page: str
) -> None:
    block = _BLOCKS.search((ROOT / page).read_text(encoding="utf-8"))
    assert block is not None
    monkeypatch.chdir(tmp_path)
    printed = StringIO()
    with redirect_stdout(printed):
        exec(compile(block["code"], page, "exec"), {})
    assert _DATE.sub("date", printed.getvalue()) == _DATE.sub("date", block["printed"])


def test_every_line_for_the_shell_works_after_those_before_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    block = _SHELL.search(README.read_text(encoding="utf-8"))
    assert block is not None
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("MNEMIC_EMBEDDER", "none")
    monkeypatch.delenv("MNEMIC_PATH", raising=False)
    monkeypatch.setenv("COLUMNS", "200")
    shown: dict[str, str] = {}
    for line in block["lines"].splitlines():
        match shlex.split(line, comments=True):
            case ["echo", text, ">", file]:
                Path(file).write_text(f"{text}\n", encoding="utf-8")
            case ["mnemic", *words]:
                done = CliRunner().invoke(app, words)
                assert done.exit_code == 0, (line, done.output)
                shown[words[0]] = done.stdout
            case _:
                pytest.fail(f"neither a command of ours nor a file: {line}")
    assert "Tom owns the billing project." in shown["recall"]
    assert "owner Tom" in shown["about"]
    assert "1 memory stored" in shown["import"]


def test_every_command_and_every_method_has_its_line() -> None:
    text = README.read_text(encoding="utf-8")
    commands = [command.name or "" for command in app.registered_commands]
    groups = [group.name or "" for group in app.registered_groups]
    methods = [name for name in vars(Mnemic) if name.islower() and name[0] != "_"]
    shell = "\n".join(
        line for line in text.partition("| command |")[2].splitlines() if line.startswith("| `")
    )
    python = "\n".join(
        line for line in text.partition("| method |")[2].splitlines() if line.startswith("| `")
    )
    assert [name for name in (*commands, *groups) if not re.search(rf"`{name}\b", shell)] == []
    assert [name for name in methods if not re.search(rf"`{name}\(", python)] == ["within", "core", "close"]
