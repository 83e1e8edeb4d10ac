"""Arguments of the front door, checked against its own annotations before anything is done with them."""

import inspect
from collections.abc import Callable
from functools import cache, wraps
from typing import Any, ParamSpec, TypeVar, get_type_hints

from pydantic import ConfigDict, TypeAdapter, ValidationError

from mnemic.errors import InvalidInput

P = ParamSpec("P")
R = TypeVar("R")


def checked(method: Callable[P, R]) -> Callable[P, R]:
    """Refuse arguments of a wrong type with ``InvalidInput`` naming the field; right ones pass as they are.

    Parameters annotated ``Any`` or by one of the forms that the engine reads itself are left to it.
    """
    signature = inspect.signature(method)

    @wraps(method)
    def call(*args: P.args, **kwargs: P.kwargs) -> R:
        bound = signature.bind(*args, **kwargs)
        for name, value in bound.arguments.items():
            adapter = _adapters(method).get(name)
            if adapter is not None:
                _check(name, value, adapter)
        return method(*args, **kwargs)

    return call


@cache
def _adapters(method: Callable[..., Any]) -> dict[str, TypeAdapter[Any]]:
    """Return a strict validator for each annotated parameter of plain types."""
    hints = get_type_hints(method)
    wanted = {
        name: hints[name]
        for name, parameter in inspect.signature(method).parameters.items()
        if name in hints and name not in ("message", "dictionary")
        and parameter.kind is not inspect.Parameter.VAR_POSITIONAL
    }  # fmt: skip
    return {name: TypeAdapter(hint, config=ConfigDict(strict=True)) for name, hint in wanted.items()}


def _check(name: str, value: object, adapter: TypeAdapter[Any]) -> None:
    try:
        adapter.validate_python(value)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        place = ".".join(str(part) for part in first["loc"] if isinstance(part, int))
        field = f"{name}[{place}]" if place else name
        raise InvalidInput(
            name, f"{_short(value)} cannot be used ({first['msg']})", f"mend {field}"
        ) from error


def _short(value: object) -> str:
    shown = repr(value)
    return shown if len(shown) <= 60 else shown[:57] + "…"
