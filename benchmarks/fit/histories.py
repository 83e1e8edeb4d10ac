"""The histories that weights are fitted on, and a memory that one of them was told to.

They are the open fold of the scenarios, those that ship for fitting, and long conversations.
"""

import json
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from benchmarks import scenarios
from benchmarks.form import Name, Scenario, Told
from benchmarks.harness import Fold
from mnemic import Mnemic
from mnemic.engine.settings import Settings
from mnemic.graph.clock import ManualClock

SHIPPED = Path(__file__).parents[1] / "data"


@dataclass(frozen=True, slots=True)
class Conversation:
    """A long conversation of several sessions, and the questions asked of it."""

    id: str
    dictionary: tuple[Name, ...]
    turns: tuple[Told, ...]
    questions: tuple[dict[str, Any], ...]


def histories(folder: Path) -> list[Scenario]:
    """Return the histories for fitting; ``folder`` holds ``scenarios``, whose blind fifth is left alone."""
    return [*scenarios.load(folder / "scenarios", fold=Fold.OPEN), *scenarios.load(SHIPPED)]


def conversations(folder: Path) -> list[Conversation]:
    """Return the long conversations; ``folder`` holds them as ``conversations``."""
    paths = sorted(folder.joinpath("conversations").glob("*.json"))
    return [_conversation(json.loads(path.read_text(encoding="utf-8"))) for path in paths]


def _conversation(raw: dict[str, Any]) -> Conversation:
    names = tuple(Name(**name) for name in raw["dictionary"])
    return Conversation(raw["id"], names, tuple(_turns(raw["sessions"])), tuple(raw["questions"]))


def _turns(sessions: Iterable[dict[str, Any]]) -> Iterator[Told]:
    """Yield the turns of sessions, those of one a minute apart."""
    for session in sessions:
        start = datetime.fromisoformat(session["at"])
        for number, turn in enumerate(session["turns"]):
            said = {key: turn[key] for key in ("id", "speaker", "role", "text")}
            yield Told(session=session["id"], at=start + timedelta(minutes=number), **said)


@contextmanager
def told(
    history: Scenario | Conversation, *, embedder: str | None = None, settings: Settings | None = None
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


def messages(histories: Sequence[Scenario | Conversation]) -> set[str]:
    """Return what was said in histories, each as ``Speaker: text``."""
    return {f"{turn.speaker}: {turn.text}" for history in histories for turn in history.turns}
