"""Arguments of the public doors, checked against their own annotations before anything is done with them."""

import inspect
from collections.abc import Callable
from functools import cache, wraps
from typing import Any, ParamSpec, TypeVar, get_type_hints

from pydantic import TypeAdapter, ValidationError

from mnemic.errors import InvalidInput, MissingScope, UnknownName

P = ParamSpec("P")
R = TypeVar("R")
T = TypeVar("T")

_SELF_READ = frozenset({"self", "message", "dictionary", "embedder", "model"})
"""Parameters of many forms, which are checked where they are read."""

_SCOPE = frozenset({"tenant", "user"})


def checked(method: Callable[P, R]) -> Callable[P, R]:
    """Refuse what ``method`` cannot take with an error naming the field; right arguments pass as they are.

    Raises ``InvalidInput`` for a value of a wrong type or one that is missing (``MissingScope`` where it
    is tenant or user), ``UnknownName`` for an option that there is not.
    """
    signature = inspect.signature(method)

    @wraps(method)
    def call(*args: P.args, **kwargs: P.kwargs) -> R:
        bound = _bound(signature, args, kwargs)
        adapters = _adapters(method)
        for name, value in bound.arguments.items():
            for each in value if _is_many(signature, name) else (value,):
                if name in adapters:
                    _check(name, each, adapters[name])
        return method(*args, **kwargs)

    return call


def checked_fields(cls: type[T]) -> type[T]:
    """Check the fields of a dataclass as :func:`checked` does the arguments of a method."""
    cls.__init__ = checked(cls.__init__)  # type: ignore[method-assign]
    return cls


def _bound(
    signature: inspect.Signature, args: tuple[Any, ...], kwargs: dict[str, Any]
) -> inspect.BoundArguments:
    for name in kwargs.keys() - signature.parameters.keys():
        raise UnknownName(name, name, signature.parameters.keys() - {"self"})
    try:
        return signature.bind(*args, **kwargs)
    except TypeError as error:
        given = signature.bind_partial(*args, **kwargs).arguments
        for name, parameter in signature.parameters.items():
            optional = parameter.default is not parameter.empty or _is_many(signature, name)
            if name not in given and not optional:
                kind = MissingScope if name in _SCOPE else InvalidInput
                raise kind(name, "is missing", f"pass {name}=…") from error
        raise


def _is_many(signature: inspect.Signature, name: str) -> bool:
    return signature.parameters[name].kind is inspect.Parameter.VAR_POSITIONAL


@cache
def _adapters(method: Callable[..., Any]) -> dict[str, TypeAdapter[Any]]:
    """Return a validator for each annotated parameter of plain types."""
    hints = get_type_hints(method)
    wanted = [name for name in inspect.signature(method).parameters if name in hints.keys() - _SELF_READ]
    return {name: TypeAdapter(hints[name]) for name in wanted}


def _check(name: str, value: object, adapter: TypeAdapter[Any]) -> None:
    try:
        adapter.validate_python(value, strict=True)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        place = ".".join(str(part) for part in first["loc"] if isinstance(part, int))
        field = f"{name}[{place}]" if place else name
        wanted = first["msg"].removeprefix("Input should be ")
        fix = f"pass {wanted} as {field}" if wanted != first["msg"] else f"mend {field}: {wanted}"
        raise InvalidInput(name, f"{_short(value)} cannot be used", fix) from error


def _short(value: object) -> str:
    shown = repr(value)
    return shown if len(shown) <= 60 else shown[:57] + "…"
