"""Who calls over HTTP: the key in the header, the scope that it gives, the work done in that scope on a thread."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Annotated, TypeVar
from urllib.parse import unquote

from anyio import fail_after
from anyio.to_thread import run_sync
from fastapi import Depends, Header, Request
from fastapi.security import HTTPAuthorizationCredentials, HTTPBearer

from mnemic.api.facade import Mnemic
from mnemic.api.service.access import Principal
from mnemic.api.service.service import Service
from mnemic.errors import StoreBusy, TooManyRequests, Unauthorized
from mnemic.graph.view import Scope

R = TypeVar("R")
_bearer = HTTPBearer(auto_error=False, description="A key of `mnemic keys create`.")


async def service_of(request: Request) -> Service:
    """Return the service behind the application of a request; async, so that no thread is taken for it."""
    service: Service = request.app.state.service
    return service


@dataclass(frozen=True, slots=True)
class Caller:
    """One request's principal and scope, and the service that does its work."""

    service: Service
    principal: Principal
    scope: Scope

    async def do(self, action: str, work: Callable[[Mnemic], R]) -> R:
        """Do ``work``, which is what ``action`` says, with the caller's memory on a worker thread.

        Raises ``Forbidden``, ``TooManyRequests`` where too many wait already, ``StoreBusy`` where it takes
        longer than the service waits: a write is then finished all the same.
        """
        perform = partial(self.service.perform, self.principal, self.scope, action, work)
        return await on_thread(self.service, perform)


async def on_thread(service: Service, work: Callable[[], R]) -> R:
    """Run ``work`` on one of the service's threads, within its time limit."""
    if service.is_full:
        raise TooManyRequests("the service has more to do than it can", 1.0)
    try:
        with fail_after(service.limits.seconds):
            counted = partial(service.counted, work)
            return await run_sync(counted, limiter=service.threads, abandon_on_cancel=True)
    except TimeoutError as error:
        raise StoreBusy(
            f"this took longer than {service.limits.seconds:g} s; ask again, a write with the same Idempotency-Key"
        ) from error


async def caller(
    request: Request,
    credentials: Annotated[HTTPAuthorizationCredentials | None, Depends(_bearer)],
    service: Annotated[Service, Depends(service_of)],
    mnemic_user: Annotated[
        str | None, Header(description="Whose memory is meant, where the key serves many users.")
    ] = None,
    mnemic_session: Annotated[str | None, Header(description="The session of turns that name none.")] = None,
) -> Caller:
    """Return who calls, or raise ``Unauthorized``."""
    if credentials is None:
        raise Unauthorized("no key came with this; send the header Authorization: Bearer <key>")
    principal = await on_thread(service, partial(service.authenticate, credentials.credentials))
    request.scope["mnemic.caller"] = principal.key
    service.limiter.admit(principal.key)
    user, session = _text(mnemic_user), _text(mnemic_session)
    return Caller(service, principal, principal.scope(user, session))


def _text(header: str | None) -> str | None:
    """Return what a header says: HTTP carries bytes, which clients write as UTF-8 or percent-encoded."""
    if header is None:
        return None
    try:
        return unquote(header.encode("latin-1").decode("utf-8"))
    except UnicodeError:
        return unquote(header)


Calling = Annotated[Caller, Depends(caller)]
"""A route's parameter that is who calls it."""
