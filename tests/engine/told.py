"""What the tests tell and ask: a small world of names, a door into it, and all that a door lets one see."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from mnemic import ManualClock, Mnemic, NotFound, Receipt, Scope
from mnemic.engine.results import Result
from mnemic.extraction.embedders.base import Embedder
from mnemic.graph.store import Stats

START = datetime(2026, 3, 2, 9, tzinfo=UTC)

NAMES: list[dict[str, Any]] = [
    {"name": "Ben Hill", "kind": "person", "aliases": ["Ben"]},
    {"name": "Lea Moss", "kind": "person", "aliases": ["Lea"]},
    {"name": "Sam Reed", "kind": "person", "aliases": ["Sam"]},
    {"name": "王小明", "kind": "person", "aliases": ["小王"]},
    {"name": "李雷", "kind": "person"},
    {"name": "赵敏", "kind": "person"},
    {"name": "checkout", "kind": "service", "aliases": ["结算服务"]},
    {"name": "ledger", "kind": "service", "aliases": ["账本服务"]},
    {"name": "Atlas", "kind": "project", "aliases": ["阿特拉斯"]},
]


def day(number: float) -> datetime:
    """Return the moment so many days after the tests begin."""
    return START + timedelta(days=number)


def door(
    where: str | Path = ":memory:",
    *,
    user: str = "ada",
    clock: ManualClock | None = None,
    names: list[dict[str, Any]] | None = NAMES,
    embedder: str | Embedder = "none",
) -> Mnemic:
    """Return a memory that knows ``names``, on a clock that stands still."""
    return Mnemic(where, user=user, embedder=embedder, clock=clock or ManualClock(START), dictionary=names)


def as_user(memory: Mnemic, user: str) -> Mnemic:
    """Return another user's door into the same store."""
    return Mnemic.within(memory.core, Scope(tenant=memory.scope.tenant, user=user))


def clock_of(memory: Mnemic) -> ManualClock:
    """Return the clock that the memory was opened with."""
    clock = memory.core.clock
    assert isinstance(clock, ManualClock)
    return clock


def tell(memory: Mnemic, *texts: str) -> list[Receipt]:
    """Tell one text a day, beginning on the first; the clock stands on the day after the last."""
    clock = clock_of(memory)
    receipts = []
    for text in texts:
        receipts.append(memory.remember(text))
        clock.now += timedelta(days=1)
    return receipts


def stored_id(receipt: Receipt) -> str:
    """Return the id of the only memory that a call stored."""
    assert len(receipt.stored) == 1, receipt
    return receipt.stored[0].id


def values(memory: Mnemic, name: str, predicate: str, **moments: datetime) -> list[str]:
    """Return what is held true of a slot, newest first, as ``about`` shows it."""
    facts = memory.about(name, **moments).facts
    return [fact.value for fact in facts if fact.predicate == predicate and not fact.inverse]


def recalled(memory: Mnemic, query: str, **wishes: Any) -> list[str]:
    """Return the texts that a question brings back."""
    return [item.text for item in memory.recall(query, **wishes).items]


def rows(memory: Mnemic, *types: str) -> list[dict[str, Any]]:
    """Return the exported rows of these types, of all types when none is named."""
    return [row for row in memory.export() if not types or row["type"] in types]


def answers(memory: Mnemic, name: str, query: str) -> Iterator[Result]:
    """Yield what each reading door says of ``name``, and to ``query``; errors pass through."""
    yield memory.recall(query, limit=50)
    yield memory.recall(query, limit=50, depth="deep")
    yield from memory.tasks()
    yield memory.about(name)
    yield memory.explore(name, hops=4)
    yield memory.history(name)
    yield memory.resolve(name)


def all_seen(memory: Mnemic, name: str, query: str) -> str:
    """Return all that a user gets to see, through every door, as one text.

    The question itself and the tenant's own dictionary, which all its users share, are left out.
    """
    seen = [json.dumps(rows(memory, "entity", "turn", "memory", "replaces"), ensure_ascii=False)]
    try:
        for answer in answers(memory, name, query):
            seen.append(json.dumps(answer.model_dump(mode="json", exclude={"query"}), ensure_ascii=False))
    except NotFound as error:
        seen += error.nearest
    return "\n".join(seen)


@contextmanager
def unchanged(memory: Mnemic) -> Iterator[None]:
    """Check that what runs inside writes nothing; what a service keeps beside the graph, and its room, may change."""
    before = rows(memory), _counts(memory)
    yield
    assert (rows(memory), _counts(memory)) == before


def _counts(memory: Mnemic) -> Stats:
    return replace(memory.stats(), records={}, bytes=0)


def bytes_of(folder: Path) -> bytes:
    """Return all bytes of the files in a folder, lower case."""
    return b"".join(path.read_bytes() for path in sorted(folder.iterdir())).lower()
