"""Profiles: the current values of an entity's slots, consolidated on its node."""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from datetime import datetime

from mnemic.engine.called import value_of
from mnemic.graph.model import Entity, Memory
from mnemic.graph.store import Store
from mnemic.graph.view import View

_UNCONSOLIDATED = frozenset({"task", "done", "happened"})
"""Predicates whose values pass; they belong on the timeline, not in a profile."""


def refreshed_profiles(
    store: Store, view: View, owner: str, subjects: Iterable[str], now: datetime
) -> list[Entity]:
    """Return the owner's ``subjects`` whose profile differs from what their slots say now, brought up to date."""
    own = replace(view, owners=frozenset({owner}))
    ids = sorted(subjects)
    entities = store.entities(own, ids=ids) if ids else []
    refreshed = []
    for entity in entities:
        profile = profile_of(store.slot(own, entity.id, hidden=False))
        if profile != dict(entity.profile):
            refreshed.append(replace(entity, profile=profile, profile_updated_at=now))
    return refreshed


def profile_of(
    shown: Iterable[Memory], entities: Mapping[str, Entity] | None = None
) -> dict[str, tuple[str, ...]]:
    """Return the values that ``shown`` memories give an entity, by predicate, the newest first, each once.

    Values that are one of ``entities`` are called as their owner calls them; all others stay canonical.
    """
    held = [
        m for m in shown if m.modality == "asserted" and m.predicate and m.predicate not in _UNCONSOLIDATED
    ]
    profile: dict[str, tuple[str, ...]] = {}
    for memory in sorted(held, key=lambda m: (m.valid_from, m.id), reverse=True):
        values, value = profile.get(memory.predicate, ()), value_of(memory, entities or {})
        if value not in values:
            profile[memory.predicate] = (*values, value)
    return dict(sorted(profile.items()))
