"""Erasing a user: everything that they own is physically removed, and looked for again afterwards."""

from collections.abc import Iterator
from dataclasses import replace

from mnemic.engine.core import Core
from mnemic.errors import StoreError
from mnemic.graph.model import Layer
from mnemic.graph.records import Which
from mnemic.graph.store import Store
from mnemic.graph.view import Scope, View

Counts = dict[str, int]

_MOST = 100_000
"""So many records of a kind are looked through."""


def erase(core: Core, scope: Scope) -> Counts:
    """Remove all that the user of ``scope`` owns and return how many rows of each kind that were.

    What they told the team stays the team's. Raises ``StoreError`` where something is found afterwards.
    """
    own = replace(core.view(scope), owners=frozenset({scope.user}))
    before = _counts(core.store, own)
    core.store.erase(owners=[scope.user])
    core.answers.clear()
    left = _counts(core.store, own)
    if any(left.values()):
        raise StoreError(f"of {scope.user!r} something was written while it was erased: {left}; erase again")
    return before


def texts(core: Core, scope: Scope) -> Iterator[str]:
    """Yield every text that the user of ``scope`` owns."""
    own = replace(core.view(scope), owners=frozenset({scope.user}))
    for layer in (Layer.TURN, Layer.MEMORY):
        for row in core.store.scan(own, layer):
            yield row.text


def is_said_elsewhere(core: Core, text: str) -> bool:
    """Tell whether a row or a record of anybody who is left holds ``text``."""
    for kind in core.store.stats().records:
        if any(text in record.body for record in core.store.kept(kind, Which(owners=None), limit=_MOST)):
            return True
    everybody = frozenset(core.store.stats().owners)
    if not everybody:
        return False
    view = View(owners=everybody, valid=core.clock(), known=core.clock())
    return any(text in row.text for layer in Layer for row in core.store.scan(view, layer))


def _counts(store: Store, own: View) -> Counts:
    return {
        "turns": sum(1 for _ in store.scan(own, Layer.TURN)),
        "memories": sum(1 for _ in store.scan(own, Layer.MEMORY)),
        "entities": len(store.entities(own)),
        "names": sum(name.owner != "" for name in store.names(own)),
    }
