"""What speaks for a common word being meant as a name, as data: cues, weights, everyday words.

They stand in ``dictionaries/context.json`` and ``dictionaries/everyday.json``; how they are added up is
:mod:`mnemic.extraction.evidence`.
"""

import json
import re
from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

from mnemic.extraction.wordlist import any_of

_ANCHORED = {"before": r"(?:{})\s*\Z", "after": r"\A\s*(?:{})", "near": "{}"}
_LATIN = re.compile(r"[ a-z0-9'’-]+")


@dataclass(frozen=True, slots=True, eq=False)
class Cue:
    """Words that speak for a name or, with a negative weight, against it.

    Empty ``worlds``, ``forms`` or ``signs`` mean all; ``signs`` are names of weights, one of which must
    count for the cue to count.
    """

    weight: float
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
class Place:
    """The cues of one place: ``before`` or ``after`` (next to the form), ``near`` (anywhere in its sentence).

    Latin ``words`` are compared as wholes, ``parts`` as they stand in the text.
    """

    words: Mapping[str, frozenset[Cue]]
    parts: Sequence[tuple[Cue, re.Pattern[str]]]


@dataclass(frozen=True, slots=True)
class Rules:
    """The contents of ``context.json``.

    ``worlds`` are kinds that are not technology; all others are. ``priors`` is the evidence that a form
    starts with. ``doubted`` are forms that need evidence although the dictionary does not call them
    ambiguous: their prior is enough, unless something speaks against them ("a hot cup of java"). ``longer``
    matches what follows the name of a place that only begins another name ("上海|西路").
    """

    threshold: float
    weights: Mapping[str, float]
    priors: Mapping[str, float]
    doubted: frozenset[str]
    worlds: frozenset[str]
    joined_before: tuple[str, ...]
    joined_after: tuple[str, ...]
    longer: re.Pattern[str]
    before: Place
    after: Place
    near: Place


@cache
def rules() -> Rules:
    """Return the shipped rules; read once per process."""
    data = _read("context.json")
    return Rules(
        threshold=data["threshold"],
        weights=data["weights"],
        priors={form: group["weight"] for group in data["priors"] for form in group["forms"]},
        doubted=frozenset(data["doubted"]),
        worlds=frozenset(data["worlds"]),
        joined_before=tuple(data["joined"]["before"]),
        joined_after=tuple(data["joined"]["after"]),
        longer=_longer(**data["longer"]),
        before=_place("before", data["cues"]),
        after=_place("after", data["cues"]),
        near=_place("near", data["cues"]),
    )


@cache
def everyday() -> frozenset[str]:
    """Return English words so common that a name spelt like one needs its capital letter."""
    return frozenset(_read("everyday.json")["en"])


def world(kind: str) -> str:
    """Return ``kind``, where all kinds of technology (languages, databases, apps …) count as one."""
    return kind if kind in rules().worlds else "technology"


def _longer(tails: Sequence[str], turns: str, unless: Sequence[str]) -> re.Pattern[str]:
    return re.compile(rf"[{turns}]?(?:{any_of(tails)})(?!{any_of(unless)})")


def _read(name: str) -> Any:
    return json.loads(files("mnemic.dictionaries").joinpath(name).read_text("utf-8"))


def _place(where: str, rows: Sequence[Mapping[str, Any]]) -> Place:
    """Collect the cues of one place, by their words."""
    words: dict[str, frozenset[Cue]] = {}
    parts = []
    for row in rows:
        if row["where"] == where:
            scopes = (frozenset(row.get(key, ())) for key in ("worlds", "forms", "signs"))
            cue = Cue(row["weight"], *scopes)
            latin = {
                each
                for each in row["words"]
                if _LATIN.fullmatch(each) and (where != "near" or " " not in each)
            }
            for each in latin:
                words[each] = words.get(each, frozenset()) | {cue}
            if others := [re.escape(each) for each in row["words"] if each not in latin]:
                parts.append((cue, re.compile(_ANCHORED[where].format("|".join(others)))))
    return Place(words, parts)
