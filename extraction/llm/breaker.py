"""Leaves an endpoint alone that has failed several times running, so that it does not slow every message."""

from collections.abc import Callable
from threading import Lock

FAILURES = 3
"""So many failures running, and the endpoint rests."""


class Breaker:
    """Counts failures; after ``FAILURES`` running it says for ``rest`` seconds not to ask, then lets one try through.

    ``ticks`` tells seconds from any beginning and never goes back. Safe to share between threads.
    """

    def __init__(self, rest: float, ticks: Callable[[], float]) -> None:
        self._rest, self._ticks = rest, ticks
        self._lock = Lock()
        self._failed, self._until = 0, float("-inf")

    def resting(self) -> float:
        """Return for how many seconds nothing should be asked; 0 where it may be.

        Who is let through after a rest keeps the others waiting until it has told how it went.
        """
        with self._lock:
            left = self._until - self._ticks()
            if left <= 0 and self._failed >= FAILURES:
                self._until = self._ticks() + self._rest
            return max(0.0, left)

    def went(self, well: bool) -> None:
        """Take in how an attempt went."""
        with self._lock:
            self._failed = 0 if well else self._failed + 1
            self._until = self._ticks() + self._rest if self._failed >= FAILURES else float("-inf")
