"""What is told in one language is found in another: names count as named, and vectors lose what is the language's."""

import numpy as np
import pytest

from mnemic.engine.centre import LANGUAGES, centres_of
from mnemic.extraction.embedders import e5
from mnemic.graph.store import Corpus
from tests.engine.told import door, recalled, tell


@pytest.mark.parametrize(
    ("told", "asked"),
    [
        ("从今天起结算服务交给王小明负责。", "Who owns checkout?"),
        ("Ben owns checkout from today on.", "结算服务归谁负责？"),
    ],
)
def test_a_name_in_the_other_language_counts_as_named(told: str, asked: str) -> None:
    with door() as memory:
        tell(memory, told, "The ledger uses MySQL.", "账本服务用 MySQL。")
        first = memory.recall(asked).items[0]
    assert first.text == told
    assert first.why.channels["coverage"] > 0


def test_each_language_has_its_own_centre() -> None:
    centres = centres_of(e5.NAME, Corpus(0, 0, {}))
    assert set(centres) == set(LANGUAGES)
    assert float(np.linalg.norm(centres["en"] - centres["zh"])) > 0.1


def test_an_unknown_embedder_has_the_centre_of_the_store_or_none() -> None:
    assert centres_of("other", Corpus(0, 0, {})) == {}
    own = np.ones(3, np.float32)
    centres = centres_of("other", Corpus(1, 1, {}, own))
    assert all((centre == own).all() for centre in centres.values())


def test_what_is_told_in_one_language_answers_in_the_other() -> None:
    with door(embedder=e5.NAME) as memory:
        tell(memory, "我对花生过敏。", "I am flying to Oslo on Friday.", "My train leaves at nine.")
        assert recalled(memory, "What food am I allergic to?")[0] == "我对花生过敏。"
