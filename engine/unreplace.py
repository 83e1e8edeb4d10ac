"""Taking back that a memory overruled another: the older one stands as if it had never been overruled.

The edge stays as a mark that the two are not about the same, so that no later reading joins them again.
"""

from collections.abc import Sequence
from dataclasses import replace

from mnemic.engine.conflict import Manner, Verdict, successor, takes_over
from mnemic.engine.core import Core
from mnemic.engine.facets import of_its_side
from mnemic.engine.profile import refreshed_profiles
from mnemic.engine.results import Unreplaced
from mnemic.engine.standing import correcting_no_longer, overruled, standing
from mnemic.engine.target import find_target
from mnemic.errors import InvalidInput
from mnemic.graph.ids import told_ids
from mnemic.graph.model import UNDONE, GraphDelta, Memory, Replaces
from mnemic.graph.store import Store
from mnemic.graph.view import View


def unreplace(core: Core, view: View, newer: str, older: str | None) -> Unreplaced:
    """Take back that ``newer`` overrules ``older``, each named by id or words, in one step.

    Where ``newer`` overrules one memory alone, ``older`` may be left out. A doubt is settled in the same way.
    Raises ``NotFound`` where nothing is named so, ``InvalidInput`` where the two are not joined.
    """
    target = find_target(core, core.store, view, newer)

    def work(store: Store) -> Unreplaced:
        return _Undoing(core, store, replace(view, owners=frozenset({target.owner})), target.id, older).done()

    return core.store.transact(target.owner, work)


class _Undoing:
    """One undoing inside a transaction."""

    def __init__(self, core: Core, store: Store, view: View, newer: str, older: str | None) -> None:
        self._store, self._now = store, core.clock()
        self._view = replace(view, valid=self._now, known=self._now)
        self._newer = find_target(core, store, self._view, newer)
        self._edge, self._older = self._meant(older)

    def done(self) -> Unreplaced:
        """Write what is left, and tell of it."""
        newer, older, edge = self._newer, self._older, self._edge
        mark = replace(edge, reason=UNDONE, at=self._now)
        edges = [mark]
        (row,) = standing(self._store, self._view, [older], [edge]) if edge.overrules else (older,)
        later = self._later(row) if edge.overrules else None
        if later is not None:
            row, taken = overruled(Verdict(row, Manner.CHANGED), later, self._now)
            edges.append(taken)
        changed = [row]
        if edge.reason == Manner.CORRECTED:
            free = correcting_no_longer(newer, older)
            changed += [] if free == newer else [free]
        self._write(changed, edges)
        return Unreplaced(
            newer=newer.id, newer_text=newer.text, older=older.id, older_text=older.text,
            reason=edge.reason, turns=told_ids(older.sources), in_force=self._view.shows(row), overruled_by=self._overruled_by(older),
        )  # fmt: skip

    def _overruled_by(self, older: Memory) -> str:
        """Return what overrules ``older`` all the same, the last of several; nothing where nothing does."""
        edges = self._store.replacements(self._view, [older.id])
        return next((e.newer for e in reversed(edges) if e.older == older.id and e.overrules), "")

    def _meant(self, pointer: str | None) -> tuple[Replaces, Memory]:
        """Return the edge that is meant, and the memory that it overrules."""
        edges = {e.older: e for e in self._store.replacements(self._view, [self._newer.id]) if self._joins(e)}
        rows = self._store.memories(self._view, ids=sorted(edges)) if edges else []
        wanted = [row for row in rows if pointer in (None, row.id, row.text)]
        if pointer is None and len(rows) > 1:
            wanted = [row for row in rows if edges[row.id].overrules]
        if len(wanted) == 1:
            return edges[wanted[0].id], wanted[0]
        listed = "; ".join(f"{row.id} ({row.text})" for row in wanted or rows)
        if wanted:
            raise InvalidInput("older", "is missing, and several were replaced", f"name one of: {listed}")
        if rows:
            raise InvalidInput("older", "was not replaced by it", f"name one of: {listed}")
        raise InvalidInput("newer", "replaces nothing", "name the memory that took another's place")

    def _joins(self, edge: Replaces) -> bool:
        return edge.newer == self._newer.id and edge.reason != UNDONE

    def _later(self, row: Memory) -> Memory | None:
        """Return the later value of the slot that would have taken the place of ``row`` anyway."""
        if not row.subject or not row.predicate or row.valid_to is not None or row.retired_at is not None:
            return None
        slot = of_its_side(row, self._store.slot(self._view, row.subject, row.predicate))
        marks = [e for e in self._store.replacements(self._view, [row.id]) if e.reason == UNDONE]
        apart = {self._newer.id, *(id for edge in marks for id in (edge.newer, edge.older))}
        return successor(row, [m for m in slot if m.id not in apart and takes_over(row, m)])

    def _write(self, changed: Sequence[Memory], edges: Sequence[Replaces]) -> None:
        self._store.apply(GraphDelta(memories=tuple(changed), replaces=tuple(edges)))
        subjects = {row.subject for row in changed if row.subject}
        (owner,) = self._view.owners
        profiles = refreshed_profiles(self._store, self._view, owner, subjects, self._now)
        if profiles:
            self._store.apply(GraphDelta(entities=tuple(profiles)))
