"""What is measured: mnemic through its front door, and beside it the plain rivals over the same turns.

The rivals are BM25 over the same index terms, cosine over the same embedder's vectors, and reciprocal rank
fusion of the two (Cormack, Clarke and Büttcher, 2009). They see every turn as ``Speaker: text``, as the
product does, and return whatever is nearest: they have no way of saying that they know nothing.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from time import perf_counter

import numpy as np
from numpy.typing import NDArray

from benchmarks.form import Told
from benchmarks.harness import Place
from benchmarks.suites.case import Asker, Case, Query, Ranking
from mnemic.extraction.embedders.base import Embedder
from mnemic.extraction.terms import terms
from mnemic.graph.clock import ManualClock

LIMIT = 50
"""So many items, or turns, are asked for."""

_K1, _B = 1.2, 0.75
_RRF = 60.0

Scores = NDArray[np.float64]
System = Callable[[Case, Place], AbstractContextManager[Asker]]
"""Is told a case in a place, and answers questions while it is open."""


@contextmanager
def mnemic(case: Case, place: Place) -> Iterator[Asker]:
    """Tell a fresh store the turns one by one, and ask it by ``recall(depth="deep")``."""
    clock = ManualClock(case.turns[0].at)
    names = [name.model_dump(mode="json") for name in case.dictionary]
    with place.fresh(case.id, clock, names) as memory:
        for turn in case.turns:
            clock.now = max(clock.now, turn.at)
            memory.remember(
                turn.text, speaker=turn.speaker, role=turn.role, session=turn.session, at=turn.at, id=turn.id
            )

        def ask(query: Query) -> Ranking:
            clock.now = max(clock.now, query.at)
            if place.vectors is not None:
                place.vectors.query(query.text)  # embedding the question is not what is timed
            start = perf_counter()
            found = memory.recall(query.text, depth="deep", limit=LIMIT)
            seconds = perf_counter() - start
            turns = dict.fromkeys(turn for item in found.items for turn in item.turns)
            best = found.items[0].score if found.items else found.nothing.score if found.nothing else 0.0
            return Ranking(tuple(turns), best, seconds)

        yield ask


def bm25(case: Case, place: Place) -> AbstractContextManager[Asker]:
    """Rank by words."""
    return _by(case, _words(case.turns))


def vectors(case: Case, place: Place) -> AbstractContextManager[Asker]:
    """Rank by likeness of vectors."""
    return _by(case, _likeness(case.turns, _needed(place)))


def fusion(case: Case, place: Place) -> AbstractContextManager[Asker]:
    """Rank by reciprocal rank fusion of words and vectors."""
    channels = (_words(case.turns), _likeness(case.turns, _needed(place)))

    def score(text: str) -> Scores:
        ranks = [np.argsort(np.argsort(-channel(text), kind="stable")) for channel in channels]
        return np.sum([1.0 / (_RRF + 1.0 + rank) for rank in ranks], axis=0, dtype=np.float64)  # type: ignore[no-any-return]

    return _by(case, score)


SYSTEMS: Mapping[str, System] = {"mnemic": mnemic, "bm25": bm25, "vectors": vectors, "fusion": fusion}


def _needed(place: Place) -> Embedder:
    if place.vectors is None:
        raise ValueError("embedder: is none, but vectors are asked for; name one, or only systems without")
    return place.vectors


@contextmanager
def _by(case: Case, score: Callable[[str], Scores]) -> Iterator[Asker]:
    ids = [turn.id for turn in case.turns]

    def ask(query: Query) -> Ranking:
        start = perf_counter()
        scores = score(query.text)
        order = np.argsort(-scores, kind="stable")[:LIMIT]
        seconds = perf_counter() - start
        return Ranking(tuple(ids[n] for n in order), float(scores[order[0]]), seconds)

    yield ask


def _words(turns: Sequence[Told]) -> Callable[[str], Scores]:
    """Return BM25 (Robertson and Zaragoza, 2009) over the turns."""
    counts = [Counter(terms(f"{turn.speaker} {turn.text}")) for turn in turns]
    lengths = np.array([count.total() for count in counts], dtype=np.float64)
    norm = _K1 * (1.0 - _B + _B * lengths / max(1.0, float(lengths.mean())))

    def score(text: str) -> Scores:
        total = np.zeros(len(turns))
        for term in set(terms(text)):
            often = np.array([count[term] for count in counts], dtype=np.float64)
            holding = np.count_nonzero(often)
            idf = np.log(1.0 + (len(turns) - holding + 0.5) / (holding + 0.5))
            total += idf * often * (_K1 + 1.0) / (often + norm)
        return total

    return score


def _likeness(turns: Sequence[Told], embedder: Embedder) -> Callable[[str], Scores]:
    rows = embedder.passages([f"{turn.speaker}: {turn.text}" for turn in turns]).astype(np.float64)
    return lambda text: rows @ embedder.query(text).astype(np.float64)
