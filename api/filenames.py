"""Names of files that a caller gives, checked before anything is done with them."""

import os
from pathlib import Path

from mnemic.errors import InvalidInput


def require_file(file: str | Path) -> Path:
    """Return ``file`` as a path; raises ``InvalidInput`` for a folder, and for what can be no name of a file."""
    place = Path(file)
    try:
        named = bool(place.name) and b"\0" not in os.fsencode(place)
        folder = named and place.is_dir()
    except (UnicodeEncodeError, OSError):
        named = folder = False
    if folder or place.name == "..":
        raise InvalidInput("file", f"{file} is a folder", "name a file in it")
    if not named:
        raise InvalidInput("file", f"{str(file)!r} can be no name of a file", "choose another")
    return place
