"""What each tool takes: models of the arguments, lenient where assistants are known to be loose."""

import json
import re
from datetime import datetime
from typing import Annotated, Any, TypeVar

from pydantic import (
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    ValidationError,
    ValidationInfo,
    WithJsonSchema,
)
from pydantic.json_schema import SkipJsonSchema

from mnemic.api.moments import parse_moment
from mnemic.engine.message import VISIBILITIES
from mnemic.engine.wish import DEPTHS
from mnemic.errors import InvalidInput, UnknownName
from mnemic.graph.model import Kind

MOST = 50
"""So many statements, neighbours or pointers a call may ask for: what an assistant can read at once."""


def _many(value: object) -> object:
    """Take a string for a list: assistants write one element alone, or the whole list as JSON."""
    if not isinstance(value, str):
        return () if value is None else value
    try:
        read = json.loads(value)
    except (ValueError, RecursionError):
        return [value]
    return read if isinstance(read, list) else [value]


def _moment(value: object, info: ValidationInfo) -> object:
    """Read a date or a time; a number is refused, whoever writes one may mean seconds or milliseconds."""
    if value is None:
        return None
    if not isinstance(value, str):
        raise InvalidInput(
            str(info.field_name), f"{value!r} is no text", "write 2026-03-02 or 2026-03-02T10:00+08:00"
        )
    return parse_moment(value, str(info.field_name))


def _one_of(names: Any) -> WithJsonSchema:
    return WithJsonSchema({"type": "string", "enum": list(names)})


_KINDS = [kind.value for kind in Kind]
Word = str | SkipJsonSchema[None]
Words = Annotated[tuple[str, ...], BeforeValidator(_many)]
Moment = Annotated[datetime | None, BeforeValidator(_moment), WithJsonSchema({"type": "string"})]


class ToolCall(BaseModel):
    """The arguments of a call: nothing unknown, None is what was left out."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    def told(self) -> dict[str, Any]:
        """Return the arguments that were given, by the names that the front door has for them."""
        return {name: value for name in self.model_fields_set if (value := getattr(self, name)) is not None}


C = TypeVar("C", bound=ToolCall)


class RememberCall(ToolCall):
    """Arguments of ``remember``."""

    text: str
    speaker: Word = None
    kind: Annotated[Word, _one_of(_KINDS)] = None
    replaces: Word = None
    tags: Words = ()
    at: Moment = None
    session: Word = None
    visibility: Annotated[str, _one_of(VISIBILITIES)] = "private"


class _AsOf(ToolCall):
    valid_as_of: Moment = None
    known_as_of: Moment = None


class RecallCall(_AsOf):
    """Arguments of ``recall``; the answer of a call without a budget is bounded all the same."""

    query: str
    limit: int = Field(5, ge=1, le=MOST)
    conversation: Words = ()
    kinds: Annotated[
        Words, WithJsonSchema({"type": "array", "items": {"type": "string", "enum": _KINDS}})
    ] = ()
    entities: Words = ()
    tags: Words = ()
    since: Moment = None
    until: Moment = None
    depth: Annotated[str, _one_of(DEPTHS)] = "auto"
    session: Word = None
    budget: int = Field(2000, ge=1, le=20_000)


class AboutCall(_AsOf):
    """Arguments of ``about``."""

    name: str


class ExploreCall(_AsOf):
    """Arguments of ``explore``."""

    name: str
    hops: int = Field(2, ge=1, le=4)
    limit: int = Field(25, ge=1, le=MOST)


class HistoryCall(_AsOf):
    """Arguments of ``history``."""

    name: str
    predicate: Word = None


class ForgetCall(ToolCall):
    """Arguments of ``forget``: without ``confirm`` nothing goes."""

    pointers: Annotated[Words, Field(min_length=1, max_length=MOST)]
    confirm: Word = None


def read(model: type[C], arguments: dict[str, Any]) -> C:
    """Return the arguments of a call, or raise ``InvalidInput`` naming the first that cannot be used and what would do."""
    for name in arguments:
        if name not in model.model_fields:
            raise UnknownName(name, name, model.model_fields)
    try:
        return model.model_validate(arguments)
    except ValidationError as error:
        raise _as_input(error) from error


def _as_input(error: ValidationError) -> InvalidInput:
    first = error.errors(include_url=False)[0]
    if isinstance(own := first.get("ctx", {}).get("error"), InvalidInput):
        return own
    place = [str(part) for part in first["loc"]]
    field = place[0] if place else "arguments"
    if first["type"] == "missing":
        return InvalidInput(field, "is missing", f"pass {field}")
    wanted = re.sub(r"^(Input|Value) should", "must", str(first["msg"]))
    return InvalidInput(field, f"{first['input']!r} cannot be used", f"{'.'.join(place)} {wanted}")
