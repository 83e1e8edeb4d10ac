"""What is forgotten is gone: from every door, and from every byte of the file."""

from collections.abc import Callable
from pathlib import Path

import pytest

from mnemic import FixedEmbedder, Forgotten, InvalidInput, ManualClock, Mnemic, NotFound, Receipt
from tests.engine.told import (
    all_seen,
    as_user,
    bytes_of,
    day,
    door,
    recalled,
    rows,
    stored_id,
    tell,
    unchanged,
    values,
)

SAID = "Ben likes quillfish stew."
QUESTION = "What does Ben like?"

WAYS: dict[str, Callable[[Mnemic, Receipt], object]] = {
    "by id": lambda memory, told: memory.forget(told.stored[0].id),
    "by its words": lambda memory, told: memory.forget("Ben likes quillfish stew"),
    "by some of its words": lambda memory, told: memory.forget("quillfish stew"),
    "spoken": lambda memory, told: memory.remember("Please forget what I said about Ben."),
}


@pytest.mark.parametrize("way", WAYS)
def test_nothing_is_left_in_any_door_nor_in_the_file(tmp_path: Path, clock: ManualClock, way: str) -> None:
    with door(tmp_path / "memory.db", clock=clock, embedder=FixedEmbedder()) as memory:
        memory.remember("Lea lives in Oslo.", id="kept")
        told = memory.remember(SAID, id="gone", tags=["quillfish-tag"], metadata={"note": "quillfish-note"})
        clock.now = day(1)
        assert "quillfish" in all_seen(memory, "Ben", QUESTION)
        WAYS[way](memory, told)
        assert "quillfish" not in all_seen(memory, "Ben", QUESTION)
        assert [row["id"] for row in rows(memory, "turn")].count("gone") == 0
        assert b"quillfish" not in bytes_of(tmp_path)
        assert values(memory, "Lea", "lives_in") == ["Oslo"]
        stats = memory.stats()
        assert stats.vectors == stats.memories + stats.turns
    assert b"quillfish" not in bytes_of(tmp_path)


def test_an_entity_that_nothing_else_speaks_of_goes_too(tmp_path: Path, clock: ManualClock) -> None:
    with door(tmp_path / "memory.db", clock=clock) as memory:
        memory.forget(stored_id(memory.remember("Quetzalbird uses Postgres.")))
        assert "quetzalbird" not in all_seen(memory, "Quetzalbird", "What does Quetzalbird use?").lower()
        assert b"quetzalbird" not in bytes_of(tmp_path)


@pytest.mark.parametrize(
    ("said", "asked", "word"),
    [
        ("Ben lives in Berlin.", "Forget that Ben lives in Berlin.", "Berlin"),
        ("小王住在上海。", "忘掉小王住在上海。", "上海"),
    ],
)
def test_the_request_to_forget_does_not_keep_what_it_names(
    memory: Mnemic, said: str, asked: str, word: str
) -> None:
    tell(memory, said, asked)
    seen = rows(memory, "turn", "memory")
    assert not any(word in row["text"] for row in seen)


@pytest.mark.parametrize(
    "said",
    [
        "Don't forget that Ben lives in Berlin.",
        "I will never forget that Ben lives in Berlin.",
        "Did you forget about Ben in Berlin?",
        "We erase the records of Ben in Berlin every year.",
        "Should we delete that Ben lives in Berlin?",
        "Lea asked me to wipe the disks of Ben in Berlin.",
        "千万别忘掉 Ben 住在 Berlin。",
        "我不会忘掉 Ben 住在 Berlin。",
    ],
)
def test_what_is_no_request_to_forget_removes_nothing(memory: Mnemic, said: str) -> None:
    told, receipt = tell(memory, "Ben lives in Berlin.", said)
    assert receipt.forgotten.rows == 0
    assert stored_id(told) in {row["id"] for row in rows(memory, "memory")}


@pytest.mark.parametrize(
    "said", ["Don't forget to call Ben in Berlin.", "别忘了给 Ben 打电话。", "记得 Ben 住在 Berlin。"]
)
def test_a_reminder_removes_nothing(memory: Mnemic, said: str) -> None:
    _, receipt = tell(memory, "Ben lives in Berlin.", said)
    assert receipt.forgotten.rows == 0


