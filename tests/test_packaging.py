import tomllib
import zipfile
from importlib.metadata import metadata
from pathlib import Path

import pytest
from hatchling.builders.wheel import WheelBuilder

from mnemic.api.demo import conversation, dictionary

ROOT = Path(__file__).parents[1]
STAYS = {"benchmarks", "tests"}
"""Packages at the top level that are for this checkout alone."""


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> zipfile.ZipFile:
    folder = tmp_path_factory.mktemp("dist")
    [built] = WheelBuilder(str(ROOT)).build(directory=str(folder), versions=["standard"])
    return zipfile.ZipFile(built)


def shipped_folders() -> set[str]:
    return {init.parent.name for init in ROOT.glob("*/__init__.py")} - STAYS


def test_every_top_level_package_is_named_where_the_wheel_is_laid_out() -> None:
    build = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["hatch"]["build"]
    assert set(build["targets"]["wheel"]["sources"]) == {"src", *shipped_folders()}
    assert shipped_folders() <= set(build["only-include"])


def test_every_top_level_package_may_be_imported_only_through_mnemic() -> None:
    ruff = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["ruff"]["lint"]
    assert set(ruff["flake8-tidy-imports"]["banned-api"]) == shipped_folders()


def test_the_wheel_holds_every_file_of_the_packages_and_nothing_else(wheel: zipfile.ZipFile) -> None:
    held = {name for name in wheel.namelist() if ".dist-info/" not in name}
    expected = {"mnemic/__init__.py", "mnemic/errors.py", "mnemic/py.typed"}
    for folder in shipped_folders():
        files = (path for path in (ROOT / folder).rglob("*") if path.is_file())
        expected |= {
            f"mnemic/{file.relative_to(ROOT).as_posix()}" for file in files if "__pycache__" not in file.parts
        }
    assert held == expected


def test_the_wheel_holds_the_licence_and_the_command(wheel: zipfile.ZipFile) -> None:
    [entry] = [name for name in wheel.namelist() if name.endswith("entry_points.txt")]
    assert "mnemic = mnemic.api.cli:main" in wheel.read(entry).decode()
    assert any(name.endswith("licenses/LICENSE") for name in wheel.namelist())


def test_the_demo_finds_its_conversation_and_its_names_in_the_package(wheel: zipfile.ZipFile) -> None:
    for source in (conversation(), dictionary()):
        assert source.is_file()
        assert f"mnemic/examples/{source.name}" in wheel.namelist()


def test_the_installed_version_is_the_one_of_the_project() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    assert metadata("mnemic")["Version"] == project["version"]
