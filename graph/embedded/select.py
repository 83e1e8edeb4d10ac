"""Reading with untyped columns: what a statement returns is known only to who wrote it."""

from collections.abc import Iterator
from typing import Any

import apsw


def select(db: apsw.Connection, statement: str, values: Any = None) -> Iterator[Any]:
    """Yield the rows of ``statement`` as tuples."""
    return iter(db.execute(statement, values))


def first(db: apsw.Connection, statement: str, values: Any = None) -> Any:
    """Return the first row as a tuple, or None."""
    return next(select(db, statement, values), None)
