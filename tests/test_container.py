"""The container image and the composition, read as text: there need be no Docker where the tests run."""

import json
import os
import re
import shutil
import subprocess
import sys
import sysconfig
import tomllib
import venv
from pathlib import Path
from typing import Any

import pytest
import yaml
from hatchling.builders.wheel import WheelBuilder
from pathspec import GitIgnoreSpec
from typer.testing import CliRunner

from mnemic.api.cli import app
from mnemic.api.rest.app import create_app
from mnemic.api.service.service import Service
from mnemic.api.service.tenants import Tenants
from mnemic.api.settings import unknown_variables
from tests.api.serving import served

ROOT = Path(__file__).parents[1]


def instructions() -> list[tuple[str, str]]:
    """Return the Dockerfile's instructions in order, each as its word and the rest."""
    lines = (line for line in (ROOT / "Dockerfile").read_text("utf-8").splitlines() if line[:1] != "#")
    joined = re.sub(r"\\\n\s*", " ", "\n".join(lines))
    return [(word, rest) for word, _, rest in (line.partition(" ") for line in joined.splitlines() if line)]


def stages() -> list[list[tuple[str, str]]]:
    found: list[list[tuple[str, str]]] = []
    for word, rest in instructions():
        if word == "FROM":
            found.append([])
        if found:
            found[-1].append((word, rest))
    return found


def last(word: str) -> str:
    """Return what the image that is kept says by its last instruction of this word."""
    return [rest for each, rest in stages()[-1] if each == word][-1]


def composition() -> dict[str, Any]:
    told: dict[str, Any] = yaml.safe_load((ROOT / "docker-compose.yml").read_text("utf-8"))
    return told


def sources() -> list[str]:
    """Return what is copied out of the checkout."""
    copies = [rest.split() for word, rest in instructions() if word == "COPY" and "--from=" not in rest]
    return [source for copy in copies for source in copy[:-1]]


def left_out() -> GitIgnoreSpec:
    """Return what a build is not given; Docker's patterns all begin at the root, where Git's need a slash for it."""
    lines = (ROOT / ".dockerignore").read_text("utf-8").splitlines()
    patterns = [re.sub("^(!?)", r"\1/", line) for line in lines if line and line[0] != "#"]
    return GitIgnoreSpec.from_lines(patterns)


