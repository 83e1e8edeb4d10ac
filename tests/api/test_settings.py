import ast
from pathlib import Path

import pytest

from mnemic.api.modelled import model_meant
from mnemic.api.settings import Environment, model_environment, require_well_spelt, server_environment
from mnemic.errors import InvalidInput, MissingScope, UnknownName

ROOT = Path(__file__).parents[2]
PUTS_BACK = "extraction/embedders/e5.py"
"""It undoes what its library does to the environment, and takes nothing from there."""


@pytest.fixture(autouse=True)
def bare(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("PATH", "USER", "TENANT", "KEY", "EMBEDDER", "SESSION"):
        monkeypatch.delenv(f"MNEMIC_{name}", raising=False)


def test_without_an_environment_it_is_the_login_name_and_a_file_here(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LOGNAME", "tom")
    found = Environment()
    assert (found.path, found.user, found.tenant) == ("./memory.db", "tom", "default")
    assert (found.key, found.embedder, found.session) == (None, None, None)


def test_each_variable_is_read_and_an_empty_one_says_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("PATH", "USER", "KEY", "EMBEDDER", "SESSION"):
        monkeypatch.setenv(f"MNEMIC_{name}", f"my {name}")
    monkeypatch.setenv("MNEMIC_TENANT", "")
    found = Environment()
    assert (found.path, found.user, found.embedder) == ("my PATH", "my USER", "my EMBEDDER")
    assert (found.session, found.tenant) == ("my SESSION", "default")
    assert found.key is not None
    assert found.key.get_secret_value() == "my KEY"


def test_the_key_is_never_printed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MNEMIC_KEY", "sesame")
    assert "sesame" not in repr(Environment())


def test_a_server_is_given_as_long_as_the_environment_says(monkeypatch: pytest.MonkeyPatch) -> None:
    assert (server_environment().timeout, server_environment().connections) == (30.0, 100)
    monkeypatch.setenv("MNEMIC_NEO4J_TIMEOUT", "120")
    assert server_environment().timeout == 120.0


@pytest.mark.parametrize("wrong", ["soon", "0", "-3"])
@pytest.mark.parametrize("name", ["MNEMIC_NEO4J_TIMEOUT", "MNEMIC_NEO4J_CONNECTIONS"])
def test_a_limit_that_is_none_is_named(monkeypatch: pytest.MonkeyPatch, name: str, wrong: str) -> None:
    monkeypatch.setenv(name, wrong)
    with pytest.raises(InvalidInput, match=f"{name}.*(greater than 0|valid)"):
        server_environment()


def test_where_nobody_is_logged_in_the_user_must_be_named(monkeypatch: pytest.MonkeyPatch) -> None:
    def nobody() -> str:
        raise KeyError("uid not found")

    monkeypatch.setattr("getpass.getuser", nobody)
    assert Environment(user="ada").user == "ada"
    with pytest.raises(MissingScope, match="MNEMIC_USER"):
        Environment()


def test_the_environment_is_read_in_one_module_alone() -> None:
    readers = set()
    for folder in ("api", "engine", "extraction", "graph", "src"):
        for file in (ROOT / folder).rglob("*.py"):
            named = {
                n.attr for n in ast.walk(ast.parse(file.read_text("utf-8"))) if isinstance(n, ast.Attribute)
            }
            if named & {"environ", "getenv", "getuser"}:
                readers.add(file.relative_to(ROOT).as_posix())
    assert readers - {PUTS_BACK} == {"api/settings.py"}


@pytest.mark.parametrize(
    ("wrong", "meant"),
    [
        *(("PAHT", "PATH"), ("TENNANT", "TENANT"), ("NEO4J_PASWORD", "NEO4J_PASSWORD")),
        ("NEO4J_TARGET_PASWORD", "NEO4J_TARGET_PASSWORD"),
    ],
)
def test_a_misspelt_variable_is_not_passed_over(
    monkeypatch: pytest.MonkeyPatch, wrong: str, meant: str
) -> None:
    monkeypatch.setenv("MNEMIC_REQUIRE_NEO4J", "1")  # nothing like one of ours
    require_well_spelt()
    monkeypatch.setenv(f"MNEMIC_{wrong}", "x")
    with pytest.raises(UnknownName, match=f"did you mean 'MNEMIC_{meant}'"):
        require_well_spelt()


def test_a_language_model_is_meant_only_where_its_address_is_set(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("URL", "NAME", "KEY", "STAGES", "TIMEOUT"):
        monkeypatch.delenv(f"MNEMIC_MODEL_{name}", raising=False)
    assert model_meant() is None
    monkeypatch.setenv("MNEMIC_MODEL_URL", "http://localhost:1/v1")
    with pytest.raises(InvalidInput, match="MNEMIC_MODEL_NAME"):
        model_meant()
    monkeypatch.setenv("MNEMIC_MODEL_NAME", "small")
    monkeypatch.setenv("MNEMIC_MODEL_KEY", "sk-hidden")
    monkeypatch.setenv("MNEMIC_MODEL_STAGES", "judge, extract")
    model = model_meant()
    assert model is not None
    assert model.stages == {"judge", "extract"}
    assert "hidden" not in repr(model) + repr(model_environment())
    monkeypatch.setenv("MNEMIC_MODEL_TIMEOUT", "soon")
    with pytest.raises(InvalidInput, match="MNEMIC_MODEL_TIMEOUT"):
        model_meant()
