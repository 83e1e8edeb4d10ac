"""How things are called before people: as their owner first wrote them, where that is another language.

A name that ships has one canonical form, which makes the key of its entity (西门子, Singapore). One who wrote
"Siemens", or 新加坡, reads that again; what is matched and compared stays the canonical form.
"""

import re
from collections.abc import Iterable, Mapping

from mnemic.engine.results import Said
from mnemic.extraction.model import Mention, Source, Statement
from mnemic.extraction.text import LETTER, fold, tongue
from mnemic.graph.ids import canonical
from mnemic.graph.model import TEAM, Entity, Memory


def first_name(mention: Mention) -> str:
    """Return the name of the entity that ``mention`` makes: the canonical one unless written in another language."""
    written = mention.text.strip()
    shipped = mention.source is Source.SHIPPED and bool(written)
    return (
        written
        if shipped and not _mixed(written) and tongue(written) != tongue(mention.name)
        else mention.name
    )


def names_by_key(entities: Iterable[Entity]) -> dict[str, str]:
    """Return what the entities are called, by key: of several views of one the reader's own gives the name."""
    return {entity.key: entity.name for entity in sorted(entities, key=lambda e: e.owner != TEAM)}


def value_of(memory: Memory, entities: Mapping[str, Entity]) -> str:
    """Return the value of a memory, as its owner calls it where it is one of ``entities``."""
    return _called(memory.value, entities.get(memory.object))


def said(statement: Statement, subject: Entity | None, thing: Entity | None) -> Said:
    """Return the parts of a statement, as the owner of its subject and object calls them."""
    return Said(
        subject=_called(statement.subject.name, subject),
        predicate=statement.predicate,
        value=_called(statement.value, thing),
        modality=statement.modality.value,
    )


def _called(name: str, entity: Entity | None) -> str:
    """Return ``name`` as the owner of the ``entity`` calls it, if it is its canonical name in another language."""
    if entity is None or tongue(entity.name) == tongue(name) or fold(name) != canonical(entity.key):
        return name
    return entity.name


def _mixed(name: str) -> bool:
    """Tell whether Latin and Chinese stand in one name ("Go 语言")."""
    return tongue(name) == "zh" and re.search(LETTER, name) is not None
