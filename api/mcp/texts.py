"""The words that assistants read, which are data beside this module."""

from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Any

import yaml

_HERE = "mnemic.api.mcp"


@cache
def texts() -> Mapping[str, Any]:
    """Return what is said of the server, its ``tools`` with their ``fields``, and its ``resources``."""
    return _read("texts.yaml")


@cache
def prompts() -> Mapping[str, Any]:
    """Return the prompt: its name, and its ``words`` by language."""
    return _read("prompts.yaml")


def _read(file: str) -> Mapping[str, Any]:
    read: Mapping[str, Any] = yaml.safe_load((files(_HERE) / file).read_text("utf-8"))
    return read
