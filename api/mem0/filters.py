"""mem0's filters on metadata: values, operators, and ``AND OR NOT`` of filters."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from mnemic.errors import InvalidInput, UnknownName

_ANY = "*"


def _ordered(compare: Callable[[Any, Any], bool]) -> Callable[[Any, Any], bool]:
    """Return a comparison that is false between what has no order."""

    def fits(value: Any, wanted: Any) -> bool:
        numbers = all(
            isinstance(each, int | float) and not isinstance(each, bool) for each in (value, wanted)
        )
        return (numbers or (isinstance(value, str) and isinstance(wanted, str))) and compare(value, wanted)

    return fits


def _holds(value: Any, part: Any) -> bool:
    return (
        part in value
        if isinstance(value, list) or (isinstance(value, str) and isinstance(part, str))
        else False
    )


def _among(value: Any, wanted: Any) -> bool:
    if isinstance(wanted, str) or not isinstance(wanted, Sequence):
        raise InvalidInput("filters", f"in and nin take a list, not {wanted!r}", "pass a list of values")
    return value in wanted


_OPERATORS: Mapping[str, Callable[[Any, Any], bool]] = {
    "eq": lambda value, wanted: bool(value == wanted),
    "ne": lambda value, wanted: bool(value != wanted),
    "gt": _ordered(lambda value, wanted: bool(value > wanted)),
    "gte": _ordered(lambda value, wanted: bool(value >= wanted)),
    "lt": _ordered(lambda value, wanted: bool(value < wanted)),
    "lte": _ordered(lambda value, wanted: bool(value <= wanted)),
    "in": _among,
    "nin": lambda value, wanted: not _among(value, wanted),
    "contains": _holds,
    "icontains": lambda value, wanted: _holds(str(value).casefold(), str(wanted).casefold()),
}


def fits(metadata: Mapping[str, Any], filters: Mapping[str, Any]) -> bool:
    """Tell whether ``metadata`` meets every one of ``filters``.

    Raises ``UnknownName`` for an operator that there is not, ``InvalidInput`` for one that is used wrongly.
    """
    results = [
        _meets(metadata, name, wanted) for name, wanted in filters.items()
    ]  # each is looked at, wrong ones too
    return all(results)


def _meets(metadata: Mapping[str, Any], name: str, wanted: Any) -> bool:
    if name in ("AND", "OR", "NOT"):
        each = [fits(metadata, inner) for inner in _several(name, wanted)]
        return all(each) if name == "AND" else any(each) if name == "OR" else not any(each)
    if wanted == _ANY:
        return name in metadata
    if not isinstance(wanted, Mapping):
        return bool(metadata.get(name) == wanted)
    for operator in wanted:
        if operator not in _OPERATORS:
            raise UnknownName(f"filters.{name}", str(operator), _OPERATORS)
    results = [_OPERATORS[operator](metadata.get(name), value) for operator, value in wanted.items()]
    return all(results)


def _several(name: str, wanted: Any) -> Sequence[Mapping[str, Any]]:
    if not isinstance(wanted, list) or not wanted or not all(isinstance(each, Mapping) for each in wanted):
        raise InvalidInput(f"filters.{name}", "is no list of filters", f"write {name}: [{{…}}, …]")
    return wanted
