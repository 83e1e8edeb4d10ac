"""Every error that mnemic raises on purpose, as one tree.

    MnemicError
    ├── InvalidInput            the caller passed something that cannot be used (also a ValueError)
    │   ├── MissingScope        no tenant or no user was named
    │   └── UnknownName         a name that is not registered; the message lists those that are
    ├── NotFound                an id or a name that the store does not hold (also a LookupError)
    ├── EmbedderError           an embedder is not installed or failed
    ├── ModelError              a language model gave no usable answer; no door lets it out
    ├── ServiceError            a service that many share does not do this call
    │   ├── Unauthorized        no key, or one that is not known, has expired or was revoked
    │   ├── Forbidden           the key may not do this
    │   ├── TooManyRequests     more than this key may ask, or than the service can take in; ask later
    │   └── Conflict            somebody changed it meanwhile, or the same key of a write came with another body
    └── StoreError              the store cannot be used
        ├── StoreBusy           another process holds it for longer than we wait
        ├── StoreUnavailable    its server cannot be reached
        ├── AccessDenied        its server knows no such user, or another password
        ├── StoreCorrupt        the file is not a store, or it is damaged
        ├── StoreTooNew         written by a newer mnemic
        ├── StoreFull           no room on the disk
        ├── WrongKey            encrypted, and the key is missing or wrong
        ├── WrongTenant         the file belongs to another tenant
        └── EmbedderMismatch    filled by another embedder than the one in use

A message says what is wrong, in which field, and what to do about it. Errors of libraries are
translated once, where the library is called, and stay reachable as ``__cause__``.
"""

from collections.abc import Iterable
from difflib import get_close_matches

_FIELD, _NAME, _PROBLEM = 200, 100, 500
"""So many characters of what a caller passed stand in a message."""


class MnemicError(Exception):
    """The root: catch this to catch all that mnemic raises on purpose. It can be sent between processes."""

    def __reduce__(self) -> tuple[object, ...]:
        return _again, (type(self), self.args, self.__dict__)


def _again(kind: type[MnemicError], message: tuple[object, ...], fields: dict[str, object]) -> MnemicError:
    """Return an error as it was in the process that sent it."""
    error = kind.__new__(kind, *message)
    error.__dict__.update(fields)
    return error


class InvalidInput(MnemicError, ValueError):
    """Something the caller passed cannot be used: ``field`` names it, ``fix`` says what would do."""

    def __init__(self, field: str, problem: str, fix: str) -> None:
        self.field, self.problem, self.fix = _short(field, _FIELD), _short(problem, _PROBLEM), fix
        super().__init__(f"{self.field}: {self.problem}; {fix}")


class MissingScope(InvalidInput):
    """A call without a tenant or a user; it never means "all of them"."""


class UnknownName(InvalidInput):
    """A name that is not among the ``known`` ones."""

    def __init__(self, field: str, name: str, known: Iterable[str]) -> None:
        names, name = sorted(known), _short(name, _NAME)
        near = get_close_matches(name, names, n=1)
        hint = f"did you mean {near[0]!r}? Known: " if near else "known: "
        super().__init__(field, f"unknown name {name!r}", hint + ", ".join(names))


class NotFound(MnemicError, LookupError):
    """The store holds nothing by this id or name; ``nearest`` are names that look alike."""

    def __init__(self, what: str, name: str, nearest: Iterable[str] = ()) -> None:
        self.nearest, name = tuple(nearest), _short(name, _NAME)
        hint = f"; nearest: {', '.join(self.nearest)}" if self.nearest else ""
        super().__init__(f"{what} {name!r} is not known here{hint}")


class EmbedderError(MnemicError):
    """An embedder is not installed here, or failed on a text."""


class ModelError(MnemicError):
    """A language model gave no usable answer; the rules stand then, and the receipt says so."""


class ServiceError(MnemicError):
    """A service that many share does not do this call; the subclasses say why."""


class Unauthorized(ServiceError):
    """No key came with the call, or one that is not known, has expired or was revoked."""


class Forbidden(ServiceError):
    """The key of the call may not do this."""


class TooManyRequests(ServiceError):
    """The call comes too soon: ask again after ``retry_after`` seconds."""

    def __init__(self, what: str, retry_after: float) -> None:
        self.retry_after = retry_after
        super().__init__(f"{what}; ask again in {retry_after:.3g} s")


class Conflict(ServiceError):
    """What the call builds on has changed meanwhile, or its idempotency key came with another body before."""


class StoreError(MnemicError):
    """The store cannot be used; the subclasses say why."""


class StoreBusy(StoreError):
    """Another connection held the store for longer than we wait."""


class StoreUnavailable(StoreError):
    """The server that the store lives on cannot be reached."""


class AccessDenied(StoreError):
    """The store's server does not let this user in, or not do this."""


class StoreCorrupt(StoreError):
    """The file is not a mnemic store, or it is damaged."""


class StoreTooNew(StoreError):
    """The store was written by a newer version of mnemic."""


class StoreFull(StoreError):
    """There is no room left where the store lives; nothing of the write was kept."""


class WrongKey(StoreError):
    """The store is encrypted and the key is missing or wrong."""


class WrongTenant(StoreError):
    """The store belongs to another tenant."""


class EmbedderMismatch(StoreError):
    """The store's vectors come from another embedder."""


def _short(text: str, most: int) -> str:
    return text if len(text) <= most else text[: most - 1] + "…"
