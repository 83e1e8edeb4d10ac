"""The tenant's own dictionary: adding and removing names, and reading the history again for them."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from difflib import get_close_matches
from typing import Any

from mnemic.engine.core import Core
from mnemic.engine.message import LONGEST_NAME, checked_text
from mnemic.engine.rereading import Rereading, quietly
from mnemic.engine.results import Reread
from mnemic.engine.touched import Change, Forms, Progress
from mnemic.errors import InvalidInput, NotFound
from mnemic.extraction.lexicon import Entry
from mnemic.extraction.secrets import mask
from mnemic.extraction.terms import is_function_word
from mnemic.extraction.text import fold
from mnemic.graph.model import TEAM, GraphDelta, Name
from mnemic.graph.store import Store
from mnemic.graph.view import Scope

_KEYS = frozenset({"name", "kind", "aliases"})


def learn(
    core: Core,
    scope: Scope,
    entries: Sequence[Mapping[str, Any] | Entry],
    *,
    reread: bool = True,
    progress: Progress = quietly,
) -> tuple[Name, ...]:
    """Put names into the dictionary (a known name is replaced), read the history again with them, return them.

    What the readers introduced or rejected under the same name gives way. Raises ``InvalidInput`` naming entry
    and field; then none is added.
    """
    names = checked_names(entries)
    known = core.store.names(core.view(scope))
    _require_distinct(names, [name for name in known if not name.owner])
    learnt = {fold(name.name) for name in names}
    changed = [name for name in names if name not in known]
    shadowed = [name for name in known if name.owner and fold(name.name) in learnt]
    if changed or shadowed:
        delta = GraphDelta(names=tuple(changed), dropped_names=_keys_of(shadowed))
        change_names(core, scope, delta, reread=reread, progress=progress)
    return names


def unlearn(
    core: Core, scope: Scope, name: str, *, reread: bool = True, progress: Progress = quietly
) -> None:
    """Take a name out of the dictionary, and what only it told; raises ``NotFound`` where it is not in it."""
    checked_text(name, "name", LONGEST_NAME)
    known = core.store.names(core.view(scope))
    dropped = [entry for entry in known if entry.name == name]
    if not dropped:
        raise NotFound("name", name, get_close_matches(name, [entry.name for entry in known]))
    change_names(core, scope, GraphDelta(dropped_names=_keys_of(dropped)), reread=reread, progress=progress)


def change_names(core: Core, scope: Scope, delta: GraphDelta, *, reread: bool, progress: Progress) -> Reread:
    """Change the dictionary by the names of ``delta``, and read what the scope may read again where it matters.

    The names count when all is read: who is stopped half way does it again from the start.
    """
    known = core.store.names(core.view(scope))
    kept = {(name.owner, name.name): name for name in known}
    now = {key: name for key, name in kept.items() if key not in delta.dropped_names}
    now |= {(name.owner, name.name): name for name in delta.names}
    moved = [
        name
        for key in kept.keys() | now.keys()
        for name in (kept.get(key), now.get(key))
        if name is not None and kept.get(key) != now.get(key)
    ]
    anew = {fold(name.name) for name in delta.names}  # introduced, so unknown until then
    before = [
        n for n in kept.values() if not n.owner or now.get((n.owner, n.name)) or fold(n.name) not in anew
    ]
    readings = _readings(core, scope, Forms(moved), before, list(now.values()), progress) if reread else []
    return _carry_out(core, scope, readings, delta)


def read_again(core: Core, scope: Scope, words: Sequence[str], *, progress: Progress = quietly) -> Reread:
    """Read what the scope may read again for these names, all of the dictionary when none is given.

    A name that is not in the dictionary is read as one that has been taken out of it.
    """
    for word in words:
        checked_text(word, "names", LONGEST_NAME)
    known = core.store.names(core.view(scope))
    meant = [name for name in known if name.name in words or not words]
    strange = [Name(name=word, kind="thing") for word in words if word not in {name.name for name in known}]
    before = None if strange else [name for name in known if name not in meant]
    readings = _readings(core, scope, Forms([*meant, *strange]), before, known, progress)
    return _carry_out(core, scope, readings, GraphDelta())


def _readings(
    core: Core,
    scope: Scope,
    forms: Forms,
    before: Sequence[Name] | None,
    after: Sequence[Name],
    progress: Progress,
) -> list[Rereading]:
    """Return what reads the histories that the scope may read, the team's first."""
    if not forms.folded or not core.store.stats().turns:
        return []
    readings = []
    for owner in (TEAM, scope.user):
        heard = {"", owner, TEAM}
        old = [name for name in before or () if name.owner in heard]
        new = [name for name in after if name.owner in heard]
        change = Change(
            core.analyser_of(old) if before is not None else None,
            core.analyser_of(new),
            lost=frozenset(name.name for name in old if name not in new),
            won=frozenset(name.name for name in new if name not in old),
            forms_lost=Forms(n for n in old if n not in new).folded - Forms(new).folded,
        )
        view = replace(core.view(scope), owners=frozenset({owner}))
        readings.append(Rereading(core, view, forms, change, progress))
    return readings


def _carry_out(core: Core, scope: Scope, readings: Sequence[Rereading], delta: GraphDelta) -> Reread:
    for reading in readings:
        reading.run()

    def work(store: Store) -> None:
        for reading in readings:
            reading.finish(store)
        if delta != GraphDelta():
            store.apply(delta)

    core.store.transact(scope.user, work)
    counts = sum((reading.counts for reading in readings), Counter[str]())
    return Reread(**counts)


def _keys_of(names: Iterable[Name]) -> tuple[tuple[str, str], ...]:
    return tuple((name.owner, name.name) for name in names)


def checked_names(entries: Sequence[Mapping[str, Any] | Entry]) -> tuple[Name, ...]:
    """Return names for the dictionary, or raise ``InvalidInput`` naming entry and field."""
    if not isinstance(entries, Sequence) or isinstance(entries, (str, bytes, bytearray)):
        raise InvalidInput(
            "dictionary",
            f"is {type(entries).__name__}",
            "pass a file, or a list of entries with name and kind",
        )
    if not entries:
        raise InvalidInput("dictionary", "holds no names", "give each entry a name and a kind")
    return tuple(checked_name(entry, number) for number, entry in enumerate(entries))


def checked_name(entry: Mapping[str, Any] | Entry, number: int, owner: str = "") -> Name:
    """Return a name for the dictionary, or raise ``InvalidInput`` naming entry and field."""
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
        owner=owner,
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
