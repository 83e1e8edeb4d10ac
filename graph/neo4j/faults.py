"""The driver's errors in mnemic's words: translated here, once, for every statement of this store."""

import ssl
from collections.abc import Iterator
from contextlib import contextmanager

from neo4j.exceptions import (
    AuthError,
    DriverError,
    Neo4jError,
    ServiceUnavailable,
    SessionExpired,
    TransientError,
)

from mnemic.errors import (
    AccessDenied,
    InvalidInput,
    MnemicError,
    StoreBusy,
    StoreError,
    StoreFull,
    StoreUnavailable,
)

_UNREACHABLE = "the server cannot be reached, or does not answer; start it, or check host and port"

_UNTRUSTED = (
    "the certificate of the server is not trusted ({why}); have its issuer trusted on this machine, "
    "or write +ssc in place of +s to take any certificate"
)
_NOT_ENCRYPTED = (
    "no encrypted connection comes about; where the server has no TLS, write the address without +s or +ssc"
)
_HUNG_UP = "the server hangs up at once; where it requires TLS, write +s (or +ssc) after neo4j or bolt"

_BY_CODE: tuple[tuple[str, type[StoreError], str], ...] = (
    (
        "Neo.ClientError.Database.DatabaseNotFound",
        StoreError,
        "there is no database of that name; check the name, or create it",
    ),
    (
        "Neo.ClientError.Security.AuthenticationRateLimit",
        AccessDenied,
        "too many wrong passwords; wait some seconds",
    ),
    (
        "Neo.ClientError.Security",
        AccessDenied,
        "user or password is wrong, or that user may not do this; set MNEMIC_NEO4J_USER and MNEMIC_NEO4J_PASSWORD",
    ),
    (
        "Neo.ClientError.Transaction.TransactionTimedOut",
        StoreBusy,
        "the server took too long; try again, or allow more seconds with MNEMIC_NEO4J_TIMEOUT",
    ),
    (
        "Neo.ClientError.Transaction.LockClientStopped",
        StoreBusy,
        "another writer held it for too long; try again, or allow more seconds with MNEMIC_NEO4J_TIMEOUT",
    ),
    (
        "Neo.ClientError.Transaction.TransactionTerminated",
        StoreBusy,
        "the server ended the transaction; try again",
    ),
    (
        "Neo.TransientError.General.DatabaseUnavailable",
        StoreUnavailable,
        "the database is not available; wait until it is online",
    ),
    (
        "Neo.TransientError.General.MemoryPoolOutOfMemoryError",
        StoreFull,
        "the server has no memory left for this; write less at once, or raise dbms.memory.transaction.total.max",
    ),
    (
        "Neo.TransientError.General.TransactionMemoryLimit",
        StoreFull,
        "the server has no memory left for this; write less at once, or raise dbms.memory.transaction.total.max",
    ),
)


def translate(error: Neo4jError | DriverError, place: str) -> MnemicError:
    """Return what ``error`` means for the store at ``place``."""
    if isinstance(error, Neo4jError):
        return _by_code(error, place)
    if isinstance(error, ServiceUnavailable | SessionExpired):
        return StoreUnavailable(f"store {place}: {_why_unavailable(error)}")
    said = str(error)
    if "closed" in said.lower():
        return StoreError(f"store {place}: it is closed; open it again")
    if "pool" in said.lower() or "acquisition" in said.lower() or "connection" in said.lower():
        return StoreBusy(
            f"store {place}: all connections are in use; try again, or allow more with MNEMIC_NEO4J_CONNECTIONS"
        )
    return StoreError(f"store {place}: the driver failed ({said})")


def _why_unavailable(error: BaseException) -> str:
    """Return what kept us from the server, which the driver tells in the causes of its error alone."""
    causes = list(_causes(error))
    for cause in causes:
        if isinstance(cause, ssl.SSLCertVerificationError):
            return _UNTRUSTED.format(why=cause.verify_message)
    if any(isinstance(cause, ssl.SSLError) for cause in causes):
        return _NOT_ENCRYPTED
    if any("incomplete handshake" in str(cause) for cause in causes):
        return _HUNG_UP
    return _UNREACHABLE


def _causes(error: BaseException) -> Iterator[BaseException]:
    """Yield ``error``, what it came from, and that of each that was tried in a cluster."""
    yield error
    if error.__cause__ is not None:
        yield from _causes(error.__cause__)
    if isinstance(error, BaseExceptionGroup):
        for each in error.exceptions:
            yield from _causes(each)


def _by_code(error: Neo4jError, place: str) -> MnemicError:
    code, message = str(error.code), str(error.message)
    if "too large to index" in message or "too long" in message:
        return InvalidInput("tenant or owner", "is longer than the server can index (8 kB)", "shorten it")
    for start, kind, words in _BY_CODE:
        if code.startswith(start):
            return kind(f"store {place}: {words}")
    if isinstance(error, AuthError):
        return AccessDenied(f"store {place}: user or password is wrong")
    if isinstance(error, TransientError):
        return StoreBusy(f"store {place}: others were in the way ({code}); try again")
    return StoreError(f"store {place}: the server refused a statement ({code}: {message})")


@contextmanager
def translated(place: str) -> Iterator[None]:
    """Raise what :func:`translate` says in place of the driver's errors; others pass through."""
    try:
        yield
    except (Neo4jError, DriverError) as error:
        raise translate(error, place) from error
