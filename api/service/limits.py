"""How much one key may ask, and the service takes in: token buckets on the machine's own clock."""

import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from threading import Lock

from mnemic.errors import TooManyRequests

_KEPT = 10_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """Bounds of a service.

    ``rate`` calls a second for each key (0: without bound) with bursts of ``burst``, ``seconds`` that a call
    may take, ``threads`` that work at once, ``waiting`` calls that may queue for them.
    """

    rate: float = 0.0
    burst: int = 100
    seconds: float = 60.0
    threads: int = 16
    waiting: int = 256


class Limiter:
    """A bucket of tokens for each key (https://en.wikipedia.org/wiki/Token_bucket). Safe to share between threads."""

    def __init__(self, limits: Limits, clock: Callable[[], float] = time.monotonic) -> None:
        self._rate, self._burst, self._clock = limits.rate, max(1, limits.burst), clock
        self._buckets: OrderedDict[str, tuple[float, float]] = OrderedDict()
        self._lock = Lock()

    def admit(self, key: str) -> None:
        """Count a call of ``key``, or raise ``TooManyRequests`` with the seconds after which it may be made."""
        if not self._rate:
            return
        with self._lock:
            now = self._clock()
            tokens, since = self._buckets.pop(key, (float(self._burst), now))
            tokens = min(float(self._burst), tokens + (now - since) * self._rate)
            self._buckets[key] = (max(0.0, tokens - 1.0) if tokens >= 1.0 else tokens, now)
            if len(self._buckets) > _KEPT:
                self._buckets.popitem(last=False)
        if tokens < 1.0:
            raise TooManyRequests("this key asks more than it may", (1.0 - tokens) / self._rate)
