"""A file of settings: the names and values that the environment would hold, as TOML or as lines of ``NAME=value``."""

import tomllib
from collections.abc import Callable, Iterator, Mapping
from io import StringIO
from pathlib import Path

from dotenv.parser import Binding, parse_stream

from mnemic.errors import InvalidInput, UnknownName

Check = Callable[[str], object]
"""Takes what a variable says, or raises ``ValueError`` telling what it should be."""


def settings_of(file: Path, checks: Mapping[str, Check]) -> dict[str, str]:
    """Return what ``file`` says, as the environment would say it; ``checks`` are the names that there are.

    A file whose name ends in ``.toml`` is TOML, any other one lines. Raises ``InvalidInput`` where it cannot be
    read or a value be used, ``UnknownName`` for a name that there is not; both name file and key.
    """
    told = dict(_told(file))
    for name, value in told.items():
        if name not in checks:
            raise UnknownName(f"{file}: {name}", name, list(checks))
        if "\0" in value:
            raise InvalidInput(f"{file}: {name}", "holds a null character", "leave it out")
        if value:  # an empty one says nothing, as in the environment
            _require_usable(f"{file}: {name}", value, checks[name])
    return told


def _require_usable(field: str, value: str, check: Check) -> None:
    try:
        check(value)
    except ValueError as error:
        raise InvalidInput(field, str(error), "change it there") from None  # its cause may hold a secret


def _told(file: Path) -> Iterator[tuple[str, str]]:
    try:
        text = file.read_text("utf-8-sig")
    except OSError as error:
        raise InvalidInput(
            "config", f"{file} cannot be read: {error.strerror}", "name a file with --config or MNEMIC_CONFIG"
        ) from error
    except UnicodeError as error:
        raise InvalidInput("config", f"{file} is no text", "write it as UTF-8") from error
    return _toml(file, text) if file.suffix.lower() == ".toml" else _lines(file, text)


def _toml(file: Path, text: str) -> Iterator[tuple[str, str]]:
    try:
        told = tomllib.loads(text)
    except ValueError as error:  # a number of thousands of digits is one, too
        raise InvalidInput(str(file), f"is no TOML: {error}", 'write NAME = "value"') from error
    for name, value in told.items():
        if isinstance(value, bool):
            yield name, str(value).lower()
        elif isinstance(value, str | int | float):
            yield name, str(value)
        else:
            raise InvalidInput(f"{file}: {name}", f"is a {type(value).__name__}", "write a text or a number")


def _lines(file: Path, text: str) -> Iterator[tuple[str, str]]:
    seen: set[str] = set()
    for line in parse_stream(StringIO(text)):
        if line.error or (line.key is not None and line.value is None):
            raise InvalidInput(f"{file}: line {_number(line)}", "is no setting", "write NAME=value")
        if line.key is None or line.value is None:
            continue
        if line.key in seen:
            raise InvalidInput(f"{file}: {line.key}", "stands there twice", "leave one")
        seen.add(line.key)
        yield line.key, line.value


def _number(line: Binding) -> int:
    """Return the number of a line, which counts those without anything before it as its own."""
    said = line.original.string
    return line.original.line + said[: len(said) - len(said.lstrip())].count("\n")
