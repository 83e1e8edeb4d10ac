"""Examples for the overruling scorer: pairs of memories, as the write path would compare them.

A pair (older, newer) is true where a check of the scenario expects the newer one's turn and forbids the
older one's, asked about the present; all other pairs of a history are false. What a question at the end of
a long conversation is answered from has been overruled by nothing told after it: those pairs are false, too.
"""

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from benchmarks.fit.histories import conversations, histories, told
from benchmarks.fit.logistic import Example, held_out
from benchmarks.form import Check, Scenario
from benchmarks.harness import with_progress
from mnemic.engine.overrule import compare
from mnemic.engine.settings import Settings
from mnemic.engine.sides import Rarity, Side
from mnemic.graph.ids import told_id, told_ids
from mnemic.graph.model import Layer, Memory, Vector
from mnemic.graph.store import Store
from mnemic.graph.view import View

PENALTY = 2.0
_UPHELD = 0.1
"""What a pair of an upheld memory counts: they are many, and each says little."""

_IN_FORCE = ("asserted", "ended", "negated")


@dataclass(frozen=True, slots=True)
class _History:
    """A scenario as it was stored, without any overruling by score."""

    scenario: Scenario
    memories: list[Memory]
    sides: dict[str, Side]

    def rarity(self, newer: Memory, before: Sequence[Memory]) -> Rarity:
        """Return what the store would know of the terms' rarity when ``newer`` is told: of its own terms alone."""
        frequency = Counter(term for memory in before for term in set(memory.terms))
        return Rarity(len(before), {term: frequency[term] for term in set(newer.terms)})


def examples(folder: Path) -> list[Example]:
    """Return the pairs of all scenarios of the open fold.

    Where several memories of two turns make a true pair, only the likeliest by a first fit stays one.
    """
    every = [example for scenario in histories(folder) for example in _pairs(_stored(scenario))]
    every += upheld(folder)
    scores = held_out(every, penalty=PENALTY)
    best: dict[str, float] = {}
    for example, score in zip(every, scores, strict=True):
        best[example.pair] = max(best.get(example.pair, score), score)
    return [e for e, score in zip(every, scores, strict=True) if not e.label or score == best[e.pair]]


def settled(file: Path) -> list[Example]:
    """Return the pairs that users settled: the lines of ``mnemic feedback export``."""
    rows = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines() if line.strip()]
    return [
        Example(
            row["features"], row["overrules"], f"taught/{row['newer']}", pair=f"{row['older']}/{row['newer']}"
        )
        for row in rows
    ]


def upheld(folder: Path) -> Iterator[Example]:
    """Yield the pairs that the write path compared for what still answers questions at a conversation's end."""
    settings = Settings(overrule_from=1.0, doubt_from=0.0)
    for conversation in with_progress(conversations(folder), "conversations", quiet=False):
        evidence = {turn for query in conversation.queries for turn in query.gold}
        with told(conversation, settings=settings) as (memory, _):
            view = memory.core.view(memory.scope, None)
            rows = memory.core.store.scan(view, Layer.MEMORY)
            true = {m.id for m in rows if isinstance(m, Memory) and evidence & set(told_ids(m.sources))}
            for edge in memory.core.store.replacements(view, sorted(true)):
                if edge.older in true and edge.features:
                    pair = f"{edge.older}/{edge.newer}"
                    yield Example(edge.features, False, conversation.id, weight=_UPHELD, pair=pair)


def _stored(scenario: Scenario) -> _History:
    settings = Settings(overrule_from=1.0, doubt_from=1.0)
    with told(scenario, settings=settings) as (memory, clock):
        return _read(
            scenario, memory.core.store, View(owners=frozenset({"chat"}), valid=clock.now, known=clock.now)
        )


def _read(scenario: Scenario, store: Store, view: View) -> _History:
    memories = [row for row in store.scan(view, Layer.MEMORY) if isinstance(row, Memory)]
    entities = {entity.id: entity for entity in store.entities(view)}
    vectors = {v.id: v for v in store.vectors(Layer.MEMORY, [m.id for m in memories])}
    sides = {
        m.id: Side(m, entities, vectors[m.id].summary, vectors[m.id].detail)
        if m.id in vectors
        else Side(m, entities)
        for m in memories
    }
    return _History(scenario, sorted(memories, key=lambda m: (m.at, m.id)), sides)


def _pairs(history: _History) -> Iterator[Example]:
    labels = _labels(history.scenario)
    for index, newer in enumerate(history.memories):
        if newer.modality not in _IN_FORCE:
            continue
        before = [m for m in history.memories[:index] if m.sources[0] != newer.sources[0]]
        centre = _centre(history.sides[m.id] for m in history.memories[: index + 1])
        if not before:
            continue
        rarity = history.rarity(newer, history.memories[:index])
        pairs = compare(history.sides[newer.id], [history.sides[m.id] for m in before], rarity, centre)
        for number, older in enumerate(before):
            features = pairs.row(number)
            turns = (told_id(older.sources[0]), told_id(newer.sources[0]))
            if turns not in labels.unknown:
                pair = labels.true.get(turns, "/".join(turns))
                yield Example(
                    features, turns in labels.true, history.scenario.id, pair=f"{history.scenario.id}/{pair}"
                )


def _centre(sides: Iterable[Side]) -> Vector | None:
    """Return the mean of the detail vectors: what the store would know when the newer one is told."""
    details = [side.detail for side in sides if side.detail is not None]
    return np.mean(details, axis=0) if details else None


@dataclass(slots=True)
class _Labels:
    """Pairs of turns (older, newer): the true ones by the name of what they show, and those left open.

    Of all pairs under one name only one is meant; which one, a first fit tells.
    """

    true: dict[tuple[str, str], str] = field(default_factory=dict)
    unknown: set[tuple[str, str]] = field(default_factory=set)


def _labels(scenario: Scenario) -> _Labels:
    """Return what the checks say of the pairs of a scenario's turns."""
    labels = _Labels()
    order = {turn.id: index for index, turn in enumerate(scenario.turns)}
    for check in scenario.checks:
        if check.do == "recall":
            _label_recall(check, order, labels)
        elif check.do == "open_tasks":
            for old in check.exclude:
                later = [
                    turn.id for turn in scenario.turns if order[turn.id] > order[old] and turn.role == "user"
                ]
                labels.true |= {(old, new): f"{old}/done" for new in later}
    labels.unknown -= labels.true.keys()
    return labels


def _label_recall(check: Check, order: Mapping[str, int], labels: _Labels) -> None:
    """Learn from what a question expects and forbids.

    Two turns that one check forbids may be links of one chain; what an as-of question prefers may have
    been overruled by what it forbids. Neither is known, so neither is an example.
    """
    if check.valid_as_of is not None:
        labels.unknown |= {(old, new) for old in check.expect for new in check.forbid}
        return
    for old in check.forbid:
        later = [turn for turn in check.expect if order[turn] > order[old]]
        labels.true |= {(old, new): f"{old}/{new}" for new in later}
        labels.unknown |= {(old, new) for new in check.forbid if order[new] > order[old]}
        if not later:
            labels.unknown |= {(old, turn) for turn in order if order[turn] > order[old]}
