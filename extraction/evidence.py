"""Whether a common word is meant as a name: visible evidence around it, added up.

A form counts when its evidence reaches the threshold. Signs are how it is written, what it touches and
which other names are there; cues are words around it, each of which adds its weight once.
"""

import re
import unicodedata
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from mnemic.extraction.context import Cue, Place, everyday, rules, world
from mnemic.extraction.forms import Form, Guard
from mnemic.extraction.text import CJK, LETTER, Folded

REACH = 40
"""How many characters on each side a ``before`` or ``after`` cue can see, within the sentence."""

SENTENCE = 300
"""How far a sentence is looked for on each side, in characters; it bounds the work for pasted text."""

_STOP = re.compile(r"[!?。;\n]|\.(?!\S)")
_LETTER = re.compile(LETTER)
_HAN_BEFORE = re.compile(rf"[{CJK}]\s?\Z")
_HAN_AFTER = re.compile(rf"\s?[{CJK}]")
_WORD = re.compile(r"[a-z0-9'’-]+")
_OPENING = "([{\"'“‘"
_CLOSING = ")]}\"'”’.,:"
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

    @property
    def world(self) -> str:
        """Return the kind of thing it would be, all technology being one kind."""
        return world(self.form.entry.kind)


def convincing(folded: Folded, candidates: Iterable[Candidate], sure: Iterable[Candidate]) -> list[Candidate]:
    """Return those of ``candidates`` that need no evidence or have enough of it, by their start.

    ``sure`` are those that need none and overlap with no other. One that is convincing is evidence for
    those that were not, so these are looked at twice.
    """
    ordered = sorted(candidates, key=_start)
    company = sorted(sure, key=_start)
    believed = [each.form.guard is Guard.NONE for each in ordered]
    for _ in range(2):
        scene = _Scene(folded, ordered, company)
        new = [
            number
            for number, each in enumerate(ordered)
            if not believed[number] and scene.score(each) >= rules().threshold
        ]
        if not new:
            break
        for number in new:
            believed[number] = True
        company = sorted([*company, *(ordered[number] for number in new)], key=_start)
    return [each for each, is_believed in zip(ordered, believed, strict=True) if is_believed]


class _Scene:
    """A text with all forms in it, and the ``company``: those that are taken for names. Both by start."""

    def __init__(self, folded: Folded, candidates: Sequence[Candidate], company: Sequence[Candidate]) -> None:
        self.folded = folded
        self.candidates = candidates
        self.company = company
        self.worlds = frozenset(each.world for each in company)

    def score(self, candidate: Candidate) -> float:
        """Return the evidence that ``candidate`` is meant as a name: what speaks for and against it, summed."""
        around = _Around(self.folded.folded, candidate)
        signs = {candidate.form.guard.value, *_shape(self.folded, candidate, around)}
        signs.update(self._company(candidate, around))
        form = self.folded.folded[candidate.start : candidate.end]
        weights = [rules().priors.get(form, 0.0), *(rules().weights[sign] for sign in signs)]
        weights += [cue.weight for cue in around.cues() if cue.applies(form, candidate.world, signs)]
        return round(sum(weights), 6)

    def _company(self, candidate: Candidate, around: "_Around") -> Iterator[str]:
        """Yield the signs of other names of the same world: in the sentence, elsewhere, side by side."""
        if candidate.world in self.worlds:
            nearby = _within(self.company, around.start, around.end)
            same = any(other.world == candidate.world for other in nearby)
            yield "companion" if same else "companion_elsewhere"
        nearby = _within(self.candidates, candidate.start - REACH, candidate.end + REACH)
        if any(_listed(self.folded.folded, candidate, other) for other in nearby):
            yield "listed"


class _Around:
    """What stands around a form within its sentence ``[start, end)``."""

    def __init__(self, text: str, candidate: Candidate) -> None:
        self.start, self.end = _sentence(text, candidate.start, candidate.end)
        self.before = text[max(self.start, candidate.start - REACH) : candidate.start]
        self.after = text[candidate.end : min(self.end, candidate.end + REACH)]
        self.rest = f"{text[self.start : candidate.start]}\0{text[candidate.end : self.end]}"

    def cues(self) -> set[Cue]:
        """Return the cues that are there; Latin ones next to the form have up to three words."""
        left = [word.lstrip(_OPENING) for word in self.before.split()[-3:]]
        right = [word.rstrip(_CLOSING) for word in self.after.split()[:3]]
        found = _known(rules().before, (" ".join(left[-count:]) for count in (1, 2, 3)))
        found |= _known(rules().after, (" ".join(right[:count]) for count in (1, 2, 3)))
        found |= _known(rules().near, _WORD.findall(self.rest))
        for place, text in (
            (rules().before, self.before),
            (rules().after, self.after),
            (rules().near, self.rest),
        ):
            found.update(cue for cue, parts in place.parts if parts.search(text))
        return found


def _known(place: Place, words: Iterable[str]) -> set[Cue]:
    """Return the cues that have one of ``words``."""
    return {cue for word in words if word in place.words for cue in place.words[word]}


def _shape(folded: Folded, candidate: Candidate, around: _Around) -> Iterator[str]:
    """Yield the signs that show in how the form is written and what it touches."""
    written = candidate.form.written
    first, last = folded.span(candidate.start, candidate.end)
    seen = unicodedata.normalize("NFKC", folded.text[first:last])
    latin = _LETTER.match(seen) is not None
    beside_han = latin and bool(_HAN_BEFORE.search(around.before) or _HAN_AFTER.match(around.after))
    if beside_han:
        yield "beside_han"
    if seen == written != written.casefold():
        inside = beside_han or _LETTER.search(folded.folded, around.start, candidate.start)
        yield "exact" if inside else "initial"
        if _TITLE_BEFORE.search(folded.text[max(0, first - REACH) : first]) or _TITLE_AFTER.match(
            folded.text, last
        ):
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
    if form.guard is Guard.EVERYDAY:
        return "own_other_case"
    if form.written.casefold() in everyday():
        return "everyday_other_case"
    return "acronym_other_case" if form.written.isupper() else "other_case"


def _sentence(text: str, start: int, end: int) -> tuple[int, int]:
    """Return the span of the sentence around ``[start, end)``."""
    first = max(0, start - SENTENCE)
    for stop in _STOP.finditer(text, first, start):
        first = stop.end()
    stop_after = _STOP.search(text, end, end + SENTENCE)
    return first, stop_after.start() if stop_after else min(len(text), end + SENTENCE)


def _listed(text: str, candidate: Candidate, other: Candidate) -> bool:
    """Tell whether a form of the same world stands beside the candidate, parted by a comma or an "and"."""
    left, right = (candidate, other) if candidate.start < other.start else (other, candidate)
    return (
        left.end < right.start
        and _LISTED.fullmatch(text, left.end, right.start) is not None
        and candidate.world == other.world
    )


def _within(candidates: Sequence[Candidate], start: int, end: int) -> Sequence[Candidate]:
    """Return the part of ``candidates``, which are in order, that starts within ``[start, end)``."""
    return candidates[bisect_left(candidates, start, key=_start) : bisect_left(candidates, end, key=_start)]


def _start(candidate: Candidate) -> int:
    return candidate.start
