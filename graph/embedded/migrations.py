"""The file's versions: how a new file comes to be, and how an old one becomes a newer one."""

from collections.abc import Callable, Sequence
from importlib.resources import files

import apsw

from mnemic.errors import StoreCorrupt, StoreTooNew, WrongTenant

APPLICATION = 0x6D6E656D
"""SQLite's ``application_id`` of a mnemic store: "mnem"."""

Step = Callable[[apsw.Connection], object]


def _first(db: apsw.Connection) -> None:
    db.execute(files("mnemic.graph.embedded").joinpath("schema.sql").read_text(encoding="utf-8"))
    db.pragma("application_id", APPLICATION)


def _nameless_log(db: apsw.Connection) -> None:
    """Take the dictionary names out of the log, which in version 1 kept them when they were dropped."""
    db.execute("UPDATE change SET id = '' WHERE kind = 'name'")


def _records(db: apsw.Connection) -> None:
    """Make room for what is kept beside the graph, which until version 2 was nothing."""
    db.execute(files("mnemic.graph.embedded").joinpath("records.sql").read_text(encoding="utf-8"))


STEPS: tuple[Step, ...] = (_first, _nameless_log, _records)
"""Step n turns a file of version n into version n + 1. A released step is never changed."""


def prepare(db: apsw.Connection, place: str, tenant: str, steps: Sequence[Step] = STEPS) -> None:
    """Bring the file behind ``db`` to the newest version, and see that it is ``tenant``'s.

    Raises ``StoreCorrupt`` when the file belongs to another program, ``StoreTooNew`` when a newer
    mnemic wrote it, ``WrongTenant``. What other program's files hold is left untouched.
    """
    with db:  # one picture of the file, which another process may be making
        version = _version(db, place, steps)
    if version < len(steps):
        db.pragma("journal_mode", "wal")
        _take(db, place, tenant, steps)
    owner: str = db.execute("SELECT tenant FROM meta").get
    if owner != tenant:
        raise WrongTenant(
            f"store {place}: it belongs to tenant {owner!r}, not {tenant!r}; pass its own tenant"
        )


def _take(db: apsw.Connection, place: str, tenant: str, steps: Sequence[Step]) -> None:
    """Take the missing steps as one transaction; another process may have taken them meanwhile."""
    db.execute("BEGIN IMMEDIATE")
    try:
        for step in steps[_version(db, place, steps) :]:
            step(db)
        db.pragma("user_version", len(steps))
        db.execute("INSERT INTO meta (one, tenant) VALUES (1, ?) ON CONFLICT DO NOTHING", (tenant,))
        db.execute("COMMIT")
    finally:
        if db.in_transaction:
            db.execute("ROLLBACK")


def _version(db: apsw.Connection, place: str, steps: Sequence[Step]) -> int:
    version: int = db.pragma("user_version")
    application: int = db.pragma("application_id")
    if application != APPLICATION:
        if application or version or db.execute("SELECT count(*) FROM sqlite_schema").get:
            raise StoreCorrupt(f"store {place}: this is another program's database; check the path")
    elif version > len(steps):
        raise StoreTooNew(
            f"store {place}: it has version {version}, this mnemic knows {len(steps)}; upgrade mnemic"
        )
    return version
