"""What "and" joins to a clause is said of the same subject, and is no part of the value before it."""

import pytest

from tests.extraction.reading import brief


@pytest.mark.parametrize(
    ("text", "stated"),
    [
        ("I sold the Fiat and bought a Honda Jazz.", ("Ada", "owns", "Honda Jazz", "asserted")),
        ("Priya quit Google and moved to Berlin.", ("Priya", "lives_in", "Berlin", "asserted")),
        ("We dropped Kafka and switched to NATS.", ("Ada", "uses", "NATS", "asserted")),
    ],
)
def test_a_joined_clause_has_the_subject_of_the_one_before(text: str, stated: tuple[str, ...]) -> None:
    found = brief(text)
    assert stated in found
    assert not any(" and " in value for _, _, value, _ in found)
