"""Files that hold no conversation: known by how they begin, and refused as a whole with the command that takes them."""

import json
import re
from collections.abc import Sequence

from mnemic.errors import InvalidInput

LINES = 4
"""How many lines show what a file is."""

_TEXT = "save the file as UTF-8 text"
_UNPACK = "unpack it and import the files in it"
_BEGINNINGS = (
    (b"\xff\xfe", "UTF-16, not UTF-8", _TEXT),
    (b"\xfe\xff", "UTF-16, not UTF-8", _TEXT),
    (
        b"\x1f\x8b",
        "gzip, not text",
        "an archive of `mnemic backup` is for `mnemic restore`; for a packed log: zcat FILE | mnemic import -",
    ),
    (b"PK\x03\x04", "a zip archive", _UNPACK),
    (b"BZh", "a bzip2 archive", _UNPACK),
    (b"\xfd7zXZ", "an xz archive", _UNPACK),
    (b"\x28\xb5\x2f\xfd", "a zstd archive", _UNPACK),
    (b"SQLite format 3", "a store", "open it with --path, or move what it holds by `mnemic copy`"),
    (b"%PDF-", "a PDF", _TEXT),
)
_BINARY = re.compile(rb"[\x00-\x06\x0e-\x1a\x1c-\x1f]")
"""Control characters that no text has: all but those that terminals know."""

_ROWS = frozenset({"name", "entity", "turn", "memory", "replaces"})


def require_log(head: Sequence[bytes], source: str) -> None:
    """Raise ``InvalidInput`` that says what a file is whose first lines are no log of messages."""
    place, first = f"{source}, line 1", b"".join(head[:1])
    for beginning, what, fix in _BEGINNINGS:
        if first.startswith(beginning):
            raise InvalidInput(place, f"is {what}", fix)
    if _BINARY.search(first) or (any(map(_BINARY.search, head)) and not any(map(_is_text, head))):
        raise InvalidInput(place, "is binary data", "name a JSONL file of messages or a chat log, in UTF-8")
    row = _object(first)
    if row.get("type") in _ROWS and "content" not in row:
        raise InvalidInput(
            place,
            "is an export of mnemic, which is for reading",
            "`mnemic backup` and `mnemic restore` move a store",
        )
    if "mnemic" in row and "embedder" in row:
        raise InvalidInput(
            place, "is an archive of `mnemic backup`, unpacked", "gzip it; then `mnemic restore` takes it"
        )


def _is_text(line: bytes) -> bool:
    try:
        line.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return _BINARY.search(line) is None


def _object(line: bytes) -> dict[str, object]:
    """Return the object on a line, alone or as the first of an array; an empty one where there is none."""
    try:
        found = json.loads(line.strip().removeprefix(b"[").rstrip(b",]"))
    except (ValueError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}
