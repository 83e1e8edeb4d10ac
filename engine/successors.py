"""What overrules the candidates, step by step to the end of each chain."""

from collections.abc import Sequence, Set

from mnemic.engine.conflict import DOUBT
from mnemic.engine.core import Core
from mnemic.engine.rank import Ranked
from mnemic.graph.model import Memory, Replaces
from mnemic.graph.store import Around, Candidate
from mnemic.graph.view import View

_CONSIDERED = 60
"""So many of the best candidates are looked at closely; the rest cannot reach an answer."""

_CHAIN = 8
"""So many steps a chain of overruling is followed beyond what the store told of."""


def with_successors(
    core: Core, view: View, around: Around, ranked: Sequence[Ranked]
) -> tuple[list[Ranked], list[Replaces]]:
    """Return the best candidates with the memories that overrule them, and the edges that touch them by time.

    Where what overrules a candidate has given way itself, the chain is followed: the last of it may share no
    word with the question, as little as what it overrules.
    """
    considered = list(ranked[:_CONSIDERED])
    present = {item.row.id: item for item in considered if isinstance(item.row, Memory)}
    edges = [edge for edge in around.edges if {edge.newer, edge.older} & present.keys()]
    rows = {**{r.row.id: r.row for r in ranked if isinstance(r.row, Memory)}, **around.memories}
    missing = {edge.newer for edge in edges if edge.older in present} - present.keys()
    successors = sorted((rows[id] for id in missing if id in rows), key=lambda row: (row.valid_from, row.id))
    further, later = _followed(core, view, successors, present.keys() | missing)
    added = [Ranked(Candidate(row, frozenset({"replaces"})), {}) for row in (*successors, *further)]
    return [*considered, *added], [*edges, *later]


def _followed(
    core: Core, view: View, successors: Sequence[Memory], known: Set[str]
) -> tuple[list[Memory], list[Replaces]]:
    """Return what overrules, step by step, the ``successors`` that the view does not show, and by which edges.

    The store has told of what overrules a candidate, so that this is asked only of longer chains.
    """
    rows: list[Memory] = []
    edges: list[Replaces] = []
    seen, tips = set(known), successors
    for _ in range(_CHAIN):
        gone = {row.id for row in tips if view.reason_hidden(row) in ("ended", "retired")}
        found = core.store.replacements(view, sorted(gone)) if gone else []
        steps = [e for e in found if e.older in gone and e.newer not in seen and e.reason != DOUBT]
        if not steps:
            break
        tips = core.store.memories(view, ids=sorted({edge.newer for edge in steps}))
        seen.update(row.id for row in tips)
        rows += tips
        edges += [edge for edge in steps if edge.newer in seen]
    return rows, edges
