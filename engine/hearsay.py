"""What is no fact until it is confirmed: things heard from others and things supposed.

A turn that says nothing else is noted when it is written, so that no answer has to read it again.
"""

from collections.abc import Mapping
from typing import Any

from mnemic.extraction.model import Analysis, Modality, Unit
from mnemic.graph.model import Turn

UNSURE = frozenset({Modality.HYPOTHETICAL, Modality.REPORTED})
RESERVED = "mnemic:"
"""Keys of metadata that begin so are the engine's own notes."""
_NOTE = f"{RESERVED}unsure"


def note_of(analysis: Analysis) -> Mapping[str, Any]:
    """Return the note to keep with a turn that was understood so."""
    units = analysis.units
    return {_NOTE: True} if units and all(map(_is_unsure, units)) else {}


def noted(metadata: Mapping[str, Any], analysis: Analysis) -> Mapping[str, Any]:
    """Return the metadata of a turn with the note that fits how it is understood now."""
    return {**{key: value for key, value in metadata.items() if key != _NOTE}, **note_of(analysis)}


def _is_unsure(unit: Unit) -> bool:
    """Tell whether a unit says nothing sure; what people say of themselves and laugh, and no more, is in fun."""
    laughs = not unit.statements and {"joke", "first"} <= unit.cues.keys()
    return laughs or unit.modality in UNSURE


def says_nothing_sure(turn: Turn) -> bool:
    """Tell whether a stored turn was noted to say nothing sure."""
    return turn.metadata.get(_NOTE) is True
