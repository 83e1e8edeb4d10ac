"""Workers: threads that tell what was put off, for all tenants of a place, in a service or a process of their own."""

import logging
import random
import time
from collections import Counter, OrderedDict
from collections.abc import Callable
from threading import Condition, Thread
from typing import Self

from mnemic.api.opening import lookout_at
from mnemic.api.service.tenants import Tenants
from mnemic.engine.jobs import drop_finished
from mnemic.engine.order import JOB
from mnemic.engine.results import Job
from mnemic.engine.working import Chance, run_next
from mnemic.errors import MnemicError
from mnemic.graph.lookout import Lookout
from mnemic.graph.records import OPEN, Which

logger = logging.getLogger(__name__)

INTERVAL = 0.5
"""Seconds between two looks for what other processes have submitted."""

_SWEEP = 300.0
"""Seconds between two times that a tenant's finished jobs are looked through for those to drop."""

_MINUTE = 60.0

_PATIENCE = 30.0
"""Seconds that the end waits for jobs that were begun."""

_OPEN = Which(owners=None, states=[OPEN])

Told = Callable[[str, Job], object]
"""Is told each job that has been worked on, with its tenant."""


def _quietly(tenant: str, job: Job) -> None:
    pass


class Worker:
    """Works on the jobs of all tenants at the place of ``tenants`` with so many ``threads``.

    What is submitted in this process is begun at once where :meth:`wake` is called; what others submit, after
    ``interval`` seconds at most. A tenant with much to do does not hold up another. ``chance`` spreads attempts.
    """

    def __init__(
        self,
        tenants: Tenants,
        *,
        threads: int = 2,
        interval: float = INTERVAL,
        chance: Chance = random.random,
        told: Told = _quietly,
        lookout: Lookout | None = None,
    ) -> None:
        self.tally: Counter[str] = Counter()
        self._tenants, self._interval, self._chance, self._told = tenants, interval, chance, told
        self._lookout = lookout or lookout_at(tenants.where, key=tenants.key)
        self._changed = Condition()
        self._ready: OrderedDict[str, int] = OrderedDict()
        """The tenants in which something may be to do, who waits longest first, each with the number of its call."""
        self._calls = 0
        self._busy = 0
        self._next_look = 0.0
        self._swept: dict[str, float] = {}
        self._warned: dict[str, float] = {}
        self._stopping = False
        self._until_idle = False
        self._threads = [Thread(target=self._work, name=f"worker-{n}", daemon=True) for n in range(threads)]

    def start(self) -> Self:
        """Begin to work."""
        for thread in self._threads:
            thread.start()
        return self

    def wake(self, tenant: str) -> None:
        """Have a look at ``tenant`` at once: something was submitted to it."""
        with self._changed:
            self._calls += 1
            self._ready[tenant] = self._calls
            self._changed.notify()

    def stop(self) -> None:
        """Finish what has been begun within half a minute, and end; the rest is another worker's when its lease is out.

        A second call does nothing.
        """
        with self._changed:
            self._stopping = True
            self._changed.notify_all()
        self._join(_PATIENCE)

    def drain(self) -> None:
        """Work until nothing is to be done now at any tenant, and end; start it by this alone."""
        self._until_idle = True
        self._next_look = time.monotonic() + self._interval
        for tenant in self._lookout.tenants():
            self.wake(tenant)
        self.start()
        self._join()

    def _join(self, patience: float | None = None) -> None:
        until = None if patience is None else time.monotonic() + patience
        for thread in self._threads:
            if thread.ident is not None:
                thread.join(None if until is None else max(0.0, until - time.monotonic()))
        self._lookout.close()

    def _work(self) -> None:
        while (turn := self._turn()) is not None:
            tenant, call = turn
            try:
                job = self._one(tenant)
            except MnemicError as error:  # its store cannot be used now; the next look comes back to it
                self._warn(f"tenant {tenant}: {error}")
                job = None
            except Exception:
                logger.exception("tenant %s: a fault inside mnemic, please report it", tenant)
                job = None
            with self._changed:
                self._busy -= 1
                if job is None and self._ready.get(tenant) == call:
                    del self._ready[tenant]
                elif job is not None:  # what comes behind it in its lane may be taken now
                    self._calls += 1
                    self._ready[tenant] = self._calls
                self._changed.notify_all()

    def _turn(self) -> tuple[str, int] | None:
        """Wait for a tenant in which something may be to do; None when it is time to end."""
        while True:
            with self._changed:
                if self._stopping:
                    return None
                if self._ready:
                    tenant = next(iter(self._ready))
                    self._ready.move_to_end(tenant)
                    self._busy += 1
                    return tenant, self._ready[tenant]
                if self._until_idle and not self._busy:
                    return None
                now = time.monotonic()
                if now < self._next_look or self._until_idle:
                    self._changed.wait(None if self._until_idle else self._next_look - now)
                    continue
                self._next_look = now + self._interval
            self._look()

    def _look(self) -> None:
        try:
            stirred = self._lookout.stirred(JOB)
        except MnemicError as error:
            self._warn(str(error))
            return
        for tenant in stirred:
            self.wake(tenant)

    def _warn(self, problem: str) -> None:
        """Log a problem, the same one once a minute."""
        now = time.monotonic()
        if now - self._warned.get(problem, -_MINUTE) >= _MINUTE:
            self._warned = {each: when for each, when in self._warned.items() if now - when < _MINUTE}
            self._warned[problem] = now
            logger.warning("%s", problem)

    def _one(self, tenant: str) -> Job | None:
        """Work on one job of ``tenant``; None where none is to be done now."""
        mark = self._lookout.mark(tenant)
        with self._tenants.core(tenant) as core:
            job = run_next(core, chance=self._chance)
            if job is not None:
                self.tally[job.state] += 1
                self._told(tenant, job)
                return job
            if time.monotonic() - self._swept.get(tenant, 0.0) >= _SWEEP:
                self._swept[tenant] = time.monotonic()
                drop_finished(core)
            if not core.store.count(JOB, _OPEN):
                self._lookout.settle(tenant, mark)
        return None
