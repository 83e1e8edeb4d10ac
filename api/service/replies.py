"""Writes that are done once however often they are sent: the answer to an idempotency key is kept for a day.

The key is its user's. While the first call is under way a second is told so; where a process died between the write
and its answer the work is done again, as of the same moment: the engine knows the turns that were told then.
"""

import json
from collections.abc import Callable
from dataclasses import replace
from datetime import datetime, timedelta
from hashlib import sha256
from typing import Any

from mnemic.engine.core import Core
from mnemic.engine.results import Receipt
from mnemic.engine.working import repeated
from mnemic.errors import Conflict, InvalidInput
from mnemic.graph.ids import digest, turn_key
from mnemic.graph.model import TEAM
from mnemic.graph.records import DONE, OPEN, Record, Which
from mnemic.graph.view import Scope

KIND = "reply"
KEPT = timedelta(days=1)
_UNDER_WAY = timedelta(seconds=120)
_LONGEST = 200
_FAILED = "failed"


class Replies:
    """The answers of one user's writes, in the tenant's own store."""

    def __init__(self, core: Core, scope: Scope) -> None:
        self._core, self._scope, self._store = core, scope, core.store

    def once(
        self, key: str, request: bytes, work: Callable[[datetime], tuple[Any, bytes]]
    ) -> tuple[Any, bytes]:
        """Return what ``work`` gives, result and answer, or the answer that it gave under ``key`` before (no result).

        ``work`` is told as of which moment. Raises ``Conflict`` where another ``request`` came under the key, or
        the same one is under way; where ``work`` raises, nothing is kept.
        """
        if not key.strip() or len(key) > _LONGEST:
            raise InvalidInput(
                "Idempotency-Key", "is empty or too long", f"send from 1 to {_LONGEST} characters"
            )
        now = self._core.clock()
        self._store.drop(KIND, Which(owners=[self._scope.user], states=[DONE], before=now))
        id, hashed = digest("reply", self._scope.user, key), sha256(request).hexdigest()
        claimed = self._claimed(id, hashed, now)
        if claimed.state == DONE:
            return None, str(json.loads(claimed.body)["answer"]).encode()
        try:
            result, answer = work(datetime.fromisoformat(json.loads(claimed.body)["at"]))
        except BaseException:
            self._let_go(claimed)
            raise
        body = json.loads(claimed.body) | {"answer": answer.decode()}
        done = replace(claimed, body=json.dumps(body, ensure_ascii=False), state=DONE, due=now + KEPT)
        self._store.keep(replace(done, about=self._about(result)), version=claimed.version)
        return result, answer

    def _let_go(self, claimed: Record) -> None:
        """Forget a claim, unless somebody else has taken it over meanwhile."""
        if self._store.keep(replace(claimed, state=_FAILED), version=claimed.version) is not None:
            self._store.drop(KIND, Which(owners=[self._scope.user], ids=[claimed.id], states=[_FAILED]))

    def _claimed(self, id: str, hashed: str, now: datetime) -> Record:
        """Return the record under which the work is to be done, or the one of which it was done."""
        until = now + _UNDER_WAY
        body = json.dumps({"request": hashed, "at": now.isoformat()})
        fresh = Record(kind=KIND, id=id, owner=self._scope.user, body=body, state=OPEN, due=until)
        claimed = self._store.keep(fresh, version=0)
        if claimed is not None:
            return claimed
        (known,) = self._store.kept(KIND, Which(owners=[self._scope.user], ids=[id]), limit=1) or (fresh,)
        if json.loads(known.body)["request"] != hashed:
            raise Conflict("this Idempotency-Key came with another body before; use a new one")
        if known.state == DONE:
            return known
        taken = (
            self._store.keep(replace(known, due=until), version=known.version) if known.due <= now else None
        )
        if taken is None:
            raise Conflict("the call with this Idempotency-Key is still under way; ask again")
        return taken

    def _about(self, result: Any) -> tuple[str, ...]:
        """Return the turns whose words a receipt repeats, as the store names them."""
        if not isinstance(result, Receipt):
            return ()
        owners = (self._scope.user, TEAM)
        told = [turn_key(owner, self._scope.user, id) for owner in owners for id in result.turns]
        return tuple(repeated(self._store, self._core.view(self._scope), result, told)[1])
