"""The tenant's own names: learnt for the next sentence, shared between doors, checked row by row."""

from pathlib import Path
from typing import Any

import pytest

from mnemic import InvalidInput, Mnemic, NotFound
from tests.engine.told import bytes_of, door, tell, unchanged, values

FALCON = {"name": "Falkon", "kind": "service", "aliases": ["隼", "the bird"]}


def names_in(memory: Mnemic, text: str) -> list[str]:
    """Return the canonical names that are recognised in a text."""
    return [mention.name for unit in memory.analyse(text).units for mention in unit.mentions]


def test_a_learnt_name_counts_from_the_next_sentence_on(memory: Mnemic) -> None:
    assert "Falkon" not in names_in(memory, "隼现在用 MySQL。")
    memory.learn([FALCON])
    assert "Falkon" in names_in(memory, "隼现在用 MySQL。")
    tell(memory, "Falkon uses Postgres.", "隼换成了 MySQL。")
    assert values(memory, "Falkon", "uses") == ["MySQL"]


def test_an_unlearnt_name_no_longer_counts_and_what_was_told_stays_unless_read_again(memory: Mnemic) -> None:
    memory.learn([FALCON])
    tell(memory, "隼现在用 MySQL。")
    memory.unlearn("Falkon", reread=False)
    assert "Falkon" not in names_in(memory, "隼现在用 Redis。")
    assert "Falkon" not in [name.name for name in memory.names()]
    assert values(memory, "Falkon", "uses") == ["MySQL"]


def test_learning_a_name_again_puts_the_new_row_in_its_place(memory: Mnemic) -> None:
    memory.learn([FALCON])
    memory.learn([{"name": "Falkon", "kind": "project", "aliases": ["猎鹰"]}])
    (name,) = (name for name in memory.names() if name.name == "Falkon")
    assert (name.kind, name.aliases) == ("project", ("猎鹰",))
    assert "Falkon" not in names_in(memory, "隼现在用 MySQL。")
    assert "Falkon" in names_in(memory, "猎鹰现在用 MySQL。")


@pytest.mark.parametrize(
    ("row", "field"),
    [
        ({"kind": "service"}, "name"),
        ({"name": "Falkon"}, "kind"),
        ({"name": " ", "kind": "service"}, "name"),
        ({"name": "Falkon", "kind": ""}, "kind"),
        ({"name": 7, "kind": "service"}, "name"),
        ({"name": "Falkon", "kind": "service", "aliases": "隼"}, "aliases"),
        ({"name": "Falkon", "kind": "service", "aliases": ["隼", 7]}, "aliases"),
        ({"name": "Falkon", "kind": "service", "aliases": [" "]}, "aliases"),
        ({"name": "Falkon", "kind": "service", "colour": "red"}, "colour"),
        ({"name": "Falkon", "kind": "service", "aliases": 7}, "aliases"),
        (None, "dictionary[1]"),
        ({"name": "a\x00b", "kind": "service"}, "name"),
        ({"name": "a\ud800b", "kind": "service"}, "name"),
        ({"name": "…", "kind": "service"}, "name"),
        ({"name": "the", "kind": "service"}, "name"),
        ({"name": "我们", "kind": "team"}, "name"),
        ({"name": "Falcon", "kind": "service", "aliases": ["it"]}, "aliases"),
        ({"name": "Falcon", "kind": "service", "aliases": ["这个"]}, "aliases"),
        ({"name": "Falcon", "kind": "service", "aliases": ["隼"]}, "aliases"),
        ({"name": "Falkon", "kind": "project"}, "name"),
    ],
)  # fmt: skip
def test_a_bad_row_is_refused_by_place_and_field_and_no_row_is_learnt(
    memory: Mnemic, row: Any, field: str
) -> None:
    with unchanged(memory), pytest.raises(InvalidInput) as caught:
        memory.learn([FALCON, row])
    assert caught.value.field.startswith("dictionary[1]")
    assert field in caught.value.field


def test_unlearning_what_is_not_there_says_what_is_near(memory: Mnemic) -> None:
    with unchanged(memory), pytest.raises(NotFound) as caught:
        memory.unlearn("atlas")
    assert caught.value.nearest == ("Atlas",)


def test_unlearning_a_misspelt_name_says_what_is_near(memory: Mnemic) -> None:
    with pytest.raises(NotFound) as caught:
        memory.unlearn("Atlass")
    assert caught.value.nearest == ("Atlas",)


def test_two_doors_on_one_file_see_each_others_names(tmp_path: Path) -> None:
    with door(tmp_path / "memory.db", names=None) as one, door(tmp_path / "memory.db", names=None) as two:
        assert "Falkon" not in names_in(two, "隼现在用 MySQL。")
        one.learn([FALCON])
        assert "Falkon" in names_in(two, "隼现在用 MySQL。")
        two.remember("Project Nightjar, NJ for short, is our new project.", visibility="team")
        assert "Project Nightjar" in names_in(one, "NJ uses Postgres.")
        two.unlearn("Falkon")
        assert "Falkon" not in names_in(one, "隼现在用 MySQL。")


