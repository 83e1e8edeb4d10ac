"""A value that comes back: "back on Jenkins" says that whatever took its place holds no longer.

What stood between the two need not have been known to take that place: until now it may have been a doubt.
"""

from collections.abc import Sequence

from mnemic.engine.conflict import Manner, Verdict, heard, holds, same_value
from mnemic.engine.draft import Draft
from mnemic.graph.model import DOUBT, UNDONE, Memory, Replaces
from mnemic.graph.store import Store
from mnemic.graph.view import View

Between = tuple[Replaces, Memory]
"""The edge by which a value gave way or came into doubt, and the memory that did it."""


def stood_between(store: Store, view: View, draft: Draft, slot: Sequence[Memory]) -> list[Between]:
    """Return what took, perhaps, the place of a value of the slot that the draft says to be back."""
    new = draft.memory
    if "return" not in draft.unit.cues or new.modality != "asserted":
        return []
    before = {m.id for m in slot if same_value(m, new) and m.modality == "asserted" and m.retired_at is None}
    touching = store.replacements(view, sorted(before)) if before else []
    edges = [e for e in touching if e.older in before and e.reason != UNDONE]
    between = {m.id: m for m in store.memories(view, ids=sorted({e.newer for e in edges}))} if edges else {}
    known = ((edge, between[edge.newer]) for edge in edges if edge.newer in between)
    return [(e, m) for e, m in known if m.subject == new.subject and holds(m, new.valid_from)]


def gone_again(between: Sequence[Between], draft: Draft) -> list[Verdict]:
    """Return that what stood between gives way to the draft."""
    cue = heard(draft, "return")
    return [Verdict(memory, Manner.CHANGED, cue) for _, memory in between]


def confirmed(between: Sequence[Between], twin: Memory) -> tuple[Verdict, Memory] | None:
    """Return what made a value give way that was only in doubt until now, and how; None where nothing did."""
    doubts = [(edge, memory) for edge, memory in between if edge.older == twin.id and edge.reason == DOUBT]
    if not doubts:
        return None
    edge, memory = min(doubts, key=lambda pair: (pair[1].valid_from, pair[1].id))
    return Verdict(twin, Manner.CHANGED, edge.cue, edge.score, edge.features), memory
