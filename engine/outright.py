"""What a caller said outright about a turn, noted on it: whoever reads the turn again has to keep to it."""

from collections.abc import Mapping
from typing import Any

from mnemic.engine.hearsay import RESERVED
from mnemic.engine.message import Declared
from mnemic.graph.model import Kind, Turn

_NOTE = f"{RESERVED}declared"


def note_of(declared: Declared) -> Mapping[str, Any]:
    """Return the note to keep with a turn; metadata stand on the turn themselves, tags on its memories."""
    told = {
        "kind": declared.kind.value if declared.kind is not None else None,
        "importance": declared.importance,
        "confidence": declared.confidence,
    }
    kept = {name: value for name, value in told.items() if value is not None}
    return {_NOTE: kept} if kept else {}


def declared_of(turn: Turn, tags: tuple[str, ...] = (), replaces: str | None = None) -> Declared:
    """Return what was said outright about a turn; ``replaces`` is the memory that it was said to overrule."""
    told = turn.metadata.get(_NOTE, {})
    return Declared(
        replaces=replaces,
        kind=Kind(told["kind"]) if "kind" in told else None,
        importance=told.get("importance"),
        confidence=told.get("confidence"),
        tags=tags,
        metadata={key: value for key, value in turn.metadata.items() if not key.startswith(RESERVED)},
    )
