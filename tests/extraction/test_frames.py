import pytest
from hypothesis import given
from hypothesis import strategies as st

from mnemic.extraction.frames import frame

NAMES = st.sampled_from(["Dune", "Atlas", "Bengaluru", "Ada Lovelace", "C++", "Sidereus Nuncius", "支付系统"])


@pytest.mark.parametrize(
    ("text", "value", "sort"),
    [
        ("The author of Dune is Frank Herbert.", "Frank Herbert", "name"),
        ("Dune's author is Frank Herbert", "Frank Herbert", "name"),
        ("Frank Herbert is the author of Dune", "Frank Herbert", "name"),
        ("Amy died in the city of London.", "London", "classed"),
        ("Amy plays the position of goalkeeper", "goalkeeper", "classed"),
        ("Atlas was founded by Bo Lind", "Bo Lind", "name"),
        ("The type of music that Amy plays is jazz", "jazz", "classed"),
        ("Our landlord is Mr. Wu", "Mr. Wu", "name"),
        ("The state of the roof in Rome is dreadful", "dreadful", "words"),
        ("三体由刘慈欣撰写", "刘慈欣", "classed"),
        ("故宫位于北京。", "北京", "classed"),
        ("支付系统的数据库是 MySQL", "MySQL", "name"),
    ],
)
def test_a_sentence_of_one_value_shows_it_by_its_build(text: str, value: str, sort: str) -> None:
    found = frame(text)
    assert found is not None
    assert (found.value, found.sort) == (value, sort)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "。",
        "We moved to Berlin.",
        "A friend of Tom is Jim",
        "One of the owners of Atlas is Jim",
        "My sister is Anna",  # there may be two
        "小王的朋友是小李",
        "The owner of Atlas is also Jim",
        "The owner of Atlas is not Jim",
        "The owner of Atlas was Jim",  # no longer, or who knows
        "Atlas was led by Jim",
        "It is the best of all",
    ],
)
def test_what_may_have_several_values_or_tells_of_the_past_has_no_frame(text: str) -> None:
    assert frame(text) is None


@given(NAMES, st.sampled_from(["Jim Bo", "Kim Lo"]), st.sampled_from(["Jim Bo", "Kim Lo"]))
def test_rivals_say_another_value_of_the_same_thing(thing: str, one: str, other: str) -> None:
    here, there = frame(f"The keeper of {thing} is {one}"), frame(f"{other} is the keeper of {thing}")
    assert here is not None
    assert there is not None
    assert here.rivals(there) == there.rivals(here) == (one != other)


@given(NAMES, NAMES)
def test_different_things_are_no_rivals(one: str, other: str) -> None:
    here, there = frame(f"The keeper of {one} is Jim"), frame(f"The keeper of {other} is Kim")
    assert here is not None
    assert there is not None
    assert here.rivals(there) == (one == other)


def test_a_title_with_a_word_for_many_is_a_name() -> None:
    assert frame("The author of Our Mutual Friend is Charles Dickens") is not None


@given(st.text(max_size=300))
def test_any_text_is_read(text: str) -> None:
    found = frame(text)
    assert found is None or found.value
