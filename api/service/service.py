"""A service: the tenants' engines, who may come in, and the bounds that hold for all; what every network door gets."""

from collections.abc import Callable

from anyio import CapacityLimiter

from mnemic.api.service.access import Principal
from mnemic.api.service.limits import Limiter, Limits
from mnemic.api.service.tenants import Tenants

Doorkeeper = Callable[[str], Principal]
"""Tells whose a key is, or raises ``Unauthorized``."""


class Service:
    """All that the doors of one process share. ``doorkeeper`` tells whose a key is."""

    def __init__(self, tenants: Tenants, doorkeeper: Doorkeeper, limits: Limits | None = None) -> None:
        self.tenants, self.doorkeeper = tenants, doorkeeper
        self.limits = limits or Limits()
        self.limiter = Limiter(self.limits)
        self._threads: CapacityLimiter | None = None

    @property
    def threads(self) -> CapacityLimiter:
        """The threads that calls share; made inside the event loop that uses them."""
        if self._threads is None:
            self._threads = CapacityLimiter(self.limits.threads)
        return self._threads

    def close(self) -> None:
        """Wait for what is under way, and release the stores."""
        self.tenants.close()
