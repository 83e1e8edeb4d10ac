"""Answers that are kept ready while nothing that they rest on has changed, as the store's change log tells."""

from collections import OrderedDict
from collections.abc import Callable, Set
from dataclasses import dataclass
from datetime import datetime, timedelta
from hashlib import sha256
from threading import Lock
from typing import Any, TypeVar

from mnemic.graph.clock import Clock
from mnemic.graph.store import Store

R = TypeVar("R")

FRESH = timedelta(seconds=10)
"""An answer about the present is given again for so long: what begins or expires by itself is no change."""
_CHANGES = 1_000
_EVERYBODY = ""
"""The owner of changes that concern all: the tenant's names, and those of whom nothing is left."""


@dataclass(frozen=True, slots=True)
class _Answer:
    """A result, whose rows it rests on, and when it was worked out."""

    result: Any
    owners: Set[str]
    at: datetime


class Answers:
    """The last ``most`` answers of one store. Safe to share between threads; other processes' writes count too.

    An answer goes with the first change of any owner that it rests on, so that nothing forgotten lives on in it
    beyond the next question.
    """

    def __init__(self, store: Store, clock: Clock, most: int) -> None:
        self._store, self._clock, self._most = store, clock, most
        self._answers: OrderedDict[bytes, _Answer] = OrderedDict()
        self._changed: dict[str, int] = {}
        self._sequence: int | None = None
        self._lock = Lock()

    def give(self, owners: Set[str], asked: object, work: Callable[[], R]) -> R:
        """Return the kept answer to what is ``asked``, else what ``work`` says, which rests on rows of ``owners``."""
        if not self._most:
            return work()
        question = sha256(repr(asked).encode("utf-8", "surrogatepass")).digest()  # its words are kept nowhere
        before = self._follow()
        now = self._clock()
        with self._lock:
            kept = self._answers.get(question)
            if kept is not None and timedelta() <= now - kept.at < FRESH:
                self._answers.move_to_end(question)
                result: R = kept.result
                return result
        result = work()
        self._keep(question, _Answer(result, owners, now), before)
        return result

    def clear(self) -> None:
        """Let go of all answers at once."""
        with self._lock:
            self._answers.clear()

    def _keep(self, question: bytes, answer: _Answer, before: int) -> None:
        with self._lock:
            if any(self._changed.get(owner, 0) > before for owner in (*answer.owners, _EVERYBODY)):
                return  # somebody wrote while it was worked out
            self._answers[question] = answer
            self._answers.move_to_end(question)
            while len(self._answers) > self._most or self._is_old(answer.at):
                self._answers.popitem(last=False)

    def _is_old(self, now: datetime) -> bool:
        """Tell whether the answer that was given longest ago may not be given again."""
        return now - next(iter(self._answers.values())).at >= FRESH

    def _follow(self) -> int:
        """Let go of the answers that changes since the last look concern; return the newest change."""
        newest = self._store.head().sequence
        with self._lock:
            if self._sequence is None:
                self._sequence = newest
            while self._sequence < newest:
                changes = self._store.changes(self._sequence, limit=_CHANGES)
                if not changes or changes[0].sequence > self._sequence + 1:
                    self._answers.clear()  # the log does not reach back so far
                for change in changes:
                    self._changed[change.owner] = change.sequence
                self._let_go({change.owner for change in changes})
                self._sequence = changes[-1].sequence if changes else newest
        return newest

    def _let_go(self, owners: Set[str]) -> None:
        everybody = _EVERYBODY in owners
        stale = [key for key, answer in self._answers.items() if everybody or answer.owners & owners]
        for question in stale:
            del self._answers[question]
