"""Whether a common word is meant as a name: visible evidence around it, added up.

Every cue and every weight stands in ``dictionaries/context.json``; a form counts when its evidence
reaches the threshold. A cue adds its weight once, however many of its words are there.
"""

import json
import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

from mnemic.extraction.forms import Form, Guard
from mnemic.extraction.text import CJK, LETTER, Folded

REACH = 40
"""How many characters on each side a ``before`` or ``after`` cue can see, within the sentence."""

_STOP = re.compile(r"[!?。;\n]|\.(?!\S)")
_LETTER = re.compile(LETTER)
_HAN_BEFORE = re.compile(rf"[{CJK}]\s?\Z")
_HAN_AFTER = re.compile(rf"\s?[{CJK}]")
_LATIN = re.compile(r"[a-z0-9'’-]+")
_LATIN_WORDS = re.compile(r"[ a-z0-9'’-]+")
_QUOTES = "([{\"'“‘"
_MARKS = ")]}\"'”’.,:"
_TITLE_BEFORE = re.compile(r"\w [A-Z][a-z]+ \Z")
_TITLE_AFTER = re.compile(r" [A-Z][a-z]+")
_LISTED = re.compile(r"\s*(?:[,、/+&]|,?\s+(?:and|or|nor|vs\.?|than|to)\s|[和与或跟到及])\s*")
_VERSION = re.compile(r"\s?v?\d+(?:\.\d+)+")


@dataclass(frozen=True, slots=True)
class Candidate:
    """A form that stands at ``[start, end)`` of the folded text."""

    start: int
    end: int
    form: Form


@dataclass(frozen=True, slots=True)
class Cue:
    """Words that speak for a name or, with a negative weight, against it.

    ``where`` is ``before`` or ``after`` (next to the form) or ``near`` (anywhere in its sentence). Latin
    ``words`` are compared as wholes (one to three of them), ``parts`` as they stand in the text. Empty
    ``worlds``, ``forms`` or ``signs`` mean all; ``signs`` are names of weights, one of which must count.
    """

    where: str
    weight: float
    words: frozenset[str]
    parts: tuple[str, ...]
    worlds: frozenset[str]
    forms: frozenset[str]
    signs: frozenset[str]

    def applies(self, form: str, world: str, signs: AbstractSet[str]) -> bool:
        """Tell whether the cue is about such a form, seen with these signs."""
        return (
            (not self.worlds or world in self.worlds)
            and (not self.forms or form in self.forms)
            and (not self.signs or not self.signs.isdisjoint(signs))
        )


@dataclass(frozen=True, slots=True)
class Rules:
    """The contents of the data file.

    ``worlds`` are kinds that are not technology; all others are. ``priors`` is the evidence that a form
    starts with; one that stands there is doubted even where the dictionary does not call it ambiguous.
    """

    threshold: float
    weights: Mapping[str, float]
    priors: Mapping[str, float]
    worlds: frozenset[str]
    joined_before: tuple[str, ...]
    joined_after: tuple[str, ...]
    cues: tuple[Cue, ...]


@dataclass(frozen=True, slots=True)
class _Around:
    """What stands around a form in its sentence: the text next to it, and the words of all of it.

    ``words_before`` and ``words_after`` are the one, two and three words next to the form.
    """

    before: str
    after: str
    rest: str
    words_before: frozenset[str]
    words_after: frozenset[str]
    words: frozenset[str]

    def has(self, cue: Cue) -> bool:
        """Tell whether one of the cue's words is there."""
        if cue.where == "before":
            return not cue.words.isdisjoint(self.words_before) or self.before.rstrip().endswith(cue.parts)
        if cue.where == "after":
            return not cue.words.isdisjoint(self.words_after) or self.after.lstrip().startswith(cue.parts)
        return not cue.words.isdisjoint(self.words) or any(part in self.rest for part in cue.parts)


@cache
def rules() -> Rules:
    """Return the shipped rules."""
    data = json.loads(files("mnemic.dictionaries").joinpath("context.json").read_text("utf-8"))
    return Rules(
        threshold=data["threshold"],
        weights=data["weights"],
        priors={
            form: weight
            for group in data["priors"]
            for form in group["forms"]
            for weight in [group["weight"]]
        },
        worlds=frozenset(data["worlds"]),
        joined_before=tuple(data["joined"]["before"]),
        joined_after=tuple(data["joined"]["after"]),
        cues=tuple(_cue(each) for each in data["cues"]),
    )


@cache
def everyday() -> frozenset[str]:
    """Return English words so common that a name spelt like one needs its capital letter."""
    data = json.loads(files("mnemic.dictionaries").joinpath("everyday.json").read_text("utf-8"))
    return frozenset(data["en"])


def world(kind: str) -> str:
    """Return ``kind``, where all kinds of technology (languages, databases, apps …) count as one."""
    return kind if kind in rules().worlds else "technology"