def test_names_are_there_when_the_file_is_opened_again(tmp_path: Path) -> None:
    with door(tmp_path / "memory.db", names=[FALCON]) as memory:
        memory.remember("隼现在用 MySQL。")
    with door(tmp_path / "memory.db", names=None) as memory:
        assert [name.name for name in memory.names()] == ["Falkon"]
        assert values(memory, "隼", "uses") == ["MySQL"]


@pytest.mark.parametrize("ending", ["yaml", "json", "csv"])
def test_names_are_read_from_a_file(tmp_path: Path, memory: Mnemic, ending: str) -> None:
    texts = {
        "yaml": "- {name: Falkon, kind: service, aliases: [隼]}\n",
        "json": '[{"name": "Falkon", "kind": "service", "aliases": ["隼"]}]',
        "csv": "name,kind,aliases\nFalkon,service,隼\n",
    }
    path = tmp_path / f"names.{ending}"
    path.write_text(texts[ending], encoding="utf-8")
    memory.learn(path)
    assert "Falkon" in names_in(memory, "隼现在用 MySQL。")


def test_an_unlearnt_or_forgotten_name_is_in_no_byte(tmp_path: Path) -> None:
    with door(tmp_path / "memory.db") as memory:
        memory.learn([{"name": "Zweihander", "kind": "project", "aliases": ["双手剑"]}])
        memory.unlearn("Zweihander")
        told = memory.remember("We have a new service called Wolpertinger.", importance=0.9)
        memory.forget(told.stored[0].id)
    left = bytes_of(tmp_path)
    assert not [word for word in ("zweihander", "双手剑", "wolpertinger") if word.encode() in left]


@pytest.mark.parametrize("name", ["Will", "May", "IT", "US"])
def test_a_name_that_only_looks_like_a_function_word_is_one(memory: Mnemic, name: str) -> None:
    (learnt,) = memory.learn([{"name": name, "kind": "person"}])
    assert learnt.name == name


def test_an_alias_of_another_name_is_refused_until_that_one_is_without_it(memory: Mnemic) -> None:
    memory.learn([{"name": "Alex Wu", "kind": "person", "aliases": ["Lex"]}])
    other = [{"name": "Alexa Dorn", "kind": "person", "aliases": ["Lex"]}]
    with unchanged(memory), pytest.raises(InvalidInput, match="alias of 'Alex Wu'"):
        memory.learn(other)
    memory.learn([{"name": "Alex Wu", "kind": "person", "aliases": []}])
    memory.learn(other)
    assert names_in(memory, "Lex lives in Rome.") == ["Alexa Dorn", "Rome"]


@pytest.mark.parametrize(
    "parted", ["鹰|the raptor", "鹰;the raptor", "鹰；the raptor", "鹰、the raptor", " 鹰 ; the raptor;"]
)
def test_aliases_in_a_cell_are_parted_by_what_people_write(
    tmp_path: Path, memory: Mnemic, parted: str
) -> None:
    path = tmp_path / "names.csv"
    path.write_text(f"name,kind,aliases\nRaptor,service,{parted}\n", encoding="utf-8")
    (learnt,) = memory.learn(path)
    assert learnt.aliases == ("鹰", "the raptor")


@pytest.mark.parametrize("kind", ["organisation", "org", "Org", "firm", "公司"])
def test_words_for_an_organisation_mean_one(memory: Mnemic, kind: str) -> None:
    memory.learn([{"name": "Brightwater", "kind": kind}])
    (receipt,) = tell(memory, "Ben works at Brightwater.")
    assert receipt.stored[0].said is not None
    assert (receipt.stored[0].said.predicate, receipt.stored[0].said.value) == ("employer", "Brightwater")


def test_a_kind_of_the_users_own_is_taken(memory: Mnemic) -> None:
    memory.learn([{"name": "dark-launch", "kind": "feature flag"}])
    tell(memory, "checkout uses dark-launch.")
    assert memory.about("dark-launch").entity.kind == "feature flag"


ALIKE: list[tuple[list[str], str, list[str]]] = [
    (
        ["SR-2023-052", "SR-2023-053"],
        "SR-2023-053 is done, SR-2023-052 is not.",
        ["SR-2023-053", "SR-2023-052"],
    ),
    (["SR-2023-052", "SR-2023-053"], "sr-2023-052 和 SR-2023-053 都关了。", ["SR-2023-052", "SR-2023-053"]),
    (["SR-2023-05", "SR-2023-052"], "We closed SR-2023-052.", ["SR-2023-052"]),
    (["SR-2023-05"], "We closed SR-2023-052.", []),
    (["上海", "上海路"], "新店开在上海路。", ["上海路"]),
    (["上海", "上海路"], "新店开在上海。", ["上海"]),
    (["Port", "Port Vale", "Port Vale Yard"], "The van is in Port Vale now.", ["Port Vale"]),
]


@pytest.mark.parametrize(("names", "text", "meant"), ALIKE)
def test_of_names_within_one_another_the_longest_is_meant(
    memory: Mnemic, names: list[str], text: str, meant: list[str]
) -> None:
    memory.learn([{"name": name, "kind": "document"} for name in names])
    assert [name for name in names_in(memory, text) if name in names] == meant
