"""Who and what stands in the slots of a match, seen in the statements that are made of it."""

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mnemic.extraction.analyse import shipped_grammar
from mnemic.extraction.edges import bare
from mnemic.extraction.filling import Filler
from mnemic.extraction.resolve import Focus
from tests.extraction.reading import ADA, brief, frame, messages, passage, thing


def filler(text: str, focus: Focus | None = None) -> Filler:
    grammar = shipped_grammar()
    seen = passage(text, focus)
    groups = {each.name: grammar.groups(each) for each in seen.mentions}
    return Filler(seen, seen.focus, grammar.inventory, groups)


def filled(text: str, pattern: str, predicate: str = "uses") -> list[str]:
    """Return the objects of a match of ``pattern`` on the frame of a text."""
    made = frame(text)
    match = re.search(pattern, made.text)
    assert match is not None
    found = filler(text).objects(shipped_grammar().inventory[predicate], match, made)
    return [each.words for each in found]


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("Atlas uses Redis, Kafka and MySQL", ["Redis", "Kafka", "MySQL"]),
        ("Atlas uses Redis, Kafka, and MySQL", ["Redis", "Kafka", "MySQL"]),
        ("支付系统用了 Redis、Kafka 和 MySQL", ["Redis", "Kafka", "MySQL"]),
        ("Atlas uses Redis & MySQL", ["Redis", "MySQL"]),
        ("Atlas uses Redis", ["Redis"]),
        ("Atlas uses Redis, Marlin is fine", ["Redis"]),
        ("Atlas uses Redis, MySQL was slow", ["Redis"]),
    ],
)
def test_listed_things_are_all_meant_where_an_and_ends_the_list(text: str, values: list[str]) -> None:
    assert [value for _, predicate, value, _ in brief(text) if predicate == "uses"] == values


def test_of_one_value_the_first_is_taken() -> None:
    assert brief("I live in Berlin") == [("Ada", "lives_in", "Berlin", "asserted")]


def test_a_slot_is_filled_by_what_it_holds_or_by_its_words() -> None:
    assert filled("uses PG", "uses (?P<o>.+)") == ["PostgreSQL"]
    assert filled("uses the blue box now", "uses (?P<o>.+)") == ["the blue box"]
    assert filled("uses “a blue box”", "uses (?P<o>.+)") == ["a blue box"]
    assert filled("uses it", "uses (?P<o>.+)") == [""]


def test_dates_at_the_end_of_words_are_no_part_of_them_but_of_a_task() -> None:
    assert filled("like tea since 2026-05-01", "like (?P<o>.+)", "likes") == ["tea"]
    assert filled("send tea on 2026-05-01", "(?P<o>send .+)", "task") == ["send tea on 2026-05-01"]


def test_a_moment_keeps_its_time() -> None:
    made = frame("due 2026-05-01")
    match = re.search("due (?P<o>.+)", made.text)
    assert match is not None
    found = filler("due 2026-05-01").filling(match, "o", made, ())
    assert found.when is not None
    assert (found.words, found.when.normal) == ("2026-05-01", "2026-05-01")


@pytest.mark.parametrize(
    ("text", "subject"),
    [
        ("it uses Redis", "Marlin"),
        ("Atlas uses Redis", "Atlas"),
        ("the old box uses Redis", "old box"),
        ("my box uses Redis", "Ada's box"),
    ],
)
def test_whom_a_statement_speaks_of(text: str, subject: str) -> None:
    focus = Focus(speaker=ADA, thing=thing("Marlin"))
    made = frame(text)
    match = re.search("(?P<s>.+?) uses (?P<o>.+)", made.text)
    assert match is not None
    found = filler(text, focus).subjects(shipped_grammar().inventory["uses"], match, made)
    assert [each.name for each in found] == [subject]


def test_two_things_joined_by_and_are_two_subjects() -> None:
    text = "mugs and plates are here"
    made = frame(text)
    match = re.search("(?P<s>.+?) are", made.text)
    assert match is not None
    found = filler(text).subjects(shipped_grammar().inventory["located_at"], match, made)
    assert [each.name for each in found] == ["mugs", "plates"]


@settings(deadline=None, max_examples=40)
@given(messages, st.data())
def test_any_part_of_any_text_can_fill_a_slot(text: str, data: st.DataObject) -> None:
    made = frame(text)
    start = data.draw(st.integers(0, len(made.text)))
    end = data.draw(st.integers(start, len(made.text)))
    match = re.compile(f"(?s:(?P<s>.{{{start}}})(?P<o>.{{{end - start}}}))").match(made.text)
    assert match is not None
    fills = filler(text)
    for predicate in ("uses", "owner", "lives_in", "task", "likes"):
        row = shipped_grammar().inventory[predicate]
        for subject in fills.subjects(row, match, made):
            assert subject.name.strip()
        for value in fills.objects(row, match, made):
            assert value.words == value.words.strip()
            assert value.mention is None or value.mention.name == value.words


@pytest.mark.parametrize(
    ("text", "subject"),
    [
        ("支付系统归我，数据库还是 MySQL", "支付系统"),
        ("支付系统归我，消息队列是 Kafka", "支付系统"),
        ("文档中心用 Redis", "文档中心"),
    ],
)
def test_a_part_is_that_of_the_thing_in_view_though_a_pattern_cuts_its_name(text: str, subject: str) -> None:
    assert [each[0] for each in brief(text) if each[1] == "uses"] == [subject]


@given(st.text("a b,，因为", max_size=12))
def test_a_value_that_is_cut_short_ends_with_a_word(words: str) -> None:
    left = bare(words)
    assert left == left.strip()
    assert left in words
