"""One memory of a pair that is compared, what is worked out of it once, and how much a shared term says."""

import math
import re
from collections.abc import Mapping
from functools import cached_property

from mnemic.engine.signs import signs_of
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
_GRAIN = 2**32
SPOKEN_FOR = frozenset({"person", "project", "service", "product", "place", "organization", "team"})
"""Kinds of which a pair tells whether both name the same."""


class Side:
    """One memory of a pair with its vectors (None without an embedder) and the entities that it names.

    ``names`` are the ids of the entities named or meant, without the speaker, ``terms`` the index terms.
    """

    def __init__(
        self,
        memory: Memory,
        entities: Mapping[str, Entity],
        summary: Vector | None = None,
        detail: Vector | None = None,
    ) -> None:
        self.memory, self.entities, self.summary, self.detail = memory, entities, summary, detail
        self.terms = frozenset(memory.terms)
        self.names = frozenset([m.entity for m in memory.mentions if m.role != "speaker"])

    @cached_property
    def signs(self) -> frozenset[str]:
        """The signs of change in the text."""
        return signs_of(self.memory.text)

    @cached_property
    def numbers(self) -> frozenset[str]:
        """The numbers in the text, as they are written."""
        return frozenset(_NUMBER.findall(self.memory.text))

    def of_kind(self, kind: str) -> frozenset[str]:
        """Return those of the names that are of a kind."""
        return frozenset(id for id in self.names if id in self.entities and self.entities[id].kind == kind)

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


class Rarity:
    """How much a shared term says: inverse document frequency over the owner's ``size`` memories.

    ``frequency`` tells in how many of them a term stands. Weights are whole multiples of 2⁻³², so that their
    sums are exact in whatever order.
    """

    def __init__(self, size: int, frequency: Mapping[str, int]) -> None:
        self._weights = {term: _weight(size, count) for term, count in frequency.items()}
        self._known, self._unheard = frozenset(frequency), _weight(size, 0)

    def weight(self, term: str) -> float:
        """Return ln(1 + (N + 1) / (n + 0.5)), with N memories of which n hold the term."""
        return self._weights.get(term, self._unheard)

    def mass(self, terms: frozenset[str]) -> float:
        """Return what different terms weigh together."""
        known = terms & self._known
        return sum([self._weights[term] for term in known]) + (len(terms) - len(known)) * self._unheard


def _weight(size: int, count: int) -> float:
    return round(math.log(1.0 + (size + 1.0) / (count + 0.5)) * _GRAIN) / _GRAIN
