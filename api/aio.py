"""The front door for asynchronous programs: every method of ``Mnemic``, run on a worker thread."""

from collections.abc import AsyncIterator, Callable, Coroutine, Iterator
from functools import partial, wraps
from itertools import islice
from types import TracebackType
from typing import Any, Concatenate, ParamSpec, Self, TypeVar

from anyio import CancelScope
from anyio.to_thread import run_sync

from mnemic.api.facade import Mnemic
from mnemic.errors import StoreError
from mnemic.graph.view import Scope

P = ParamSpec("P")
R = TypeVar("R")

_ROWS = 256
"""How many rows of an export are fetched at once."""


def _on_thread(
    method: Callable[Concatenate[Mnemic, P], R],
) -> Callable[Concatenate["AsyncMnemic", P], Coroutine[Any, Any, R]]:
    """Return ``method`` as a coroutine of the asynchronous door, with the same parameters."""

    @wraps(method)
    async def call(self: "AsyncMnemic", /, *args: P.args, **kwargs: P.kwargs) -> R:
        return await run_sync(partial(method, self.opened, *args, **kwargs))

    return call


def _opened_with(
    init: Callable[Concatenate[Mnemic, P], None],
) -> Callable[[Callable[..., None]], Callable[Concatenate["AsyncMnemic", P], None]]:
    """Give a constructor the parameters of ``init``."""

    def decorate(own: Callable[..., None]) -> Callable[Concatenate["AsyncMnemic", P], None]:
        return wraps(init)(own)

    return decorate


class AsyncMnemic:
    """A memory with the methods of :class:`Mnemic`, each to be awaited; constructed like it.

    The store is opened by ``async with``, and each call runs on a thread of its own, so that the event
    loop never waits. A call that is cancelled is finished first: a write is never half done.

    >>> async def main() -> str:
    ...     async with AsyncMnemic(":memory:", user="ada", embedder="none") as memory:
    ...         await memory.remember("We moved the payment service from MySQL to PostgreSQL.")
    ...         return (await memory.recall("What does the payment service run on?")).text
    """

    @_opened_with(Mnemic.__init__)
    def __init__(self, *args: Any, **kwargs: Any) -> None:
        self._open = partial(Mnemic, *args, **kwargs)
        self._memory: Mnemic | None = None

    remember = _on_thread(Mnemic.remember)
    doomed = _on_thread(Mnemic.doomed)
    edit = _on_thread(Mnemic.edit)
    forget = _on_thread(Mnemic.forget)
    unreplace = _on_thread(Mnemic.unreplace)
    recall = _on_thread(Mnemic.recall)
    why = _on_thread(Mnemic.why)
    prepare = _on_thread(Mnemic.prepare)
    about = _on_thread(Mnemic.about)
    explore = _on_thread(Mnemic.explore)
    path = _on_thread(Mnemic.path)
    history = _on_thread(Mnemic.history)
    tasks = _on_thread(Mnemic.tasks)
    resolve = _on_thread(Mnemic.resolve)
    analyse = _on_thread(Mnemic.analyse)
    memories = _on_thread(Mnemic.memories)
    memory = _on_thread(Mnemic.memory)
    turns = _on_thread(Mnemic.turns)
    turn = _on_thread(Mnemic.turn)
    entities = _on_thread(Mnemic.entities)
    names = _on_thread(Mnemic.names)
    learn = _on_thread(Mnemic.learn)
    unlearn = _on_thread(Mnemic.unlearn)
    reread = _on_thread(Mnemic.reread)
    proposals = _on_thread(Mnemic.proposals)
    accept = _on_thread(Mnemic.accept)
    reject = _on_thread(Mnemic.reject)
    stats = _on_thread(Mnemic.stats)

    async def export(self) -> AsyncIterator[dict[str, Any]]:
        """Yield everything this user may read as plain rows, ready for JSON."""
        async for row in _fetched(self.opened.export):
            yield row

    async def taught(self) -> AsyncIterator[dict[str, Any]]:
        """Yield the pairs that were settled outright as examples; see :meth:`Mnemic.taught`."""
        async for row in _fetched(self.opened.taught):
            yield row

    async def close(self) -> None:
        """Release the store; a second call does nothing."""
        memory, self._memory = self._memory, None
        if memory is not None:
            with CancelScope(shield=True):
                await run_sync(memory.close)

    @property
    def opened(self) -> Mnemic:
        """The synchronous door behind this one; raises ``StoreError`` while it is not open."""
        if self._memory is None:
            raise StoreError("this memory is not open; use it inside `async with AsyncMnemic(…) as memory`")
        return self._memory

    @property
    def scope(self) -> Scope:
        """For whom the calls are."""
        return self.opened.scope

    async def __aenter__(self) -> Self:
        self._memory = await run_sync(self._open)
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()


async def _fetched(opened: Callable[[], Iterator[dict[str, Any]]]) -> AsyncIterator[dict[str, Any]]:
    """Yield rows that are read on a worker thread, a batch at a time."""
    rows = await run_sync(opened)
    while batch := await run_sync(list, islice(rows, _ROWS)):
        for row in batch:
            yield row
