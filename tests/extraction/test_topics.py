"""A rule or a decision that names no subject is about the thing that its words name."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mnemic.extraction.topics import about, points_back
from tests.extraction.reading import brief


@pytest.mark.parametrize(
    ("text", "subject"),
    [
        ("Never lend out the torque wrench without writing it down.", "torque wrench"),
        ("always lock the gate when you leave", "gate"),
        ("please don't use the blue cups", "blue cups"),
        ("千万别给孩子吃蜂蜜", "Ada的孩子"),
        ("不要在群里发广告", "群里"),
    ],
)
def test_a_rule_is_about_what_it_names(text: str, subject: str) -> None:
    assert [(who, predicate) for who, predicate, _, _ in brief(text)] == [(subject, "rule")]


def test_a_rule_that_only_points_is_about_the_thing_in_view() -> None:
    ((subject, predicate, _, _),) = brief("never leave it in the van", ("Ada", "Atlas lives in the shed."))
    assert (subject, predicate) == ("Atlas", "rule")


@pytest.mark.parametrize(
    ("text", "subject"),
    [
        ("We settled on the blue tiles for the downstairs loo", "downstairs loo"),
        ("会上定了，首页不做短视频", "首页"),
    ],
)
def test_a_decision_is_about_that_for_which_it_was_made(text: str, subject: str) -> None:
    assert [(who, predicate) for who, predicate, _, _ in brief(text)] == [(subject, "decided")]


@given(
    st.text(alphabet="the gate lock 别给孩子在群里不it them,.", max_size=40),
    st.sampled_from(["rule", "decided"]),
)
def test_what_is_named_lies_within_the_words(words: str, predicate: str) -> None:
    span = about(words, predicate)
    assert span is None or (0 <= span[0] < span[1] <= len(words) and words[slice(*span)].strip())
    assert points_back(words) in (True, False)
