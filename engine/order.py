"""A job as a record: what is to be told, how often that was tried, and what came of it."""

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Any
from urllib.parse import quote

from mnemic.engine.message import Declared, Message
from mnemic.engine.results import Job, Receipt
from mnemic.engine.telling import SESSION, Telling
from mnemic.errors import StoreCorrupt
from mnemic.graph.model import Kind
from mnemic.graph.records import DONE, OPEN, Record

JOB = "job"
"""The kind of the records of jobs."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Order:
    """The body of a job: ``telling`` is None when it is done, and ``receipt`` then says what it did.

    ``tenant`` is that of the scope in which it is told; the owner of the record is the user.
    ``attempts`` were made when the record had ``version``; each version beyond it is one more that was begun.
    """

    created_at: datetime
    tenant: str
    telling: Telling | None
    attempts: int = 0
    version: int = 1
    reason: str = ""
    receipt: Receipt | None = None
    finished_at: datetime | None = None

    def written(self) -> str:
        """Return the body as JSON."""
        plain = {
            "created_at": self.created_at.isoformat(),
            "tenant": self.tenant,
            "telling": None if self.telling is None else _plain(self.telling),
            "attempts": self.attempts,
            "version": self.version,
            "reason": self.reason,
            "receipt": None if self.receipt is None else self.receipt.model_dump(mode="json"),
            "finished_at": None if self.finished_at is None else self.finished_at.isoformat(),
        }
        return json.dumps(plain, ensure_ascii=False, separators=(",", ":"))


def order_of(record: Record) -> Order:
    """Return what :meth:`Order.written` wrote; ``StoreCorrupt`` where it was written by something else."""
    try:
        return _read(json.loads(record.body))
    except (ValueError, KeyError, TypeError) as error:
        raise StoreCorrupt(f"job {record.id}: its record cannot be read ({error!r}); remove it") from error


def _read(plain: Mapping[str, Any]) -> Order:
    told, receipt, finished = plain["telling"], plain["receipt"], plain["finished_at"]
    return Order(
        created_at=datetime.fromisoformat(plain["created_at"]),
        tenant=plain["tenant"],
        telling=None if told is None else _telling(told),
        attempts=plain["attempts"],
        version=plain["version"],
        reason=plain["reason"],
        receipt=None if receipt is None else Receipt.model_validate(receipt),
        finished_at=None if finished is None else datetime.fromisoformat(finished),
    )


def attempts(record: Record, order: Order) -> int:
    """Return how often it has been tried, those counted whose worker did not come back."""
    return order.attempts + max(0, record.version - order.version)


def lane_of(telling: Telling) -> str:
    """Return what keeps the order: the owner and the session, that of the first message where there are several."""
    session = telling.messages[0].session if telling.messages else SESSION
    return f"{quote(telling.owner, safe='')}/{session}"


def as_job(record: Record, now: datetime) -> Job:
    """Return the job as a caller sees it at this moment."""
    order = order_of(record)
    state = record.state
    if state == OPEN:
        state = "running" if record.version > order.version and record.due > now else "waiting"
    return Job(
        id=record.id,
        state=state,
        attempts=attempts(record, order),
        reason=order.reason,
        receipt=order.receipt if record.state == DONE else None,
        created_at=order.created_at,
        finished_at=order.finished_at,
    )


def _plain(telling: Telling) -> dict[str, Any]:
    return {
        "owner": telling.owner,
        "messages": [{**asdict(each), "at": each.at.isoformat()} for each in telling.messages],
        "declared": asdict(telling.declared),
        "silent": telling.silent,
    }


def _telling(plain: Mapping[str, Any]) -> Telling:
    declared = dict(plain["declared"])
    kind = declared["kind"]
    declared |= {
        "kind": None if kind is None else Kind(kind),
        "tags": tuple(declared["tags"]),
        "masked": tuple((field, hidden) for field, hidden in declared["masked"]),
    }
    messages = [
        Message(**{**row, "at": datetime.fromisoformat(row["at"]), "masked": tuple(row["masked"])})
        for row in plain["messages"]
    ]
    return Telling(plain["owner"], tuple(messages), Declared(**declared), tuple(plain["silent"]))
