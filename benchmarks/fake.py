"""A memory that answers as it was told to: for testing the benchmarks themselves."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal, TypeVar

from mnemic.engine.results import About, Explored, Found, History, Path, Receipt, Task, Thing
from mnemic.errors import NotFound
from mnemic.extraction.model import Analysis

T = TypeVar("T")


@dataclass(slots=True)
class FakeMemory:
    """Holds the answers of each door by query or name; what is not there is ``NotFound``.

    ``calls`` is the record of what was asked, in order: the door's name and its argument.
    """

    receipts: dict[str, Receipt] = field(default_factory=dict)
    founds: dict[str, Found] = field(default_factory=dict)
    abouts: dict[str, About] = field(default_factory=dict)
    explored: dict[str, Explored] = field(default_factory=dict)
    paths: dict[tuple[str, str], Path] = field(default_factory=dict)
    histories: dict[str, History] = field(default_factory=dict)
    things: dict[str, Thing] = field(default_factory=dict)
    analyses: dict[str, Analysis] = field(default_factory=dict)
    open: tuple[Task, ...] = ()
    rows: tuple[Mapping[str, object], ...] = ()
    calls: list[tuple[str, str]] = field(default_factory=list)

    def remember(
        self,
        message: str,
        /,
        *,
        speaker: str | None = None,
        role: Literal["user", "assistant"] = "user",
        session: str | None = None,
        at: datetime | None = None,
        id: str | None = None,
    ) -> Receipt:
        """Return the receipt laid down for this text, or one that names the turn alone."""
        self.calls.append(("remember", message))
        return self.receipts.get(message, Receipt(turns=(f"turn-{id}",)))

    def analyse(self, text: str, /, *, speaker: str, at: datetime, session: str) -> Analysis:
        """Return what was laid down for this text, or nothing understood."""
        self.calls.append(("analyse", text))
        return self.analyses.get(text, Analysis(text=text, units=()))

    def recall(
        self,
        query: str,
        /,
        *,
        limit: int = 5,
        depth: Literal["auto", "warm", "deep"] = "auto",
        valid_as_of: datetime | None = None,
    ) -> Found:
        """Return the answer to this query, or an empty one."""
        self.calls.append(("recall", query))
        return self.founds.get(query, Found(query=query, text=""))

    def about(self, name: str, /) -> About:
        """Return what is known of this name."""
        return self._answer("about", name, self.abouts)

    def explore(self, name: str, /, *, hops: int = 2) -> Explored:
        """Return what lies around this name."""
        return self._answer("explore", name, self.explored)

    def path(self, a: str, b: str, /, *, max_hops: int = 4) -> Path:
        """Return how these two are connected."""
        self.calls.append(("path", f"{a} {b}"))
        if (a, b) not in self.paths:
            raise NotFound("entity", a)
        return self.paths[a, b]

    def history(self, name: str, /) -> History:
        """Return what this name's slots held."""
        return self._answer("history", name, self.histories)

    def resolve(self, name: str, /) -> Thing:
        """Return the entity of this name."""
        return self._answer("resolve", name, self.things)

    def tasks(self) -> Sequence[Task]:
        """Return the open tasks."""
        return self.open

    def export(self) -> Iterable[Mapping[str, object]]:
        """Return all rows."""
        return self.rows

    def _answer(self, door: str, name: str, answers: Mapping[str, T]) -> T:
        self.calls.append((door, name))
        if name not in answers:
            raise NotFound("entity", name)
        return answers[name]
