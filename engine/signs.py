"""Signs of change: further words in a text that the overruling scorer hears, and nothing else does.

Unlike a cue, a sign alone decides nothing ("back", "new", "up to"); a scorer weighs it with all the rest.
"""

import tomllib
from functools import cache
from importlib.resources import files

from mnemic.extraction.cues import Cues


def signs_of(text: str) -> frozenset[str]:
    """Return the classes of ``dictionaries/signs.toml`` of which a word stands in a text."""
    return frozenset(cue.name for cue in _shipped().hear(text))


@cache
def _shipped() -> Cues:
    raw = tomllib.loads(files("mnemic.dictionaries").joinpath("signs.toml").read_text(encoding="utf-8"))
    return Cues({name: (*body["en"], *body["zh"]) for name, body in raw.items() if isinstance(body, dict)})
