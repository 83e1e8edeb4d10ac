"""What an undone overruling teaches: the two are not about the same, and what says the same as one is not either.

It holds for the pair and for repetitions of either side in other words. Nothing is learnt for other pairs here:
one undone pair says too little of them, and an overruling held back by mistake would be seen by nobody. Many
undone pairs together are examples for the scorer (``taught``).
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from mnemic.engine.centre import centres_of
from mnemic.engine.conflict import Manner, Verdict, says_the_same
from mnemic.engine.core import Core
from mnemic.extraction.terms import stop_terms
from mnemic.extraction.text import tongue
from mnemic.graph.model import UNDONE, Layer, Memory, Vector
from mnemic.graph.store import Corpus, Store
from mnemic.graph.view import View

_DICE = 0.5
"""Who shares so many of their words says the same in other words."""

_LIKE = 0.6
"""Whose meaning is so near, the common part of all vectors taken away, says the same in other words."""


@dataclass(frozen=True, slots=True)
class _Said:
    """A memory with the vector of its words, None without an embedder."""

    memory: Memory
    vector: Vector | None

    @property
    def words(self) -> frozenset[str]:
        return frozenset(self.memory.terms) - stop_terms()


def not_undone(
    core: Core, store: Store, view: View, new: Memory, vector: Vector | None, verdicts: Sequence[Verdict]
) -> list[Verdict]:
    """Return the verdicts of ``new`` without those that were undone before, of it or of what says the same.

    What the caller declares outright stands.
    """
    open_ones = [v.older for v in verdicts if v.manner is not Manner.DECLARED]
    marks = _marks(store, view, open_ones)
    if not marks:
        return list(verdicts)
    told = {memory.id: memory for memory in store.memories(view, ids=sorted(set().union(*marks.values())))}
    known = _said(core, store, [*told.values(), *open_ones])
    said = _Said(new, vector)
    spared = {
        memory.id
        for memory in open_ones
        if any(
            _repeats(core, said, known[id], known[memory.id]) for id in marks.get(memory.id, ()) if id in told
        )
    }
    spared |= {
        memory.id
        for memory in open_ones
        if any(_repeats(core, known[memory.id], known[id], said) for id in spared if id != memory.id)
    }
    return [v for v in verdicts if v.manner is Manner.DECLARED or v.older.id not in spared]


def _marks(store: Store, view: View, memories: Iterable[Memory]) -> dict[str, set[str]]:
    """Return by memory those of which was said that it has nothing to do with them."""
    ids = {memory.id for memory in memories}
    marks: dict[str, set[str]] = {}
    for edge in store.replacements(view, sorted(ids)) if ids else ():
        if edge.reason == UNDONE:
            for one, other in ((edge.older, edge.newer), (edge.newer, edge.older)):
                if one in ids:
                    marks.setdefault(one, set()).add(other)
    return marks


def _said(core: Core, store: Store, memories: Iterable[Memory]) -> Mapping[str, _Said]:
    rows = {memory.id: memory for memory in memories}
    found = store.vectors(Layer.MEMORY, sorted(rows)) if core.embedder is not None else []
    vectors = {each.id: each.summary for each in found}
    return {id: _Said(memory, vectors.get(id)) for id, memory in rows.items()}


def _repeats(core: Core, new: _Said, known: _Said, partner: _Said) -> bool:
    """Tell whether ``new`` says what ``known`` says, and has no more to do with ``partner`` than that has."""
    if new.memory.id == known.memory.id:
        return True
    one, other = new.memory, known.memory
    if one.predicate and (one.subject, one.predicate) == (other.subject, other.predicate):
        return says_the_same(one, other)
    if new.words & partner.words - known.words:
        return False
    shared = len(new.words & known.words)
    dice = 2.0 * shared / (len(new.words) + len(known.words) or 1)
    return dice >= _DICE or _likeness(core, new, known) >= _LIKE


def _likeness(core: Core, new: _Said, known: _Said) -> float:
    """Return how near two are in meaning; nothing where it is not known what all vectors have in common."""
    if core.embedder is None or new.vector is None or known.vector is None:
        return 0.0
    centres = centres_of(core.embedder.name, Corpus())
    if not centres:
        return 0.0
    one = new.vector - centres[tongue(new.memory.text)]
    other = known.vector - centres[tongue(known.memory.text)]
    return float(one @ other / max(1e-9, float((one @ one) * (other @ other)) ** 0.5))
