"""What both clients share: where the service is, what is sent to it, and when a call is made again."""

from collections.abc import Callable, Generator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Self, TypeVar
from urllib.parse import quote
from uuid import uuid4

import httpx

from mnemic.api.address import checked_address, checked_key
from mnemic.api.client.call import Call
from mnemic.api.client.problem import error_of, wait_of
from mnemic.engine.message import LONGEST_NAME, checked_text
from mnemic.errors import InvalidInput
from mnemic.graph.view import Scope

F = TypeVar("F", bound=Callable[..., Any])

LATER = "?wait=false"
"""Has a service answer ``remember`` with a job, as soon as the turns are on its disk."""

_EXAMPLE = "http://localhost:8420"

KEPT_ALIVE = httpx.Limits(keepalive_expiry=3.0)
"""Connections are given up before a server does so, which keeps them for 5 s."""


@dataclass(frozen=True, slots=True)
class Attempt:
    """A request to be sent ``after`` so many seconds."""

    request: httpx.Request
    after: float = 0.0


Attempts = Generator[Attempt, httpx.Response, httpx.Response]
"""Gives requests, takes their answers, and returns the one that is well; raises what the last one told."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """The way to a service: nothing here sends, so that both clients send the same.

    ``retries`` is how often a call is made again that the service put off, ``timeout`` how many seconds one
    waits for an answer, and altogether for being let in. ``idempotency`` makes keys of writes.
    """

    url: str
    key: str = field(repr=False)
    user: str | None
    session: str | None
    timeout: float
    retries: int
    idempotency: Callable[[], str]

    def for_user(self, user: str, session: str | None) -> Self:
        """Return the line of another user, who is checked."""
        Scope(tenant="any", user=user, session=session)
        return replace(self, user=user, session=session)

    def call(
        self, call: Call[..., Any], args: Sequence[Any], kwargs: Mapping[str, Any], query: str = ""
    ) -> Attempts:
        """Return the attempts of a call of ``Mnemic``'s method; raises ``InvalidInput`` for wrong arguments."""
        more = {"Idempotency-Key": self.idempotency()} if call.writes else {}
        request = self._request("POST", call.path + query, call.body(args, kwargs), more)
        return self._attempts(request)

    def get(self, path: str) -> Attempts:
        """Return the attempts of a reading request."""
        return self._attempts(self._request("GET", path))

    def _request(
        self, method: str, path: str, body: bytes | None = None, more: Mapping[str, str] | None = None
    ) -> httpx.Request:
        headers = {"Authorization": f"Bearer {self.key}", "Accept-Encoding": "identity", **(more or {})}
        for name, value in (("Mnemic-User", self.user), ("Mnemic-Session", self.session)):
            if value is not None:
                headers[name] = quote(value, safe="")
        if body is not None:
            headers["Content-Type"] = "application/json"
        timeout = httpx.Timeout(self.timeout).as_dict()
        return httpx.Request(
            method, self.url + path, headers=headers, content=body, extensions={"timeout": timeout}
        )

    def _attempts(self, request: httpx.Request) -> Attempts:
        """Send until the service lets the call in; safe, since each write goes by one key however often it is sent."""
        wait, waited = 0.0, 0.0
        for left in range(self.retries, -1, -1):
            response = yield Attempt(request, wait)
            if response.is_success:
                return response
            error, asked = error_of(response), wait_of(response)
            if asked is None or not left or waited + asked > self.timeout:
                raise error
            wait = asked
            waited += asked
        raise AssertionError("the last attempt returns or raises")


def line(
    url: str | None,
    key: str | None,
    *,
    user: str | None,
    session: str | None,
    timeout: float,
    retries: int,
    idempotency: Callable[[], str],
) -> Line:
    """Return the line to a service; what is None is taken from ``MNEMIC_URL`` and ``MNEMIC_API_KEY``.

    Raises ``InvalidInput`` for what is missing or cannot be used.
    """
    if url is None or key is None:
        from mnemic.api.settings import ClientEnvironment  # importing mnemic alone reads no environment

        told = ClientEnvironment()
        url = url if url is not None else told.url
        key = key if key is not None else told.api_key.get_secret_value() if told.api_key else None
    if url is None:
        raise InvalidInput("url", "is missing", f"pass it, or set MNEMIC_URL, e.g. {_EXAMPLE}")
    if key is None:
        raise InvalidInput(
            "key", "is missing", "pass it, or set MNEMIC_API_KEY; `mnemic keys create` makes one"
        )
    if not 0 < timeout <= 3600:
        raise InvalidInput("timeout", f"is {timeout!r}", "choose seconds from above 0 to 3600")
    if not 0 <= retries <= 10:
        raise InvalidInput("retries", f"is {retries!r}", "choose from 0 to 10")
    if user is not None or session is not None:
        Scope(tenant="any", user=user if user is not None else "any", session=session)
    return Line(
        url=checked_address(url, "url", _EXAMPLE).removesuffix("/v1"),
        key=checked_key(key, "key"),
        user=user,
        session=session,
        timeout=timeout,
        retries=retries,
        idempotency=idempotency,
    )


def fresh_key() -> str:
    """Return a key that no other write goes by."""
    return uuid4().hex


def job_path(id: str) -> str:
    """Return where the job with this id is; raises ``InvalidInput`` for what can be none."""
    return f"/v1/jobs/{quote(checked_text(id, 'id', LONGEST_NAME), safe='')}"


def as_later(send: F) -> F:
    """Give ``remember`` that does not wait a name and a documentation of its own."""
    send.__name__ = "remember_later"
    send.__doc__ = """Store as :meth:`remember` does, but later: return a job once the turns are on the service's disk.

    Bad input is refused at once. :meth:`job` tells how far it is, and its receipt once it is done.
    """
    return send
