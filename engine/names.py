"""The tenant's own dictionary: adding and removing names, and giving known entities their new aliases."""

from collections.abc import Mapping, Sequence
from difflib import get_close_matches
from typing import Any

from mnemic.engine.core import Core
from mnemic.errors import InvalidInput, NotFound
from mnemic.extraction.lexicon import Entry
from mnemic.graph.model import GraphDelta, Name
from mnemic.graph.view import Scope

_KEYS = frozenset({"name", "kind", "aliases"})


def learn(core: Core, scope: Scope, entries: Sequence[Mapping[str, Any] | Entry]) -> tuple[Name, ...]:
    """Put names into the dictionary (a known name is replaced) and return them.

    Raises ``InvalidInput`` naming entry and field; then none is added.
    """
    names = tuple(_name(entry, number) for number, entry in enumerate(entries))
    core.store.transact(scope.user, lambda store: store.apply(GraphDelta(names=names)))
    return names


def unlearn(core: Core, scope: Scope, name: str) -> None:
    """Take a name out of the dictionary; raises ``NotFound`` where it is not in it."""
    known = [entry.name for entry in core.store.names()]
    if name not in known:
        raise NotFound("name", name, get_close_matches(name, known))
    core.store.transact(scope.user, lambda store: store.apply(GraphDelta(dropped_names=(name,))))


def _name(entry: Mapping[str, Any] | Entry, number: int) -> Name:
    if isinstance(entry, Entry):
        return Name(name=entry.name, kind=entry.kind, aliases=tuple(entry.aliases))
    where = f"dictionary[{number}]"
    unknown = sorted(set(entry) - _KEYS)
    if unknown:
        raise InvalidInput(f"{where}.{unknown[0]}", "is not a field", "use name, kind and aliases")
    for field in ("name", "kind"):
        if not isinstance(entry.get(field), str) or not entry[field].strip():
            raise InvalidInput(f"{where}.{field}", "is missing or empty", "give each entry a name and a kind")
    aliases = entry.get("aliases") or ()
    if isinstance(aliases, str) or not all(isinstance(alias, str) and alias.strip() for alias in aliases):
        raise InvalidInput(
            f"{where}.aliases", f"{aliases!r} is no list of names", "write aliases: [one, other]"
        )
    return Name(name=entry["name"], kind=entry["kind"], aliases=tuple(aliases))
