"""Names that keep appearing are proposed with their evidence; what is turned down stays so."""

from pathlib import Path

import pytest

from mnemic import InvalidInput, Mnemic
from mnemic.api.copying import copy
from mnemic.api.opening import open_store
from tests.engine.told import as_user, bytes_of, door, rows, values


def say(memory: Mnemic, *texts: str, sessions: int = 2) -> None:
    for number, text in enumerate(texts):
        memory.remember(text, session=f"s{number % sessions}")


def proposed(memory: Mnemic) -> dict[str, str]:
    return {each.name: each.kind for each in memory.proposals()}


THRICE = {
    "capital": ["We asked Quillon about it.", "I had tea with Quillon.", "The door is broken, Quillon said."],
    "handle": ["@quilla can you look?", "thanks @quilla", "ask @quilla about it"],
    "camel": ["The QuillonStore is slow.", "I restarted QuillonStore.", "we broke QuillonStore again"],
    "snake": ["look at quillon_store please", "quillon_store is slow", "restart quillon_store now"],
    "ticked": ["look at `quillon` please", "is `quillon` slow", "restart `quillon` now"],
    "kebab": ["deploy quill-gate today", "the quill-gate service is slow", "restart quill-gate now"],
    "chinese": ["问一下老欧", "老欧说好", "跟老欧聊聊"],
    "project": ["灰鹭项目延期了", "下周看灰鹭项目", "我在做灰鹭项目"],
}


@pytest.mark.parametrize(
    ("said", "name", "kind"),
    [
        ("capital", "Quillon", "person"),
        ("handle", "quilla", "person"),
        ("camel", "QuillonStore", "service"),
        ("snake", "quillon_store", "service"),
        ("ticked", "quillon", "thing"),
        ("kebab", "quill-gate", "service"),
        ("chinese", "老欧", "person"),
        ("project", "灰鹭", "project"),
    ],
)
def test_what_stands_where_names_stand_is_proposed(memory: Mnemic, said: str, name: str, kind: str) -> None:
    say(memory, *THRICE[said])
    (each,) = (each for each in memory.proposals() if each.name == name)
    assert (each.turns, each.sessions) == (3, 2)
    assert each.kind == kind or said in ("snake", "ticked")
    assert {e.before + name + e.behind for e in each.evidence} <= set(THRICE[said])
    assert all((e.before + name + e.behind)[e.start : e.end] == name for e in each.evidence)


@pytest.mark.parametrize(
    "texts",
    [
        ["Yesterday was fine.", "Yesterday again.", "Yesterday, no."],
        ["See you on Monday then.", "it is due in March", "not on Monday, in March"],
        ["look at https://Quillon.example/QuillonStore"] * 3,
        ["mail me at Quillon@example.com"] * 3,
        ["if (QuillonStore == null) { QuillonStore = new Quillon(); }"] * 3,
        ["2026-01-02 10:00:00 ERROR QuillonStore failed"] * 3,
        [
            "my password is Quillon77Store",
            "the password is Quillon77Store",
            "so the password: Quillon77Store",
        ],
        ["ok THE BIG Thing", "A Big Thing Is Here Now", "My Very Big Thing Is Here"],
        ["这个项目延期了", "我们项目不错", "新项目来了"],
        ["PostgreSQL is fine, we use PostgreSQL", "we use PostgreSQL", "back on PostgreSQL"],
        ["it was the Garden party", "we sat in the garden", "a garden is nice", "the garden", "in a Garden"],
    ],
)
def test_what_is_no_name_is_not_proposed(memory: Mnemic, texts: list[str]) -> None:
    say(memory, *texts)
    say(memory, *texts)
    assert proposed(memory) == {}


def test_too_few_turns_or_sessions_are_not_enough(memory: Mnemic) -> None:
    say(memory, *THRICE["capital"][:2])
    assert proposed(memory) == {}
    say(memory, *THRICE["handle"], sessions=1)
    assert proposed(memory) == {}


def test_what_is_forgotten_is_proposed_no_more(memory: Mnemic) -> None:
    say(memory, *THRICE["capital"])
    assert "Quillon" in proposed(memory)
    memory.forget("We asked Quillon about it.")
    assert proposed(memory) == {}


def test_what_is_accepted_is_a_name_of_the_user_and_read_again(memory: Mnemic) -> None:
    say(
        memory,
        "Quillon uses Kafka.",
        "We saw Quillon restart.",
        "Is it true that Quillon is slow?",
        "Quillon is ok.",
    )
    memory.accept({"Quillon": "service"})
    assert [(n.name, n.kind, n.owner) for n in memory.names() if n.name == "Quillon"] == [
        ("Quillon", "service", "ada")
    ]
    assert values(memory, "Quillon", "uses") == ["Kafka"]
    assert memory.resolve("Quillon").kind == "service"
    assert proposed(memory) == {}
    assert "Quillon" not in [name.name for name in as_user(memory, "bob").names()]


def test_what_is_rejected_is_not_proposed_again_to_this_user(memory: Mnemic, bob: Mnemic) -> None:
    say(memory, *THRICE["capital"])
    say(bob, *THRICE["capital"])
    assert memory.reject("quillon") == ("quillon",)
    assert proposed(memory) == {}
    assert "Quillon" in proposed(bob)
    assert "quillon" not in [name.name for name in memory.names()]
    assert all(
        mention.name != "quillon" for unit in memory.analyse("ask quillon").units for mention in unit.mentions
    )


def test_a_rejection_is_taken_back_by_accepting_or_learning(memory: Mnemic) -> None:
    memory.reject("Quillon")
    memory.accept({"Quillon": "person"})
    assert memory.resolve("Quillon").kind == "person"
    memory.reject("Zephyr")
    memory.learn([{"name": "Zephyr", "kind": "service"}])
    assert memory.resolve("Zephyr").kind == "service"


def test_a_name_cannot_be_rejected(memory: Mnemic) -> None:
    assert memory.reject("Atlas") == ()
    assert "Atlas" in [name.name for name in memory.names()]


def test_a_secret_cannot_be_accepted(memory: Mnemic) -> None:
    with pytest.raises(InvalidInput, match="secret"):
        memory.accept({"ghp_" + "a1B2" * 9: "thing"})


def test_rejections_move_with_the_store_and_go_with_the_user(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    with door(tmp_path / "a" / "one.db") as memory:
        say(memory, *THRICE["capital"])
        memory.reject("Quillon")
        assert [row["name"] for row in rows(memory, "name") if row["kind"] == ""] == ["Quillon"]
        with open_store(str(tmp_path / "two.db"), tenant="default") as target:
            assert list(copy(memory.core.store, target))
        memory.core.store.erase(owners=["ada"])
        assert b"quillon" not in bytes_of(tmp_path / "a")
    with door(tmp_path / "two.db", names=None) as moved:
        assert proposed(moved) == {}


def test_proposals_are_bounded_and_ordered(memory: Mnemic) -> None:
    say(memory, *THRICE["capital"], *THRICE["handle"], "cc @quilla")
    assert [each.turns for each in memory.proposals()] == [4, 3]
    assert [each.name for each in memory.proposals(limit=1)] == ["quilla"]
