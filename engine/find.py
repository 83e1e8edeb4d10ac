"""Which entity a name means to a reader: exactly, by alias, or not at all, and then what looks alike."""

from collections.abc import Sequence
from difflib import SequenceMatcher

from mnemic.engine.core import Core
from mnemic.engine.message import checked_text
from mnemic.engine.results import Thing
from mnemic.errors import NotFound
from mnemic.extraction.model import Mention
from mnemic.extraction.text import fold
from mnemic.graph.model import Entity
from mnemic.graph.view import View

_ALIKE = 0.7
_LONGEST = 1000


def find_entities(core: Core, view: View, name: str) -> list[Entity]:
    """Return the readable views of the one entity that ``name`` names, the private one first.

    A name is found through aliases, the other language, case and width. Raises ``NotFound`` with names
    that look alike: a typo is answered with an offer, never with a guess.
    """
    checked_text(name, "name", _LONGEST)
    handles = {fold(name), *(fold(mention.name) for mention in _whole(core, view, name))}
    found = core.store.entities(view, handles=sorted(handles))
    if not found:
        raise NotFound("entity", name, _alike(core, view, name))
    exact = [e for e in found if fold(e.name) == fold(name)] or found
    key = sorted(exact, key=lambda e: (e.kind == "thing", e.owner == "team", e.key))[0].key
    return sorted((e for e in found if e.key == key), key=lambda e: (e.owner == "team", e.id))


def as_thing(entities: Sequence[Entity]) -> Thing:
    """Return the owners' views of one entity as one thing."""
    first = entities[0]
    aliases = dict.fromkeys(alias for entity in entities for alias in entity.aliases)
    return Thing(id=first.id, name=first.name, kind=first.kind, aliases=tuple(aliases))


def _whole(core: Core, view: View, name: str) -> list[Mention]:
    """Return the mention that covers all of ``name``, if the dictionary knows it."""
    return [m for m in core.analyser(view.owners).mentions(name) if m.text.strip() == name.strip()]


def _alike(core: Core, view: View, name: str) -> list[str]:
    wanted = fold(name)
    scored = [
        (
            max(SequenceMatcher(None, wanted, handle).ratio() for handle in entity.handles or ("",)),
            entity.name,
        )
        for entity in core.store.entities(view)
    ]
    return [near for score, near in sorted(scored, key=lambda s: (-s[0], s[1])) if score >= _ALIKE][:3]
