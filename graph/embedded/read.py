"""The look-ups: rows by id, name, session, slot and time, and what upkeep reads."""

from collections.abc import Mapping, Sequence
from typing import Any

import apsw

from mnemic.graph import encoding
from mnemic.graph.embedded import codec, filters, queries
from mnemic.graph.embedded.filters import json_list
from mnemic.graph.embedded.picture import Owners, Picture
from mnemic.graph.embedded.select import first, select
from mnemic.graph.model import Embedded, Entity, Layer, Memory, Name, Replaces, Turn
from mnemic.graph.store import SCAN_PAGE, Change, Head, Probe, Stats
from mnemic.graph.view import View


def entities(
    picture: Picture, view: View, ids: Sequence[str], keys: Sequence[str], handles: Sequence[str]
) -> list[Entity]:
    """Return entities by id, key or handle; all when none is given."""
    owners = filters.owners_of(picture.db, view)
    if ids or keys or handles:
        rows = _rows_by(picture.db, queries.ENTITIES_BY, {"ids": ids, "keys": keys, "handles": handles})
    else:
        rows = _rows(picture.db, queries.ALL_ENTITIES, filters.of_view(view, owners))
    return sorted(picture.entities(rows, owners), key=lambda entity: entity.id)


def memories(
    picture: Picture, view: View, ids: Sequence[str], turns: Sequence[str], *, hidden: bool
) -> list[Memory]:
    """Return memories by id or source turn."""
    owners = filters.owners_of(picture.db, view)
    rows = _rows_by(picture.db, queries.MEMORIES_BY, {"ids": ids, "turns": turns})
    found = [each for each in picture.memories(rows, owners) if hidden or view.shows(each)]
    return sorted(found, key=lambda memory: (memory.valid_from, memory.id))


def turns(
    picture: Picture, view: View, ids: Sequence[str], session: str | None, last: int | None
) -> list[Turn]:
    """Return turns by id and those of a session, in session order."""
    owners = filters.owners_of(picture.db, view)
    rows = _rows(picture.db, queries.TURNS_BY_ID, (json_list(ids),)) if ids else []
    named = picture.turns(rows, owners)
    if session is not None:
        named += _session(picture, owners, session, last)
    return sorted({turn.id: turn for turn in named}.values(), key=_session_order)


def _session(picture: Picture, owners: Owners, session: str, last: int | None) -> list[Turn]:
    """Return the last turns of a session; owners who use one name for their sessions are read as one."""
    rows = []
    for owner in owners:
        wanted = {"owner": owner, "session": session, "last": -1 if last is None else last}
        rows += _rows(picture.db, queries.SESSION_TURNS, wanted)
    found = sorted(picture.turns(rows, owners), key=_session_order)
    return found if last is None else found[max(len(found) - last, 0) :]


def _session_order(turn: Turn) -> tuple[str, int, str]:
    return turn.session, turn.position, turn.id


def slot(picture: Picture, view: View, subject: str, predicate: str | None, *, hidden: bool) -> list[Memory]:
    """Return the memories of a slot, or of all slots of a subject."""
    owners = filters.owners_of(picture.db, view)
    if predicate is None:
        rows = _rows(picture.db, queries.SLOTS_OF, (subject,))
    else:
        rows = _rows(picture.db, queries.SLOT, (subject, predicate))
    found = [each for each in picture.memories(rows, owners) if hidden or view.shows(each)]
    return sorted(found, key=lambda memory: (memory.valid_from, memory.recorded_at, memory.id))


def timeline(picture: Picture, view: View, probe: Probe, *, hidden: bool) -> list[Memory]:
    """Return the latest memories that pass ``probe``: of its entities, or all when it names none."""
    owners = filters.owners_of(picture.db, view)
    wanted = {
        **filters.of_view(view, owners),
        **filters.of_probe(probe),
        "hidden": hidden,
        "limit": probe.limit,
    }
    if probe.entities:
        each = [(queries.MENTIONING, {**wanted, "entity": entity}) for entity in probe.entities]
    else:
        each = [(queries.LATEST[Layer.MEMORY], {**wanted, "owner": owner}) for owner in owners]
    found = {row for query, parameters in each for row in select(picture.db, query, parameters)}
    rows = [row for row, _, _ in sorted(found, key=lambda row: (-row[1], row[2]))[: probe.limit]]
    return picture.memories(rows, owners)


