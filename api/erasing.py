"""Erasing a user with a report: what was removed, that nothing is left, signed so that the report can be checked.

The signature is an HMAC-SHA256 over the report's canonical JSON, with a key that the tenant's store keeps.
"""

import hmac
import json
from collections.abc import Iterable, Sequence
from datetime import datetime
from hashlib import sha256
from pathlib import Path
from secrets import token_hex

import ahocorasick

from mnemic.api.facade import Mnemic
from mnemic.engine.core import Core
from mnemic.engine.erase import erase, is_said_elsewhere, texts
from mnemic.engine.results import Result
from mnemic.errors import InvalidInput, StoreError
from mnemic.graph.records import DONE, Record, Which

_KIND, _ID = "signing", "erasure"
_LEAST, _MOST = 16, 5_000
"""A text of fewer bytes may stand anywhere by chance; more texts than this are not looked for, the longest first."""
_CHUNK = 1 << 22


class Erasure(Result):
    """What an erasing did. ``removed`` counts the rows by kind, ``left`` what a second look found of them.

    ``sought`` of the user's texts were looked for in the ``searched`` bytes of the store's files and ``found``
    in so many; None where there is no file to look into, or an encrypted one.
    """

    tenant: str
    user: str
    at: datetime
    removed: dict[str, int]
    left: int
    sought: int | None = None
    searched: int | None = None
    found: int | None = None
    signature: str = ""


def erase_user(memory: Mnemic, user: str, files: Sequence[Path] = ()) -> Erasure:
    """Erase all that the user of ``memory`` owns, and return the signed report.

    ``user`` has to be their name, so that nobody is erased by a slip; ``files`` are those of the store that
    can be looked into. Raises ``InvalidInput`` where the name is another one, ``StoreError`` where something
    of it is left; doing it again is safe.
    """
    scope, core = memory.scope, memory.core
    if user != scope.user:
        raise InvalidInput("user", "is not whose memory this is", "name whom to erase once more, for safety")
    sought = _telling(texts(core, scope)) if files else []
    removed = erase(core, scope)
    found = [text for text in _found(files, sought) if not is_said_elsewhere(core, text)]
    if found:
        raise StoreError(f"{len(found)} texts of {user!r} still stand in the store's files; erase again")
    report = Erasure(
        tenant=scope.tenant, user=user, at=core.clock(), removed=removed, left=0,
        sought=len(sought) if files else None, searched=_size(files) if files else None,
        found=0 if files else None,
    )  # fmt: skip
    return report.model_copy(update={"signature": _signature(core, report)})


def is_genuine(memory: Mnemic, report: Erasure) -> bool:
    """Tell whether ``report`` was made by this tenant's store and nobody changed it."""
    return hmac.compare_digest(report.signature, _signature(memory.core, report))


def _signature(core: Core, report: Erasure) -> str:
    told = report.model_dump(mode="json", exclude={"signature"})
    canonical = json.dumps(told, sort_keys=True, ensure_ascii=False, separators=(",", ":"))
    return hmac.new(_key(core), canonical.encode(), sha256).hexdigest()


def _key(core: Core) -> bytes:
    """Return the tenant's signing key, made when it is first needed."""
    which = Which(owners=None, ids=[_ID])
    if not core.store.kept(_KIND, which, limit=1):
        core.store.keep(Record(kind=_KIND, id=_ID, body=json.dumps(token_hex(32)), state=DONE), version=0)
    return bytes.fromhex(json.loads(core.store.kept(_KIND, which, limit=1)[0].body))


def _telling(all_texts: Iterable[str]) -> list[str]:
    """Return the texts that stand nowhere by chance, the longest first."""
    long = {text for text in all_texts if len(text.encode()) >= _LEAST}
    return sorted(long, key=lambda text: (-len(text), text))[:_MOST]


def _found(files: Sequence[Path], sought: Sequence[str]) -> list[str]:
    """Return which texts stand in the files, byte for byte (Latin-1 makes a character of each byte)."""
    if not sought:
        return []
    automaton = ahocorasick.Automaton()
    for text in sought:
        automaton.add_word(text.encode().decode("latin-1"), text)
    automaton.make_automaton()
    overlap = max(len(text.encode()) for text in sought)
    found: set[str] = set()
    for file in files:
        with file.open("rb") as opened:
            tail = b""
            while chunk := opened.read(_CHUNK):
                found.update(text for _, text in automaton.iter((tail + chunk).decode("latin-1")))
                tail = (tail + chunk)[-overlap:]
    return sorted(found)


def _size(files: Sequence[Path]) -> int:
    return sum(file.stat().st_size for file in files)
