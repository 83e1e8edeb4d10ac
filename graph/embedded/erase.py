"""Removing rows so that nothing of them is left in the file.

SQLite writes zeros over what it frees (``secure_delete``) and FTS5 takes a term out of its pages at
once (``secure-delete``). Two places remain: the log, which :mod:`connection` empties afterwards, and the
separators between pages of the word index, which may repeat the beginning of a term that is gone; where
one does, the index is built anew.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import apsw

from mnemic.graph.embedded import codec, queries
from mnemic.graph.embedded.write import Writer
from mnemic.graph.model import Layer, Memory

REBUILD_FROM = 2_000
"""From so many rows on, building the word index anew is quicker than taking them out one by one."""


@dataclass(slots=True)
class _Doomed:
    """Ids of what goes, by table, and the numbers of owners that go with all they have."""

    memory: dict[str, None] = field(default_factory=dict)
    turn: dict[str, None] = field(default_factory=dict)
    entity: dict[str, None] = field(default_factory=dict)
    owners: list[int] = field(default_factory=list)


def erase(
    db: apsw.Connection,
    *,
    owners: Sequence[str],
    memories: Sequence[str],
    turns: Sequence[str],
    entities: Sequence[str],
) -> int:
    """Remove these rows with their edges and vectors; return how many rows there were."""
    writer = Writer(db)
    ...
