"""SQLite's errors in mnemic's words: translated here, once, for every statement of this store."""

import errno
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import apsw

from mnemic.errors import StoreBusy, StoreCorrupt, StoreError, StoreFull, WrongKey

_ENCRYPTED_PAGE = 4096
_PLAIN_HEADER = b"SQLite format 3\0"
_NO_ROOM = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG})

MEANING: dict[type[apsw.Error], tuple[type[StoreError], str]] = {
    apsw.BusyError: (StoreBusy, "another connection holds it; try again, or open it with a longer timeout"),
    apsw.LockedError: (StoreBusy, "another connection holds it; try again, or open it with a longer timeout"),
    apsw.ProtocolError: (StoreBusy, "too many connections start at once; try again"),
    apsw.CorruptError: (StoreCorrupt, "the file is damaged; restore a backup"),
    apsw.FormatError: (StoreCorrupt, "the file is damaged; restore a backup"),
    apsw.FullError: (StoreFull, "no room is left; free some and write again, nothing of this write was kept"),
    apsw.TooBigError: (StoreError, "a single value is larger than SQLite allows (1 GB); split it"),
    apsw.CantOpenError: (StoreError, "it cannot be opened; check the path and who may read and write there"),
    apsw.PermissionsError: (StoreError, "access is denied; check who may read and write there"),
    apsw.AuthError: (StoreError, "access is denied; check who may read and write there"),
    apsw.ReadOnlyError: (StoreError, "it cannot be written; make the file and its folder writable"),
    apsw.NoLFSError: (StoreError, "this system has no large files; move it to another disk"),
    apsw.NoMemError: (StoreError, "no memory is left; free some"),
    apsw.ConnectionClosedError: (StoreError, "it is closed; open it again"),
    apsw.CursorClosedError: (StoreError, "it is closed; open it again"),
    apsw.ForkingViolationError: (StoreError, "it was opened before a fork; open it again in the child"),
}
"""What each class of SQLite error means. The rest can only come from a fault of this package."""


def translate(error: apsw.Error, place: str, *, keyed: bool, system_errno: int) -> StoreError:
    """Return what ``error`` means for the store at ``place``.

    ``keyed`` tells whether it was opened with a key, ``system_errno`` what the last system call said.
    """
    if isinstance(error, apsw.NotADBError):
        return _unreadable(place, keyed)
    if isinstance(error, apsw.IOError):
        return _disk(error, place, system_errno)
    kind, words = MEANING.get(type(error), (StoreError, f"a fault inside mnemic, please report it ({error})"))
    return kind(f"store {place}: {words}")


def _disk(error: apsw.IOError, place: str, system_errno: int) -> StoreError:
    """SQLite reports a full disk as an I/O error too, where it is a quota or the log's shared index."""
    if system_errno in _NO_ROOM or getattr(error, "extendedresult", 0) == apsw.SQLITE_IOERR_SHMSIZE:
        kind, words = MEANING[apsw.FullError]
        return kind(f"store {place}: {words}")
    return StoreError(f"store {place}: the disk failed ({error}); check it and the folder")


def _unreadable(place: str, keyed: bool) -> StoreError:
    """Tell the three ways apart in which a file does not read as a database."""
    path = Path(place)
    with path.open("rb") as file:
        plain = file.read(len(_PLAIN_HEADER)) == _PLAIN_HEADER
    if plain and keyed:
        return WrongKey(f"store {place}: it is not encrypted; open it without a key")
    if keyed:
        return WrongKey(f"store {place}: the key does not open it; pass the key it was made with")
    if not plain and path.stat().st_size % _ENCRYPTED_PAGE == 0:
        return WrongKey(f"store {place}: it is encrypted; pass its key (or this is no mnemic store at all)")
    return StoreCorrupt(f"store {place}: this is no mnemic store, or its first page is damaged")


@contextmanager
def translated(db: apsw.Connection | None, place: str, keyed: bool) -> Iterator[None]:
    """Raise what :func:`translate` says in place of SQLite's errors; others pass through."""
    try:
        yield
    except apsw.Error as error:
        system_errno = db.system_errno if db is not None and isinstance(error, apsw.IOError) else 0
        raise translate(error, place, keyed=keyed, system_errno=system_errno) from error
