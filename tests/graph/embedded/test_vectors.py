"""The two ways to find the nearest vectors, against the plain one."""

import numpy as np
import pytest
from numpy.typing import NDArray

from mnemic.graph.embedded import vectors
from mnemic.graph.embedded.vectors import Exact, Nearest, Signs, SignsTowards

DIMENSION = 200
"""Not a multiple of 64, so that the last word is padded."""


def unit(rows: NDArray[np.floating]) -> NDArray[np.float32]:
    scaled: NDArray[np.float32] = (rows / np.linalg.norm(rows, axis=-1, keepdims=True)).astype(np.float32)
    return scaled


def world(count: int) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Return vectors and queries as embedders make them: one large common part, uneven dimensions."""
    random = np.random.default_rng(7)
    common = 3 * random.standard_normal(DIMENSION)
    spread = np.exp(random.standard_normal(DIMENSION))
    topics = random.standard_normal((20, DIMENSION)) * spread

    def draw(number: int) -> NDArray[np.float32]:
        own = random.standard_normal((number, DIMENSION)) * spread
        return unit(common + topics[random.integers(0, 20, number)] + own)

    return draw(count), draw(10)


def filled(index: Nearest, rows: NDArray[np.float32]) -> Nearest:
    index.grow(len(rows) + 5)
    for start in range(0, len(rows), 700):
        some = np.arange(start, min(start + 700, len(rows)))
        index.put(some, rows[some])
    return index


def test_exact_scores_are_the_inner_products_of_the_slots_asked_for() -> None:
    rows, queries = world(100)
    index = filled(Exact(DIMENSION), rows)
    for slots in (np.arange(100), np.array([3, 50])):
        found, scores = index.towards(queries[0]).near(slots, 5)
        assert found.tolist() == slots.tolist()
        np.testing.assert_allclose(scores, rows[slots] @ queries[0], rtol=1e-5)


@pytest.mark.parametrize("count", [2_000, 12_000])
def test_signs_nominate_nearly_all_of_the_nearest(count: int) -> None:
    rows, queries = world(count)
    index = filled(Signs(DIMENSION, rows.mean(axis=0)), rows)
    hits = []
    for query in queries:
        found, scores = index.towards(query).near(np.arange(count), 20)
        assert len(found) == vectors.AT_LEAST
        np.testing.assert_allclose(scores, rows[found] @ query, atol=4e-3)
        nearest = np.argsort(rows @ query)[-10:]
        hits.append(np.isin(nearest, found).mean())
    assert np.mean(hits) > 0.97


def test_estimates_follow_the_inner_products_and_the_finer_one_closer() -> None:
    rows, queries = world(2_000)
    centre, slots = rows.mean(axis=0), np.arange(2_000)
    index = Signs(DIMENSION, centre)
    filled(index, rows)
    for query in queries:
        rest, true = query - centre, rows @ query
        fine = index.estimates(slots, index.by_level(slots, rest)) + query @ centre
        coarse = index.estimates(slots, SignsTowards(index, query, rest)._by_sign(slots)) + query @ centre
        assert abs((fine - true).mean()) < 0.05
        assert np.corrcoef(fine, true)[0, 1] > max(0.78, np.corrcoef(coarse, true)[0, 1])
        assert np.corrcoef(coarse, true)[0, 1] > 0.5


def test_signs_nominate_only_from_the_slots_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(vectors, "AT_LEAST", 10)
    rows, queries = world(2_000)
    index = filled(Signs(DIMENSION, rows.mean(axis=0)), rows)
    allowed = np.arange(1, 2_000, 2)

    found, _ = index.towards(queries[0]).near(allowed, 2)
    assert len(found) == 10
    assert np.isin(found, allowed).all()
    few, _ = index.towards(queries[0]).near(allowed[:7], 2)
    assert few.tolist() == allowed[:7].tolist()


def test_signs_of_equal_vectors_and_of_the_centre_itself_do_not_fail(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(vectors, "AT_LEAST", 2)
    rows = np.repeat(unit(np.ones((1, DIMENSION))), 9, axis=0)
    index = filled(Signs(DIMENSION, rows[0]), rows)
    found, _ = index.towards(rows[0]).near(np.arange(9), 1)
    assert len(set(found.tolist())) == 5
