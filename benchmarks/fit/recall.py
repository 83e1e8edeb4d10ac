"""Examples for the recall scorer: the candidates of each question, and whether they are evidence.

Questions come from the scenarios (open fold) and from the long conversations; the candidates and their
features are those of the real read path, over memories and over turns, with and without vectors.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from benchmarks.fit.histories import conversations, histories, told
from benchmarks.fit.logistic import Example
from benchmarks.form import Check, Scenario
from benchmarks.harness import with_progress
from mnemic import Mnemic
from mnemic.engine.asking import Wish, ask
from mnemic.engine.question import understand
from mnemic.engine.rank import Ranked
from mnemic.engine.weights import profile
from mnemic.graph.ids import told_ids
from mnemic.graph.model import Layer, Memory

STRANGERS = (1, 7, 40)
"""From how far down the list a history gets the questions that it cannot answer."""

DEEPEST = 100
"""So many of the best candidates of a question are examples; the rest is easy."""


@dataclass(frozen=True, slots=True)
class Asked:
    """One question over one layer: its candidates, and whether something should have come back.

    ``short``: it was asked of a scenario, not of a long conversation.
    """

    layer: Layer
    group: str
    rows: tuple[tuple[dict[str, float], bool], ...]
    answerable: bool
    short: bool = False

    def examples(self) -> Iterator[Example]:
        """Yield the candidates; what a question holds against one true row weighs no more than four of it."""
        against = sum(not label for _, label in self.rows)
        for features, label in self.rows:
            yield Example(features, label, self.group, 1.0 if label else min(1.0, 4.0 / max(1, against)))


def gather(folder: Path, embedder: str) -> list[Asked]:
    """Return every question of the open scenarios and of the conversations, as ``embedder`` sees them."""
    return [*_long_conversations(folder, embedder), *short_histories(folder, embedder)]


def short_histories(folder: Path, embedder: str) -> Iterator[Asked]:
    """Yield the questions of the scenarios, and of each history some that were asked of others.

    A stranger's question has no answer here: that teaches what knowing nothing looks like.
    """
    every = histories(folder)
    queries = [[c.query for c in s.checks if c.do == "recall" and c.expect] for s in every]
    for index, scenario in enumerate(with_progress(every, "scenarios", quiet=False)):
        others = (queries[(index + step) % len(every)] for step in STRANGERS)
        yield from _scenario(scenario, embedder, [other[0] for other in others if other])


def _scenario(scenario: Scenario, embedder: str, strange: Sequence[str]) -> Iterator[Asked]:
    with told(scenario, embedder=embedder) as (memory, clock):
        for check in scenario.checks:
            if check.do == "recall":
                clock.now = scenario.asked_at(check)
                yield from _check(memory, scenario, check)
        for query in strange:
            for layer in Layer:
                yield _asked(layer, scenario.id, ranked(memory, query, layer, None), set(), short=True)


def _check(memory: Mnemic, scenario: Scenario, check: Check) -> Iterator[Asked]:
    for layer in Layer:
        found = ranked(memory, check.query, layer, check.valid_as_of)
        if check.expect or check.nothing:
            yield _asked(layer, scenario.id, found, set(check.expect), short=True)


def _long_conversations(folder: Path, embedder: str) -> Iterator[Asked]:
    for conversation in with_progress(conversations(folder), "conversations", quiet=False):
        with told(conversation, embedder=embedder) as (memory, clock):
            for query in conversation.queries:
                clock.now = query.at
                for layer in Layer:
                    found = ranked(memory, query.text, layer, None)
                    yield _asked(layer, conversation.id, found, set(query.gold), short=False)


def ranked(memory: Mnemic, query: str, layer: Layer, valid_as_of: datetime | None) -> list[Ranked]:
    """Return the candidates of a question in one layer, as a recall ranks them."""
    core = memory.core
    view = core.view(memory.scope, valid_as_of)
    wish = Wish(limit=5, depth="warm", profile=profile("assistant", vectors=core.embedder is not None))
    asked = ask(core, view, understand(core, view, query), wish, layer)
    return [r for r in asked.ranked if not isinstance(r.row, Memory) or view.shows(r.row)]


def _asked(layer: Layer, group: str, found: Sequence[Ranked], wanted: set[str], *, short: bool) -> Asked:
    rows = tuple(
        (
            item.features,
            bool(
                wanted & set(told_ids(item.row.sources if isinstance(item.row, Memory) else (item.row.id,)))
            ),
        )
        for item in found
    )
    true = tuple(row for row in rows[DEEPEST:] if row[1])
    return Asked(layer, group, (*rows[:DEEPEST], *true), bool(wanted), short)
