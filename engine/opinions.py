"""Doubts that a language model decides, after the write that left them and in a step of their own."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from mnemic.engine.advice import Adviser
from mnemic.engine.conflict import Manner, Verdict, holds
from mnemic.engine.core import Core
from mnemic.engine.ledger import Ledger
from mnemic.engine.profile import refreshed_profiles
from mnemic.engine.standing import overruled
from mnemic.errors import StoreError
from mnemic.extraction.llm.base import JUDGE
from mnemic.extraction.names import shipped_lexicon
from mnemic.graph.model import DOUBT, GraphDelta, Memory, Replaces, State
from mnemic.graph.store import Store
from mnemic.graph.view import View

_BY_MODEL = "judged by the model"
"""The feature of an edge of which a model decided what the scorer doubted."""

Pair = tuple[str, str]


@dataclass(frozen=True, slots=True)
class _Doubt:
    edge: Replaces
    older: Memory
    newer: Memory


def settle_doubts(core: Core, view: View, owner: str, ledger: Ledger, adviser: Adviser) -> None:
    """Ask of each doubt that the call left; what the model is sure of is written, the rest stays in doubt."""
    if not adviser.asks(JUDGE) or not ledger.doubts:
        return
    own = replace(view, owners=frozenset({owner}))
    doubts = _standing(core.store, own, ledger.doubts)
    opinions: dict[Pair, str] = {}
    for each in doubts:
        people = _people(core.store, own, (each.older, each.newer))
        turn = next(iter(each.newer.sources), each.newer.id)
        opinions[each.edge.newer, each.edge.older] = adviser.opinion(
            each.older.text, each.newer.text, turn, people
        )
    if {"yes", "no"} & set(opinions.values()):
        try:
            replaced = core.store.transact(owner, lambda store: _settle(core, store, own, owner, opinions))
        except StoreError as error:  # what was told is stored, and its receipt is due
            ledger.notes.append(f"what the model is sure of stays in doubt: {error}")
            return
        for older, edge in replaced:
            ledger.replace(older, edge)


def _settle(
    core: Core, store: Store, view: View, owner: str, opinions: Mapping[Pair, str]
) -> list[tuple[Memory, Replaces]]:
    """Write what the model is sure of, as far as the doubts still stand."""
    now = core.clock()
    given: dict[str, tuple[Memory, Replaces]] = {}
    reverted = []
    for each in _standing(store, view, sorted(opinions)):
        pair = each.edge.newer, each.edge.older
        if opinions[pair] == "no":
            reverted.append(pair)
        elif opinions[pair] == "yes" and each.older.id not in given:
            features = {**each.edge.features, _BY_MODEL: 1.0}
            manner = Manner.ENDED if each.newer.modality == "ended" else Manner.CHANGED
            verdict = Verdict(each.older, manner, each.edge.cue, each.edge.score, features)
            given[each.older.id] = overruled(verdict, each.newer, now)
    rows = [row for row, _ in given.values()]
    edges = [edge for _, edge in given.values()]
    store.apply(GraphDelta(memories=tuple(rows), replaces=tuple(edges), reverted=tuple(reverted)))
    present = replace(view, valid=now, known=now)
    profiles = refreshed_profiles(store, present, owner, {row.subject for row in rows if row.subject}, now)
    if profiles:
        store.apply(GraphDelta(entities=tuple(profiles)))
    return list(given.values())


def _standing(store: Store, view: View, pairs: Sequence[Pair]) -> list[_Doubt]:
    """Return those of the doubts that still stand, between memories that both hold."""
    ids = sorted({id for pair in pairs for id in pair})
    rows = {memory.id: memory for memory in store.memories(view, ids=ids)} if ids else {}
    edges = {(e.newer, e.older): e for e in store.replacements(view, ids)} if ids else {}
    found = [
        _Doubt(edges[newer, older], rows[older], rows[newer])
        for newer, older in pairs
        if (newer, older) in edges and edges[newer, older].reason == DOUBT and {newer, older} <= rows.keys()
    ]
    return [d for d in found if d.older.state is State.ACTIVE and holds(d.older, d.newer.valid_from)]


def _people(store: Store, view: View, memories: Sequence[Memory]) -> dict[str, str]:
    """Return what the memories name that no shipped dictionary knows, with all its names: it does not leave."""
    ids = sorted({mention.entity for memory in memories for mention in memory.mentions})
    entities = store.entities(view, ids=ids) if ids else []
    return {
        name: entity.kind
        for entity in entities
        if entity.kind == "person"
        or (entity.kind != "thing" and shipped_lexicon().named(entity.name) is None)
        for name in (entity.name, *entity.aliases)
    }
