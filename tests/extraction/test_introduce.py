import pytest
from hypothesis import given
from hypothesis import strategies as st

from mnemic.extraction.introduce import introductions
from mnemic.extraction.model import Source
from tests.extraction.reading import analysed, messages, patient, shifts


@pytest.mark.parametrize(
    ("text", "name", "kind", "alias"),
    [
        ("we have a new project called Zephyr", "Zephyr", "project", ""),
        ('our service named "quill works"', "quill works", "service", ""),
        ("our service named payGate", "payGate", "service", ""),
        ("my cousin Milo", "Milo", "person", ""),
        ("My sister’s name is Zoe", "Zoe", "person", ""),
        ("meet Zoe, our new designer", "Zoe", "person", ""),
        ("Zoe, aka Zed", "Zoe", "thing", "Zed"),
        ("Zoe Quill, ZQ for short", "Zoe Quill", "thing", "ZQ"),
        ("新项目叫北斗", "北斗", "project", ""),
        ("新来的同事小周", "小周", "person", ""),
        ("欢迎新同学贺知章", "贺知章", "person", ""),
        ("我妹妹叫林夏", "林夏", "person", ""),
        ("“北斗”，简称BD", "北斗", "thing", "BD"),
    ],
)
def test_what_is_introduced(text: str, name: str, kind: str, alias: str) -> None:
    (found,) = introductions(text)
    assert (found.mention.name, found.mention.kind, found.alias) == (name, kind, alias)
    assert found.mention.source is Source.INTRODUCED


@pytest.mark.parametrize("text", ["new project", "I like tea", "a project called off", "他叫我别去", ""])
def test_nobody_is_introduced(text: str) -> None:
    assert introductions(text) == ()


def test_several_are_introduced_in_the_order_of_the_text() -> None:
    text = "we have a new service called Zephyr, my cousin Milo wrote it"
    assert [each.mention.name for each in introductions(text)] == ["Zephyr", "Milo"]


@patient
@given(messages)
def test_names_are_words_of_the_text_in_order(text: str) -> None:
    found = [each.mention for each in introductions(text)]
    assert [each.start for each in found] == sorted({each.start for each in found})
    assert all(text[each.start : each.end] == each.text == each.name for each in found)


@patient
@given(shifts, st.sampled_from(("a new project called Zephyr", "新项目叫北斗", "my cousin Milo")))
def test_what_stands_before_moves_a_name_and_changes_nothing(before: str, text: str) -> None:
    (plain,) = introductions(text)
    (moved,) = introductions(f"{before}\n{text}")
    assert (moved.mention.name, moved.mention.kind) == (plain.mention.name, plain.mention.kind)
    assert moved.mention.start == plain.mention.start + len(before) + 1


@pytest.mark.parametrize(
    ("text", "name", "kind"),
    [
        ("Our new service is called Kafka", "Kafka", "service"),
        ("my cat is called Python", "Python", "pet"),
        ("我们的新项目叫 Spark", "Spark", "project"),
        ("We bought a tool called Docker", "Docker", "container"),
    ],
)
def test_what_is_introduced_is_no_more_what_ships_under_its_name(text: str, name: str, kind: str) -> None:
    assert [(m.name, m.kind) for unit in analysed(text).units for m in unit.mentions] == [(name, kind)]
