"""What `mnemic doctor` says of what a service needs, and how to mend it."""

import socket
import sys
from pathlib import Path

import pytest

from mnemic import Mnemic
from mnemic.api.rest.app import create_app
from mnemic.api.servable import service_checks
from mnemic.api.service import telemetry
from mnemic.api.service.keys import create
from mnemic.api.service.service import Service
from mnemic.api.service.tenants import Tenants
from mnemic.api.settings import Environment
from tests.api.serving import served


@pytest.fixture(autouse=True)
def free(monkeypatch: pytest.MonkeyPatch) -> int:
    """Mean a port that nobody listens at."""
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        port: int = one.getsockname()[1]
    monkeypatch.setenv("MNEMIC_SERVICE_PORT", str(port))
    monkeypatch.delenv("MNEMIC_REQUIRE_NEO4J", raising=False)
    return port


def found(path: Path | str) -> dict[str, str]:
    environment = Environment(path=str(path), user="ada", embedder="none")
    return {check.name: f"{check.status}: {check.detail}" for check in service_checks(environment)}


def test_a_service_that_could_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MNEMIC_SERVICE_AUDIT", str(tmp_path / "audit" / "new"))
    with Mnemic(tmp_path / "default.db", user="ada", embedder="none") as memory:
        new = create(memory.core, "default", user="ada")
        create(memory.core, "default", user="ada", days=1e-9)
    told = found(tmp_path / "default.db")
    assert {line.partition(":")[0] for line in told.values()} == {"good"}
    assert told["port"].endswith("is free")
    assert told["keys"] == "good: 1 of tenant 'default' work"
    assert not (tmp_path / "audit").exists()
    assert new.plain not in str(told)


def test_a_name_that_means_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MNEMIC_COLOUR", "red")
    assert found(tmp_path / "m.db")["settings"].startswith(
        "warning: MNEMIC_COLOUR: no setting has such a name"
    )


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("SERVICE_PORT", "70000"),
        ("SERVICE_THREADS", "many"),
        ("SERVICE_RATE", "-1"),
        ("NEO4J_TIMEOUT", "0"),
        ("UPSTREAM_TIMEOUT", "x"),
    ],
)
def test_a_value_that_cannot_be_used(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, value: str
) -> None:
    monkeypatch.setenv(f"MNEMIC_{name}", value)
    assert found(tmp_path / "m.db")["service"].startswith(f"bad: MNEMIC_{name}: is '{value}'")


def test_processes_that_would_share_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MNEMIC_SERVICE_PROCESSES", "2")
    assert found(":memory:")["service"].startswith("bad: MNEMIC_SERVICE_PROCESSES: cannot share")


def test_a_port_that_something_else_has(tmp_path: Path, free: int) -> None:
    with socket.create_server(("127.0.0.1", free)):
        assert found(tmp_path / "m.db")["port"].startswith(
            f"warning: 127.0.0.1:{free}: Address already in use; stop"
        )


def test_a_port_at_which_a_service_answers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tenants = Tenants(str(tmp_path), embedder="none")
    with served(create_app(Service(tenants, lambda key: pytest.fail(key)))) as url:
        monkeypatch.setenv("MNEMIC_SERVICE_PORT", url.rpartition(":")[2])
        assert found(tmp_path / "m.db")["port"].startswith("good: a service answers at")


@pytest.mark.parametrize("host", ["no.such.host.invalid", "a" * 300, "300.1.1.1"])
def test_a_host_that_there_is_not(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, host: str) -> None:
    monkeypatch.setenv("MNEMIC_SERVICE_HOST", host)
    assert found(tmp_path / "m.db")["port"].startswith(f"bad: MNEMIC_SERVICE_HOST: {host!r} is no host")


def test_a_record_that_could_not_be_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").write_text("x")
    monkeypatch.setenv("MNEMIC_SERVICE_AUDIT", str(tmp_path / "file" / "audit"))
    assert found(tmp_path / "m.db")["audit log"].startswith(f"bad: {tmp_path / 'file'} cannot be written to")


def test_an_extra_that_is_asked_for_and_missing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MNEMIC_SERVICE_METRICS", "true")
    monkeypatch.setattr(telemetry, "is_installed", lambda: False)
    assert "pip install 'mnemic[telemetry]'" in found(tmp_path / "m.db")["extras"]


def test_nobody_has_a_key(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert found(tmp_path / "m.db")["keys"].startswith("warning: 0 of tenant 'default' work")
    assert not list(tmp_path.iterdir())
    monkeypatch.delenv("MNEMIC_SERVICE_PORT")
    assert found(tmp_path / "m.db")["keys"].startswith("good")


def test_the_web_client_is_not_loaded_for_other_commands() -> None:
    source = Path(sys.modules["mnemic.api.servable"].__file__ or "").read_text("utf-8")
    assert "\nimport httpx" not in source
