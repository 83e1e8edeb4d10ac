"""What is said of others is nothing that an entity has or is, even where its name stands in the sentence."""

import pytest

from mnemic import Mnemic
from tests.engine.told import tell


@pytest.mark.parametrize(
    ("text", "predicate", "value", "own"),
    [
        ("My neighbour Greta works at Initech.", "employer", "Initech", "Greta"),
        ("我邻居王小明在腾讯上班。", "employer", "腾讯", "王小明"),
    ],
)
def test_a_mention_is_a_fact_in_words_alone(
    memory: Mnemic, text: str, predicate: str, value: str, own: str
) -> None:
    tell(memory, text)
    of_mine = [
        fact for fact in memory.about("ada").facts if fact.predicate == predicate or fact.value == value
    ]
    assert of_mine == []
    assert all(chain.predicate != predicate for chain in memory.history("ada").chains)
    assert text in {version.value for chain in memory.history("ada").chains for version in chain.versions}
    (fact,) = [fact for fact in memory.about(own).facts if fact.predicate == predicate]
    assert fact.value == value
