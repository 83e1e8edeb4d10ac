"""Every answer says where it comes from: receipts with their reasons, items with their turns."""

from collections.abc import Iterator
from typing import Any

import pytest

from mnemic import ManualClock, Mnemic
from tests.engine.told import answers, day, rows, tell

QUESTION = "What does checkout use?"


def turns_in(value: Any) -> Iterator[tuple[str, ...]]:
    """Yield the turn ids of every item inside a result."""
    if isinstance(value, dict):
        if isinstance(value.get("turns"), (list, tuple)):
            yield tuple(value["turns"])
        for part in value.values():
            yield from turns_in(part)
    elif isinstance(value, (list, tuple)):
        for part in value:
            yield from turns_in(part)


@pytest.fixture
def world(memory: Mnemic, clock: ManualClock) -> Mnemic:
    """A store in which every door has something to say of checkout; all its turns carry ids."""
    told = [
        "Checkout uses Postgres.",
        "Checkout switched to MySQL.",
        "结算服务的负责人是小王。",
        "Atlas depends on checkout. Ben works on Atlas.",
        "Correction: checkout is owned by Lea.",
        "We plan to move checkout to Kafka next month.",
        "I need to tell Lea about checkout.",
        "Checkout switched to MySQL.",
    ]
    for number, text in enumerate(told):
        clock.now = day(number)
        memory.remember(text, id=f"chat/{number}", visibility="team" if number == 2 else "private")
    return memory


def test_every_item_of_every_door_carries_turns_that_are_there(world: Mnemic) -> None:
    known = {row["id"] for row in rows(world, "turn")}
    assert known == {f"chat/{number}" for number in range(8)}
    for answer in [*answers(world, "checkout", QUESTION), world.path("Ben", "checkout")]:
        for turns in turns_in(answer.model_dump()):
            assert turns, answer
            assert set(turns) <= known, answer
    assert all(row["sources"] and set(row["sources"]) <= known for row in rows(world, "memory"))


def test_every_door_has_something_to_carry_turns(world: Mnemic) -> None:
    about = world.about("checkout")
    assert about.facts
    assert about.changes
    assert about.plans
    assert about.timeline
    for answer in [
        world.recall(QUESTION),
        world.recall(QUESTION, depth="deep"),
        *world.tasks(),
        about,
        world.explore("checkout"),
        world.history("checkout"),
        world.path("Ben", "Atlas"),
    ]:
        assert list(turns_in(answer.model_dump())), type(answer).__name__


def test_a_neighbour_carries_the_turns_of_its_memory(world: Mnemic) -> None:
    for neighbour in world.about("checkout").neighbours:
        assert neighbour.model_dump()["turns"]


def test_a_turn_may_be_followed_from_a_memory_to_its_words(world: Mnemic) -> None:
    texts = {row["id"]: row["text"] for row in rows(world, "turn")}
    for row in rows(world, "memory"):
        assert any(row["text"] in texts[turn] for turn in row["sources"])


def test_what_was_stored_shows_what_made_it_important(memory: Mnemic) -> None:
    (stored,) = memory.remember("Checkout uses Postgres.", id="one").stored
    assert stored.features
    assert 0.6 <= stored.importance <= 1.0
    assert stored.turns == ("one",)
    assert stored.said is not None
    said = stored.said.model_dump()
    assert said == {"subject": "checkout", "predicate": "uses", "value": "PostgreSQL", "modality": "asserted"}


@pytest.mark.parametrize(
    ("second", "cue"),
    [("Checkout switched to MySQL.", "switched"), ("结算服务换成了 MySQL。", "换成")],
)
def test_what_was_replaced_says_by_which_words(memory: Mnemic, second: str, cue: str) -> None:
    first, receipt = tell(memory, "Checkout uses Postgres.", second)
    (replaced,) = receipt.replaced
    assert (replaced.older, replaced.older_text) == (first.stored[0].id, "Checkout uses Postgres.")
    assert replaced.newer == receipt.stored[0].id
    assert replaced.reason == "changed"
    assert cue in replaced.cue
    assert 0.0 < replaced.score <= 1.0
    assert replaced.turns == first.turns


@pytest.mark.parametrize("depth", ["warm", "deep"])
def test_what_was_kept_back_leads_to_its_turn(memory: Mnemic, depth: str) -> None:
    memory.remember("Checkout uses Postgres.", id="old")
    memory.remember("Checkout switched to MySQL.", id="new")
    kept_back = memory.recall("What does checkout use?", depth=depth).suppressed
    assert kept_back
    assert {each.turns for each in kept_back} == {("old",)}
    assert {each.id for each in kept_back} <= {"old", *(row["id"] for row in rows(memory, "memory"))}


@pytest.mark.parametrize(
    ("said", "name", "short"),
    [
        ("Project Nightjar, NJ for short, is our new project.", "Nightjar", "NJ"),
        ("我们的新项目叫「夜鹰计划」。", "夜鹰计划", "夜鹰计划"),
    ],
)
def test_a_new_name_is_noted_and_known_from_the_next_message_on(
    memory: Mnemic, said: str, name: str, short: str
) -> None:
    assert any(name in note for note in memory.remember(said).notes)
    assert any(name in known.name for known in memory.names())
    mentions = memory.analyse(f"{short} uses Postgres.").units[0].mentions
    assert any(name in mention.name for mention in mentions)


INTRODUCED = "Project Nightjar, NJ for short, is our new project."


def test_a_known_name_is_not_noted_as_new(memory: Mnemic) -> None:
    first, second = tell(memory, INTRODUCED, INTRODUCED)
    assert first.notes
    assert second.notes == ()


def test_an_introduction_changes_no_name_that_was_learnt(memory: Mnemic) -> None:
    memory.learn([{"name": "Project Nightjar", "kind": "project", "aliases": ["NJ", "nightbird"]}])
    tell(memory, INTRODUCED)
    (name,) = (known for known in memory.names() if known.name == "Project Nightjar")
    assert (name.kind, name.aliases) == ("project", ("NJ", "nightbird"))


def test_a_recalled_item_says_why_it_came_back(memory: Mnemic) -> None:
    tell(memory, "Atlas depends on checkout.", "Checkout uses Postgres.")
    for item in memory.recall("What does Atlas depend on?").items:
        assert item.why.channels
        assert item.why.seed
        assert item.owner == "ada"


def test_what_was_kept_back_says_by_which_newer_memory(memory: Mnemic) -> None:
    older, newer = tell(memory, "Ben lives in Berlin.", "Ben lives in Paris.")
    found = memory.recall("Where does Ben live?")
    assert ("replaced", older.stored[0].id, newer.stored[0].id) in [
        (kept.reason, kept.id, kept.by) for kept in found.suppressed
    ]
    assert "Berlin" not in found.text
