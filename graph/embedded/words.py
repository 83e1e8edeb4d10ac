"""Finding rows by their index terms, and weighing them.

The index answers which rows hold a term; the weight is BM25 (Robertson, Zaragoza 2009, "The
probabilistic relevance framework") with every term counted once a row, over the reader's own corpus:
what other owners store moves nothing. It serves to nominate; ranking is done above the store.
"""

import math
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from mnemic.graph.embedded.mirror import Laid
from mnemic.graph.embedded.shelf import Shelf
from mnemic.graph.embedded.terms import write_term
from mnemic.graph.embedded.vectors import Slots
from mnemic.graph.store import Corpus

ROWS_LOOKED_AT = 20_000
"""The rarest terms count until so many rows of an owner hold one; the first always does."""

_SATURATION, _LENGTH_WEIGHT = 1.2, 0.75


@dataclass(frozen=True, slots=True)
class Posting:
    """The rows of one owner that hold one term: their slots on each shelf, and how many they are."""

    owner: int
    term: str
    slots: Sequence[Slots]
    count: int


def postings(laid: Sequence[Laid], owners: Iterable[int], terms: Iterable[str]) -> list[Posting]:
    """Look up each term of each owner (number)."""
    found = []
    for owner in owners:
        for term in dict.fromkeys(terms):
            token = write_term(owner, term)
            slots = [each.posting(token) for each in laid]
            found.append(Posting(owner, term, slots, sum(map(len, slots))))
    return found


def frequencies(terms: Iterable[str], found: Iterable[Posting]) -> Mapping[str, int]:
    """Count the rows that hold each term, whoever owns them."""
    frequency = dict.fromkeys(terms, 0)
    for posting in found:
        frequency[posting.term] += posting.count
    return frequency


def affordable(found: Iterable[Posting]) -> list[Posting]:
    """Return the postings of the rarest terms, per owner as far as ``ROWS_LOOKED_AT``."""
    spent: defaultdict[int, int] = defaultdict(int)
    kept = []
    for posting in sorted(found, key=lambda each: (each.count, each.owner, each.term)):
        if not posting.count or (
            spent[posting.owner] and spent[posting.owner] + posting.count > ROWS_LOOKED_AT
        ):
            continue
        spent[posting.owner] += posting.count
        kept.append(posting)
    return kept


def weigh(shelf: Shelf, number: int, found: Iterable[Posting], corpus: Corpus) -> NDArray[np.float64]:
    """Return what the terms weigh in every slot, 0 where none stands; ``shelf`` is the ``number``-th."""
    weights = np.zeros(len(shelf))
    for posting in found:
        weights[posting.slots[number]] += _rarity(corpus, posting.term)
    return weights


def damped(shelf: Shelf, slots: Slots, weights: NDArray[np.float64], corpus: Corpus) -> NDArray[np.float64]:
    """Return the weights of ``slots``, less for those with more terms than others."""
    relative = shelf.number("length")[slots] / max(corpus.length / max(corpus.size, 1), 1.0)
    return weights[slots] / (1 + _SATURATION * (1 - _LENGTH_WEIGHT + _LENGTH_WEIGHT * relative))


def _rarity(corpus: Corpus, term: str) -> float:
    count = corpus.frequency[term]
    return math.log(1 + (corpus.size - count + 0.5) / (count + 0.5))
