"""The look-ups: rows by id, name, session, slot and time, and what upkeep reads."""

from collections.abc import Mapping, Sequence

import apsw
import numpy as np

from mnemic.graph.embedded import codec, filters, queries
from mnemic.graph.embedded.filters import json_list
from mnemic.graph.embedded.select import first, select
from mnemic.graph.model import Embedded, Entity, Layer, Memory, Name, Replaces, Turn
from mnemic.graph.store import Change, Probe, Stats
from mnemic.graph.view import View

SCAN_PAGE = 500
"""A scan reads so many rows at a time and holds nothing open in between."""


def entities(
    db: apsw.Connection, view: View, ids: Sequence[str], keys: Sequence[str], handles: Sequence[str]
) -> list[Entity]:
    """Return entities by id, key or handle; all when none is given."""
    owners = filters.owners_of(db, view)
    wanted = {
        **filters.of_view(view, owners),
        "ids": json_list(ids),
        "keys": json_list(keys),
        "handles": json_list(handles),
    }
    query = queries.ENTITIES if ids or keys or handles else queries.ALL_ENTITIES
    return [codec.read_entity(row, owners) for row in select(db, query, wanted)]


def memories(
    db: apsw.Connection, view: View, ids: Sequence[str], turns: Sequence[str], *, hidden: bool
) -> list[Memory]:
    """Return memories by id or source turn."""
    owners = filters.owners_of(db, view)
    wanted = {
        **filters.of_view(view, owners),
        "ids": json_list(ids),
        "turns": json_list(turns),
        "hidden": hidden,
    }
    return [codec.read_memory(row, owners) for row in select(db, queries.MEMORIES, wanted)]


def turns(
    db: apsw.Connection, view: View, ids: Sequence[str], session: str | None, last: int | None
) -> list[Turn]:
    """Return turns by id and those of a session, in session order."""
    owners = filters.owners_of(db, view)
    wanted = {**filters.of_view(view, owners), "ids": json_list(ids)}
    named = [codec.read_turn(row, owners) for row in select(db, queries.TURNS, wanted)] if ids else []
    if session is not None:
        named += _session(db, owners, session, last)
    return sorted({turn.id: turn for turn in named}.values(), key=_session_order)


def _session(db: apsw.Connection, owners: Mapping[int, str], session: str, last: int | None) -> list[Turn]:
    """Return the last turns of a session; owners who use one name for their sessions are read as one."""
    found = []
    for owner in owners:
        wanted = {"owner": owner, "session": session, "last": -1 if last is None else last}
        found += [codec.read_turn(row, owners) for row in select(db, queries.SESSION_TURNS, wanted)]
    found.sort(key=_session_order)
    return found if last is None else found[max(len(found) - last, 0) :]


def _session_order(turn: Turn) -> tuple[str, int, str]:
    return turn.session, turn.position, turn.id


def slot(db: apsw.Connection, view: View, subject: str, predicate: str | None) -> list[Memory]:
    """Return the memories of a slot, or of all slots of a subject."""
    owners = filters.owners_of(db, view)
    wanted = {**filters.of_view(view, owners), "subject": subject, "predicate": predicate}
    return [codec.read_memory(row, owners) for row in select(db, queries.SLOT, wanted)]


def timeline(db: apsw.Connection, view: View, probe: Probe, *, hidden: bool) -> list[Memory]:
    """Return the latest memories that pass ``probe``: of its entities, or all when it names none."""
    owners = filters.owners_of(db, view)
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
    found = {row for query, parameters in each for row in select(db, query, parameters)}
    rows = [row for row, _, _ in sorted(found, key=lambda row: (-row[1], row[2]))[: probe.limit]]
    return memories_at(db, rows, owners)


def memories_at(db: apsw.Connection, rows: Sequence[int], owners: Mapping[int, str]) -> list[Memory]:
    """Return the memories in these rows, in this order."""
    if not rows:
        return []
    wanted = apsw.carray(np.array(rows, np.int64))
    found = {row: columns for row, *columns in select(db, queries.MEMORY_ROWS, (wanted,))}
    return [codec.read_memory(found[row], owners) for row in rows]


def replacements(db: apsw.Connection, view: View, ids: Sequence[str]) -> list[Replaces]:
    """Return the REPLACES edges that touch these memories and join two that the view may read."""
    wanted = {**filters.of_view(view, filters.owners_of(db, view)), "ids": json_list(ids)}
    return [codec.read_replaces(row) for row in select(db, queries.REPLACEMENTS, wanted)]


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
    return [codec.READ[layer](row, owners) for row in select(db, queries.SCAN[layer], wanted)]


def vectors(db: apsw.Connection, layer: Layer, ids: Sequence[str]) -> list[Embedded]:
    """Return the vectors of those of these rows that have any, by id."""
    found = list(select(db, queries.VECTORS[layer], (json_list(ids),)))
    if not found:
        return []
    _, dimension = first(db, queries.EMBEDDER)
    matrix = codec.read_vectors(
        [blob for _, summary, detail in found for blob in (summary, detail or summary)], dimension
    )
    return [
        Embedded(layer=layer, id=id, summary=matrix[2 * number], detail=matrix[2 * number + 1])
        for number, (id, _, _) in enumerate(found)
    ]


def changes(db: apsw.Connection, since: int, limit: int) -> list[Change]:
    """Return the change log behind ``since``."""
    return [Change(*row) for row in select(db, queries.CHANGES, (since, limit))]


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
        bytes=db.pragma("page_count") * db.pragma("page_size"),
        owners=tuple(name for (name,) in db.execute(queries.OWNER_NAMES)),
    )
