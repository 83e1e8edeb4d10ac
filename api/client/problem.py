"""What went wrong, as the error that the embedded door would have raised."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import httpx

from mnemic import errors
from mnemic.errors import (
    Forbidden,
    MnemicError,
    NotFound,
    StoreBusy,
    StoreError,
    StoreUnavailable,
    TooManyRequests,
    Unauthorized,
)

_FIELDS = ("field", "problem", "fix", "nearest", "retry_after")
_LATER = (429, 503)
"""The statuses of a call that was not done and may be asked again."""

_BY_STATUS: dict[int, type[MnemicError]] = {401: Unauthorized, 403: Forbidden, 502: StoreUnavailable, 503: StoreUnavailable, 504: StoreBusy}  # fmt: skip
"""What answers mean that did not come from mnemic but from something before it."""


def error_of(response: httpx.Response) -> MnemicError:
    """Return the error that an answer tells of, with the fields that its class has."""
    told = _told(response)
    kind = getattr(errors, str(told.get("code")), None)
    if not (isinstance(kind, type) and issubclass(kind, MnemicError)):
        return _foreign(response)
    detail = str(told.get("detail"))
    error = kind.__new__(kind, detail)
    error.args = (detail,)
    error.__dict__.update({name: told[name] for name in _FIELDS if told.get(name) is not None})
    if isinstance(error, NotFound):
        error.nearest = tuple(told.get("nearest") or ())
    if response.status_code == httpx.codes.INTERNAL_SERVER_ERROR:
        error.add_note(f"request {told.get('request_id')} in the service's log")
    return error


def wait_of(response: httpx.Response) -> float | None:
    """Return after how many seconds a call that was not done may be made again, None where nothing says so."""
    if response.status_code not in _LATER:
        return None
    try:
        return max(0.0, float(response.headers["Retry-After"]))
    except (KeyError, ValueError):
        return None


@contextmanager
def translated(url: str, timeout: float) -> Iterator[None]:
    """Have what the transport raises come as errors of ours."""
    try:
        yield
    except (httpx.ConnectTimeout, httpx.NetworkError, httpx.ProtocolError, httpx.ProxyError) as error:
        raise StoreUnavailable(
            f"{url} cannot be reached or broke off ({type(error).__name__}); does `mnemic serve` run there?"
        ) from error
    except httpx.TimeoutException as error:
        raise StoreBusy(
            f"{url} did not answer within {timeout:g} s; what was to be written may still be; wait longer with timeout="
        ) from error
    except httpx.RequestError as error:
        raise StoreError(f"{url} did not answer as HTTP servers do ({error})") from error


def _told(response: httpx.Response) -> dict[str, Any]:
    try:
        told = json.loads(response.content)
    except (ValueError, RecursionError):
        return {}
    return told if isinstance(told, dict) else {}


def _foreign(response: httpx.Response) -> MnemicError:
    """Return an error for an answer that is no problem of mnemic's."""
    status, wait = response.status_code, wait_of(response)
    what = f"{response.url.host} answered with status {status}, and not as mnemic does"
    if status == httpx.codes.TOO_MANY_REQUESTS:
        return TooManyRequests(what, wait if wait is not None else 1.0)
    return _BY_STATUS.get(status, MnemicError)(f"{what}; check the url")
