"""Whom "she" means where the message names somebody whom no dictionary knows."""

import pytest

from mnemic.extraction.company import company
from tests.extraction.reading import brief, passage


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("I had tea with Henrike today", ["Henrike"]),
        ("Henrike is my flatmate", ["Henrike"]),
        ("my aunt rang", ["Ada's aunt"]),
        ("我昨天遇到了周涛", ["周涛"]),
        ("周涛是我同学", ["周涛"]),
        ("我姐来电话了", ["Ada的姐姐"]),
        ("we talked with Monday in mind", []),
        ("I had tea with Priya and my aunt", []),
        ("我和周涛、李娜吃饭", []),
    ],
)
def test_people_are_known_by_the_words_around_them(text: str, names: list[str]) -> None:
    assert [person.name for person in company(passage(text))] == names


@pytest.mark.parametrize(
    ("before", "text", "expected"),
    [
        ("", "I had tea with Henrike today. She lives in Bergen", ("Henrike", "lives_in", "Bergen")),
        ("Henrike is my flatmate", "She works at IKEA", ("Henrike", "employer", "IKEA")),
        ("my aunt rang", "She lives in Bergen", ("Ada's aunt", "lives_in", "Bergen")),
        ("", "周涛是我同学。他住在苏州", ("周涛", "lives_in", "苏州")),
        ("我姐来电话了", "她住在苏州", ("Ada的姐姐", "lives_in", "苏州")),
    ],
)
def test_a_pronoun_means_the_one_person_just_spoken_of(
    before: str, text: str, expected: tuple[str, str, str]
) -> None:
    said = brief(text, ("Ada", before)) if before else brief(text)
    assert [each[:3] for each in said] == [expected]


@pytest.mark.parametrize(
    ("before", "text"),
    [
        ("Priya had tea with Tomas", "She lives in Bergen"),
        ("林悦和陈默吃饭去了", "他住在苏州"),
        ("nice weather", "She lives in Bergen"),
    ],
)
def test_a_pronoun_that_may_mean_either_is_left_open(before: str, text: str) -> None:
    assert brief(text, ("Ada", before)) == []
