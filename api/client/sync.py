"""``Client``: the methods of ``Mnemic``, done by a service."""

import time
from collections.abc import Callable, Iterator
from functools import wraps
from types import TracebackType
from typing import Concatenate, ParamSpec, Self, TypeVar

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


def _sent(method: Callable[Concatenate[Mnemic, P], R]) -> Callable[Concatenate["Client", P], R]:
    """Return ``method`` as one of the client, with the same parameters."""
    call = Call(method)

    @wraps(method)
    def send(self: "Client", /, *args: P.args, **kwargs: P.kwargs) -> R:
        result: R = call.read(self._answer(self._line.call(call, args, kwargs)).content)
        return result

    return send


def _streamed(
    method: Callable[Concatenate[Mnemic, P], Iterator[R]],
) -> Callable[Concatenate["Client", P], Iterator[R]]:
    """Return ``method`` as one of the client that yields rows while they come."""
    call = Call(method)

    @wraps(method)
    def send(self: "Client", /, *args: P.args, **kwargs: P.kwargs) -> Iterator[R]:
        return map(call.read, self._lines(self._line.call(call, args, kwargs)))

    return send


def _sent_later(
    method: Callable[Concatenate[Mnemic, P], Receipt],
) -> Callable[Concatenate["Client", P], Job]:
    """Return ``remember`` as a call that waits for nothing but that the turns are safe."""
    call = Call(method)

    @wraps(method)
    def send(self: "Client", /, *args: P.args, **kwargs: P.kwargs) -> Job:
        return read_job(self._answer(self._line.call(call, args, kwargs, query=LATER)).content)

    return as_later(send)


class Client:
    """A memory that a service keeps, with the methods of :class:`Mnemic`, their results and their errors.

    Args:
        url: where the service is, such as ``http://localhost:8420``; None takes ``MNEMIC_URL``.
        key: what lets one in, says whose memory it is and what may be done; None takes ``MNEMIC_API_KEY``.
        user: whose memory it is, for a key that serves many users.
        session: the session of turns that name none.
        timeout: seconds that an answer may take to begin and to go on.
        retries: how often a call is made again that the service puts off, within ``timeout``.
        idempotency: makes the keys by which a write that is sent twice is done once.
        sleep: waits so many seconds.
        transport: how requests travel, for proxies, certificates of one's own, and tests.

    Raises:
        InvalidInput: an argument is missing or cannot be used; the message names it.

    Every call may also raise ``StoreUnavailable`` where there is no connection, ``StoreBusy`` where the answer takes
    too long, and the ``ServiceError``s. ``progress`` is told nothing. Safe to share between threads.

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
        sleep: Callable[[float], object] = time.sleep,
        transport: httpx.BaseTransport | None = None,
    ) -> None:
        self._line: Line = line(
            url, key, user=user, session=session, timeout=timeout, retries=retries, idempotency=idempotency
        )
        self._sleep = sleep
        self._http = httpx.Client(transport=transport, limits=KEPT_ALIVE, trust_env=False)

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

    def job(self, id: str) -> Job:
        """Return the job with this id as it stands now; raises ``NotFound``."""
        return read_job(self._answer(self._line.get(job_path(id))).content)

    def as_user(self, user: str, session: str | None = None) -> Self:
        """Return a client for another user, for a key that serves many; closing either closes both."""
        other = type(self).__new__(type(self))
        other.__dict__.update(self.__dict__, _line=self._line.for_user(user, session))
        return other

    def close(self) -> None:
        """Release the connections; a second call does nothing."""
        self._http.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def __repr__(self) -> str:
        """Name the service, without the key."""
        return f"Client({self._line.url!r}, user={self._line.user!r})"

    def _answer(self, attempts: Attempts, *, stream: bool = False) -> httpx.Response:
        """Send what ``attempts`` gives until it is content with an answer, and return that one."""
        if self._http.is_closed:
            raise StoreError("this client is closed; make a new one")
        attempt = next(attempts)
        while True:
            if attempt.after:
                self._sleep(attempt.after)
            with translated(self._line.url, self._line.timeout):
                response = self._http.send(attempt.request, stream=stream)
                if stream and not response.is_success:
                    response.read()
            try:
                attempt = attempts.send(response)
            except StopIteration as done:
                well: httpx.Response = done.value
                return well

    def _lines(self, attempts: Attempts) -> Iterator[bytes]:
        """Yield the lines of an answer while they come."""
        response, lines = self._answer(attempts, stream=True), Lines()
        try:
            with translated(self._line.url, self._line.timeout):
                for piece in response.iter_raw():
                    yield from lines.add(piece)
        finally:
            response.close()
