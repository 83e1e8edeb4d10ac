"""The engines of all tenants at one place, each opened when it is first asked for and shared by all calls."""

import logging
from collections import OrderedDict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from threading import Condition

from mnemic.api.facade import Mnemic
from mnemic.api.opening import is_made, open_core, plain_files, require_reachable
from mnemic.engine.core import Core
from mnemic.engine.settings import Settings
from mnemic.errors import StoreUnavailable
from mnemic.extraction.embedders.base import Embedder
from mnemic.extraction.llm.base import LanguageModel
from mnemic.graph.clock import Clock, system_clock
from mnemic.graph.view import Scope

logger = logging.getLogger(__name__)

_PATIENCE = 30.0
"""Seconds that the end waits for calls."""
OPEN = 64
"""So many tenants are kept open while nobody uses them."""


@dataclass(slots=True)
class _Open:
    """A tenant's engine, and how many calls use it now; None while it is being opened."""

    core: Core | None = None
    users: int = 0


class Tenants:
    """The engines of the tenants at ``where``: a folder with one file each, one tenant's file, or a server.

    Safe to share between threads. The arguments are those of ``Mnemic``; ``most`` engines stay open while
    nobody uses them, those that were used last.
    """

    def __init__(
        self,
        where: str,
        *,
        key: str | None = None,
        embedder: str | Embedder | None = None,
        clock: Clock = system_clock,
        settings: Settings | None = None,
        model: LanguageModel | None = None,
        most: int = OPEN,
    ) -> None:
        self.where, self.clock, self._most, self.key = where, clock, most, key
        self._opening: Callable[..., Core] = partial(
            open_core, where, key=key, embedder=embedder, clock=clock, settings=settings, model=model
        )
        self._open: OrderedDict[str, _Open] = OrderedDict()
        self._changed = Condition()
        self._closed = False

    def is_made(self, tenant: str) -> bool:
        """Tell whether there is a store of ``tenant``; asking makes none."""
        with self._changed:
            if tenant in self._open:
                return True
        return is_made(self.where, tenant)

    def require_reachable(self) -> None:
        """Raise ``StoreError`` where no store at this place can be used now, or while it is closing."""
        with self._changed:
            if self._closed:
                raise StoreUnavailable("this service is closing; ask another one")
        require_reachable(self.where)

    def plain_files(self, tenant: str) -> list[Path]:
        """Return the files of a tenant that can be looked into, where there are any."""
        return plain_files(self.where, tenant, self.key)

    @contextmanager
    def core(self, tenant: str) -> Iterator[Core]:
        """Give the engine of ``tenant``, which stays open at least as long as this is held."""
        held = self._held(tenant)
        try:
            assert held.core is not None
            yield held.core
        finally:
            with self._changed:
                held.users -= 1
                self._changed.notify_all()
                idle = self._superfluous()
            _close(idle)

    @contextmanager
    def memory(self, scope: Scope) -> Iterator[Mnemic]:
        """Give the door of ``scope``, which is not to be closed."""
        with self.core(scope.tenant) as core:
            yield Mnemic.within(core, scope)

    def close(self) -> None:
        """Wait for the calls that are under way, though not for ever, and release every store.

        Later calls raise ``StoreUnavailable``, and so does one that was not waited for.
        """
        with self._changed:
            self._closed = True
            if not self._changed.wait_for(self._is_idle, _PATIENCE):
                logger.warning("closing while calls are still under way after %g s", _PATIENCE)
            idle = [each.core for each in self._open.values() if each.core is not None]
            self._open.clear()
        _close(idle)

    def _is_idle(self) -> bool:
        return not any(each.users for each in self._open.values())

    def _held(self, tenant: str) -> _Open:
        with self._changed:
            self._changed.wait_for(lambda: tenant not in self._open or self._open[tenant].core is not None)
            if self._closed:
                raise StoreUnavailable("this service is closing; ask another one, or ask again")
            held = self._open.setdefault(tenant, _Open())
            held.users += 1
            self._open.move_to_end(tenant)
            if held.core is not None:
                return held
        try:
            core = self._opening(tenant=tenant)
        except BaseException:
            with self._changed:
                del self._open[tenant]
                self._changed.notify_all()
            raise
        with self._changed:
            held.core = core
            self._changed.notify_all()
        return held

    def _superfluous(self) -> list[Core]:
        """Take out the engines beyond the bound that nobody uses, those used longest ago first."""
        idle = [name for name, each in self._open.items() if not each.users]
        surplus = idle[: max(0, len(self._open) - self._most)]
        return [core for name in surplus if (core := self._open.pop(name).core) is not None]


def _close(cores: list[Core]) -> None:
    for core in cores:
        core.store.close()
