"""From mentions to nodes: which entity of the owner a mention names, or a new one."""

from collections.abc import Collection, Iterable
from dataclasses import dataclass, field, replace

from mnemic.engine.called import first_name
from mnemic.extraction.model import Mention, Source
from mnemic.extraction.text import fold
from mnemic.graph.ids import canonical, entity_id, entity_key
from mnemic.graph.model import Entity
from mnemic.graph.store import Store
from mnemic.graph.view import View

_OWNED = ("'s ", "的")


@dataclass(slots=True)
class Aside:
    """Entities that were made under another dictionary: none is found before it would be made once more.

    ``old`` are their ids, ``again`` those of all entities that were linked to since. What is called by one of
    the ``lost`` handles is no longer meant by it, unless that is its very name.
    """

    old: frozenset[str] = frozenset()
    lost: frozenset[str] = frozenset()
    again: set[str] = field(default_factory=set)

    def hides(self, entity: Entity, handle: str) -> bool:
        """Tell whether an entity would not be there yet, or not under this handle."""
        if handle in self.lost and handle not in (canonical(entity.key), fold(entity.name)):
            return True
        return entity.id in self.old and entity.id not in self.again


class Linker:
    """Finds or makes one owner's entities; remembers what it found and made, so that a write adds each once.

    An exact name or alias links; two entities of different kinds may share a name, and then the kind
    decides. Nothing is linked by likeness.
    """

    def __init__(self, store: Store, view: View, owner: str, aside: Aside | None = None) -> None:
        self._store = store
        self._aside = aside or Aside()
        self._view = replace(view, owners=frozenset({owner}))
        self._owner = owner
        self._by_handle: dict[str, list[Entity]] = {}
        self._asked: set[str] = set()
        self._by_id: dict[str, Entity] = {}
        self.touched: dict[str, Entity] = {}

    def prepare(self, mentions: Iterable[Mention]) -> None:
        """Look up the entities of all ``mentions`` at once."""
        handles = {handle for mention in mentions for handle in _handles(mention.name)} - self._asked
        self._asked |= handles
        if handles:
            for entity in self._store.entities(self._view, handles=sorted(handles)):
                self._admit(entity)

    def link(self, mention: Mention) -> Entity:
        """Return the entity that ``mention`` names, made if there is none, with the alias used added to it."""
        self.prepare([mention])
        every = self._by_handle.get(fold(mention.name), [])
        known = [e for e in every if not self._aside.hides(e, fold(mention.name))]
        entity = next((e for e in known if e.kind == mention.kind), None) or _sole(known, mention)
        if entity is None:
            key = entity_key(mention.kind, fold(mention.name))
            entity = next((e for e in every if e.key == key), None) or self._new(mention)
        self._aside.again.add(entity.id)
        return self._with_alias(entity, mention)

    def entity(self, id: str) -> Entity | None:
        """Return an entity that was looked up or made here."""
        return self._by_id.get(id)

    def let_go(self, ids: Collection[str]) -> None:
        """Know nothing any more of entities that were erased."""
        self._aside.again.difference_update(ids)
        for id in ids:
            self._by_id.pop(id, None)
        for handle, known in self._by_handle.items():
            self._by_handle[handle] = [entity for entity in known if entity.id not in ids]

    def _new(self, mention: Mention) -> Entity:
        key = entity_key(mention.kind, fold(mention.name))
        name = first_name(mention)
        other = (mention.name,) if name != mention.name else ()
        entity = Entity(
            id=entity_id(self._owner, key),
            owner=self._owner,
            key=key,
            name=name,
            kind=mention.kind,
            aliases=other,
            handles=tuple(dict.fromkeys((*_handles(name), *map(fold, other)))),
        )
        self._touch(entity)
        return entity

    def _with_alias(self, entity: Entity, mention: Mention) -> Entity:
        alias = mention.text.strip()
        plain = mention.source not in (Source.PHRASE, Source.SPEAKER) and alias
        if not plain or fold(alias) in entity.handles:
            return entity
        added = replace(entity, aliases=(*entity.aliases, alias), handles=(*entity.handles, fold(alias)))
        self._touch(added)
        return added

    def add_alias(self, entity: Entity, alias: str) -> None:
        """Give ``entity`` a further name."""
        if fold(alias) not in entity.handles:
            self._touch(
                replace(entity, aliases=(*entity.aliases, alias), handles=(*entity.handles, fold(alias)))
            )

    def _touch(self, entity: Entity) -> None:
        self._admit(entity)
        self.touched[entity.id] = entity

    def _admit(self, entity: Entity) -> None:
        self._by_id[entity.id] = entity
        for handle in entity.handles:
            others = [e for e in self._by_handle.get(handle, ()) if e.id != entity.id]
            self._by_handle[handle] = sorted([*others, entity], key=lambda e: e.id)


def _sole(known: list[Entity], mention: Mention) -> Entity | None:
    """Return the only entity of that name where one of the two kinds is the vague one."""
    vague = [
        e for e in known if mention.kind == "thing" or e.kind == "thing" or mention.source is Source.SPEAKER
    ]
    return vague[0] if len(vague) == 1 else None


def _handles(name: str) -> list[str]:
    """Return the folded forms under which a name is found: itself, and without its owner ("Ada's key")."""
    folded = fold(name)
    handles = [folded]
    for mark in _OWNED:
        head, found, tail = folded.partition(mark)
        if found and head and len(tail) > 1:
            handles.append(tail)
    return handles