def test_a_spoken_request_that_names_nothing_known_removes_nothing(memory: Mnemic) -> None:
    _, receipt = tell(memory, "Ben lives in Berlin.", "Please forget what I said about the bicycle shed.")
    assert receipt.forgotten.rows == 0


@pytest.mark.parametrize("asked", ["Please forget what I said about Ben.", "请忘记我说的关于 Ben 的事"])
def test_a_spoken_request_tells_what_it_removed(memory: Mnemic, asked: str) -> None:
    told, receipt = tell(memory, "Ben lives in Berlin.", asked)
    assert receipt.forgotten.memories == (stored_id(told),)
    assert receipt.forgotten.turns == told.turns
    assert receipt.forgotten.rows == 2


@pytest.mark.parametrize(
    "asked", ["Please forget everything I said about Ben.", "请忘记我说的关于 Ben 的所有事"]
)
def test_a_spoken_request_for_everything_removes_everything(memory: Mnemic, asked: str) -> None:
    tell(memory, "Ben lives in Berlin.", "Ben likes coffee.", "Lea lives in Oslo.", asked)
    assert values(memory, "Lea", "lives_in") == ["Oslo"]
    assert not any("Ben" in row["text"] for row in rows(memory, "memory"))


# -- what goes, and what stays ----------------------------------------------------------------------


def _told(memory: Mnemic) -> dict[str, str]:
    """Tell several things and return the memory ids by the ids of their turns."""
    memory.remember("Ben lives in Berlin. Sam owns checkout.", id="two facts")
    memory.remember("Checkout uses Postgres.", id="team", visibility="team")
    memory.remember("Lea lives in Oslo.", id="alone")
    memory.remember("Lea lives in Oslo.", id="again")
    return {turn: row["id"] for row in rows(memory, "memory") for turn in row["sources"]}


@pytest.mark.parametrize(
    "pointed", [("two facts",), ("alone",), ("again",), ("two facts", "alone"), ("team", "alone")]
)
def test_what_was_shown_to_go_is_what_goes(memory: Mnemic, pointed: tuple[str, ...]) -> None:
    ids = _told(memory)
    pointers = [ids[turn] for turn in pointed]
    with unchanged(memory):
        doomed = memory.doomed(*pointers)
    before = {row["id"] for row in rows(memory, "turn", "memory")}
    gone = memory.forget(*pointers)
    left = {row["id"] for row in rows(memory, "turn", "memory")}
    assert set(doomed.memories) == set(gone.memories)
    assert set(doomed.turns) == set(gone.turns)
    assert before - left == {*doomed.memories, *doomed.turns}
    assert gone.rows == len(doomed.memories) + len(doomed.turns)


def test_what_was_shown_to_go_is_shown_in_its_words(memory: Mnemic) -> None:
    ids = _told(memory)
    doomed = memory.doomed(ids["two facts"])
    assert doomed.turns == {"two facts": "Ben lives in Berlin. Sam owns checkout."}
    assert len(doomed.memories) == 2


def test_other_facts_stay_and_the_profile_follows(memory: Mnemic) -> None:
    first, second, _ = tell(
        memory, "Checkout uses Postgres.", "Checkout uses RabbitMQ.", "Sam owns checkout."
    )
    memory.forget(stored_id(first))
    profile = {"uses": ("RabbitMQ",), "owner": ("Sam Reed",)}
    assert memory.about("checkout").profile == profile
    (node,) = (row for row in rows(memory, "entity") if row["name"] == "checkout")
    assert {slot: tuple(held) for slot, held in node["profile"].items()} == profile
    memory.forget(stored_id(second))
    assert "uses" not in memory.about("checkout").profile


def test_forgetting_the_old_value_leaves_the_new_one(memory: Mnemic) -> None:
    older, _ = tell(memory, "Ben lives in Berlin.", "Ben lives in Paris.")
    memory.forget(stored_id(older))
    about = memory.about("Ben")
    assert about.profile == {"lives_in": ("Paris",)}
    assert about.changes == ()
    assert "Berlin" not in str(rows(memory, "turn", "memory", "replaces"))


def test_a_fact_that_another_turn_tells_stays(memory: Mnemic) -> None:
    gone, _, _ = tell(
        memory, "Ben lives in Berlin.", "Lea lives in Oslo. Ben lives in Berlin.", "Lea lives in Oslo."
    )
    memory.forget(stored_id(gone))
    assert values(memory, "Lea", "lives_in") == ["Oslo"]


