"""What is stored, page by page: memories, turns and entities as their reader sees them."""

from base64 import urlsafe_b64decode, urlsafe_b64encode
from binascii import Error as NotBase64
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import TypeVar

from mnemic.engine.about import names_in
from mnemic.engine.called import value_of
from mnemic.engine.core import Core
from mnemic.engine.find import as_thing
from mnemic.engine.results import Page, Remembered, Said, Spoken, Thing
from mnemic.engine.version import version_of
from mnemic.errors import InvalidInput, NotFound
from mnemic.graph.ids import told_id, told_ids, turn_key
from mnemic.graph.model import TEAM, Entity, Layer, Memory, Turn
from mnemic.graph.view import Scope, View

MOST = 1_000
"""So many rows a page may have."""

R = TypeVar("R")


def memories(core: Core, view: View, *, hidden: bool, limit: int, cursor: str) -> Page[Remembered]:
    """Return memories by id from behind ``cursor``; without ``hidden`` only what counts at the view's moments.

    Raises ``InvalidInput`` for a limit or a cursor that cannot be used.
    """
    scanned = core.store.scan(view, Layer.MEMORY, after=_place(cursor))
    rows = (row for row in scanned if isinstance(row, Memory) and (hidden or view.shows(row)))
    taken, more = _taken(rows, limit)
    return Page(items=tuple(seen(core, view, taken)), next=_cursor(taken[-1].id) if more else None)


def memory(core: Core, view: View, id: str) -> Remembered:
    """Return one memory, hidden or not; raises ``NotFound``."""
    found = core.store.memories(view, ids=[id])
    if not found:
        raise NotFound("memory", id)
    return seen(core, view, found)[0]


def turns(core: Core, view: View, *, session: str | None, limit: int, cursor: str) -> Page[Spoken]:
    """Return turns from behind ``cursor``, those of one session in its order; raises as :func:`memories` does."""
    place = _place(cursor)
    if session is None:
        rows: Iterable[Turn] = (
            row for row in core.store.scan(view, Layer.TURN, after=place) if isinstance(row, Turn)
        )
    else:
        whole = core.store.turns(view, session=session)
        start = next((number for number, row in enumerate(whole, 1) if row.id == place), None)
        if place and start is None:
            raise InvalidInput("cursor", "stands at a turn that was forgotten", "begin anew")
        rows = whole[start:]
    taken, more = _taken(iter(rows), limit)
    return Page(items=tuple(map(_spoken, taken)), next=_cursor(taken[-1].id) if more else None)


def turn(core: Core, scope: Scope, view: View, id: str) -> Spoken:
    """Return one turn by the id under which the scope's user told it; raises ``NotFound``."""
    found = core.store.turns(view, ids=[turn_key(owner, scope.user, id) for owner in (scope.user, TEAM)])
    if not found:
        raise NotFound("turn", id)
    return _spoken(found[0])


def entities(core: Core, view: View, *, limit: int, cursor: str) -> Page[Thing]:
    """Return entities by their key, the owners' views of each as one; raises as :func:`memories` does."""
    place = _place(cursor)
    views: dict[str, list[Entity]] = {}
    for entity in core.store.entities(view):
        if entity.key > place:
            views.setdefault(entity.key, []).append(entity)
    taken, more = _taken(iter(sorted(views)), limit)
    things = (as_thing(sorted(views[key], key=lambda each: each.owner == TEAM)) for key in taken)
    return Page(items=tuple(things), next=_cursor(taken[-1]) if more else None)


def seen(core: Core, view: View, rows: list[Memory]) -> list[Remembered]:
    """Return memories as their reader sees them, in the same order."""
    names = names_in(core, view, rows)
    return [_remembered(row, names) for row in rows]


def _remembered(row: Memory, names: dict[str, Entity]) -> Remembered:
    subject = names.get(row.subject)
    said = None
    if row.predicate and subject is not None:
        said = Said(
            subject=subject.name, predicate=row.predicate, value=value_of(row, names), modality=row.modality
        )
    return Remembered(
        id=row.id, kind=row.kind.value, text=row.text, said=said, state=row.state.value, importance=row.importance,
        confidence=row.confidence, tags=row.tags, metadata=dict(row.metadata), speaker=row.speaker,
        session=row.session, at=row.at, since=row.valid_from, until=row.valid_to, recorded_at=row.recorded_at,
        retired_at=row.retired_at, owner=row.owner, turns=told_ids(row.sources), version=version_of(row),
    )  # fmt: skip


def _spoken(row: Turn) -> Spoken:
    return Spoken(
        id=told_id(row.id), session=row.session, speaker=row.speaker, role=row.role, text=row.text, at=row.at,
        recorded_at=row.recorded_at, owner=row.owner, metadata=dict(row.metadata),
    )  # fmt: skip


def _taken(rows: Iterator[R], limit: int) -> tuple[list[R], bool]:
    """Return the next ``limit`` rows, and whether more come behind them."""
    if not 1 <= limit <= MOST:
        raise InvalidInput("limit", f"is {limit}", f"choose from 1 to {MOST:,}")
    taken = list(islice(rows, limit + 1))
    return taken[:limit], len(taken) > limit


def _cursor(place: str) -> str:
    return urlsafe_b64encode(place.encode()).decode()


def _place(cursor: str) -> str:
    try:
        place = urlsafe_b64decode(cursor.encode()).decode()
    except (NotBase64, UnicodeError):
        place = ""
    if _cursor(place) != cursor:
        raise InvalidInput("cursor", "is none that a page gave", "pass `next` of the page before")
    return place
