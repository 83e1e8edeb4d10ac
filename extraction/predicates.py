"""The predicates with their slots, as ``dictionaries/predicates.toml`` declares them."""

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

from mnemic.errors import UnknownName
from mnemic.extraction.wordlist import whole_words

ANY = "any"


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Predicate:
    """One predicate: the groups that may stand in its slots, how many values it holds, how it is said.

    What has a value cannot have it in the ``opposite`` predicate as well, where there is one. ``units`` are those that a number may have, where not any may. ``asks`` are the words by which a question asks for it, ``patterns`` the wordings by language, and
    ``questions`` those of questions that leave the object open, ``fills`` what kinds of slot may fill it.
    """

    name: str
    many: bool
    opposite: str
    subject: tuple[str, ...]
    object: tuple[str, ...]
    units: tuple[str, ...]
    inverse: str
    kind: str
    say: Mapping[str, str]
    asks: tuple[str, ...]
    patterns: Mapping[str, tuple[str, ...]]
    questions: Mapping[str, tuple[str, ...]]
    fills: tuple[str, ...]


Lists = Mapping[str, Mapping[str, tuple[str, ...]]]
"""Lists of words by name and language, in either order."""


@dataclass(frozen=True, slots=True)
class Inventory:
    """All predicates by name, the groups of kinds, and the words of slots, of classes, and those skipped.

    ``wares`` tells the sort of each word for a thing that people have one of at a time, ``sorts`` the one
    that a word names, of addresses and of favourites; ``favourites`` are the wordings that tell of one.
    ``attributes`` tells the predicate of which a word names the slot ("the deadline"),
    ``irregular`` the verb of which a word is a form that shares no stem with it.
    """

    predicates: Mapping[str, Predicate]
    groups: Mapping[str, str]
    slots: Lists
    words: Lists
    skip: Mapping[str, tuple[str, ...]]
    leads: Mapping[str, tuple[str, ...]]
    loose: frozenset[str]
    wares: Mapping[str, str]
    sorts: Mapping[str, Mapping[str, str]]
    favourites: tuple[str, ...]
    attributes: Mapping[str, str]
    irregular: Mapping[str, str]

    def __getitem__(self, name: str) -> Predicate:
        """Return the predicate ``name``, or raise ``UnknownName``."""
        if name not in self.predicates:
            raise UnknownName("predicate", name, self.predicates)
        return self.predicates[name]

    def group(self, kind: str, technical: bool) -> str:
        """Return the group that an entity of ``kind`` belongs to; ``technical``: from the technology file."""
        return self.groups.get(kind, "tech" if technical else "thing")


@cache
def word_of(name: str) -> re.Pattern[str]:
    """Return what matches a word of a class, in either language and any case; Latin ones as whole words."""
    words = shipped_inventory().words
    return re.compile(whole_words([word for tongue in ("en", "zh") for word in words[tongue][name]]))


@cache
def shipped_inventory() -> Inventory:
    """Return the shipped predicates."""
    raw = tomllib.loads(files("mnemic.dictionaries").joinpath("predicates.toml").read_text(encoding="utf-8"))
    predicates = {row["name"]: _predicate(row) for row in raw["predicate"]}
    groups = {kind: group for group, kinds in raw["groups"].items() for kind in kinds}
    lists = _lists({name: raw[name] for name in ("skip", "leads")})
    return Inventory(
        predicates,
        groups,
        _lists(raw["slots"]),
        _lists(raw["words"]),
        lists["skip"],
        lists["leads"],
        frozenset(raw["loose"]),
        _sorts(raw["wares"]),
        {name: _sorts(body) for name, body in raw["sorts"].items()},
        (*raw["favourites"]["en"], *raw["favourites"]["zh"]),
        _sorts(raw["attributes"]),
        _sorts(raw["irregular"]),
    )


def _sorts(raw: Mapping[str, list[str]]) -> dict[str, str]:
    return {word: sort for sort, words in raw.items() for word in words}


def _lists(raw: Mapping[str, Mapping[str, list[str]]]) -> Lists:
    return {one: {other: tuple(words) for other, words in body.items()} for one, body in raw.items()}


def _predicate(row: Mapping[str, Any]) -> Predicate:
    return Predicate(
        name=row["name"],
        many=row["many"],
        opposite=row.get("opposite", ""),
        subject=tuple(row["subject"]),
        object=tuple(row["object"]),
        units=tuple(row.get("units", ())),
        inverse=row["inverse"],
        kind=row["kind"],
        say=row["say"],
        asks=(*row["asks"]["en"], *row["asks"]["zh"]),
        patterns={tongue: tuple(row[tongue]) for tongue in ("en", "zh")},
        fills=tuple(row["questions"]["fills"]),
        questions={tongue: tuple(row["questions"][tongue]) for tongue in ("en", "zh")},
    )
