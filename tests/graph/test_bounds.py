"""The numbers that all stores keep to stand in the contract alone."""

import ast
from pathlib import Path

import pytest

from mnemic.graph import store

_GRAPH = Path(__file__).parents[2] / "graph"


@pytest.mark.parametrize("name", ["INDEXED", "LOG_KEPT", "SCAN_PAGE", "MEMORIES_PER_ENTITY", "CHAIN"])
def test_a_bound_of_the_contract_is_given_once(name: str) -> None:
    assert getattr(store, name) > 0
    given = [
        file.relative_to(_GRAPH).as_posix()
        for file in _GRAPH.rglob("*.py")
        for line in ast.parse(file.read_text("utf-8")).body
        if isinstance(line, ast.Assign) and ast.unparse(line.targets[0]) == name
    ]
    assert given == ["store.py"]
