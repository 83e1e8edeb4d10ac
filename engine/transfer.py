"""Export: everything that a scope may read, as plain rows that JSON can hold."""

from collections.abc import Iterator
from dataclasses import asdict
from datetime import datetime
from enum import Enum
from typing import Any

from mnemic.engine.core import Core
from mnemic.graph.ids import told_id, told_ids
from mnemic.graph.model import Layer
from mnemic.graph.view import View


def export(core: Core, view: View) -> Iterator[dict[str, Any]]:
    """Yield names, entities, turns, memories and REPLACES edges, each row with its ``type``."""
    for name in core.store.names(view):
        yield {"type": "name", **_plain(asdict(name))}
    for entity in core.store.entities(view):
        yield {"type": "entity", **_plain(asdict(entity))}
    for layer in (Layer.TURN, Layer.MEMORY):
        for row in core.store.scan(view, layer):
            yield {"type": layer.value, **_told(_plain(asdict(row)))}
            if layer is Layer.MEMORY:
                for edge in core.store.replacements(view, [row.id]):
                    if edge.newer == row.id:
                        yield {"type": "replaces", **_plain(asdict(edge))}


def _told(row: dict[str, Any]) -> dict[str, Any]:
    """Return a row with its turns under the names by which they were told."""
    if "sources" in row:
        return {**row, "sources": list(told_ids(row["sources"]))}
    return {**row, "id": told_id(row["id"])}


def _plain(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _plain(item) for key, item in value.items()}
    if isinstance(value, (list, tuple, frozenset)):
        return [_plain(item) for item in value]
    if isinstance(value, datetime):
        return value.isoformat()
    return value.value if isinstance(value, Enum) else value
