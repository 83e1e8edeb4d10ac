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


@pytest.mark.parametrize(
    ("text", "stated"),
    [
        (
            "I met Julia, who works at Bosch, and she told me Tomas lives in Berlin.",
            {("Julia", "employer", "Bosch", "asserted"), ("Tomas", "lives_in", "Berlin", "reported")},
        ),
        (
            "Priya works at Bosch, and she told me Tomas lives in Berlin.",
            {("Priya", "employer", "Bosch", "asserted"), ("Tomas", "lives_in", "Berlin", "reported")},
        ),
        (
            "林悦在华为上班，她告诉我陈默住在北京",
            {("林悦", "employer", "华为", "asserted"), ("陈默", "lives_in", "北京", "reported")},
        ),
        ("Tomas lives in Berlin, Priya told me.", {("Tomas", "lives_in", "Berlin", "reported")}),
        ("陈默住在北京，林悦告诉我的", {("陈默", "lives_in", "北京", "reported")}),
    ],
)
def test_what_stands_before_the_telling_is_the_speakers_own(text: str, stated: set[tuple[str, ...]]) -> None:
    assert set(brief(text)) == stated
