from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from mnemic.extraction.embedders.base import Vectors
from mnemic.extraction.embedders.cache import CachedEmbedder
from mnemic.extraction.embedders.fixed import FixedEmbedder


class Counting(FixedEmbedder):
    """Remembers which texts it was asked for."""

    def __init__(self) -> None:
        super().__init__()
        self.asked: list[str] = []

    def passages(self, texts: Sequence[str]) -> Vectors:
        self.asked += texts
        return super().passages(texts)

    def query(self, text: str) -> Vectors:
        self.asked.append(f"{text}?")
        passage: Vectors = super().passages([text])[0]
        return -passage  # as with real ones: a question's vector is not its passage's


def test_a_text_is_embedded_once() -> None:
    behind = Counting()
    cached = CachedEmbedder(behind)
    cached.passages(["a", "b", "a"])
    cached.passages(["b", "c"])
    assert behind.asked == ["a", "b", "c"]


def test_the_text_not_used_for_longest_is_forgotten() -> None:
    behind = Counting()
    cached = CachedEmbedder(behind, size=2)
    for text in ("a", "b", "a", "c", "a", "b"):
        cached.passages([text])
    assert behind.asked == ["a", "b", "c", "b"]


@given(st.lists(st.lists(st.sampled_from(["one", "two", "three", "four", ""]), max_size=5), max_size=6))
def test_a_remembered_vector_is_the_same(calls: list[list[str]]) -> None:
    plain, cached = FixedEmbedder(), CachedEmbedder(FixedEmbedder(), size=3)
    for texts in calls:
        assert np.array_equal(cached.passages(texts), plain.passages(texts))


def test_a_question_is_embedded_once_and_is_not_the_passage_of_its_words() -> None:
    behind = Counting()
    cached, plain = CachedEmbedder(behind), Counting()
    for _ in range(2):
        assert np.array_equal(cached.query("a"), plain.query("a"))
        assert np.array_equal(cached.passages(["a"]), plain.passages(["a"]))
    assert behind.asked == ["a?", "a"]
    cached.query("a")[:] = 0
    assert cached.query("a").any()


def test_writing_into_an_answer_does_not_reach_the_memory() -> None:
    cached = CachedEmbedder(FixedEmbedder())
    cached.passages(["a"])[:] = 0
    assert cached.passages(["a"]).any()


def test_threads_share_it() -> None:
    plain, cached = FixedEmbedder(), CachedEmbedder(FixedEmbedder(), size=7)
    texts = [f"text {number % 20}" for number in range(400)]
    with ThreadPoolExecutor(8) as pool:
        rows = list(pool.map(lambda text: cached.passages([text])[0], texts))
    assert np.array_equal(np.stack(rows), plain.passages(texts))


def test_it_has_the_name_and_the_dimension_of_the_one_behind() -> None:
    cached = CachedEmbedder(FixedEmbedder(dimension=32))
    assert (cached.name, cached.dimension, cached.query("a").shape) == ("fixed", 32, (32,))
