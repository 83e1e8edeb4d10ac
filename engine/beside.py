"""What the caller says beside the words, tags and metadata: checked, and its secrets masked before it is kept."""

import json
from collections.abc import Mapping, Sequence
from typing import Any

from mnemic.engine.hearsay import RESERVED
from mnemic.errors import InvalidInput
from mnemic.extraction.secrets import mask, mask_value

_TAG = 200
"""Characters that a tag may have."""

_TAGS = 100
_METADATA = 65_536
"""Characters that the metadata of a call may have as JSON."""

_DEEP = 20

Hits = list[str]
"""The kinds of the secrets that were masked."""


def checked_tags(tags: Sequence[str], masked: Hits) -> tuple[str, ...]:
    """Return the tags without secrets, whose kinds go to ``masked``; raises ``InvalidInput``."""
    if isinstance(tags, str):
        raise InvalidInput("tags", "is a string", "pass a list of strings")
    if len(tags) > _TAGS:
        raise InvalidInput("tags", f"are {len(tags):,}", f"pass {_TAGS} at most")
    for number, tag in enumerate(tags):
        field = f"tags[{number}]"
        if not tag.strip():
            raise InvalidInput(field, "is empty", "leave it out")
        if len(tag) > _TAG:
            raise InvalidInput(field, f"has {len(tag):,} characters", f"a tag may have {_TAG}")
        require_storable(tag, field)
    return tuple(dict.fromkeys(_shown(mask(tag), masked) for tag in tags))


def checked_metadata(metadata: Mapping[str, Any], masked: Hits) -> dict[str, Any]:
    """Return the metadata without secrets in values and keys, whose kinds go to ``masked``.

    Raises ``InvalidInput`` for what is no JSON, too large, or named like the engine's own notes.
    """
    _require_json(metadata, "metadata", _DEEP)
    size = len(json.dumps(metadata, ensure_ascii=False, default=dict))
    if size > _METADATA:
        raise InvalidInput(
            "metadata",
            f"has {size:,} characters as JSON",
            f"keep it below {_METADATA:,}, or keep an id there",
        )
    own = next((key for key in metadata if key.startswith(RESERVED)), None)
    if own is not None:
        raise InvalidInput("metadata", f"has the key {own!r}", f"{RESERVED!r} begins mnemic's own notes")
    return _masked_row(metadata, masked)


def require_storable(text: str, field: str) -> None:
    """Raise ``InvalidInput`` for a text that no store can hold."""
    if "\x00" in text:
        raise InvalidInput(field, "holds a NUL character", "pass text, not binary data")
    try:
        text.encode("utf-8")
    except UnicodeEncodeError as error:
        raise InvalidInput(
            field, f"holds a lone surrogate at {error.start}", "decode it as UTF-8 first"
        ) from error


def _require_json(value: object, field: str, deep: int) -> None:
    if not deep:
        raise InvalidInput("metadata", f"is nested deeper than {_DEEP}", "make it flatter")
    if isinstance(value, str):
        require_storable(value, field)
    elif isinstance(value, Mapping):
        for key, inner in value.items():
            if not isinstance(key, str):
                raise InvalidInput(field, f"has the key {key!r}", "use strings as keys")
            require_storable(key, f"{field}, a key")
            _require_json(inner, f"{field}.{key[:60]}", deep - 1)
    elif isinstance(value, (list, tuple)):
        for number, inner in enumerate(value):
            _require_json(inner, f"{field}[{number}]", deep - 1)
    elif isinstance(value, float) and not -1.8e308 < value < 1.8e308:
        raise InvalidInput(field, f"is {value!r}, which JSON does not know", "leave it out")
    elif value is not None and not isinstance(value, (bool, int, float)):
        raise InvalidInput(field, f"is {type(value).__name__}, which is no JSON", "pass text or numbers")


def _masked_row(row: Mapping[str, Any], masked: Hits) -> dict[str, Any]:
    """Return a row without secrets; keys that are masked alike are numbered."""
    shown: dict[str, Any] = {}
    for key, value in row.items():
        name = whole = _shown(mask(key), masked)
        while name in shown:
            name = f"{whole} {len(shown) + 1}"
        shown[name] = _masked(key, value, masked)
    return shown


def _masked(key: str, value: Any, masked: Hits) -> Any:
    """Return what stands under ``key`` without secrets; a number that is one becomes a text."""
    if isinstance(value, Mapping):
        return _masked_row(value, masked)
    if isinstance(value, (list, tuple)):
        return [_masked(key, inner, masked) for inner in value]
    if value is None or isinstance(value, (bool, float)):
        return value
    shown = _shown(mask_value(key, str(value)), masked)
    return value if shown == str(value) else shown


def _shown(done: tuple[str, tuple[Any, ...]], masked: Hits) -> str:
    text, found = done
    masked.extend(hit.kind for hit in found)
    return text
