"""What one owner says against another: neither overrules the other, and who reads both hears that they disagree."""

from collections.abc import Iterable, Mapping
from itertools import combinations

from mnemic.engine.question import Question
from mnemic.engine.rank import Ranked
from mnemic.extraction.predicates import shipped_inventory
from mnemic.extraction.text import fold
from mnemic.graph.model import TEAM, Entity, Memory

_TURNED = frozenset({"change", "correction"})


def told_apart(
    question: Question, shown: Iterable[Ranked], entities: Mapping[str, Entity]
) -> list[tuple[Memory, Memory]]:
    """Return the pairs of memories, older first, in which two owners hold other values of one slot.

    The slot is that of an entity which the question names; each owner has a node of their own for it. One
    that holds many values is contested only where the newer speaks of a change to another of the same kind;
    ``entities`` are those that they mention, by id.
    What a reader said later for themselves is lifted to the score of what it speaks against.
    """
    keys = {entity.id: entity.key for entity in question.entities}
    slots: dict[tuple[str, str], list[Ranked]] = {}
    for item in shown:
        row = item.row
        if isinstance(row, Memory) and row.predicate and row.subject in keys and row.modality == "asserted":
            slots.setdefault((keys[row.subject], row.predicate), []).append(item)
    found = []
    for items in slots.values():
        items.sort(key=lambda item: (item.row.at, item.row.id))
        for older, newer in combinations(items, 2):
            one, other = older.row, newer.row
            if isinstance(one, Memory) and isinstance(other, Memory) and _contest(one, other, entities):
                found.append((one, other))
                if other.owner != TEAM and older.score > newer.score:
                    newer.score = older.score
                    newer.features = {**newer.features, "inherited": older.score}
    return found


def _contest(older: Memory, newer: Memory, entities: Mapping[str, Entity]) -> bool:
    if older.owner == newer.owner or fold(older.value) == fold(newer.value):
        return False
    if not shipped_inventory()[newer.predicate].many:
        return True
    if _TURNED.isdisjoint(newer.cues) or not (older.object and newer.object):
        return False
    one, other = entities.get(older.object), entities.get(newer.object)
    return (one and one.kind) == (other and other.kind)
