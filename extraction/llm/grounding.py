"""From a statement as a model reads it to one of ours: only what stands in the words and fits a slot is believed.

The rules' own findings go first: a name has the kind that they know, and how they take a sentence to be meant
stands where they take it for less than asserted.
"""

import re
from dataclasses import replace

from mnemic.extraction.analyse import shipped_grammar
from mnemic.extraction.llm.base import Extracted
from mnemic.extraction.model import Mention, Modality, Source, Statement, Unit
from mnemic.extraction.predicates import Predicate
from mnemic.extraction.resolve import clean_words
from mnemic.extraction.text import fold
from mnemic.extraction.wordlist import whole_words

PATTERN = "model"
"""The ``pattern`` of a statement that a language model found."""

_VALUES = {
    "money": {"money"}, "number": {"quantity", "percent"}, "version": {"version"}, "contact": {"email", "phone", "url", "id"},
    "date": {"date", "time", "span"},
}  # fmt: skip
"""By what a slot takes, the kinds of values that are such."""
_ENTITIES = {"person": "person", "pet": "pet", "team": "team", "org": "organization", "place": "place"}
"""Kinds that a name gets by its slot where no dictionary knows it."""
_I = frozenset({"i", "me", "my", "我", "俺", "本人"})


def grounded(unit: Unit, speaker: Mention, said: Extracted) -> Statement | None:
    """Return what ``said`` states of a unit; None where its words do not stand there or fit no slot."""
    grammar = shipped_grammar()
    if said.predicate not in grammar.inventory.predicates:
        return None
    predicate = grammar.inventory[said.predicate]
    thing = _place(unit, said.object)
    own = fold(said.subject) in _I
    named = None if own else _place(unit, said.subject)
    if thing is None or (named is None and not own):
        return None
    subject = speaker if named is None else _subject(unit, named, predicate)
    if subject is None or not _takes(subject, predicate.subject):
        return None
    filled = _object(unit, thing, predicate)
    if filled is None or (filled[0] is not None and filled[0].name == subject.name):
        return None
    item, value = filled
    meant = said.modality if unit.modality is Modality.ASSERTED else unit.modality
    spans = [span for span in (named, thing) if span is not None]
    return Statement(
        subject=subject, predicate=predicate.name, value=value, object=item, modality=meant, pattern=PATTERN,
        start=unit.start + min(start for start, _ in spans), end=unit.start + max(end for _, end in spans),
    )  # fmt: skip


def with_statements(unit: Unit, statements: tuple[Statement, ...]) -> Unit:
    """Return a unit that states these."""
    return replace(unit, statements=statements, modality=statements[0].modality) if statements else unit


def _place(unit: Unit, words: str) -> tuple[int, int] | None:
    """Return where words stand in a unit's text, in any case."""
    found = re.search(whole_words([words.strip()]), unit.text) if words.strip() else None
    return found.span() if found is not None else None


def _known(unit: Unit, span: tuple[int, int]) -> Mention | None:
    """Return the mention that has just this span."""
    here = ((m, (m.start - unit.start, m.end - unit.start)) for m in unit.mentions)
    return next((mention for mention, place in here if place == span), None)


def _subject(unit: Unit, span: tuple[int, int], predicate: Predicate) -> Mention | None:
    known = _known(unit, span)
    if known is not None:
        return known
    if {"thing", "any"} & set(predicate.subject):
        return _made(unit, span, "thing")
    kind = next((_ENTITIES[group] for group in predicate.subject if group in _ENTITIES), None)
    return _made(unit, span, kind) if kind is not None and _is_name(unit.text[slice(*span)]) else None


def _object(unit: Unit, span: tuple[int, int], predicate: Predicate) -> tuple[Mention | None, str] | None:
    """Return the entity and the value that fill the slot, None where it takes no such thing."""
    wants = set(predicate.object)
    known = _known(unit, span)
    if known is not None and _takes(known, predicate.object):
        return known, known.name
    words = clean_words(unit.text[slice(*span)])
    values = [v for v in unit.values if v.start - unit.start < span[1] and span[0] < v.end - unit.start]
    if any(value.kind in _VALUES.get(want, ()) for want in wants for value in values):
        return None, words
    if known is not None or not words:
        return (None, words) if wants == {"text"} and words else None
    kind = next((_ENTITIES[want] for want in predicate.object if want in _ENTITIES), None)
    if kind is not None and "text" not in wants and _is_name(words):
        made = _made(unit, span, kind)
        return made, made.name
    if wants & {"text", "any"}:
        return None, words
    if "thing" in wants:
        made = _made(unit, span, "thing")
        return made, made.name
    return None


def _is_name(words: str) -> bool:
    """Tell whether words may name somebody or some place: Latin ones are capitalised then."""
    return not words.isascii() or words[:1].isupper()


def _takes(mention: Mention, wants: tuple[str, ...]) -> bool:
    grammar = shipped_grammar()
    vague = mention.kind == "thing" and mention.source is Source.PHRASE
    return "any" in wants or grammar.fits(mention, frozenset(wants)) or (vague and "thing" in wants)


def _made(unit: Unit, span: tuple[int, int], kind: str) -> Mention:
    words = unit.text[slice(*span)]
    start, end = unit.start + span[0], unit.start + span[1]
    return Mention(start=start, end=end, text=words, name=clean_words(words), kind=kind, source=Source.PHRASE)
