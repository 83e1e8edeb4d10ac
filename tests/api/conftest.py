from collections.abc import Callable
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from mnemic.api.cli import app


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Result]:
    """Run the command line against a store of its own; ``stdin`` is what stands on standard input."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("MNEMIC_USER", "ada")
    monkeypatch.setenv("MNEMIC_EMBEDDER", "none")
    monkeypatch.setenv("COLUMNS", "200")
    for name in ("PATH", "TENANT", "KEY", "SESSION"):
        monkeypatch.delenv(f"MNEMIC_{name}", raising=False)

    def run(*args: str, stdin: str | bytes | None = None) -> Result:
        return CliRunner().invoke(app, list(args), input=stdin)

    return run
