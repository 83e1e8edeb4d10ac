"""``AsyncClient``: the methods of ``Mnemic``, done by a service, each to be awaited."""

from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine, Iterator
from functools import wraps
from types import TracebackType
from typing import Any, Concatenate, ParamSpec, Self, TypeVar

import anyio
import httpx

from mnemic.api.client.call import Call, read_job
from mnemic.api.client.line import KEPT_ALIVE, LATER, Attempts, Line, as_later, fresh_key, job_path, line
from mnemic.api.client.problem import translated
from mnemic.api.client.rows import Lines
from mnemic.api.facade import Mnemic
from mnemic.engine.results import Job, Receipt
from mnemic.errors import StoreError

P = ParamSpec("P")
R = TypeVar("R")


def _sent(
    method: Callable[Concatenate[Mnemic, P], R],
) -> Callable[Concatenate["AsyncClient", P], Coroutine[Any, Any, R]]:
    """Return ``method`` as one of the client, with the same parameters."""
    call = Call(method)

    @wraps(method)
    async def send(self: "AsyncClient", /, *args: P.args, **kwargs: P.kwargs) -> R:
        answer = await self._answer(self._line.call(call, args, kwargs))
        result: R = call.read(answer.content)
        return result

    return send


def _streamed(
    method: Callable[Concatenate[Mnemic, P], Iterator[R]],
) -> Callable[Concatenate["AsyncClient", P], AsyncIterator[R]]:
    """Return ``method`` as one of the client that yields rows while they come."""
    call = Call(method)

    @wraps(method)
    async def send(self: "AsyncClient", /, *args: P.args, **kwargs: P.kwargs) -> AsyncIterator[R]:
        async for row in self._lines(self._line.call(call, args, kwargs)):
            yield call.read(row)

    return send


def _sent_later(
    method: Callable[Concatenate[Mnemic, P], Receipt],
) -> Callable[Concatenate["AsyncClient", P], Coroutine[Any, Any, Job]]:
    """Return ``remember`` as a call that waits for nothing but that the turns are safe."""
    call = Call(method)

    @wraps(method)
    async def send(self: "AsyncClient", /, *args: P.args, **kwargs: P.kwargs) -> Job:
        answer = await self._answer(self._line.call(call, args, kwargs, query=LATER))
        return read_job(answer.content)

    return as_later(send)


class AsyncClient:
    """A memory that a service keeps: :class:`Client` with methods to be awaited; constructed like it.

    ``sleep`` is awaited, and ``transport`` is one of httpx's asynchronous ones. ``export`` and ``taught`` are
    iterated with ``async for``.
    """

    def __init__(
        self,
        url: str | None = None,
        key: str | None = None,
        *,
        user: str | None = None,
        session: str | None = None,
        timeout: float = 30.0,
        retries: int = 2,
        idempotency: Callable[[], str] = fresh_key,
        sleep: Callable[[float], Awaitable[object]] = anyio.sleep,
        transport: httpx.AsyncBaseTransport | None = None,
    ) -> None:
        self._line: Line = line(
            url, key, user=user, session=session, timeout=timeout, retries=retries, idempotency=idempotency
        )
        self._sleep = sleep
        self._http = httpx.AsyncClient(transport=transport, limits=KEPT_ALIVE, trust_env=False)

    remember = _sent(Mnemic.remember)
    remember_later = _sent_later(Mnemic.remember)
    edit = _sent(Mnemic.edit)
    forget = _sent(Mnemic.forget)
    unreplace = _sent(Mnemic.unreplace)
    taught = _streamed(Mnemic.taught)
    doomed = _sent(Mnemic.doomed)
    recall = _sent(Mnemic.recall)
    why = _sent(Mnemic.why)
    prepare = _sent(Mnemic.prepare)
    about = _sent(Mnemic.about)
    explore = _sent(Mnemic.explore)
    path = _sent(Mnemic.path)
    history = _sent(Mnemic.history)
    tasks = _sent(Mnemic.tasks)
    resolve = _sent(Mnemic.resolve)
    analyse = _sent(Mnemic.analyse)
    memories = _sent(Mnemic.memories)
    memory = _sent(Mnemic.memory)
    turns = _sent(Mnemic.turns)
    turn = _sent(Mnemic.turn)
    entities = _sent(Mnemic.entities)
    names = _sent(Mnemic.names)
    learn = _sent(Mnemic.learn)
    unlearn = _sent(Mnemic.unlearn)
    reread = _sent(Mnemic.reread)
    proposals = _sent(Mnemic.proposals)
    accept = _sent(Mnemic.accept)
    reject = _sent(Mnemic.reject)
    export = _streamed(Mnemic.export)
    stats = _sent(Mnemic.stats)

    async def job(self, id: str) -> Job:
        """Return the job with this id as it stands now; raises ``NotFound``."""
        return read_job((await self._answer(self._line.get(job_path(id)))).content)

    def as_user(self, user: str, session: str | None = None) -> Self:
        """Return a client for another user, for a key that serves many; closing either closes both."""
        other = type(self).__new__(type(self))
        other.__dict__.update(self.__dict__, _line=self._line.for_user(user, session))
        return other

    async def close(self) -> None:
        """Release the connections; a second call does nothing."""
        await self._http.aclose()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    def __repr__(self) -> str:
        """Name the service, without the key."""
        return f"AsyncClient({self._line.url!r}, user={self._line.user!r})"

    async def _answer(self, attempts: Attempts, *, stream: bool = False) -> httpx.Response:
        """Send what ``attempts`` gives until it is content with an answer, and return that one."""
        if self._http.is_closed:
            raise StoreError("this client is closed; make a new one")
        attempt = next(attempts)
        while True:
            if attempt.after:
                await self._sleep(attempt.after)
            with translated(self._line.url, self._line.timeout):
                response = await self._http.send(attempt.request, stream=stream)
                if stream and not response.is_success:
                    await response.aread()
            try:
                attempt = attempts.send(response)
            except StopIteration as done:
                well: httpx.Response = done.value
                return well

    async def _lines(self, attempts: Attempts) -> AsyncIterator[bytes]:
        """Yield the lines of an answer while they come."""
        response, lines = await self._answer(attempts, stream=True), Lines()
        try:
            with translated(self._line.url, self._line.timeout):
                async for piece in response.aiter_raw():
                    for row in lines.add(piece):
                        yield row
        finally:
            with anyio.CancelScope(shield=True):
                await response.aclose()
