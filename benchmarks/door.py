"""The part of the front door that the benchmarks use, so that a fake can stand in for it."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Literal, Protocol

from mnemic.engine.results import About, Explored, Found, History, Path, Receipt, Task, Thing
from mnemic.extraction.model import Analysis


class Door(Protocol):
    """A memory, seen from outside; ``mnemic.Mnemic`` is one."""

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
        """Take in a turn."""

    def analyse(self, text: str, /, *, speaker: str, at: datetime, session: str) -> Analysis:
        """Say what is understood of a text in its session, and keep nothing."""

    def recall(
        self,
        query: str,
        /,
        *,
        limit: int = 5,
        depth: Literal["auto", "warm", "deep"] = "auto",
        valid_as_of: datetime | None = None,
    ) -> Found:
        """Find what answers a query."""

    def about(self, name: str, /) -> About:
        """Say what is known of an entity."""

    def explore(self, name: str, /, *, hops: int = 2) -> Explored:
        """Return the surroundings of an entity."""

    def path(self, a: str, b: str, /, *, max_hops: int = 4) -> Path:
        """Say how two entities are connected."""

    def history(self, name: str, /) -> History:
        """Return what an entity's slots held."""

    def tasks(self) -> Sequence[Task]:
        """Return the open tasks."""

    def resolve(self, name: str, /) -> Thing:
        """Return the entity that a name means."""

    def export(self) -> Iterable[Mapping[str, object]]:
        """Return all that is stored."""
