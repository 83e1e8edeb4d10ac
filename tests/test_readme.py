"""The ten lines of Python in the README do what the README says."""

import re
from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path

import pytest

README = Path(__file__).parents[1] / "README.md"
_BLOCKS = re.compile(r"```python\n(?P<code>.*?)```\n+```\n(?P<printed>.*?)```", re.DOTALL)
_DATE = re.compile(r"\d{4}-\d\d-\d\d")


def test_the_ten_lines_print_what_stands_below_them(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    block = _BLOCKS.search(README.read_text(encoding="utf-8"))
    assert block is not None
    monkeypatch.chdir(tmp_path)
    printed = StringIO()
    with redirect_stdout(printed):
        exec(compile(block["code"], str(README), "exec"), {})
    assert _DATE.sub("date", printed.getvalue()) == _DATE.sub("date", block["printed"])
