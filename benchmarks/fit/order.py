"""Examples for the order of turns in a deep recall: the candidates of each question of the long conversations."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks.fit.histories import conversations, told
from benchmarks.fit.listwise import Rows, fit_lists
from benchmarks.fit.logistic import Fitted
from benchmarks.fit.recall import ranked
from benchmarks.harness import with_progress
from mnemic.engine.adapter import Adapter
from mnemic.extraction.embedders.base import Embedder
from mnemic.graph.ids import told_id
from mnemic.graph.model import Layer

PENALTY = 0.005
FOLDS = 4

Adapters = Mapping[str, Mapping[str, Adapter]]
"""By conversation: adapters that never saw it."""


@dataclass(frozen=True, slots=True)
class Asked:
    """One question: its candidates, and how many turns are its evidence in all."""

    group: str
    rows: Rows
    evidence: int


def gather(folder: Path, embedder: str | Embedder, adapters: Adapters) -> list[Asked]:
    """Return every question that has an answer, as ``embedder`` sees it through adapters that do not know it."""
    return list(_gather(folder, embedder, adapters))


def _gather(folder: Path, embedder: str | Embedder, adapters: Adapters) -> Iterator[Asked]:
    for conversation in with_progress(conversations(folder), "conversations", quiet=False):
        with told(conversation, embedder=embedder) as (memory, clock):
            memory.core.adapters = adapters.get(conversation.id, {})
            for query in conversation.queries:
                if query.gold:
                    clock.now = query.at
                    found = ranked(memory, query.text, Layer.TURN, None)
                    rows = [(item.standing, told_id(item.row.id) in query.gold) for item in found]
                    yield Asked(conversation.id, rows, len(query.gold))


def fitted(asked: Sequence[Asked]) -> Fitted:
    """Return the weights that order the candidates of all questions best."""
    return fit_lists([each.rows for each in asked if each.rows], penalty=PENALTY)


def held_out(asked: Sequence[Asked], depth: int) -> float:
    """Return the share of the evidence among the first ``depth``, by weights that never saw the conversation."""
    groups = {group: n % FOLDS for n, group in enumerate(sorted({each.group for each in asked}))}
    shares = []
    for fold in range(FOLDS):
        weights = fitted([each for each in asked if groups[each.group] != fold])
        for each in asked:
            if groups[each.group] == fold:
                best = sorted(each.rows, key=lambda row: -weights.logit(row[0]))[:depth]
                shares.append(sum(label for _, label in best) / each.evidence)
    return sum(shares) / max(1, len(shares))
