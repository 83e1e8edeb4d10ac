"""docs/assistants.md says what is: its session is real, its settings can be read, its commands and tools are there."""

import json
import os
import re
import sys
from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path

import pytest

from mnemic.api.cli import app
from mnemic.api.mcp import tools

PAGE = (Path(__file__).parents[3] / "docs" / "assistants.md").read_text(encoding="utf-8")
_SESSION = re.compile(r"```python\n(?P<code>import anyio.*?)```\n+```\n(?P<printed>.*?)```", re.DOTALL)
_OWN = re.compile(r"\d{4}-\d\d-\d\d|\bm[0-9a-f]{20}\b|'[0-9a-f]{8}'")
"""What differs from one session to the next: days, ids, codes."""


@pytest.fixture
def command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Put a command ``mnemic`` on the path that runs what is tested here."""
    script = tmp_path / "bin" / "mnemic"
    script.parent.mkdir()
    script.write_text(
        f"#!{sys.executable}\nimport sys\nsys.path[:0] = {sys.path!r}\nfrom mnemic.api.cli import main\nmain()\n"
    )
    script.chmod(0o755)
    monkeypatch.setenv("PATH", f"{script.parent}{os.pathsep}{os.environ['PATH']}")
    monkeypatch.chdir(tmp_path)


@pytest.mark.usefixtures("command")
def test_the_session_prints_what_stands_below_it() -> None:
    block = _SESSION.search(PAGE)
    assert block is not None
    printed = StringIO()
    with redirect_stdout(printed):
        exec(compile(block["code"], "assistants.md", "exec"), {})
    assert _OWN.sub("…", printed.getvalue()) == _OWN.sub("…", block["printed"])


def test_every_snippet_of_settings_is_json_that_names_the_command_or_an_address() -> None:
    found = re.findall(r"```json\n(.*?)```", PAGE, re.DOTALL)
    assert len(found) >= 5
    for snippet in found:
        [(_, servers), *_] = json.loads(snippet).items()
        for server in servers.values():
            assert server.get("args") == ["mcp"] or "/mcp" in server.get("url", server.get("serverUrl", ""))


def test_every_snippet_of_python_can_be_compiled() -> None:
    for snippet in re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL):
        body = "\n".join(f"    {line}" for line in snippet.splitlines())
        compile(f"async def example():\n{body}\n", "assistants.md", "exec")


def test_the_tools_and_options_that_it_names_are_there() -> None:
    assert f"`{' '.join(tools.names())}`" in PAGE
    assert "mcp" in [command.name for command in app.registered_commands]
