"""Which entity a name means to a reader: exactly, by alias, or not at all, and then what looks alike."""

import re
from collections.abc import Sequence
from difflib import SequenceMatcher

from mnemic.engine.core import Core
from mnemic.engine.message import checked_text
from mnemic.engine.results import Thing
from mnemic.errors import NotFound
from mnemic.extraction.text import CJK, fold
from mnemic.graph.ids import canonical, entity_id, entity_key
from mnemic.graph.model import Entity
from mnemic.graph.view import Scope, View

OWN_KINDS = frozenset(
    {"person", "project", "service", "product", "place", "organization", "team", "pet", "event", "device"}
)
"""Kinds of the users' own world; what ships with mnemic is mostly of others."""

_ALIKE = 0.7
_PART = re.compile(rf"[{CJK}]{{2}}|\w{{3}}")
"""What is long enough to be a telling part of a name: two Chinese characters or three letters."""

_ARTICLE = re.compile(r"\s*(?:the|an?)\s+", re.IGNORECASE)
_LONGEST = 1000


def find_entities(core: Core, view: View, name: str) -> list[Entity]:
    """Return the readable views of the one entity that ``name`` names, the private one first.

    A name is found through aliases, the other language, case and width, with "the" before it or not. Raises
    ``NotFound`` with names that look alike: a typo is answered with an offer, never with a guess.
    """
    called, found = _called(core, view, checked_text(name, "name", _LONGEST))
    if not found:
        raise NotFound("entity", name, _alike(core, view, name))
    return _meant(called, found)


def resolve(core: Core, scope: Scope, name: str) -> Thing:
    """Return the entity that ``name`` names, or what the dictionary calls so though nothing was told of it.

    The latter has the id that it will have then. Raises ``NotFound`` as :func:`find_entities` does.
    """
    view = core.view(scope)
    called, found = _called(core, view, checked_text(name, "name", _LONGEST))
    if found:
        return as_thing(_meant(called, found))
    entry = core.analyser(view.owners).named(called)
    if entry is None:
        raise NotFound("entity", name, _alike(core, view, name))
    id = entity_id(scope.user, entity_key(entry.kind, fold(entry.name)))
    return Thing(id=id, name=entry.name, kind=entry.kind, aliases=entry.aliases)


def as_thing(entities: Sequence[Entity]) -> Thing:
    """Return the owners' views of one entity as one thing."""
    first = entities[0]
    forms = dict.fromkeys(form for entity in entities for form in (entity.name, *entity.aliases))
    aliases = [form for form in forms if form != first.name]
    return Thing(id=first.id, name=first.name, kind=first.kind, aliases=tuple(aliases))


def _called(core: Core, view: View, name: str) -> tuple[str, list[Entity]]:
    """Return ``name`` and what goes by it; without the article before it, unless something is called so with it."""
    found = _readable(core, view, name)
    bare = _ARTICLE.sub("", name, count=1) if _ARTICLE.match(name) else ""
    if found or not bare or core.analyser(view.owners).named(name) is not None:
        return name, found
    return bare, _readable(core, view, bare)


def _meant(called: str, found: Sequence[Entity]) -> list[Entity]:
    """Return the views of the one of these entities that ``called`` means, the private one first."""
    exact = [e for e in found if fold(called) in (fold(e.name), canonical(e.key))] or found
    one = min(exact, key=lambda e: (e.kind == "thing", e.kind not in OWN_KINDS, e.owner == "team", e.key))
    return sorted((e for e in found if e.key == one.key), key=lambda e: (e.owner == "team", e.id))


def _readable(core: Core, view: View, name: str) -> list[Entity]:
    """Return the entities that have ``name``, or what it is a form of, as one of their names."""
    return core.store.entities(view, handles=sorted(_handles(core, view, name)))


def _handles(core: Core, view: View, name: str) -> set[str]:
    """Return the folded names by which an entity may be known that ``name`` alone means."""
    analyser = core.analyser(view.owners)
    entry = analyser.named(name)
    called = [m.name for m in analyser.mentions(name) if m.text.strip() == name.strip()]
    return {fold(each) for each in (name, *([entry.name] if entry else called))}


def _alike(core: Core, view: View, name: str) -> list[str]:
    wanted = fold(name)
    scored = [
        (max(_likeness(wanted, handle) for handle in entity.handles or ("",)), entity.name)
        for entity in core.store.entities(view)
    ]
    return [near for score, near in sorted(scored, key=lambda s: (-s[0], s[1])) if score >= _ALIKE][:3]


def _likeness(wanted: str, handle: str) -> float:
    """Return how alike two names are, from 0 to 1; one that is a part of the other is alike enough."""
    short, long = sorted((wanted, handle), key=len)
    part = _ALIKE if _PART.match(short) and short in long else 0.0
    return max(part, SequenceMatcher(None, wanted, handle).ratio())
