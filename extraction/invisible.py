"""Places in a text that was read without the characters that nobody sees (zero-width blanks in a word)."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

from mnemic.extraction.model import Analysis, Introduction, Mention, Statement, Unit, Value
from mnemic.extraction.text import UNSEEN, visible


def placed_in(text: str, analysis: Analysis) -> Analysis:
    """Return the analysis of ``visible(text)`` with its places in ``text`` itself; ``masked`` are so already."""
    origin = _origins(text)
    return replace(
        analysis,
        text=text,
        units=tuple(_unit(text, unit, origin) for unit in analysis.units),
        introduced=tuple(
            Introduction(_mention(text, each.mention, origin), each.alias) for each in analysis.introduced
        ),
    )


def _origins(text: str) -> list[int]:
    """Return for each visible character, and for the end, where it stands in the text."""
    cuts = [0, *(edge for found in UNSEEN.finditer(text) for edge in found.span()), len(text)]
    kept = [at for start, end in list(pairwise(cuts))[::2] for at in range(start, end)]
    return [*kept, len(text)]


def _span(start: int, end: int, origin: Sequence[int]) -> tuple[int, int]:
    """Return where a span stands in the text; it ends with its last visible character."""
    return origin[start], origin[end - 1] + 1 if end > start else origin[start]


def _mention(text: str, mention: Mention, origin: Sequence[int]) -> Mention:
    if not mention.text or visible(text)[mention.start : mention.end] != mention.text:
        return mention  # of a line before
    start, end = _span(mention.start, mention.end, origin)
    return replace(mention, start=start, end=end, text=text[start:end])


def _value(text: str, value: Value, origin: Sequence[int]) -> Value:
    if visible(text)[value.start : value.end] != value.text:
        return value
    start, end = _span(value.start, value.end, origin)
    return replace(value, start=start, end=end, text=text[start:end])


def _statement(text: str, each: Statement, origin: Sequence[int]) -> Statement:
    start, end = _span(each.start, each.end, origin)
    thing = _mention(text, each.object, origin) if each.object is not None else None
    when = _value(text, each.when, origin) if each.when is not None else None
    return replace(
        each, start=start, end=end, subject=_mention(text, each.subject, origin), object=thing, when=when
    )


def _unit(text: str, unit: Unit, origin: Sequence[int]) -> Unit:
    start, end = _span(unit.start, unit.end, origin)
    return replace(
        unit,
        start=start,
        end=end,
        text=text[start:end],
        mentions=tuple(_mention(text, each, origin) for each in unit.mentions),
        values=tuple(_value(text, each, origin) for each in unit.values),
        statements=tuple(_statement(text, each, origin) for each in unit.statements),
    )