def _rows(db: apsw.Connection, query: str, values: Any) -> list[int]:
    return [row for (row,) in select(db, query, values)]


def _rows_by(
    db: apsw.Connection, statements: Mapping[str, str], wanted: Mapping[str, Sequence[str]]
) -> list[int]:
    """Return the rows that one of the statements finds, each once."""
    found = [
        row for by, words in wanted.items() if words for row in _rows(db, statements[by], (json_list(words),))
    ]
    return list(dict.fromkeys(found))


def replacements(db: apsw.Connection, view: View, ids: Sequence[str]) -> list[Replaces]:
    """Return the REPLACES edges that touch these memories and join two that the view may read."""
    return _replaces(db, queries.REPLACEMENTS, view, ids)


def edges(db: apsw.Connection, view: View, ids: Sequence[str]) -> list[Replaces]:
    """Return what :func:`replacements` returns, without the features."""
    return _replaces(db, queries.EDGES, view, ids)


def overruling(db: apsw.Connection, view: View, ids: Sequence[str]) -> list[Replaces]:
    """Return the edges by which these memories were overruled, idle ones left out, without the features."""
    return _replaces(db, queries.OVERRULING, view, ids)


def _replaces(db: apsw.Connection, query: str, view: View, ids: Sequence[str]) -> list[Replaces]:
    wanted = {**filters.of_view(view, filters.owners_of(db, view)), "ids": json_list(ids)}
    return [encoding.read_replaces(row) for row in select(db, query, wanted)]


def names(db: apsw.Connection, view: View | None) -> list[Name]:
    """Return the tenant's dictionary by name, and what the view's owners added."""
    owners = sorted({"", *(view.owners if view is not None else ())})
    return [codec.read_name(row) for row in select(db, queries.NAMES, (json_list(owners),))]


def scan_page(
    db: apsw.Connection, view: View, layer: Layer, *, after: str, unembedded: bool
) -> list[Memory | Turn]:
    """Return the next rows of a layer behind the id ``after``."""
    owners = filters.owners_of(db, view)
    wanted = {
        **filters.of_view(view, owners),
        "after": after,
        "unembedded": unembedded,
        "limit": SCAN_PAGE,
    }
    read = codec.read_memory if layer is Layer.MEMORY else codec.read_turn
    return [read(row, owners) for row in select(db, queries.SCAN[layer], wanted)]


def vectors(db: apsw.Connection, layer: Layer, ids: Sequence[str]) -> list[Embedded]:
    """Return the vectors of those of these rows that have any, by id."""
    found = list(select(db, queries.VECTORS[layer], (json_list(ids),)))
    if not found:
        return []
    _, dimension = first(db, queries.EMBEDDER)
    matrix = encoding.read_vectors(
        [blob for _, summary, detail in found for blob in (summary, detail or summary)], dimension
    )
    return [
        Embedded(layer=layer, id=id, summary=matrix[2 * number], detail=matrix[2 * number + 1])
        for number, (id, _, _) in enumerate(found)
    ]


def changes(db: apsw.Connection, since: int, limit: int) -> list[Change]:
    """Return the change log behind ``since``."""
    return [Change(*row) for row in select(db, queries.CHANGES, (since, limit))]


def head(db: apsw.Connection) -> Head:
    """Return the embedder and the newest change."""
    embedder, dimension = first(db, queries.EMBEDDER)
    return Head(embedder, dimension, first(db, queries.LOG_ENDS)[0])


def stats(db: apsw.Connection) -> Stats:
    """Count everything."""
    turns, memories, entities, replaces, vectors, names, embedder, dimension = first(db, queries.STATS)
    return Stats(
        turns=turns,
        memories=memories,
        entities=entities,
        replaces=replaces,
        vectors=vectors,
        names=names,
        embedder=embedder,
        dimension=dimension,
        schema=db.pragma("user_version"),
        sequence=first(db, queries.LOG_ENDS)[0],
        bytes=db.pragma("page_count") * db.pragma("page_size"),
        owners=tuple(name for (name,) in db.execute(queries.OWNER_NAMES)),
        records=dict(db.execute(queries.RECORD_KINDS)),
    )
