"""Removing rows with all that hangs on them.

The server frees their records and writes over them in its own time; its transaction log keeps what was
written until it is rotated away (see docs/neo4j.md).
"""

from collections.abc import Collection, Sequence

from mnemic.graph.detach import without
from mnemic.graph.model import GraphDelta, Layer
from mnemic.graph.neo4j import codec
from mnemic.graph.neo4j.books import Books
from mnemic.graph.neo4j.connection import Log, Run
from mnemic.graph.neo4j.queries import writing
from mnemic.graph.neo4j.records import drop_with
from mnemic.graph.neo4j.write import Writer


def erase(
    run: Run,
    tenant: str,
    log: Log,
    *,
    owners: Sequence[str],
    memories: Sequence[str],
    turns: Sequence[str],
    entities: Sequence[str],
) -> int:
    """Remove these rows with their edges and vectors; return how many there were."""
    books = Books(run, tenant, log)
    books.open(owner for (owner,) in run(writing.OWNERS_THERE, {"tenant": tenant, "names": list(owners)}))
    asked = {Layer.MEMORY: memories, Layer.TURN: turns}
    rows = {
        layer: list(
            run(writing.DOOMED[layer], {"tenant": tenant, "ids": list(asked[layer]), "owners": list(owners)})
        )
        for layer in Layer
    }
    nodes = list(
        run(writing.DOOMED_ENTITIES, {"tenant": tenant, "ids": list(entities), "owners": list(owners)})
    )
    ids = {layer: [row[0] for row in rows[layer]] for layer in Layer}
    gone = [id for id, _ in nodes]
    _detach(run, tenant, log, ids[Layer.MEMORY], ids[Layer.TURN], gone)

    books = Books(run, tenant, log)
    books.open([*(row[1] for layer in Layer for row in rows[layer]), *(owner for _, owner in nodes)])
    for layer in Layer:
        for id, owner, length, detail in rows[layer]:
            books.count(owner, layer.value, length, -1)
            if detail is not None:
                books.count_vector(owner, layer, detail, -1)
            books.log(owner, "erased", id)
    for id, owner in nodes:
        books.count(owner, "entity", 0, -1)
        books.log(owner, "erased", id)
    drop_with(run, tenant, owners, ids[Layer.TURN])
    _drop(run, tenant, ids[Layer.MEMORY], ids[Layer.TURN], gone)
    if owners:
        run(writing.DROP_NAMES_OF, {"tenant": tenant, "owners": list(owners)})
    books.close(without=owners)
    return sum(map(len, rows.values())) + len(nodes)


def _drop(
    run: Run, tenant: str, memories: Sequence[str], turns: Sequence[str], entities: Sequence[str]
) -> None:
    for statement, ids in (
        (writing.DROP_EPISODES, memories),
        (writing.DROP_ROWS[Layer.MEMORY], memories),
        (writing.DROP_IN, turns),
        (writing.DROP_ROWS[Layer.TURN], turns),
        (writing.DROP_HANDLES, entities),
        (writing.DROP_ENTITIES, entities),
    ):
        if ids:
            run(statement, {"tenant": tenant, "ids": ids})


def _detach(
    run: Run,
    tenant: str,
    log: Log,
    memories: Sequence[str],
    turns: Collection[str],
    entities: Collection[str],
) -> None:
    """Take turns and entities that are going out of the memories that stay."""
    if not turns and not entities:
        return
    parameters = {"tenant": tenant, "memories": memories, "turns": turns, "entities": entities}
    left = [codec.read_memory(row) for (row,) in run(writing.LEFT_BEHIND, parameters)]
    if left:
        turns, entities = frozenset(turns), frozenset(entities)
        rest = tuple(without(memory, turns, entities) for memory in left)
        Writer(run, tenant, log, GraphDelta(memories=rest)).apply()
