"""The histories that weights are fitted on, and a memory that one of them was told to.

They are the open fold of the scenarios, those that ship for fitting, and long conversations.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from benchmarks import scenarios
from benchmarks.form import Scenario
from benchmarks.harness import Fold
from benchmarks.suites.case import Case
from benchmarks.suites.conversations import load
from mnemic import Mnemic
from mnemic.engine.settings import Settings
from mnemic.extraction.embedders.base import Embedder
from mnemic.graph.clock import ManualClock

SHIPPED = Path(__file__).parents[1] / "data"


def histories(folder: Path) -> list[Scenario]:
    """Return the histories for fitting; ``folder`` holds ``scenarios``, whose blind fifth is left alone."""
    return [*scenarios.load(folder / "scenarios", fold=Fold.OPEN), *scenarios.load(SHIPPED)]


def conversations(folder: Path) -> list[Case]:
    """Return the long conversations; ``folder`` holds them as ``conversations``."""
    return list(load(folder / "conversations"))


@contextmanager
def told(
    history: Scenario | Case, *, embedder: str | Embedder | None = None, settings: Settings | None = None
) -> Iterator[tuple[Mnemic, ManualClock]]:
    """Give a memory that a history was told to, and its clock, which stands at the last turn."""
    clock = ManualClock(history.turns[0].at)
    names = [name.model_dump() for name in history.dictionary]
    with Mnemic(
        ":memory:", user="chat", clock=clock, dictionary=names, embedder=embedder, settings=settings
    ) as memory:
        for turn in history.turns:
            clock.now = turn.at
            memory.remember(
                turn.text, speaker=turn.speaker, role=turn.role, session=turn.session, at=turn.at, id=turn.id
            )
        yield memory, clock


def messages(histories: Sequence[Scenario | Case]) -> set[str]:
    """Return what was said in histories, each as ``Speaker: text``."""
    return {f"{turn.speaker}: {turn.text}" for history in histories for turn in history.turns}
