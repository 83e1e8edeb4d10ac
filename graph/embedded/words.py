"""Finding rows by their index terms, and weighing them.

The index answers which rows hold a term; the weight is BM25 (Robertson, Zaragoza 2009, "The
probabilistic relevance framework") with every term counted once a row, over the reader's own corpus:
what other owners store moves nothing. It serves to nominate; ranking is done above the store.
"""

import math
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import apsw
import numpy as np
from numpy.typing import NDArray

from mnemic.graph.embedded import queries
from mnemic.graph.embedded.shelf import Shelf
from mnemic.graph.embedded.terms import write_term
from mnemic.graph.model import Layer
from mnemic.graph.store import Corpus

ROWS_LOOKED_AT = 20_000
"""The rarest terms are looked up until so many rows of an owner hold one; the first always is."""

_SATURATION, _LENGTH_WEIGHT = 1.2, 0.75

Counts = Mapping[tuple[int, str], int]
"""In how many of an owner's rows a term stands."""


def frequencies(db: apsw.Connection, layer: Layer, owners: Iterable[int], terms: Sequence[str]) -> Counts:
    """Count the rows of each owner (number) that hold each term."""
    return {
        (owner, term): db.execute(queries.FREQUENCY[layer], (write_term(owner, term),)).get or 0
        for owner in owners
        for term in dict.fromkeys(terms)
    }


@dataclass(frozen=True, slots=True)
class Posting:
    """The rows that hold one term of one owner, and what it adds to their weight."""

    rows: NDArray[np.int64]
    weight: float


def postings(db: apsw.Connection, layer: Layer, counts: Counts, corpus: Corpus) -> list[Posting]:
    """Look up the terms, the rarest first, per owner as far as ``ROWS_LOOKED_AT``."""
    spent: defaultdict[int, int] = defaultdict(int)
    found = []
    for (owner, term), count in sorted(counts.items(), key=lambda item: (item[1], item[0])):
        if not count or (spent[owner] and spent[owner] + count > ROWS_LOOKED_AT):
            continue
        spent[owner] += count
        rows: str = db.execute(queries.ROWS_WITH_TERM[layer], (f'"{write_term(owner, term)}"',)).get
        found.append(Posting(np.fromstring(rows, np.int64, sep=","), _rarity(corpus, term)))
    return found


def _rarity(corpus: Corpus, term: str) -> float:
    count = corpus.frequency[term]
    return math.log(1 + (corpus.size - count + 0.5) / (count + 0.5))


def weigh(shelf: Shelf, found: Iterable[Posting], corpus: Corpus) -> NDArray[np.float64]:
    """Return the weight of every slot of ``shelf``, 0 where no term was found."""
    weights = np.zeros(len(shelf))
    for posting in found:
        weights[shelf.locate(posting.rows)] += posting.weight
    relative = shelf.number("length") / max(corpus.length / max(corpus.size, 1), 1.0)
    damped: NDArray[np.float64] = weights / (
        1 + _SATURATION * (1 - _LENGTH_WEIGHT + _LENGTH_WEIGHT * relative)
    )
    return damped
