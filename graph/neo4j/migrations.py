"""What a database must have: constraints and indexes, made on start and checked, in numbered versions."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial

from mnemic.errors import StoreCorrupt, StoreTooNew
from mnemic.graph.encoding import write_json
from mnemic.graph.neo4j.connection import Connection, Log, Run
from mnemic.graph.neo4j.queries import schema

Step = Callable[[Connection], object]

_PATIENCE = 300
_AT_ONCE = 1_000


def _first(connection: Connection) -> None:
    _make(connection, {**schema.CONSTRAINTS, **schema.INDEXES})


def _make(connection: Connection, wanted: Mapping[str, str]) -> None:
    for create in wanted.values():
        connection.change_schema(create)
    for name in wanted:
        connection.read(schema.AWAIT_INDEX, {"name": name, "seconds": _PATIENCE})


def _nameless_log(connection: Connection) -> None:
    """Take the dictionary names out of the log, which in version 1 kept them when they were dropped."""
    connection.write(lambda run, log: run(schema.NAMELESS_LOG, {"kind": "name"}))


def _pack(statement: str, rows: list[list[str]], run: Run, log: Log) -> None:
    run(statement, {"rows": rows})


def _packed_rows(connection: Connection) -> None:
    """Pack each row into one property, which until version 2 stood in one for each column."""
    for label, unpacked in schema.UNPACKED.items():
        while rows := connection.read(unpacked, {"limit": _AT_ONCE}):
            packed = [[tenant, id, write_json(columns, "row")] for tenant, id, columns in rows]
            connection.write(partial(_pack, schema.PACK[label], packed))


def _one_vector(connection: Connection) -> None:
    """Keep one vector a row to be searched by: until version 3 there were two."""
    for drop in schema.SECOND_INDEXES:
        connection.change_schema(drop)
    for statement in schema.SECOND_VECTORS.values():
        while connection.write(partial(_moved, statement)):
            pass


def _moved(statement: str, run: Run, log: Log) -> int:
    ((count,),) = run(statement, {"limit": _AT_ONCE})
    return int(count)


def _records(connection: Connection) -> None:
    """Make room for what is kept beside the graph, which until version 4 was nothing."""
    wanted = {**schema.CONSTRAINTS, **schema.INDEXES}
    _make(connection, {name: each for name, each in wanted.items() if "Record)" in each or "Queue)" in each})


STEPS: tuple[Step, ...] = (_first, _nameless_log, _packed_rows, _one_vector, _records)
"""Step n turns a database of version n into version n + 1, and may run again. A released step is never changed."""


def prepare(connection: Connection, tenant: str, steps: Sequence[Step] = STEPS) -> None:
    """Bring the database to the newest version, see that all is there that must be, and make room for ``tenant``.

    Raises ``StoreTooNew`` when a newer mnemic made it, ``StoreCorrupt`` when an index of its name is
    another, is missing or has failed.
    """
    ((version,),) = connection.read(schema.VERSION, {})
    version = version or 0
    if version > len(steps):
        raise StoreTooNew(
            f"store {connection.place}: it has version {version}, this mnemic knows {len(steps)}; upgrade mnemic"
        )
    for step in steps[version:]:
        step(connection)
    if version < len(steps):
        connection.write(lambda run, log: run(schema.PUT_VERSION, {"version": len(steps)}))
    check(connection)
    ((there,),) = connection.read(schema.HAS_TENANT, {"tenant": tenant})
    if not there:
        connection.write(lambda run, log: run(schema.PUT_TENANT, {"tenant": tenant}))


def check(connection: Connection) -> None:
    """See that every constraint and index is there, is what its statement says, and has not failed."""
    found = {name: rest for name, *rest in connection.read(schema.SHOW_INDEXES, {})}
    for name, create in {**schema.CONSTRAINTS, **schema.INDEXES}.items():
        if name not in found:
            _broken(connection, name, "is missing")
        state, kind, labels, properties, constraint = found[name]
        if state == "FAILED":
            _broken(connection, name, "has failed")
        if not _says(create, labels, properties):
            _broken(connection, name, f"is on {labels} {properties}")
        if kind != ("FULLTEXT" if "FULLTEXT" in create else "RANGE"):
            _broken(connection, name, f"is of type {kind}")
        if name in schema.CONSTRAINTS and constraint != name:
            _broken(connection, name, "lets two nodes be the same")


def _says(create: str, labels: Sequence[str], properties: Sequence[str]) -> bool:
    """Tell whether a statement names this label or type and these properties, in this order."""
    named = create.split("REQUIRE")[-1] if "REQUIRE" in create else create.split(" ON ", 1)[1]
    told = [
        word.strip(" ()[]\n")
        for word in named.split("IS UNIQUE")[0].split("OPTIONS")[0].replace("EACH", "").split(",")
    ]
    return [word.split(".")[1] for word in told] == list(properties) and f":{labels[0]}" in create


def _broken(connection: Connection, name: str, problem: str) -> None:
    raise StoreCorrupt(
        f"store {connection.place}: the index {name} {problem}; drop it where it is there, then run: "
        "MATCH (n:Mnemic) SET n.version = 0, and open the store again"
    )
