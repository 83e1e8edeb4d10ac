"""What every suite of recall is made of: a history, the questions asked of it, and what a system answers."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from itertools import groupby
from operator import attrgetter
from typing import Protocol

from benchmarks.form import Name, Told


@dataclass(frozen=True, slots=True, kw_only=True)
class Query:
    """A question asked ``at`` a moment: the ids of the turns that answer it, and of those that must not come.

    ``groups`` are the rows of the table that count it, besides ``all``. Without ``gold`` nothing answers it.
    """

    text: str
    at: datetime
    gold: frozenset[str] = frozenset()
    stale: frozenset[str] = frozenset()
    groups: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """A history that an empty memory is told, in the order of time, and the questions asked of it then."""

    id: str
    turns: Sequence[Told]
    queries: Sequence[Query]
    dictionary: Sequence[Name] = ()

    def sessions(self) -> Iterator[list[Told]]:
        """Yield the turns that belong together, as they follow each other."""
        for _, turns in groupby(self.turns, key=attrgetter("session")):
            yield list(turns)


@dataclass(frozen=True, slots=True)
class Ranking:
    """What a system returns: ids of turns, the best first; how sure it is of the best; and in how many seconds.

    A system that returns nothing gives the ``score`` of the nearest miss.
    """

    turns: tuple[str, ...]
    score: float = 0.0
    seconds: float = 0.0


@dataclass(frozen=True, slots=True)
class Outcome:
    """A question, the answer, and the session of each turn."""

    query: Query
    ranking: Ranking
    session: dict[str, str] = field(default_factory=dict)


class Asker(Protocol):
    """A system that was told one history."""

    def __call__(self, query: Query, /) -> Ranking:
        """Answer a question."""


def dated(text: str, *forms: str) -> datetime:
    """Read a moment without a zone as UTC; raises ``ValueError`` where none of the forms fits."""
    for form in forms:
        try:
            return datetime.strptime(text, form).replace(tzinfo=UTC)
        except ValueError:
            continue
    raise ValueError(f"{text!r} is none of {', '.join(forms)}")


def spaced(start: datetime, number: int) -> datetime:
    """Return when the turn of a session was said for which the data give the session's start alone."""
    return start + timedelta(seconds=20 * number)
