"""The memories behind mem0's shape: whose they are, which count now, and what they said before."""

from collections.abc import Callable, Iterator, Mapping
from itertools import islice
from typing import Any

from mnemic.api.client.sync import Client
from mnemic.api.facade import Mnemic
from mnemic.api.mem0.filters import fits
from mnemic.api.mem0.shape import id_of, memory_dict, message_dict, metadata_of, number_of
from mnemic.api.mem0.whose import Whose, private_id
from mnemic.engine.results import Item, Remembered, Spoken
from mnemic.errors import InvalidInput, NotFound
from mnemic.graph.clock import Clock
from mnemic.graph.view import Scope

Door = Mnemic | Client
_PAGE, _BATCH = 1_000, 50


class Shelf:
    """What lies behind a :class:`Memory`; ``clock`` tells by when a memory counts."""

    def __init__(self, behind: Door, clock: Clock) -> None:
        self.behind, self._clock = behind, clock

    def door(self, owner: str) -> Door:
        """Return the memory of one user."""
        if isinstance(self.behind, Client):
            return self.behind.as_user(owner)
        return Mnemic.within(self.behind.core, Scope(tenant=self.behind.scope.tenant, user=owner))

    def rows(self, whose: Whose, *, hidden: bool = False) -> Iterator[Remembered]:
        """Yield the memories of whom the ids name, those that count now unless ``hidden`` too."""
        rows = _pages(self.door(whose.owner).memories, hidden=hidden)
        return (row for row in rows if _is_of(row, whose))

    def versions(self, memory_id: str) -> list[Remembered]:
        """Return what a memory said one after the other; nothing where there is no such memory."""
        known = private_id(memory_id)
        if known is None:
            return []
        rows = _pages(self.door(known[0]).memories, hidden=True)
        own = [row for row in rows if row.owner == known[0] and id_of(row) == memory_id]
        return sorted(own, key=lambda row: (number_of(row), row.recorded_at, row.id))

    def message(self, memory_id: str) -> dict[str, Any] | None:
        """Return the message of which no memory was made that ``memory_id`` means, None where it means none."""
        known = private_id(memory_id)
        try:
            return message_dict(self.door(known[0]).turn(known[1])) if known is not None else None
        except NotFound:
            return None

    def counts(self, row: Remembered) -> bool:
        """Tell whether a memory holds now."""
        ended = row.until is not None and row.until <= self._clock()
        return row.state == "active" and row.retired_at is None and not ended

    def found(self, whose: Whose, item: Item, filters: Mapping[str, Any]) -> dict[str, Any] | None:
        """Return what was recalled, None where it is the team's, or does not fit, or has gone meanwhile."""
        if item.owner != whose.owner:
            return None
        door = self.door(whose.owner)
        try:
            row = door.turn(item.id) if item.layer == "turn" else door.memory(item.id)
        except NotFound:
            return None
        if not fits(metadata_of(row), filters):
            return None
        return memory_dict(row) if isinstance(row, Remembered) else message_dict(row)

    def clear(self, whose: Whose) -> None:
        """Remove everything of whom the ids name: memories, and messages where these are not parted by agents."""
        door = self.door(whose.owner)
        if not (whose.user and whose.agent):
            _forget(door, lambda: (turn.id for turn in _turns(door, whose)))
        _forget(door, lambda: (row.id for row in self.rows(whose, hidden=True)))


def _is_of(row: Remembered, whose: Whose) -> bool:
    tagged = not whose.user or set(whose.tags) <= set(row.tags)
    return row.owner == whose.owner and tagged and (whose.run is None or row.session == whose.run)


def _turns(door: Door, whose: Whose) -> Iterator[Spoken]:
    return (turn for turn in _pages(door.turns, session=whose.run) if turn.owner == whose.owner)


def _forget(door: Door, ids: Callable[[], Iterator[str]]) -> None:
    """Remove what ``ids`` gives until it gives no more: what goes takes others along."""
    while batch := [*islice(ids(), _BATCH)]:
        door.forget(*batch)


def _pages(page: Callable[..., Any], **options: Any) -> Iterator[Any]:
    cursor = ""
    while True:
        got = page(limit=_PAGE, cursor=cursor, **options)
        yield from got.items
        if got.next is None:
            return
        cursor = got.next


def unknown(memory_id: str) -> InvalidInput:
    """Return the error for an id that is not known, which is a ``ValueError`` as in mem0."""
    return InvalidInput("memory_id", f"{memory_id!r} is not known here", "pass an id that add or search gave")
