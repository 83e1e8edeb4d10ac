"""The tenants of a folder with one file each, or of one file."""

import logging
import time
from pathlib import Path

from mnemic.errors import StoreError
from mnemic.graph.embedded.connection import MEMORY, Access
from mnemic.graph.embedded.migrations import APPLICATION
from mnemic.graph.lookout import Lookout

logger = logging.getLogger(__name__)

_SETTLING = 2.0
"""Seconds for which a file that was written is looked at again: a second write may leave the same time and size."""

_Mark = tuple[tuple[int, int, int] | None, ...]
"""Of a file and of its log: which it is, when it was written, its size."""


class FileLookout(Lookout):
    """Sees the files at ``where``. Whose a file is, is read from it once."""

    def __init__(self, where: str, *, key: str | None = None) -> None:
        self._where, self._key = where, key
        self._owners: dict[tuple[Path, int], str] = {}
        self._settled: dict[str, _Mark] = {}
        self._files: dict[str, Path] = {}
        self._warned: set[str] = set()

    def tenants(self) -> list[str]:
        """See :meth:`Lookout.tenants`; a file that cannot be read is told in the log and passed over."""
        found: dict[str, Path] = {}
        for file in self._there():
            if tenant := self._tenant_of(file):
                found[tenant] = file
        self._files = found
        return sorted(found)

    def stirred(self, kind: str) -> list[str]:
        """See :meth:`Lookout.stirred`: those whose file was written since they were settled."""
        return [each for each in self.tenants() if self._settled.get(each, ()) != self.mark(each)]

    def mark(self, tenant: str) -> _Mark:
        """See :meth:`Lookout.mark`."""
        file = self._files.get(tenant)
        return (_seen(file), _seen(file.with_name(file.name + "-wal"))) if file is not None else (None, None)

    def settle(self, tenant: str, mark: object) -> None:
        """See :meth:`Lookout.settle`; not while a write may still come at the same time."""
        young = time.time_ns() - int(_SETTLING * 1e9)
        if isinstance(mark, tuple) and all(each is None or each[1] < young for each in mark):
            self._settled[tenant] = mark

    def close(self) -> None:
        """See :meth:`Lookout.close`; nothing is held open."""

    def _there(self) -> list[Path]:
        if self._where == MEMORY:
            return []
        place = Path(self._where)
        return sorted(place.glob("*.db")) if place.is_dir() else [place] if place.is_file() else []

    def _tenant_of(self, file: Path) -> str:
        try:
            known = (file, file.stat().st_ino)
            if known not in self._owners and (owner := _owner(file, self._key)):
                self._owners[known] = owner
            return self._owners.get(known, "")
        except FileNotFoundError:
            return ""
        except (StoreError, OSError) as error:
            if str(error) not in self._warned:
                logger.warning("%s", error)
            self._warned.add(str(error))
            return ""


def _owner(file: Path, key: str | None) -> str:
    """Return whose a file is; nothing for another program's, and for one that is just being made."""
    access = Access(str(file), key, "full", 1.0)
    db = access.connect(reader=True)
    try:
        with access.translated(db):
            if db.pragma("application_id") != APPLICATION:
                return ""
            owner: str = db.execute("SELECT tenant FROM meta").get
            return owner or ""
    finally:
        db.close()


def _seen(file: Path) -> tuple[int, int, int] | None:
    try:
        status = file.stat()
    except FileNotFoundError:
        return None
    # an empty log comes and goes with who opens the file
    return (status.st_ino, status.st_mtime_ns, status.st_size) if status.st_size else None
