"""What a service tells of itself, where the extra `telemetry` is installed: Prometheus metrics, OpenTelemetry traces.

Neither holds a word of what is stored: actions, outcomes and times alone.
"""

from contextlib import AbstractContextManager, nullcontext
from functools import cache
from importlib.util import find_spec
from typing import Any

from mnemic.errors import InvalidInput


def is_installed() -> bool:
    """Tell whether the extra is installed."""
    return find_spec("prometheus_client") is not None


class Metrics:
    """Counts and times of the answers of one process; raises ``InvalidInput`` where the extra is missing."""

    def __init__(self) -> None:
        if not is_installed():
            raise InvalidInput("metrics", "need the extra telemetry", "pip install 'mnemic[telemetry]'")
        from prometheus_client import CollectorRegistry, Counter, Histogram

        self.registry = CollectorRegistry()
        names = ("method", "route", "status")
        self._answers = Counter("mnemic_answers", "Answers given.", names, registry=self.registry)
        self._seconds = Histogram(
            "mnemic_answer_seconds", "Seconds until the answer was given.", names[:2], registry=self.registry
        )

    def observe(self, method: str, route: str, status: int, seconds: float) -> None:
        """Count one answer."""
        self._answers.labels(method, route, str(status)).inc()
        self._seconds.labels(method, route).observe(seconds)

    def text(self) -> bytes:
        """Return all of it in Prometheus's own form."""
        from prometheus_client import generate_latest

        return generate_latest(self.registry)


def span(action: str) -> AbstractContextManager[Any]:
    """Return a span of a trace around ``action``; nothing where OpenTelemetry is not installed."""
    tracer = _tracer()
    return nullcontext() if tracer is None else tracer.start_as_current_span(f"mnemic.{action}")


@cache
def _tracer() -> Any:
    if find_spec("opentelemetry") is None:
        return None
    from opentelemetry import trace

    return trace.get_tracer("mnemic")
