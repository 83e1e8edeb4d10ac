"""What the engine's tests ask of a memory, asked of clients of both colours: users cannot tell them from it."""

import inspect
from collections.abc import Callable, Iterator
from importlib import import_module
from typing import Any

MODULES = (
    *("bad_input", "clocks", "disagreeing", "forget", "former", "listing", "notes", "owners"),
    *("recall_options", "receipts", "rereading", "unreplace", "walking"),
)


def asked() -> Iterator[tuple[str, Callable[..., Any]]]:
    """Yield the tests that take a memory, under names of their own."""
    for module in MODULES:
        for name, each in vars(import_module(f"tests.engine.test_{module}")).items():
            if name.startswith("test_") and "memory" in inspect.signature(each).parameters:
                yield f"{name}__{module}", each


globals().update(asked())
