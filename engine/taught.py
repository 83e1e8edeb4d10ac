"""What the owners settled outright, as examples for the overruling scorer: what was undone, what was declared."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from mnemic.engine.conflict import Manner
from mnemic.engine.core import Core
from mnemic.engine.oblique import features_of
from mnemic.graph.model import UNDONE, Layer, Memory, Replaces
from mnemic.graph.view import View

_SETTLED = {UNDONE: False, Manner.DECLARED.value: True}
"""By the reason of an edge, whether the newer memory overrules the older one."""


def taught(core: Core, view: View) -> Iterator[dict[str, Any]]:
    """Yield an example for each pair that an owner of ``view`` settled, with no word of theirs."""
    for row in core.store.scan(view, Layer.MEMORY):
        for edge in core.store.replacements(view, [row.id]):
            if isinstance(row, Memory) and edge.newer == row.id and edge.reason in _SETTLED:
                yield {
                    "newer": edge.newer,
                    "older": edge.older,
                    "overrules": _SETTLED[edge.reason],
                    "features": dict(edge.features) or _worked_out(core, view, row, edge),
                }


def _worked_out(core: Core, view: View, newer: Memory, edge: Replaces) -> dict[str, float]:
    """Return the features of a pair that was joined without them: by a slot, or outright."""
    own = replace(view, owners=frozenset({newer.owner}))
    (older,) = core.store.memories(own, ids=[edge.older])
    found = core.store.vectors(Layer.MEMORY, [newer.id])
    vectors = (found[0].summary, found[0].detail) if found else None
    return features_of(core, core.store, own, newer, older, vectors)
