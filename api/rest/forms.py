"""The bodies of calls, made of the signatures of ``Mnemic``'s methods, so that the doors cannot differ."""

import inspect
from collections.abc import Iterator, Mapping
from datetime import datetime
from functools import cache
from importlib.resources import files
from typing import Annotated, Any, get_args, get_origin, get_type_hints

import yaml
from pydantic import AwareDatetime, BaseModel, BeforeValidator, ConfigDict, Field, create_model

from mnemic.api.facade import Mnemic

_OWN = frozenset({"close", "core", "within", "scope"})
"""What of ``Mnemic`` is no call."""
_STAYS = frozenset({"self", "progress"})
"""Parameters that do not travel."""


def _only_text(value: object) -> object:
    """Refuse a number as a moment: whoever writes one may mean seconds or milliseconds."""
    if value is not None and not isinstance(value, str | datetime):
        raise ValueError("a moment in ISO 8601 with its offset, such as 2026-03-02T09:00:00+01:00")
    return value


Moment = Annotated[AwareDatetime, Field(strict=False), BeforeValidator(_only_text)]
_TRAVELS: Mapping[str, Any] = {
    "message": str | dict[str, Any] | list[dict[str, Any]],
    "dictionary": list[dict[str, Any]],  # rows alone: a path would be one of the server's
}
"""Parameters of many forms, as they travel."""


def methods() -> tuple[str, ...]:
    """Return the names of the methods of ``Mnemic`` that are calls, in their order there."""
    return tuple(name for name in vars(Mnemic) if not name.startswith("_") and name not in _OWN)


@cache
def texts() -> Mapping[str, Any]:
    """Return what the document says of fields and calls: ``fields`` by name, ``examples`` by call."""
    loaded: Mapping[str, Any] = yaml.safe_load((files("mnemic.api.rest") / "texts.yaml").read_text("utf-8"))
    return loaded


@cache
def form(method: str) -> type[BaseModel]:
    """Return the model of the body of the call ``method``."""
    function = getattr(Mnemic, method)
    hints = get_type_hints(function)
    fields: dict[str, Any] = {}
    for parameter in inspect.signature(function).parameters.values():
        if parameter.name not in _STAYS:
            kind = _TRAVELS.get(parameter.name) or _traveling(hints[parameter.name])
            fields[parameter.name] = (_listed(kind, parameter), _field(parameter))
    return create_model(
        method.capitalize() + "Call",
        __config__=ConfigDict(
            strict=True, extra="forbid", json_schema_extra={"examples": [texts()["examples"][method]]}
        ),
        **fields,
    )


def arguments(body: BaseModel) -> dict[str, Any]:
    """Return what was said in ``body``, by name."""
    return {name: getattr(body, name) for name in body.model_fields_set}


def call(memory: Mnemic, method: str, body: BaseModel) -> Any:
    """Call ``method`` with what was said in ``body``, and return its result."""
    function = getattr(memory, method)
    told = arguments(body)
    parameters = inspect.signature(function).parameters.values()
    many = [each for parameter in parameters if _is_many(parameter) for each in told.pop(parameter.name, ())]
    return function(*many, **told)


@cache
def result_type(method: str) -> Any:
    """Return the type of what ``method`` returns."""
    return get_type_hints(getattr(Mnemic, method))["return"]


def is_rows(method: str) -> bool:
    """Tell whether a call's answer comes row by row."""
    return get_origin(result_type(method)) is Iterator


def summary(method: str) -> str:
    """Return the first sentence of a method's documentation."""
    return (inspect.getdoc(getattr(Mnemic, method)) or "").partition("\n")[0].rstrip(".")


def description(method: str) -> str:
    """Return the documentation of a method without its examples."""
    return (inspect.getdoc(getattr(Mnemic, method)) or "").partition(">>>")[0].strip()


def _traveling(hint: Any) -> Any:
    return (
        (Moment | None if type(None) in get_args(hint) else Moment)
        if datetime in (hint, *get_args(hint))
        else hint
    )


def _is_many(parameter: inspect.Parameter) -> bool:
    return parameter.kind is inspect.Parameter.VAR_POSITIONAL


def _listed(kind: Any, parameter: inspect.Parameter) -> Any:
    return list[kind] if _is_many(parameter) else kind


def _field(parameter: inspect.Parameter) -> Any:
    about = texts()["fields"][parameter.name]
    if _is_many(parameter):
        return Field(default_factory=list, description=about)
    default = ... if parameter.default is parameter.empty else parameter.default
    return Field(default, description=about)
