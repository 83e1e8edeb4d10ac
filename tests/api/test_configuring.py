"""A file of settings fills what the environment leaves open; what is wrong in it is named with file and key."""

import os
from collections.abc import Callable, Iterator
from pathlib import Path
from unittest.mock import patch

import pytest
from hypothesis import given
from hypothesis import strategies as st
from typer.testing import Result

from mnemic import Mnemic
from mnemic.api.configuring import settings_of
from mnemic.api.settings import (
    Environment,
    configure,
    configured_by,
    server_environment,
    service_environment,
    upstream_environment,
)
from mnemic.errors import InvalidInput, MnemicError, UnknownName

Run = Callable[..., Result]


@pytest.fixture(autouse=True)
def bare() -> Iterator[None]:
    """Leave the environment as it was: a file of settings is put into it."""
    ours = [name for name in os.environ if name.startswith("MNEMIC_")]
    with patch.dict(os.environ):
        for name in ours:
            del os.environ[name]
        yield


def file(folder: Path, name: str, text: str) -> str:
    path = folder / name
    path.write_text(text, "utf-8")
    return str(path)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        (
            "mnemic.toml",
            'MNEMIC_USER = "ada"\nMNEMIC_SERVICE_PORT = 8500\nMNEMIC_SERVICE_METRICS = true\n'
            'MNEMIC_SERVICE_RATE = 2.5\nMNEMIC_NEO4J_PASSWORD = "a # b"\n',
        ),
        (
            "mnemic.env",
            "# ours\n\nexport MNEMIC_USER=ada\nMNEMIC_SERVICE_PORT='8500'\nMNEMIC_SERVICE_METRICS=true # yes\n"
            'MNEMIC_SERVICE_RATE=2.5\nMNEMIC_NEO4J_PASSWORD="a # b"\n',
        ),
    ],
)
def test_both_forms_say_the_same(tmp_path: Path, name: str, text: str) -> None:
    configure(file(tmp_path, name, text))
    told = service_environment()
    assert (Environment().user, told.port, told.metrics, told.rate) == ("ada", 8500, True, 2.5)
    password = server_environment().password
    assert password is not None
    assert password.get_secret_value() == "a # b"
    assert configured_by() == str(tmp_path / name)


def test_options_go_before_the_environment_and_that_before_the_file(tmp_path: Path) -> None:
    os.environ |= {"MNEMIC_USER": "bob", "MNEMIC_SESSION": ""}
    configure(
        file(tmp_path, "m.env", "MNEMIC_USER=ada\nMNEMIC_SESSION=s\nMNEMIC_TENANT=acme\nMNEMIC_EMBEDDER=\n")
    )
    told = Environment(tenant="other")
    assert (told.user, told.session, told.tenant, told.embedder) == ("bob", "s", "other", None)


def test_the_variable_names_a_file_and_the_option_another(tmp_path: Path) -> None:
    os.environ["MNEMIC_CONFIG"] = file(tmp_path, "one.env", "MNEMIC_USER=one")
    configure(file(tmp_path, "two.env", "MNEMIC_USER=two"))
    assert Environment().user == "two"


def test_without_a_file_nothing_changes() -> None:
    before = dict(os.environ)
    configure()
    assert dict(os.environ) == before
    assert configured_by() is None