def convincing(folded: Folded, candidates: Sequence[Candidate], sure: Sequence[Candidate]) -> list[Candidate]:
    """Return those of ``candidates`` that need no evidence or have enough of it, in their order.

    ``sure`` are those that need none and overlap with no other. One that is convincing is evidence for
    those that were not, so these are looked at twice.
    """
    believed = {each for each in candidates if each.form.guard is Guard.NONE}
    company = list(sure)
    for _ in range(2):
        doubted = [each for each in candidates if each not in believed]
        new = [each for each in doubted if score(folded, each, candidates, company) >= rules().threshold]
        believed.update(new)
        company += new
        if not new:
            break
    return [each for each in candidates if each in believed]


def score(
    folded: Folded, candidate: Candidate, candidates: Iterable[Candidate], company: Iterable[Candidate]
) -> float:
    """Return the evidence that ``candidate`` is meant as a name: what speaks for it and against it, summed.

    ``candidates`` are all forms in the text, ``company`` those of them that are taken for names.
    """
    text = folded.folded
    start, end = _sentence(text, candidate.start, candidate.end)
    around = _around(text, candidate, start, end)
    form, kind = text[candidate.start : candidate.end], world(candidate.form.entry.kind)
    others = [other for other in company if other != candidate and world(other.form.entry.kind) == kind]

    signs = {candidate.form.guard.value, *_shape(folded, candidate, around, start)}
    if others:
        nearby = any(start <= other.start < end for other in others)
        signs.add("companion" if nearby else "companion_elsewhere")
    if any(_listed(text, candidate, other) for other in candidates):
        signs.add("listed")
    weights = [rules().weights[sign] for sign in signs]
    cues = [cue.weight for cue in rules().cues if cue.applies(form, kind, signs) and around.has(cue)]
    return round(rules().priors.get(form, 0.0) + sum(weights) + sum(cues), 6)


def _shape(folded: Folded, candidate: Candidate, around: "_Around", sentence: int) -> Iterator[str]:
    """Yield the signs that show in how the form is written and what it touches."""
    written = candidate.form.written
    first, last = folded.span(candidate.start, candidate.end)
    seen = unicodedata.normalize("NFKC", folded.text[first:last])
    latin = _LETTER.match(seen) is not None
    beside_han = latin and bool(_HAN_BEFORE.search(around.before) or _HAN_AFTER.match(around.after))
    if beside_han:
        yield "beside_han"
    if seen == written != written.casefold():
        inside = beside_han or _LETTER.search(folded.folded, sentence, candidate.start)
        yield "exact" if inside else "initial"
        if _TITLE_BEFORE.search(folded.text[:first]) or _TITLE_AFTER.match(folded.text, last):
            yield "in_title"
    elif latin and not seen.isupper():
        yield _other_case(candidate.form)
    if len(seen) == 1:
        yield "letter"
    if around.before.endswith(rules().joined_before) or around.after.startswith(rules().joined_after):
        yield "joined"
    if _VERSION.match(around.after):
        yield "versioned"


def _other_case(form: Form) -> str:
    """Return the sign for a form that is not written as in the dictionary."""
    if form.guard is Guard.EVERYDAY or form.written.casefold() in everyday():
        return "everyday_other_case"
    return "acronym_other_case" if form.written.isupper() else "other_case"


def _around(text: str, candidate: Candidate, start: int, end: int) -> _Around:
    """Return what stands around the candidate within its sentence ``[start, end)``."""
    before = text[max(start, candidate.start - REACH) : candidate.start]
    after = text[candidate.end : min(end, candidate.end + REACH)]
    rest = f"{text[start : candidate.start]}\0{text[candidate.end : end]}"
    left = [word.lstrip(_QUOTES) for word in before.split()[-3:]]
    right = [word.rstrip(_MARKS) for word in after.split()[:3]]
    return _Around(
        before=before,
        after=after,
        rest=rest,
        words_before=frozenset(" ".join(left[-count:]) for count in (1, 2, 3)),
        words_after=frozenset(" ".join(right[:count]) for count in (1, 2, 3)),
        words=frozenset(_LATIN.findall(rest)),
    )


def _sentence(text: str, start: int, end: int) -> tuple[int, int]:
    """Return the span of the sentence around ``[start, end)``."""
    first = 0
    for stop in _STOP.finditer(text, 0, start):
        first = stop.end()
    stop_after = _STOP.search(text, end)
    return first, stop_after.start() if stop_after else len(text)


def _listed(text: str, candidate: Candidate, other: Candidate) -> bool:
    """Tell whether a form of the same kind stands beside the candidate, parted by a comma or an "and"."""
    if world(other.form.entry.kind) != world(candidate.form.entry.kind):
        return False
    left, right = sorted((candidate, other), key=lambda each: each.start)
    return left.end < right.start and _LISTED.fullmatch(text, left.end, right.start) is not None


def _cue(data: Mapping[str, Any]) -> Cue:
    """Sort the words of one cue of the data file into Latin ones and others."""
    whole = {words for words in data["words"] if _LATIN_WORDS.fullmatch(words)}
    if data["where"] == "near":
        whole = {words for words in whole if " " not in words}
    return Cue(
        where=data["where"],
        weight=data["weight"],
        words=frozenset(whole),
        parts=tuple(words for words in data["words"] if words not in whole),
        worlds=frozenset(data.get("worlds", ())),
        forms=frozenset(data.get("forms", ())),
        signs=frozenset(data.get("signs", ())),
    )
