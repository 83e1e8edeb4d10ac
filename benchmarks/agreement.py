"""When two readers of one message agree: surface forms, statements one to one, moments.

Texts are compared after NFKC, case folding and dropping of spaces and punctuation. A statement is found
when the predicate is the same, the subjects agree (equal, one contains the other, or Dice of character
pairs of at least 0.5) and the objects do (the same, at least 0.4).
"""

import unicodedata
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import pairwise

import networkx as nx

SUBJECT_FLOOR = 0.5
OBJECT_FLOOR = 0.4
CONTAINED = 0.99
"""The likeness of two texts of which one contains the other: just below that of equal ones."""
SAME_MODALITY = 0.01
"""What a shared modality adds: enough to choose between two statements that are alike otherwise."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Said:
    """A statement as a reader wrote it down; ``other`` are further wordings of the object."""

    subject: str
    predicate: str
    object: str
    modality: str
    replaces: str = ""
    other: tuple[str, ...] = ()
    moment: datetime | None = None


def plain(text: str) -> str:
    """Return a text without case, width, spaces and punctuation.

    >>> plain("Ｐay-Svc v2.3！")
    'paysvcv23'
    """
    folded = unicodedata.normalize("NFKC", text).casefold()
    return "".join(c for c in folded if not c.isspace() and not unicodedata.category(c).startswith("P"))


def likeness(one: str, other: str) -> float:
    """Return 1 for equal texts, nearly 1 where one contains the other, else Dice of character pairs."""
    a, b = plain(one), plain(other)
    if a == b:
        return 1.0
    if not a or not b:
        return 0.0
    if a in b or b in a:
        return CONTAINED
    pairs, others = Counter(pairwise(a)), Counter(pairwise(b))
    total = pairs.total() + others.total()
    return 2 * (pairs & others).total() / total if total else 0.0


def agree(one: str, other: str, floor: float) -> bool:
    """Tell whether two texts are alike enough."""
    return likeness(one, other) >= floor


def pair(expected: Sequence[Said], found: Sequence[Said]) -> list[tuple[int, int]]:
    """Return which expected statement is which found one: as many pairs as possible, the likest of them."""
    graph: nx.Graph[tuple[str, int]] = nx.Graph()
    for i, gold in enumerate(expected):
        for j, said in enumerate(found):
            weight = _weight(gold, said)
            if weight:
                graph.add_edge(("expected", i), ("found", j), weight=weight)
    matched = [sorted(edge) for edge in nx.max_weight_matching(graph, maxcardinality=True)]
    return sorted((i, j) for (_, i), (_, j) in matched)


def _weight(gold: Said, said: Said) -> float:
    """Return how alike two statements are that agree, 0 when they do not."""
    subject = likeness(gold.subject, said.subject)
    thing = max(likeness(gold.object, wording) for wording in (said.object, *said.other))
    same = gold.predicate == said.predicate and subject >= SUBJECT_FLOOR and thing >= OBJECT_FLOOR
    tie = SAME_MODALITY if gold.modality == said.modality else 0.0
    return subject + thing + tie if same else 0.0


def tells(moment: datetime | None, expected: str) -> bool:
    """Tell whether a moment, at the offset that it carries, is the expected ISO date, or date and minute."""
    return moment is not None and moment.isoformat(timespec="minutes").startswith(expected)
