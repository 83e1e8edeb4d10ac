"""Overruling beyond known slots: which current memories a new one may overrule, and how surely it does."""

from collections.abc import Iterable, Sequence

import numpy as np

from mnemic.engine.conflict import Manner, Verdict, changed_or_corrected, heard, holds, unlike
from mnemic.engine.core import Core
from mnemic.engine.draft import Draft
from mnemic.engine.overrule import Pairs, compare
from mnemic.engine.sides import Rarity, Side
from mnemic.extraction.frames import frame
from mnemic.graph.model import Entity, Kind, Layer, Memory, State, Vector
from mnemic.graph.store import Candidate, Corpus, Probe, Store
from mnemic.graph.view import View

_IN_FORCE = frozenset({"asserted", "ended", "negated"})
"""Only what is said to be so can overrule; a plan, a question or a rumour changes nothing."""


_TURNS = frozenset({"change", "correction", "end"})
"""Cues without which a statement puts in doubt nothing of another sort."""


_TOLD, _GUESSED = 0.9, 0.5
"""How surely one value takes the place of another of its sort in one frame; of values that are mere words, less."""


def oblique_verdicts(
    core: Core, store: Store, view: View, draft: Draft, vectors: tuple[Vector, Vector] | None
) -> list[Verdict]:
    """Return a verdict for each current memory that the draft overrules with at least the doubt threshold.

    Candidates come from shared names, shared words and nearest vectors, a bounded number of each, however
    large the store is.
    """
    new = draft.memory
    if new.modality not in _IN_FORCE:
        return []
    gathered = store.gather(view, _probe(core, new, vectors))
    candidates = [c for c in gathered.candidates if _may_give_way(c, new) and not _is_spared(c, draft)]
    if not candidates:
        return []
    olders, pairs = _compared(store, view, new, vectors, candidates, gathered.corpus)
    cue = heard(draft, "correction", "change", "end", "done", "now")
    turns = not _TURNS.isdisjoint(draft.unit.cues)
    framed = [_framed(older.memory, new) for older in olders]
    scores = np.maximum(pairs.probabilities(), framed)
    verdicts = [
        Verdict(
            older.memory,
            _manner(older.memory, draft),
            cue,
            score,
            _features(pairs.row(number), framed[number]),
        )
        for number, (older, probability) in enumerate(zip(olders, scores, strict=True))
        if (score := round(float(probability), 4)) >= core.settings.doubt_from
        and (turns or score >= core.settings.overrule_from or not unlike(older.memory, new))
    ]
    return sorted(verdicts, key=lambda v: (-v.score, v.older.id))


def _framed(older: Memory, newer: Memory) -> float:
    """Return how surely the two fill one slot by their build alone ("The author of X is Y"); 0 where they do not."""
    there, here = frame(older.text), frame(newer.text)
    if here is None or there is None or not here.rivals(there) or here.sort != there.sort:
        return 0.0
    if (here.own or there.own) and older.speaker != newer.speaker:
        return 0.0
    return _GUESSED if here.sort == "words" else _TOLD


def _features(row: dict[str, float], framed: float) -> dict[str, float]:
    return {**row, "one frame": framed} if framed else row


def features_of(
    core: Core, store: Store, view: View, new: Memory, older: Memory, vectors: tuple[Vector, Vector] | None
) -> dict[str, float]:
    """Return the features by which ``new`` would be held against ``older``, among what else it might overrule."""
    gathered = store.gather(view, _probe(core, new, vectors))
    others = [c for c in gathered.candidates if c.row.id != older.id and _may_give_way(c, new)]
    told = store.vectors(Layer.MEMORY, [older.id])
    candidate = Candidate(
        older, frozenset(), told[0].summary if told else None, told[0].detail if told else None
    )
    _, pairs = _compared(store, view, new, vectors, [candidate, *others], gathered.corpus)
    return pairs.row(0)


def _probe(core: Core, new: Memory, vectors: tuple[Vector, Vector] | None) -> Probe:
    return Probe(
        terms=tuple(dict.fromkeys(new.terms)),
        vector=vectors[0] if vectors is not None else None,
        entities=tuple(m.entity for m in new.mentions if m.role != "speaker"),
        limit=core.settings.candidates,
    )


def _compared(
    store: Store,
    view: View,
    new: Memory,
    vectors: tuple[Vector, Vector] | None,
    candidates: Sequence[Candidate],
    corpus: Corpus,
) -> tuple[list[Side], Pairs]:
    """Return the candidates as sides, and the features of each with ``new``."""
    entities = _entities(store, view, [new, *(c.row for c in candidates if isinstance(c.row, Memory))])
    olders = [Side(c.row, entities, c.summary, c.detail) for c in candidates if isinstance(c.row, Memory)]
    rarity = Rarity(corpus.size, corpus.frequency)
    return olders, compare(Side(new, entities, *(vectors or (None, None))), olders, rarity, corpus.centre)


def _may_give_way(candidate: Candidate, new: Memory) -> bool:
    older = candidate.row
    return (
        isinstance(older, Memory)
        and older.owner == new.owner
        and older.state is State.ACTIVE
        and holds(older, new.valid_from)
        and not set(older.sources) & set(new.sources)
    )


def _is_spared(candidate: Candidate, draft: Draft) -> bool:
    """Tell whether the new statement names another entity in the candidate's slot as what it replaces."""
    older, statement = candidate.row, draft.statement
    if not isinstance(older, Memory) or statement is None or not statement.replaces:
        return False
    same_slot = (older.subject, older.predicate) == (draft.memory.subject, draft.memory.predicate)
    return same_slot and bool(older.object)


def _manner(older: Memory, draft: Draft) -> Manner:
    cues = draft.unit.cues
    if older.kind is Kind.TASK and ("done" in cues or "end" in cues):
        return Manner.DONE
    manner = changed_or_corrected(draft)
    return Manner.ENDED if manner is Manner.CHANGED and draft.memory.modality == "ended" else manner


def _entities(store: Store, view: View, memories: Iterable[Memory]) -> dict[str, Entity]:
    ids = sorted({mention.entity for memory in memories for mention in memory.mentions})
    return {entity.id: entity for entity in store.entities(view, ids=ids)} if ids else {}