@pytest.mark.parametrize(
    ("name", "text", "told"),
    [
        ("m.env", "MNEMIC_SERVICE_PORT=soon", r"m\.env: MNEMIC_SERVICE_PORT: should be a valid integer"),
        ("m.env", "MNEMIC_NEO4J_TIMEOUT=0", r"m\.env: MNEMIC_NEO4J_TIMEOUT: should be greater than 0"),
        ("m.env", "MNEMIC_NEO4J_TARGET_PASWORD=x", "did you mean 'MNEMIC_NEO4J_TARGET_PASSWORD'"),
        ("m.env", "MNEMIC_CONFIG=other.env", r"m\.env: MNEMIC_CONFIG: unknown name"),
        ("m.env", "PATH=/bin", r"m\.env: PATH: unknown name"),
        ("m.env", "MNEMIC_USER=a\nMNEMIC_USER=b", r"m\.env: MNEMIC_USER: stands there twice"),
        ("m.env", "\nMNEMIC_USER", r"m\.env: line 2: is no setting"),
        ("m.env", "MNEMIC_USER='ada", r"m\.env: line 1: is no setting"),
        ("m.env", "MNEMIC_USER=a\0b", r"m\.env: MNEMIC_USER: holds a null character"),
        ("m.toml", "MNEMIC_USER = ada", r"m\.toml: is no TOML.*line 1"),
        ("m.toml", "[MNEMIC_SERVICE]\nPORT = 1\n", r"m\.toml: MNEMIC_SERVICE: is a dict"),
        ("m.toml", 'MNEMIC_SERVICE_ORIGINS = ["a"]', r"m\.toml: MNEMIC_SERVICE_ORIGINS: is a list"),
        ("m.toml", f"MNEMIC_SERVICE_PORT = {'9' * 5_000}", r"m\.toml: is no TOML"),
        ("m.toml", "MNEMIC_SERVICE_PORT = 70000", r"m\.toml: MNEMIC_SERVICE_PORT: should be less than"),
    ],
)
def test_what_is_wrong_is_named_and_nothing_of_the_file_counts(
    tmp_path: Path, name: str, text: str, told: str
) -> None:
    before = dict(os.environ)
    with pytest.raises((InvalidInput, UnknownName), match=told):
        configure(file(tmp_path, name, text))
    assert dict(os.environ) == before


def test_a_file_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    for path in (tmp_path / "none.env", tmp_path):
        with pytest.raises(InvalidInput, match=r"config: .*cannot be read"):
            configure(str(path))
    (tmp_path / "no.env").write_bytes(b"MNEMIC_USER=\xff\xfe")
    with pytest.raises(InvalidInput, match="is no text"):
        configure(str(tmp_path / "no.env"))


def test_a_secret_that_cannot_be_used_is_not_shown(tmp_path: Path) -> None:
    path = file(tmp_path, "m.env", "MNEMIC_SERVICE_PORT=open-sesame")
    with pytest.raises(InvalidInput) as caught:
        configure(path)
    assert "sesame" not in str(caught.value)
    assert caught.value.__cause__ is None


@given(text=st.text(max_size=60), toml=st.booleans())
def test_any_file_is_settings_or_an_error_of_ours(
    tmp_path_factory: pytest.TempPathFactory, text: str, toml: bool
) -> None:
    path = tmp_path_factory.mktemp("any") / ("m.toml" if toml else "m.env")
    path.write_text(text, "utf-8", errors="surrogatepass")
    try:
        told = settings_of(path, {"A": str, "B": str})
    except MnemicError as error:
        assert path.name in str(error)  # noqa: PT017
    else:
        assert set(told) <= {"A", "B"}


def test_every_setting_may_stand_in_a_file(tmp_path: Path) -> None:
    upstream = "MNEMIC_UPSTREAM_URL=http://localhost:1/v1\nMNEMIC_MODEL_URL=http://localhost:2\nMNEMIC_URL=http://l:3"
    configure(file(tmp_path, "m.env", upstream))
    assert upstream_environment().url == "http://localhost:1/v1"


def test_commands_take_a_file(tmp_path: Path, run: Run) -> None:
    os.environ.pop("MNEMIC_USER", None)
    path = file(
        tmp_path, "m.toml", f'MNEMIC_PATH = "{(tmp_path / "x.db").as_posix()}"\nMNEMIC_USER = "zoe"\n'
    )
    done = run("--config", path, "remember", "I live in Porto.")
    assert done.exit_code == 0, done.output
    with Mnemic(tmp_path / "x.db", user="zoe", embedder="none") as memory:
        assert memory.stats().turns == 1
    wrong = run("--config", file(tmp_path, "w.env", "MNEMIC_USERS=x"), "tasks", "--json")
    assert wrong.exit_code == 2
    assert "did you mean 'MNEMIC_USER'" in wrong.stderr
