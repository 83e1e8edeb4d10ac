"""What overrules the candidates, step by step to the end of each chain."""

from collections.abc import Mapping, Sequence, Set

from mnemic.engine.rank import Ranked
from mnemic.graph.model import Memory, Replaces
from mnemic.graph.store import Around, Candidate
from mnemic.graph.view import View

_CONSIDERED = 60
"""So many of the best candidates are looked at closely; the rest cannot reach an answer."""


def with_successors(
    view: View, around: Around, ranked: Sequence[Ranked]
) -> tuple[list[Ranked], list[Replaces]]:
    """Return the best candidates with the memories that overrule them, and the edges that touch them by time.

    Where what overrules a candidate has given way itself, the chain is followed: the last of it may share no
    word with the question, as little as what it overrules.
    """
    considered = list(ranked[:_CONSIDERED])
    present = {item.row.id: item for item in considered if isinstance(item.row, Memory)}
    rows = {**{r.row.id: r.row for r in ranked if isinstance(r.row, Memory)}, **around.memories}
    edges = [edge for edge in around.edges if {edge.newer, edge.older} & present.keys()]
    missing = {edge.newer for edge in edges if edge.older in present} - present.keys()
    further = _followed(view, around.edges, rows, missing, present.keys())
    missing |= {edge.newer for edge in further}
    added = sorted((rows[id] for id in missing if id in rows), key=lambda row: (row.valid_from, row.id))
    successors = [Ranked(Candidate(row, frozenset({"replaces"})), {}) for row in added]
    return [*considered, *successors], [*edges, *further]


def _followed(
    view: View, edges: Sequence[Replaces], rows: Mapping[str, Memory], tips: Set[str], known: Set[str]
) -> list[Replaces]:
    """Return by which of the ``edges`` those of the ``tips`` that the view does not show gave way, step by step."""
    further: list[Replaces] = []
    seen = {*known, *tips}
    while gone := {id for id in tips if id in rows and view.reason_hidden(rows[id]) in ("ended", "retired")}:
        steps = [e for e in edges if e.older in gone and e.newer not in seen and e.overrules]
        tips = {edge.newer for edge in steps}
        seen |= tips
        further += steps
    return further
