"""Keys of a service: made, listed, rotated, revoked, and known again; of the secret only its hash is kept.

A key is ``mnk_<tenant>.<id>.<secret>`` with the tenant in URL-safe base64: it names the store that knows it, so
a tenant's keys are in the tenant's own store and go with it, and those of an erased user with the user. The secret
has 256 random bits, so that a fast hash is enough; it is compared in constant time.
"""

import hmac
import json
import logging
from base64 import urlsafe_b64decode, urlsafe_b64encode
from binascii import Error as NotBase64
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from hashlib import sha256
from secrets import token_hex, token_urlsafe

from mnemic.api.service.access import Principal, Right, rights
from mnemic.api.service.tenants import Tenants
from mnemic.engine.core import Core
from mnemic.engine.results import Result
from mnemic.errors import Conflict, InvalidInput, MnemicError, NotFound, Unauthorized, WrongTenant
from mnemic.graph.records import DONE, Record, Which
from mnemic.graph.view import Scope

logger = logging.getLogger(__name__)

KIND = "key"
"""The kind of the records that keys are."""
_PREFIX = "mnk_"
_SECRET = 32
_LONGEST = 2_000
_MOST = 10_000


class Key(Result):
    """A key without its secret: whose memory it opens (None: whom each call names), and what it may do."""

    id: str
    tenant: str
    user: str | None
    rights: tuple[str, ...]
    name: str
    created_at: datetime
    expires_at: datetime | None = None
    revoked_at: datetime | None = None


class NewKey(Key):
    """A key as it was made: ``plain`` is shown this once and kept nowhere."""

    plain: str


def create(
    core: Core,
    tenant: str,
    *,
    user: str | None,
    may: Sequence[str] = ("read", "write"),
    name: str = "",
    days: float | None = None,
    token: Callable[[int], str] = token_urlsafe,
    hexed: Callable[[int], str] = token_hex,
) -> NewKey:
    """Make a key for ``user``, or for whomever its calls name, that works for so many ``days``.

    Raises ``InvalidInput`` naming what cannot be used.
    """
    if user is not None:
        Scope(tenant=tenant, user=user)  # says what is wrong with either
    if days is not None and not 0 < days <= 36_500:
        raise InvalidInput("days", f"is {days:g}", "choose a number above 0, up to 36,500")
    now, secret = core.clock(), token(_SECRET)
    key = Key(
        id=hexed(6), tenant=tenant, user=user, rights=tuple(sorted(rights(may))), name=name, created_at=now,
        expires_at=now + timedelta(days=days) if days is not None else None,
    )  # fmt: skip
    if core.store.keep(_record(key, _hash(secret)), version=0) is None:
        raise Conflict("a key of that id is there already; make one again")
    return NewKey(**key.model_dump(), plain=f"{_PREFIX}{_coded(tenant)}.{key.id}.{secret}")


def keys(core: Core) -> list[Key]:
    """Return the tenant's keys in the order in which they were made, revoked and expired ones too."""
    return [_read(record)[0] for record in core.store.kept(KIND, Which(owners=None), limit=_MOST)]


def revoke(core: Core, id: str, *, after: timedelta = timedelta()) -> Key:
    """End a key, at once or ``after`` a while; raises ``NotFound``."""
    record = _found(core, id)
    key, hashed = _read(record)
    end = core.clock() + after
    told = {"expires_at": min(end, key.expires_at or end)} if after else {"revoked_at": key.revoked_at or end}
    ended = key.model_copy(update=told)
    if core.store.keep(replace(record, body=_record(ended, hashed).body), version=record.version) is None:
        raise Conflict(f"key {id!r} was changed by somebody else just now; look at it again")
    return ended


def rotate(core: Core, id: str, *, grace: timedelta = timedelta(), days: float | None = None) -> NewKey:
    """Make a key like this one, which ends at once or after ``grace``; it works for ``days``, or as long as this one.

    Raises ``NotFound``, ``Conflict`` for a key that has ended.
    """
    old, _ = _read(_found(core, id))
    if not _works(old, core.clock()):
        raise Conflict(f"key {id!r} has ended; create another one")
    if days is None and old.expires_at is not None:
        days = (old.expires_at - core.clock()) / timedelta(days=1)
    new = create(core, old.tenant, user=old.user, may=old.rights, name=old.name, days=days)
    revoke(core, id, after=grace)
    return new


@dataclass(frozen=True, slots=True)
class Doorkeeper:
    """Tells whose a key is. Every way of being no valid key gives the same answer."""

    tenants: Tenants

    def __call__(self, plain: str) -> Principal:
        """Return the principal of a key, or raise ``Unauthorized``."""
        tenant, id, secret = _parts(plain)
        hashed, key = _hash(secret), None
        try:
            if tenant and self.tenants.is_made(tenant):
                with self.tenants.core(tenant) as core:
                    key = _known(core, id, hashed)
        except WrongTenant:
            logger.info("a key of another tenant than that of the one store here")
        if key is None or key.tenant != tenant:
            raise Unauthorized("this key is not known here, has expired or was revoked")
        return Principal(tenant=tenant, user=key.user, rights=frozenset(map(Right, key.rights)), key=key.id)


def _known(core: Core, id: str, hashed: str) -> Key | None:
    """Return the key of this id where its secret is the one hashed and it works now."""
    for record in core.store.kept(KIND, Which(owners=None, ids=[id]), limit=1):
        key, kept = _read(record)
        if hmac.compare_digest(kept, hashed) and _works(key, core.clock()):
            return key
    return None


def _works(key: Key, now: datetime) -> bool:
    return key.revoked_at is None and (key.expires_at is None or now < key.expires_at)


def _parts(plain: str) -> tuple[str, str, str]:
    """Return tenant, id and secret of a key; nothing where it has another form."""
    coded, _, rest = plain.removeprefix(_PREFIX).partition(".")
    id, _, secret = rest.partition(".")
    if not plain.startswith(_PREFIX) or len(plain) > _LONGEST or not plain.isascii() or not id:
        return "", "", ""
    try:
        tenant = urlsafe_b64decode(coded + "=" * (-len(coded) % 4)).decode()
        Scope(tenant=tenant, user="-")
    except (NotBase64, UnicodeError, MnemicError):
        return "", "", ""
    return (tenant, id, secret) if _coded(tenant) == coded else ("", "", "")


def _coded(tenant: str) -> str:
    return urlsafe_b64encode(tenant.encode()).decode().rstrip("=")


def _hash(secret: str) -> str:
    return sha256(secret.encode()).hexdigest()


def _record(key: Key, hashed: str) -> Record:
    body = json.dumps({"key": key.model_dump(mode="json"), "hash": hashed})
    return Record(kind=KIND, id=key.id, owner=key.user or "", body=body, state=DONE)


def _read(record: Record) -> tuple[Key, str]:
    told = json.loads(record.body)
    return Key.model_validate(told["key"]), told["hash"]


def _found(core: Core, id: str) -> Record:
    records = core.store.kept(KIND, Which(owners=None, ids=[id]), limit=1)
    if not records:
        raise NotFound("key", id)
    return records[0]
