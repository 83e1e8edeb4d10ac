"""What a text says something of, by words alone: the sorts of the values in it, its matters, and further cues."""

import re
import tomllib
from collections.abc import Mapping
from functools import cache, lru_cache
from importlib.resources import files
from typing import Any, NamedTuple

from mnemic.extraction.cues import Cues, by_class
from mnemic.extraction.width import level


class Matters(NamedTuple):
    """By sort the values of a text as they are written; its matters; its cues."""

    values: Mapping[str, frozenset[str]]
    matters: frozenset[str]
    cues: frozenset[str]


@lru_cache(maxsize=4096)
def matters_of(text: str) -> Matters:
    """Return what a text says something of; a memory is compared many times."""
    values: dict[str, frozenset[str]] = {}
    for match in _shapes().finditer(level(text)):
        sort = match.lastgroup or ""
        values[sort] = values.get(sort, frozenset()) | {match[0]}
    matters, cues = _words()
    return Matters(values, frozenset(by_class(matters.hear(text))), frozenset(by_class(cues.hear(text))))


@cache
def _raw() -> Mapping[str, Any]:
    return tomllib.loads(files("mnemic.dictionaries").joinpath("matters.toml").read_text(encoding="utf-8"))


@cache
def _shapes() -> re.Pattern[str]:
    return re.compile("|".join(f"(?P<{name}>{shape})" for name, shape in _raw()["sorts"].items()))


@cache
def _words() -> tuple[Cues, Cues]:
    matters, cues = (
        Cues({name: (*body["en"], *body["zh"]) for name, body in _raw()[part].items()})
        for part in ("matters", "cues")
    )
    return matters, cues
