"""One memory of a pair that is compared, what is worked out of it once, and how much a shared term says."""

import math
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property

from mnemic.extraction.sorts import Ones, ones
from mnemic.graph.model import Entity, Memory, Vector

HEARD_NEWER = [
    "change",
    "end",
    "correction",
    "now",
    "plan",
    "proposal",
    "hypothetical",
    "joke",
    "reported",
    "negation",
    "unchanged",
    "also",
    "past",
    "decision",
    "preference",
    "rule",
    "task",
    "done",
    "undone",
    "chat",
    "first",
    "third",
    "it",
    "question",
    "forget",
    "standing",
    "return",
]
HEARD_OLDER = [
    "plan",
    "proposal",
    "hypothetical",
    "reported",
    "negation",
    "also",
    "past",
    "decision",
    "task",
    "rule",
    "done",
    "end",
    "change",
    "first",
]
_NUMBER = re.compile(r"\d+(?:[.:/-]\d+)*|[一二三四五六七八九十两百千万]+(?=[点号月日楼层个位块元天周年岁])")
_UNIT = re.compile(
    r"(?P<before>[$€£¥]?)(?:\d+(?:[.,]\d+)*|[一二三四五六七八九十两百千万]+)[ -]?"
    r"(?P<behind>(?:%|[a-z]{1,12}|[点号月日楼层个位块元天周年岁次人分秒倍斤米节台间码区栋]|:(?=\d)|))",
    re.IGNORECASE,
)
"""A number with its unit."""
_SPOKEN_FOR = ("person", "project", "service", "product", "place", "organization", "team")


@dataclass(frozen=True)
class Side:
    """One memory of a pair with its vectors (None without an embedder) and the entities that it names.

    What is worked out of it is kept, because it is compared with many.
    """

    memory: Memory
    entities: Mapping[str, Entity]
    summary: Vector | None = None
    detail: Vector | None = None

    @cached_property
    def names(self) -> frozenset[str]:
        """The ids of the entities named or meant, without the speaker."""
        return frozenset(m.entity for m in self.memory.mentions if m.role != "speaker")

    @cached_property
    def kinds(self) -> Mapping[str, frozenset[str]]:
        """Those of the entities by kind, where a kind is spoken for."""
        kinds: dict[str, frozenset[str]] = {}
        for id in self.names:
            kind = self.entities[id].kind if id in self.entities else ""
            if kind in _SPOKEN_FOR:
                kinds[kind] = kinds.get(kind, frozenset()) | {id}
        return kinds

    @cached_property
    def terms(self) -> frozenset[str]:
        """The index terms, each once."""
        return frozenset(self.memory.terms)

    @cached_property
    def numbers(self) -> frozenset[str]:
        """The numbers in the text, as they are written."""
        return frozenset(_NUMBER.findall(self.memory.text))

    @cached_property
    def units(self) -> frozenset[str]:
        """What the numbers in the text count or measure: the sign before or the letters behind each."""
        return frozenset(
            (found["before"] or found["behind"]).lower().rstrip("s")
            for found in _UNIT.finditer(self.memory.text)
            if found["before"] or found["behind"]
        )

    @cached_property
    def ones(self) -> Ones:
        """Which of several things of a sort it names: staging or production."""
        return ones(self.memory.text)

    @cached_property
    def told_as_newer(self) -> Mapping[str, float]:
        """The features of how it is told, as the newer one of a pair."""
        heard = {f"newer: {cue}": 1.0 for cue in self.memory.cues if cue in HEARD_NEWER}
        return {**heard, f"newer is {self.memory.modality}": 1.0}

    @cached_property
    def told_as_older(self) -> Mapping[str, float]:
        """The features of how it is told, as the older one of a pair."""
        heard = {f"older: {cue}": 1.0 for cue in self.memory.cues if cue in HEARD_OLDER}
        return {**heard, f"older is {self.memory.modality}": 1.0}


@dataclass(frozen=True, slots=True)
class Rarity:
    """How much a shared term says: inverse document frequency over the owner's memories."""

    size: int
    frequency: Mapping[str, int]
    _weights: dict[str, float] = field(default_factory=dict, repr=False, compare=False)

    def weight(self, term: str) -> float:
        """Return ln(1 + (N + 1) / (n + 0.5)), with N memories of which n hold the term."""
        weight = self._weights.get(term)
        if weight is None:
            weight = math.log(1.0 + (self.size + 1.0) / (self.frequency.get(term, 0) + 0.5))
            self._weights[term] = weight
        return weight

    def mass(self, terms: Iterable[str]) -> float:
        """Return what different terms weigh together."""
        known = self._weights
        return sum([known[term] if term in known else self.weight(term) for term in terms])
