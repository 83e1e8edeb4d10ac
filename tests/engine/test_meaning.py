"""What a sentence's vector adds to its worth, where weights for its embedder are known."""

from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mnemic import FixedEmbedder, Mnemic
from mnemic.engine.meaning import _READ, centred, direction
from mnemic.extraction.embedders.base import Vectors, unit
from mnemic.extraction.embedders.e5 import NAME
from tests.engine.told import door

WORTH = direction(NAME)


class Pointing:
    """An embedder under the shipped one's name: ``good`` texts lie where worth is, all others opposite."""

    name, dimension = NAME, 384

    def __init__(self, *good: str) -> None:
        self.good, self.seen = good, list[str]()

    def passages(self, texts: Sequence[str]) -> Vectors:
        """Return vectors along the direction of worth, or against it."""
        assert WORTH is not None
        self.seen.extend(texts)
        rows = np.stack([WORTH if text.endswith(self.good) else -WORTH for text in texts])
        made: Vectors = unit(np.asarray(rows, dtype=np.float32))
        return made

    def query(self, text: str) -> Vectors:
        """Return the vector of the text."""
        row: Vectors = self.passages([text])[0]
        return row


def kept(memory: Mnemic, told: str) -> list[str]:
    return [stored.text for stored in memory.remember(told).stored]


@pytest.mark.parametrize("told", ["The boiler is on the fritz again", "锅炉又开始闹脾气"])
def test_the_vector_says_what_no_word_does(told: str) -> None:
    with door(embedder=Pointing(told)) as towards, door(embedder=Pointing("nothing")) as against:
        (stored,) = towards.remember(told).stored
        (ignored,) = against.remember(told).ignored
    assert stored.features["meaning"] > 0.0 > ignored.features["meaning"]
    assert stored.importance > ignored.importance


def test_each_sentence_of_a_message_has_its_own_meaning() -> None:
    told = ["Ben lives in Berlin.", "Lea lives in Paris."]
    for worth in told:
        with door(embedder=Pointing(worth)) as memory:
            assert kept(memory, " ".join(told)) == [worth]


@pytest.mark.parametrize("embedder", ["none", FixedEmbedder()])
def test_without_known_weights_the_visible_features_judge_alone(embedder: str | FixedEmbedder) -> None:
    with door(embedder=embedder) as memory:
        (stored,) = memory.remember("Ben lives in Berlin.").stored
    assert "meaning" not in stored.features
    with door() as plain:
        assert plain.remember("Ben lives in Berlin.").stored[0].importance == stored.importance


def test_a_message_of_one_sentence_is_embedded_for_itself_alone() -> None:
    embedder = Pointing()
    with door(embedder=embedder) as memory:
        memory.remember("Ben lives in Berlin.")
    assert len(embedder.seen) == 1


def test_of_endless_messages_only_the_first_sentences_have_a_meaning() -> None:
    embedder = Pointing("never")
    with door(embedder=embedder) as memory:
        receipt = memory.remember(" ".join(f"Ben lives in Berlin{n}." for n in range(2 * _READ)))
    features = [each.features for each in receipt.stored] + [each.features for each in receipt.ignored]
    assert sum("meaning" in each for each in features) == _READ < len(features)


def test_an_assistants_sentences_are_not_embedded_one_by_one() -> None:
    embedder = Pointing()
    with door(embedder=embedder) as memory:
        memory.remember("Ben lives in Berlin. Lea lives in Paris.", role="assistant")
    assert len(embedder.seen) == 1


@given(st.integers(0, 2**32 - 1), st.sampled_from([0.0, 1e-20, 1.0, 1e6]), st.sampled_from(["text", "文字"]))
def test_what_is_compared_has_unit_length_or_none(seed: int, size: float, text: str) -> None:
    vector = np.asarray(size * np.random.default_rng(seed).normal(size=384), dtype=np.float32)
    length = float(np.linalg.norm(centred(NAME, text, vector)))
    assert length == pytest.approx(1.0, abs=1e-4) or length == 0.0
