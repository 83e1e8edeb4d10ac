"""One memory of a pair that is compared, what is worked out of it once, and how much a shared term says."""

import math
import re
from collections.abc import Mapping, Set
from dataclasses import dataclass, field
from functools import cached_property

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
    def numbers(self) -> frozenset[str]:
        """The numbers in the text, as they are written."""
        return frozenset(_NUMBER.findall(self.memory.text))

    def of_kind(self, kind: str) -> frozenset[str]:
        """Return those of the names that are of a kind."""
        return frozenset(id for id in self.names if id in self.entities and self.entities[id].kind == kind)


@dataclass(frozen=True, slots=True)
class Rarity:
    """How much a shared term says: inverse document frequency over the owner's memories.

    Weights are whole multiples of 2⁻³², so that their sums are exact in whatever order.
    """

    size: int
    frequency: Mapping[str, int]
    _weights: dict[str, float] = field(default_factory=dict, repr=False, compare=False)

    def weight(self, term: str) -> float:
        """Return ln(1 + (N + 1) / (n + 0.5)), with N memories of which n hold the term."""
        weight = self._weights.get(term)
        if weight is None:
            weight = self._weights[term] = self._of(self.frequency.get(term, 0))
        return weight

    def mass(self, terms: Set[str]) -> float:
        """Return what different terms weigh together."""
        counted = terms & self.frequency.keys()
        unheard = len(terms) - len(counted)
        return sum(map(self.weight, counted)) + (unheard * self._of(0) if unheard else 0.0)

    def _of(self, count: int) -> float:
        return round(math.log(1.0 + (self.size + 1.0) / (count + 0.5)) * _GRAIN) / _GRAIN
