"""These tests need a real model: they run when asked for by their marker, ``-m models`` (`make test-models`)."""

from pathlib import Path

import pytest


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "models: needs the extra sentence-transformers and a model")


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    asked = "models" in str(config.getoption("markexpr"))
    return None if asked else True
