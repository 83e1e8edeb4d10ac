"""A service: the tenants' engines, who may come in, the bounds that hold for all, the record of who did what."""

from collections.abc import Callable
from threading import Lock
from typing import TypeVar

from anyio import CapacityLimiter

from mnemic.api.facade import Mnemic
from mnemic.api.service.access import NEEDED, Principal, Right
from mnemic.api.service.audit import Audit, touched
from mnemic.api.service.limits import Limiter, Limits
from mnemic.api.service.telemetry import span
from mnemic.api.service.tenants import Tenants
from mnemic.api.service.worker import Worker
from mnemic.errors import MnemicError
from mnemic.graph.view import Scope

Authenticate = Callable[[str], Principal]
"""Tells whose a key is, or raises ``Unauthorized``."""

R = TypeVar("R")


class Service:
    """All that the doors of one process share.

    ``authenticate`` tells whose a key is, ``audit`` and ``worker`` are optional.
    """

    def __init__(
        self,
        tenants: Tenants,
        authenticate: Authenticate,
        limits: Limits | None = None,
        audit: Audit | None = None,
        worker: Worker | None = None,
    ) -> None:
        self.tenants, self.authenticate, self.audit = tenants, authenticate, audit
        self._worker = worker
        self.limits = limits or Limits()
        self.limiter = Limiter(self.limits)
        self._threads: CapacityLimiter | None = None
        self._lock, self._running = Lock(), 0

    @property
    def threads(self) -> CapacityLimiter:
        """The threads that calls share; made inside the event loop that uses them."""
        if self._threads is None:
            self._threads = CapacityLimiter(self.limits.threads)
        return self._threads

    @property
    def is_full(self) -> bool:
        """Tell whether no more can be taken in: too much waits, or works on after its time is over."""
        waiting = self.threads.statistics().tasks_waiting
        return waiting >= self.limits.waiting or self._running >= 2 * self.limits.threads

    def counted(self, work: Callable[[], R]) -> R:
        """Do ``work`` and count it as long as it lasts, also where nobody waits for it any more."""
        with self._lock:
            self._running += 1
        try:
            return work()
        finally:
            with self._lock:
                self._running -= 1

    def perform(self, principal: Principal, scope: Scope, action: str, work: Callable[[Mnemic], R]) -> R:
        """Do ``work``, which is what ``action`` says, with the memory of ``scope``; every door comes through here.

        Raises ``Forbidden`` where the key may not, and whatever the work raises.
        """
        try:
            principal.require(NEEDED[action])
            with span(action), self.tenants.memory(scope) as memory:
                result = work(memory)
        except MnemicError as error:
            self._record(principal, scope, action, outcome=type(error).__name__)
            raise
        self._record(principal, scope, action, outcome="done", **touched(result))
        return result

    def _record(self, principal: Principal, scope: Scope, action: str, **told: object) -> None:
        if self.audit is not None:
            who = {"key": principal.key, "tenant": scope.tenant, "user": scope.user}
            self.audit.record(lasting=NEEDED[action] is not Right.READ, action=action, **who, **told)

    def on_submit(self, tenant: str) -> None:
        """Have the own worker, where there is one, look at once at a tenant for which a job was taken in."""
        if self._worker is not None:
            self._worker.wake(tenant)

    def close(self) -> None:
        """Wait for what is under way, and release the stores."""
        if self._worker is not None:
            self._worker.stop()
        self.tenants.close()
        if self.audit is not None:
            self.audit.close()
