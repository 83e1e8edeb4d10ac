"""What the service answers is what its document says; `python -m benchmarks.contract` fires far more."""

from pathlib import Path

import pytest

from benchmarks import contract
from mnemic.api.rest.app import create_app
from mnemic.api.service.keys import Doorkeeper
from mnemic.api.service.service import Service
from mnemic.api.service.tenants import Tenants
from tests.api.serving import served


def test_generated_calls_get_documented_answers(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)  # schemathesis leaves its notes where it runs
    (tmp_path / "data").mkdir()
    key = contract.fill(f"{tmp_path / 'data'}/")
    tenants = Tenants(f"{tmp_path / 'data'}/", embedder="none")
    with served(create_app(Service(tenants, Doorkeeper(tenants)))) as url:
        code = contract.fired(
            url, key, "--phases", "examples,fuzzing", "--max-examples", "1", "--seed", "1", "--no-color"
        )
    told = capfd.readouterr().out
    assert code == 0, told
    assert "Tested: 5" in told
