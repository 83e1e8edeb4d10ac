"""How a memory stands for all that overrules it: what is undone is worked out again from what is left.

What gave way keeps a note of what it was before where that was not plain: a statement that named its own end, a
correction that holds since what it corrects was told.
"""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime

from mnemic.engine.conflict import Manner, Verdict, give_way
from mnemic.engine.hearsay import RESERVED
from mnemic.graph.clock import BEGINNING
from mnemic.graph.model import Memory, Replaces, State
from mnemic.graph.store import Store
from mnemic.graph.view import View

_BEFORE, _SINCE = f"{RESERVED}before", f"{RESERVED}since"
_ENDS = ("valid_to", "closed_at", "retired_at")


def overruled(verdict: Verdict, newer: Memory, now: datetime) -> tuple[Memory, Replaces]:
    """Return the older memory as it stands after the verdict, with a note of how it stood, and the edge."""
    given, edge = give_way(verdict, newer, now)
    return noted(given, verdict.older), edge


def noted(memory: Memory, before: Memory) -> Memory:
    """Return ``memory``, which gave way, with a note of how it stood ``before`` if that was not plain.

    What had given way already has its note, or needs none.
    """
    if before.state is State.SUPERSEDED:
        return memory
    ends = {name: getattr(before, name) for name in _ENDS}
    note = {name: moment.isoformat() for name, moment in ends.items() if moment is not None}
    if before.state is not State.ACTIVE:
        note["state"] = before.state.value
    return replace(memory, metadata={**memory.metadata, _BEFORE: note}) if note else memory


def correcting(memory: Memory, since: datetime) -> Memory:
    """Return a memory that holds since ``since``, when what it corrects was told, with a note of its own beginning."""
    if since >= memory.valid_from:
        return memory
    told = {_SINCE: memory.valid_from.isoformat()}
    return replace(memory, valid_from=since, metadata={**memory.metadata, **told})


def correcting_no_longer(memory: Memory, corrected: Memory) -> Memory:
    """Return a memory that held since ``corrected`` did as it would be had it not corrected that."""
    if _SINCE not in memory.metadata or memory.valid_from != corrected.valid_from:
        return memory
    since = datetime.fromisoformat(memory.metadata[_SINCE])
    return replace(memory, valid_from=since, metadata=_without(memory, _SINCE))


def standing(
    store: Store, view: View, memories: Sequence[Memory], undone: Sequence[Replaces]
) -> list[Memory]:
    """Return how memories stand where the edges that are ``undone`` overrule them no longer.

    An end that no edge tells of stays.
    """
    ids = {memory.id for memory in memories}
    edges = (
        [e for e in store.replacements(view, sorted(ids)) if e.older in ids and e.overrules] if ids else []
    )
    gone = {(edge.newer, edge.older) for edge in undone}
    kept = [edge for edge in edges if (edge.newer, edge.older) not in gone]
    over = store.memories(view, ids=sorted({edge.newer for edge in kept})) if kept else []
    newer = {memory.id: memory for memory in over}
    rows = []
    for memory in memories:
        row = _before(memory, {edge.at for edge in (*edges, *undone) if edge.older == memory.id})
        for edge in (edge for edge in kept if edge.older == memory.id):
            manner = Manner.CORRECTED if edge.reason == Manner.CORRECTED else Manner.CHANGED
            row, _ = overruled(Verdict(row, manner), newer[edge.newer], edge.at)
        rows.append(row)
    return rows


def _before(memory: Memory, times: set[datetime]) -> Memory:
    """Return a memory as it was before what overruled it at these ``times``."""
    note = memory.metadata.get(_BEFORE, {})
    ends = {name: datetime.fromisoformat(note[name]) if name in note else None for name in _ENDS}
    row = replace(memory, metadata=_without(memory, _BEFORE))
    if row.valid_from == BEGINNING:  # told as present, and overruled by what began before it
        row = replace(row, valid_from=row.at)
    if row.closed_at in times:
        row = replace(row, valid_to=ends["valid_to"], closed_at=ends["closed_at"])
    if row.retired_at in times:
        row = replace(row, retired_at=ends["retired_at"])
    free = (row.closed_at, row.retired_at) == (ends["closed_at"], ends["retired_at"])
    return replace(row, state=State(note.get("state", State.ACTIVE))) if free else row


def _without(memory: Memory, key: str) -> dict[str, object]:
    return {name: value for name, value in memory.metadata.items() if name != key}
