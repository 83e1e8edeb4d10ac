"""Changing a store over to another embedder: all of its users' rows, in batches, resumable."""

from collections.abc import Iterator
from pathlib import Path

from mnemic.api.opening import open_store, require_made
from mnemic.engine.core import Core
from mnemic.engine.embedding import reembed
from mnemic.engine.settings import Settings
from mnemic.errors import InvalidInput
from mnemic.extraction.embedders.registry import embedder as embedder_named
from mnemic.graph.clock import system_clock
from mnemic.graph.view import View


def change_over(
    where: str | Path, *, embedder: str, tenant: str = "default", key: str | None = None
) -> Iterator[tuple[int, int]]:
    """Fill the store at ``where`` with the vectors of ``embedder``; yield how many rows of how many are done.

    It may be stopped at any time: the next call goes on where it stopped, and until then recall finds by
    words and graph what has no vectors yet. Raises ``UnknownName`` for an embedder that is not registered,
    ``InvalidInput`` for one that makes no vectors, and where there is no store.
    """
    chosen = embedder_named(embedder)
    if chosen is None:
        raise InvalidInput("embedder", f"{embedder!r} makes no vectors", "name one that does")
    require_made(str(where), tenant)
    with open_store(str(where), tenant=tenant, key=key) as store:
        before = store.stats()
        if (before.embedder, before.dimension) != (chosen.name, chosen.dimension):
            store.adopt(chosen.name, chosen.dimension)
        if not before.owners:
            return
        core = Core(store, chosen, system_clock, Settings())
        view = View(owners=frozenset(before.owners), valid=core.clock(), known=core.clock())
        total = before.turns + before.memories - store.stats().vectors
        for done in reembed(core, view):
            yield done, total
