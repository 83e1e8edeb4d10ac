"""The version of a stored memory: changed whenever anything of it changes that a reader may see."""

import json
from dataclasses import asdict
from datetime import datetime
from enum import Enum
from typing import Any

from mnemic.errors import Conflict
from mnemic.graph.ids import digest
from mnemic.graph.model import Memory

_UNSEEN = frozenset({"access_count", "last_accessed_at", "terms"})


def version_of(memory: Memory) -> str:
    """Return what tells this state of ``memory`` from any other, the same in every store."""
    row = {name: value for name, value in asdict(memory).items() if name not in _UNSEEN}
    return digest("version", json.dumps(row, sort_keys=True, ensure_ascii=False, default=_plain))


def require_version(memory: Memory, version: str | None) -> None:
    """Raise ``Conflict`` where ``memory`` is no longer as it was in ``version``; None takes it as it is."""
    if version is not None and version_of(memory) != version:
        raise Conflict(f"memory {memory.id!r} has changed since it was read; read it again")


def _plain(value: Any) -> Any:
    if isinstance(value, datetime):
        return value.timestamp()
    return value.value if isinstance(value, Enum) else dict(value)
