"""A method of ``Mnemic`` as a call over HTTP: its arguments as a body, the answer as its result."""

import inspect
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import datetime
from functools import cache, cached_property, wraps
from pathlib import Path
from typing import Any, Concatenate, Generic, ParamSpec, TypeVar, get_args, get_origin, get_type_hints

from pydantic import TypeAdapter, ValidationError

from mnemic.api.client.plain import plain
from mnemic.api.facade import Mnemic
from mnemic.api.service.access import NEEDED, Right
from mnemic.engine.beside import require_storable
from mnemic.engine.checking import checked
from mnemic.engine.message import rows_of
from mnemic.engine.names import checked_names
from mnemic.engine.results import Job
from mnemic.errors import MnemicError
from mnemic.extraction.names import load_names
from mnemic.graph.clock import require_aware

P = ParamSpec("P")
R = TypeVar("R")

_STAYS = frozenset({"self", "progress"})
"""Parameters that do not travel: nobody is told of progress over HTTP."""


class Call(Generic[P, R]):
    """How ``method`` travels. Arguments are checked before they are sent, as the embedded door checks them."""

    def __init__(self, method: Callable[Concatenate[Mnemic, P], R]) -> None:
        self.path = f"/v1/{method.__name__}"
        self.writes = NEEDED[method.__name__] is not Right.READ
        self._method, self._signature = method, inspect.signature(method)

        @checked
        @wraps(method)
        def check(*args: Any, **kwargs: Any) -> Any:
            """Do nothing: the arguments are right."""

        self._check = check

    def body(self, args: Sequence[Any], kwargs: Mapping[str, Any]) -> bytes:
        """Return the arguments as JSON; raises ``InvalidInput`` for what the method does not take."""
        self._check(None, *args, **kwargs)
        given = self._signature.bind(None, *args, **kwargs).arguments
        told = {name: _traveling(value, name) for name, value in given.items() if name not in _STAYS}
        return json.dumps(told, ensure_ascii=False, allow_nan=False).encode()

    def read(self, content: bytes) -> Any:
        """Return the result, or the row of a result, that ``content`` holds."""
        return read(self._reader, content)

    @cached_property
    def _reader(self) -> TypeAdapter[Any]:
        hint = get_type_hints(self._method)["return"]
        return TypeAdapter(get_args(hint)[0] if get_origin(hint) is Iterator else hint)


def read(reader: TypeAdapter[R], content: bytes) -> R:
    """Return what an answer holds, passing over what a newer service tells; raises ``MnemicError`` for no answer."""
    try:
        return reader.validate_json(content, extra="ignore")
    except ValidationError as error:
        raise MnemicError("the answer is none of mnemic's; does the url lead to its service?") from error


def read_job(content: bytes) -> Job:
    """Return the job that an answer holds."""
    return read(_job_reader(), content)


@cache
def _job_reader() -> TypeAdapter[Job]:
    return TypeAdapter(Job)


def _traveling(value: Any, name: str) -> Any:
    """Return an argument as it is sent."""
    if name == "dictionary":
        return _names(value)
    if name == "message":
        return _message(value)
    if isinstance(value, datetime):
        require_aware(value, name)
    return plain(value, name)


def _message(told: Any) -> Any:
    """Return a text or messages as they are sent, with errors that name places as ``remember`` does."""
    rows_of(told, None)
    if isinstance(told, str):
        return plain(told, "content")
    if isinstance(told, Mapping):
        return _row(told, "")
    return [_row(row, f"messages[{number}]." if len(told) > 1 else "") for number, row in enumerate(told)]


def _row(row: Mapping[Any, Any], where: str) -> dict[str, Any]:
    return {str(key): plain(value, f"{where}{key}") for key, value in row.items()}


def _names(dictionary: Any) -> list[Any]:
    """Return the rows of a dictionary; a path is one of this machine."""
    if isinstance(dictionary, str | Path):
        require_storable(str(dictionary), "dictionary")
        dictionary = load_names(dictionary)
    names = checked_names(dictionary)
    return [{"name": name.name, "kind": name.kind, "aliases": list(name.aliases)} for name in names]
