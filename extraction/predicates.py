"""The predicates with their slots, as ``dictionaries/predicates.toml`` declares them."""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

from mnemic.errors import UnknownName

ANY = "any"


@dataclass(frozen=True, slots=True, kw_only=True)
class Predicate:
    """One predicate: the groups that may stand in its slots, how many values it holds, how it is said.

    ``asks`` are the words by which a question asks for it, ``patterns`` the wordings by language.
    """

    name: str
    many: bool
    subject: tuple[str, ...]
    object: tuple[str, ...]
    inverse: str
    kind: str
    say: Mapping[str, str]
    asks: tuple[str, ...]
    patterns: Mapping[str, tuple[str, ...]]


@dataclass(frozen=True, slots=True)
class Inventory:
    """All predicates by name, the groups of kinds, and the words that may fill special slots."""

    predicates: Mapping[str, Predicate]
    groups: Mapping[str, str]
    slots: Mapping[str, Mapping[str, tuple[str, ...]]]

    def __getitem__(self, name: str) -> Predicate:
        """Return the predicate ``name``, or raise ``UnknownName``."""
        if name not in self.predicates:
            raise UnknownName("predicate", name, self.predicates)
        return self.predicates[name]

    def group(self, kind: str, technical: bool) -> str:
        """Return the group that an entity of ``kind`` belongs to; ``technical``: from the technology file."""
        return self.groups.get(kind, "tech" if technical else "thing")


@cache
def shipped_inventory() -> Inventory:
    """Return the shipped predicates."""
    raw = tomllib.loads(files("mnemic.dictionaries").joinpath("predicates.toml").read_text(encoding="utf-8"))
    predicates = {row["name"]: _predicate(row) for row in raw["predicate"]}
    groups = {kind: group for group, kinds in raw["groups"].items() for kind in kinds}
    slots = {
        name: {tongue: tuple(words) for tongue, words in body.items()} for name, body in raw["slots"].items()
    }
    return Inventory(predicates, groups, slots)


def _predicate(row: Mapping[str, Any]) -> Predicate:
    return Predicate(
        name=row["name"],
        many=row["many"],
        subject=tuple(row["subject"]),
        object=tuple(row["object"]),
        inverse=row["inverse"],
        kind=row["kind"],
        say=row["say"],
        asks=(*row["asks"]["en"], *row["asks"]["zh"]),
        patterns={tongue: tuple(row[tongue]) for tongue in ("en", "zh")},
    )