def test_what_was_forgotten_may_be_told_again(memory: Mnemic) -> None:
    told = memory.remember("Ben lives in Berlin.", id="one")
    memory.forget(stored_id(told))
    assert memory.remember("Ben lives in Berlin.", id="one").known == ()
    assert recalled(memory, "Where does Ben live?") == ["Ben lives in Berlin."]


@pytest.mark.parametrize("pointer", ["mffffffffffffffffffff", "the colour of the bicycle shed", ""])
def test_one_unknown_pointer_and_nothing_is_forgotten(memory: Mnemic, pointer: str) -> None:
    told = memory.remember("Ben lives in Berlin.")
    for act in (memory.forget, memory.doomed):
        with unchanged(memory), pytest.raises((NotFound, InvalidInput)):
            act(stored_id(told), pointer)


def test_forgetting_the_same_thing_again_is_not_found(memory: Mnemic) -> None:
    target = stored_id(memory.remember("Ben lives in Berlin."))
    memory.forget(target)
    with pytest.raises(NotFound):
        memory.forget(target)


def test_two_users_who_know_the_same_forget_their_own(memory: Mnemic) -> None:
    bob = as_user(memory, "bob")
    target = stored_id(memory.remember("Ben lives in Berlin."))
    bob.remember("Ben lives in Berlin.")
    memory.forget(target)
    assert values(bob, "Ben", "lives_in") == ["Berlin"]
    assert recalled(memory, "Where does Ben live?") == []


DROPPED = "mm quillfish stew, nice"
COLD: dict[str, Callable[[Mnemic], object]] = {
    "by id": lambda memory: memory.forget("cold"),
    "by its words": lambda memory: memory.forget("quillfish stew"),
}


@pytest.mark.parametrize("way", COLD)
@pytest.mark.parametrize("visibility", ["private", "team"])
def test_a_turn_of_which_no_memory_was_made_is_forgotten_and_reported(
    tmp_path: Path, way: str, visibility: str
) -> None:
    with door(tmp_path / "memory.db", embedder=FixedEmbedder()) as memory:
        memory.remember("Lea lives in Oslo.", id="kept")
        told = memory.remember(DROPPED, id="cold", visibility=visibility)
        assert not told.stored
        assert memory.doomed("cold").turns == {"cold": DROPPED}
        done = COLD[way](memory)
        assert done == Forgotten(turns=("cold",), rows=1)
        assert [row["id"] for row in rows(memory, "turn")] == ["kept"]
        assert b"quillfish" not in bytes_of(tmp_path)
        with pytest.raises(NotFound):
            memory.forget("cold")


def test_a_turn_takes_along_what_only_it_told(memory: Mnemic) -> None:
    memory.remember("小王住在上海。", id="one")
    memory.remember("小王住在上海。", id="two")
    memory.remember("Sam lives in Bern.", id="three")
    done = memory.forget("three")
    assert done.turns == ("three",)
    assert len(done.memories) == 1
    memory.forget("one")
    assert values(memory, "小王", "lives_in") == ["上海"]
    assert memory.about("小王").facts[0].turns == ("two",)


def test_another_users_turn_is_not_named_by_its_id(memory: Mnemic, bob: Mnemic) -> None:
    memory.remember(DROPPED, id="cold")
    with unchanged(memory), pytest.raises(NotFound):
        bob.forget("cold")


@pytest.mark.parametrize(
    ("dropped", "asked"),
    [
        (DROPPED, "Please forget what I said about quillfish stew."),
        (DROPPED, "Please forget everything I said about quillfish stew."),
        ("嗯嗯酸菜鱼真香", "忘掉我说的酸菜鱼。"),
        (DROPPED, "Forget what I just said."),
    ],
)
def test_a_spoken_request_reaches_words_of_which_no_memory_was_made(
    memory: Mnemic, dropped: str, asked: str
) -> None:
    told, cold, receipt = tell(memory, "Lea lives in Oslo.", dropped, asked)
    assert not cold.stored
    assert receipt.forgotten == Forgotten(turns=cold.turns, rows=1)
    assert told.turns[0] in {row["id"] for row in rows(memory, "turn")}
    assert not any(dropped in row["text"] for row in rows(memory, "turn"))
