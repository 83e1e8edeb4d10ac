"""The tenant's own dictionary: adding and removing names, and giving known entities their new aliases."""

from collections.abc import Mapping, Sequence
from difflib import get_close_matches
from typing import Any

from mnemic.engine.core import Core
from mnemic.engine.message import LONGEST_NAME, checked_text
from mnemic.errors import InvalidInput, NotFound
from mnemic.extraction.lexicon import Entry
from mnemic.extraction.secrets import mask
from mnemic.extraction.terms import is_function_word
from mnemic.graph.model import GraphDelta, Name
from mnemic.graph.view import Scope

_KEYS = frozenset({"name", "kind", "aliases"})


def learn(core: Core, scope: Scope, entries: Sequence[Mapping[str, Any] | Entry]) -> tuple[Name, ...]:
    """Put names into the dictionary (a known name is replaced) and return them.

    Raises ``InvalidInput`` naming entry and field; then none is added.
    """
    if not isinstance(entries, Sequence) or isinstance(entries, (str, bytes, bytearray)):
        raise InvalidInput(
            "dictionary",
            f"is {type(entries).__name__}",
            "pass a file, or a list of entries with name and kind",
        )
    if not entries:
        raise InvalidInput("dictionary", "holds no names", "give each entry a name and a kind")
    names = tuple(_name(entry, number) for number, entry in enumerate(entries))
    _require_distinct(names, core.store.names())
    core.store.transact(scope.user, lambda store: store.apply(GraphDelta(names=names)))
    return names


def unlearn(core: Core, scope: Scope, name: str) -> None:
    """Take a name out of the dictionary; raises ``NotFound`` where it is not in it."""
    checked_text(name, "name", LONGEST_NAME)
    known = core.store.names(core.view(scope))
    dropped = tuple((entry.owner, entry.name) for entry in known if entry.name == name)
    if not dropped:
        raise NotFound("name", name, get_close_matches(name, [entry.name for entry in known]))
    core.store.transact(scope.user, lambda store: store.apply(GraphDelta(dropped_names=dropped)))


def _name(entry: Mapping[str, Any] | Entry, number: int) -> Name:
    where = f"dictionary[{number}]"
    if isinstance(entry, Entry):
        entry = {"name": entry.name, "kind": entry.kind, "aliases": entry.aliases}
    if not isinstance(entry, Mapping):
        raise InvalidInput(where, f"is {type(entry).__name__}", "give each entry a name and a kind")
    unknown = sorted(set(entry) - _KEYS)
    if unknown:
        raise InvalidInput(f"{where}.{unknown[0]}", "is not a field", "use name, kind and aliases")
    aliases = entry.get("aliases") or ()
    if isinstance(aliases, str) or not isinstance(aliases, Sequence):
        raise InvalidInput(f"{where}.aliases", f"{aliases!r} is no list", "write aliases: [one, other]")
    return Name(
        name=_word(entry.get("name"), f"{where}.name"),
        kind=_word(entry.get("kind"), f"{where}.kind").casefold(),
        aliases=tuple(_word(alias, f"{where}.aliases") for alias in aliases),
    )


def _word(value: object, field: str) -> str:
    """Return a name that can be matched, or raise ``InvalidInput``."""
    if not isinstance(value, str) or not any(letter.isalnum() for letter in value):
        raise InvalidInput(field, f"{value!r} is no name", "give each entry a name and a kind, in words")
    checked_text(value, field, LONGEST_NAME)
    _, masked = mask(value)
    if masked:
        raise InvalidInput(field, f"holds a secret ({masked[0].kind})", "name it without the secret")
    if is_function_word(value):
        raise InvalidInput(field, f"{value!r} stands in nearly every sentence", "choose a longer name")
    return value


def _require_distinct(names: Sequence[Name], known: Sequence[Name]) -> None:
    """Raise ``InvalidInput`` for a name that stands twice, and for an alias that two names would share."""
    claimed = {
        alias: name.name
        for name in known
        if name.name not in {each.name for each in names}
        for alias in name.aliases
    }
    seen: set[str] = set()
    for number, name in enumerate(names):
        if name.name in seen:
            raise InvalidInput(
                f"dictionary[{number}].name",
                f"{name.name!r} is there already",
                "put its aliases into one entry",
            )
        seen.add(name.name)
        for alias in name.aliases:
            other = claimed.setdefault(alias, name.name)
            if other != name.name:
                raise InvalidInput(
                    f"dictionary[{number}].aliases",
                    f"{alias!r} is an alias of {other!r}, too, and would mean either",
                    "leave it with one of the two, or with none",
                )