@pytest.fixture(scope="module")
def context(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with what a build is given of this checkout and copies."""
    folder = tmp_path_factory.mktemp("context")
    ignored = left_out()
    for source in map(ROOT.joinpath, sources()):
        assert source.exists(), source
        for file in [source] if source.is_file() else source.rglob("*"):
            name = file.relative_to(ROOT)
            if file.is_file() and not ignored.match_file(name.as_posix()):
                (folder / name).parent.mkdir(parents=True, exist_ok=True)
                shutil.copy2(file, folder / name)
    return folder


def test_nobody_runs_as_root() -> None:
    user, _, group = last("USER").partition(":")
    assert int(user) > 0
    assert int(group) > 0
    words = [word for word, _ in stages()[-1]]
    assert "RUN" not in words[words.index("USER") :]


def test_the_image_that_is_kept_has_no_tools_of_the_build() -> None:
    assert len(stages()) == 2
    assert not any("pip install" in rest for _, rest in stages()[-1])
    assert [rest for word, rest in stages()[-1] if word == "COPY"] == ["--from=build /opt/mnemic /opt/mnemic"]


def test_no_image_names_the_host_of_a_registry() -> None:
    (python,) = (rest.partition("=")[2] for word, rest in instructions() if word == "ARG")
    bases = {rest.split()[0] for word, rest in instructions() if word == "FROM"}
    assert bases == {"${PYTHON}"}
    images = [service.get("image", "") for service in composition()["services"].values()]
    for image in (python, *images):
        host = image.partition("/")[0] if "/" in image else ""
        assert not set(".:") & set(host), image


def test_data_lie_in_one_place() -> None:
    assert last("VOLUME") == last("WORKDIR") == "/data"
    assert "MNEMIC_PATH=/data/" in last("ENV")


def test_what_is_copied_is_all_that_a_wheel_is_made_of(context: Path) -> None:
    for source in sources():
        assert (context / source).exists(), source
    build = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["hatch"]["build"]
    assert set(build["targets"]["wheel"]["sources"]) <= set(sources())
    assert not any(path.is_symlink() or "__pycache__" in path.parts for path in context.rglob("*"))
    assert {path.name for path in (context / "src" / "mnemic").iterdir()} == {
        "__init__.py",
        "errors.py",
        "py.typed",
    }


def test_what_is_copied_can_be_installed_and_runs(context: Path, tmp_path: Path) -> None:
    """Its libraries are those of this run: nothing is fetched."""
    (line,) = (rest for word, rest in instructions() if word == "RUN" and "pip install" in rest)
    extras = re.search(r"'\.\[([a-z,-]+)\]'$", line)
    assert extras is not None
    project = tomllib.loads((context / "pyproject.toml").read_text("utf-8"))["project"]
    assert set(extras[1].split(",")) <= set(project["optional-dependencies"])
    [wheel] = WheelBuilder(str(context)).build(directory=str(tmp_path / "dist"), versions=["standard"])
    venv.create(tmp_path / "new", with_pip=True)
    places = sysconfig.get_paths(vars={"base": str(tmp_path / "new"), "platbase": str(tmp_path / "new")})
    scripts = Path(places["scripts"])
    subprocess.run(
        [scripts / "python", "-m", "pip", "install", "--quiet", "--no-deps", "--no-index", wheel], check=True
    )
    libraries = {"PYTHONPATH": os.pathsep.join([places["purelib"], *filter(None, sys.path)])}
    (entry,) = json.loads(last("ENTRYPOINT"))
    told = subprocess.run(
        [scripts / entry, "--version"], env=os.environ | libraries, capture_output=True, text=True, check=True
    )
    assert told.stdout == f"mnemic {project['version']}\n"


def test_every_variable_that_is_set_is_one_of_ours(monkeypatch: pytest.MonkeyPatch) -> None:
    told = dict(re.findall(r"(MNEMIC_[A-Z_]+)=(\S+)", last("ENV")))
    for service in composition()["services"].values():
        told |= {name: value for name, value in service["environment"].items() if name.startswith("MNEMIC_")}
    assert {"MNEMIC_PATH", "MNEMIC_CONFIG", "MNEMIC_SERVICE_HOST"} <= set(told)
    for name in os.environ:
        if name.startswith("MNEMIC_"):
            monkeypatch.delenv(name)
    for name, value in told.items():
        monkeypatch.setenv(name, str(value))
    assert unknown_variables() == []


def test_what_the_containers_run_are_commands() -> None:
    commands = [json.loads(last("CMD"))]
    commands += [each["command"] for each in composition()["services"].values() if "command" in each]
    assert [command[0] for command in commands] == ["serve", "worker"]
    for command in commands:
        assert CliRunner().invoke(app, [*command, "--help"]).exit_code == 0


def test_the_health_of_a_container_is_that_of_its_service(tmp_path: Path) -> None:
    check = json.loads(last("HEALTHCHECK").partition("CMD ")[2])
    assert check[0] == "python"
    assert "/readyz" in check[-1]

    def asked(port: str) -> int:
        variables = os.environ | {"MNEMIC_SERVICE_PORT": port}
        return subprocess.run([sys.executable, *check[1:]], env=variables, capture_output=True).returncode

    tenants = Tenants(str(tmp_path), embedder="none")
    with served(create_app(Service(tenants, lambda key: pytest.fail(key)))) as url:
        port = url.rpartition(":")[2]
        assert asked(port) == 0
        tenants.close()
        assert asked(port) == 1
    assert asked(port) == 1


def test_the_composition_is_whole() -> None:
    told = composition()
    services = told["services"]
    assert set(services) == {"api", "worker", "neo4j"}
    for name, service in services.items():
        assert set(service["secrets"]) <= set(told["secrets"]), name
        assert {volume.partition(":")[0] for volume in service.get("volumes", [])} <= set(told["volumes"])
        assert all(port.startswith("127.0.0.1:") for port in service.get("ports", [])), name
        assert service["restart"] == "unless-stopped"
        if name != "neo4j":
            assert service["depends_on"]["neo4j"]["condition"] == "service_healthy"
            assert service["environment"]["MNEMIC_PATH"] == "neo4j://neo4j:7687"
            assert service["environment"]["MNEMIC_CONFIG"] in {
                f"/run/secrets/{each}" for each in service["secrets"]
            }
    assert services["worker"]["healthcheck"]["disable"] is True
    assert services["api"]["environment"]["MNEMIC_SERVICE_WORKERS"] == "0"
    assert "healthcheck" in services["neo4j"]


def test_secrets_are_files_that_are_kept_nowhere_else() -> None:
    told = composition()
    for secret in told["secrets"].values():
        assert secret["file"].startswith("./secrets/")
    for service in told["services"].values():
        assert not any(re.search("PASSWORD|SECRET|AUTH$|_KEY$", name) for name in service["environment"]), (
            service
        )
    assert "/secrets" in (ROOT / ".gitignore").read_text("utf-8").splitlines()
    ignored = left_out()
    assert ignored.match_file("secrets/mnemic")
