"""A wrong replacing taken back: the older memory stands as if it had never been overruled, and it stays so."""

from contextlib import suppress
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mnemic import InvalidInput, Mnemic, NotFound, Receipt
from tests.engine.told import clock_of, day, door, recalled, rows, tell, unchanged, values

FORCED = "the tea kettle hums at night"
TAKING = ("changed", "corrected", "ended", "done", "declared", "doubt")
QUERIES = (
    "Where does Ben live?",
    "What does checkout use?",
    "小王住在哪里？",
    "Where is the spare key?",
    FORCED,
)
CITIES = ("Bern", "Basel", "Zurich", "Geneva")
SAID = st.sampled_from(
    [
        *(f"Ben lives in {city}." for city in CITIES),
        *(f"Ben moved to {city}." for city in CITIES),
        *(f"Actually, Ben lives in {city}." for city in CITIES),
        "Ben lives in Bern until 2026-05-01.",
        "小王住在上海。",
        "小王搬到北京了。",
        "checkout uses MySQL.",
        "checkout moved from MySQL to PostgreSQL.",
        "结算服务从 MySQL 换成 PG 了",
        "checkout stopped using MySQL.",
        "Sam owns checkout.",
        "Lea took over checkout from Sam.",
        "The spare key is under the flowerpot.",
        "Moved the spare key. It's with Mrs Aldous now.",
    ]
)


def by_id(memory: Mnemic) -> dict[str, dict[str, Any]]:
    return {row["id"]: row for row in rows(memory, "memory")}


def edges(memory: Mnemic, *reasons: str) -> list[tuple[str, str]]:
    return [(e["newer"], e["older"]) for e in rows(memory, "replaces") if e["reason"] in reasons]


def joined(receipt: Receipt) -> tuple[str, str]:
    (edge,) = receipt.replaced
    return edge.newer, edge.older


def seen(memory: Mnemic) -> dict[str, Any]:
    """Return all that is known and what the reading doors say, without when a profile was last written."""
    told: dict[str, Any] = {"memories": by_id(memory), "edges": edges(memory, *TAKING)}
    told["entities"] = [{**row, "profile_updated_at": None} for row in rows(memory, "entity")]
    for name in ("Ben", "小王", "checkout"):
        with suppress(NotFound):
            told[f"about {name}"] = memory.about(name)
            told[f"history {name}"] = memory.history(name)
    for query in QUERIES:
        answer = memory.recall(query, limit=20)
        told[query] = answer.items, answer.notes
    return told


@settings(max_examples=60, deadline=None)
@given(st.lists(SAID, min_size=1, max_size=5), st.data())
def test_what_was_replaced_outright_and_taken_back_was_never_replaced(
    texts: list[str], data: st.DataObject
) -> None:
    """Any history, any of its memories declared replaced by something else: after the undo nothing of it shows."""
    with door() as plain, door() as memory:
        tell(plain, *texts)
        tell(memory, *texts)
        present = [row for row in by_id(memory).values() if row["state"] == "active"]
        if not present:
            return
        older = data.draw(st.sampled_from([row["id"] for row in present]))
        plain.remember(FORCED, importance=1.0)
        newer = memory.remember(FORCED, replaces=older, importance=1.0).stored[0].id
        memory.unreplace(newer, older)
        assert seen(memory) == seen(plain)
        assert (newer, older) in edges(memory, "undone")


@settings(max_examples=100, deadline=None)
@given(st.lists(SAID, min_size=2, max_size=6), st.data())
def test_the_last_replacing_taken_back_leaves_each_older_one_as_it_was(
    texts: list[str], data: st.DataObject
) -> None:
    with door() as memory:
        tell(memory, *texts[:-1])
        before = by_id(memory)
        (last,) = tell(memory, texts[-1])
        pairs = [(edge.newer, edge.older) for edge in last.replaced]
        for newer, older in data.draw(st.permutations(pairs)):
            memory.unreplace(newer, older)
        after = by_id(memory)
        for newer, older in pairs:
            assert after[older] == before[older]
            assert (newer, older) in edges(memory, "undone")
        for name in ("Ben", "小王", "checkout"):
            for row in rows(memory, "entity"):
                held = [
                    m for m in after.values() if m["subject"] == row["id"] and m["modality"] == "asserted"
                ]
                shown = {
                    m["value"] for m in held if m["state"] == "active" and m["predicate"] in row["profile"]
                }
                kept = {value for values in row["profile"].values() for value in values}
                assert shown <= kept, name


@settings(max_examples=60, deadline=None)
@given(st.lists(SAID, min_size=2, max_size=6), st.data())
def test_intervals_are_consistent_whatever_is_taken_back(texts: list[str], data: st.DataObject) -> None:
    with door() as memory:
        tell(memory, *texts)
        pairs = edges(memory, *TAKING)
        for newer, older in data.draw(st.permutations(pairs)):
            memory.unreplace(newer, older)
        for row in by_id(memory).values():
            assert row["valid_to"] is None or row["valid_from"] <= row["valid_to"], row
            assert (row["state"] == "superseded") <= bool(row["valid_to"] or row["retired_at"]), row


@pytest.mark.parametrize(
    ("first", "second", "name", "predicate", "held"),
    [
        ("Ben lives in Berlin.", "Ben lives in Paris.", "Ben", "lives_in", ["Paris", "Berlin"]),
        ("小王住在上海。", "小王搬到北京了。", "小王", "lives_in", ["北京", "上海"]),
        (
            "checkout uses MySQL.",
            "checkout moved from MySQL to Kafka.",
            "checkout",
            "uses",
            ["Kafka", "MySQL"],
        ),
        ("Sam owns checkout.", "Sorry, Lea owns checkout.", "checkout", "owner", ["Lea Moss", "Sam Reed"]),
    ],
)
def test_both_hold_after_it(
    memory: Mnemic, first: str, second: str, name: str, predicate: str, held: list[str]
) -> None:
    _, newer = tell(memory, first, second)
    done = memory.unreplace(newer.replaced[0].newer)
    assert (done.older_text, done.newer_text) == (first, second)
    assert done.in_force
    assert set(values(memory, name, predicate)) == set(held)
    assert set(memory.about(name).profile[predicate]) == set(held)
    assert {first, second} <= set(recalled(memory, f"{name} {first}", limit=10))
    assert memory.about(name).changes == ()
    assert memory.recall(first).notes == ()


def test_what_a_correction_took_for_its_own_beginning_is_given_back(memory: Mnemic) -> None:
    _, newer = tell(memory, "Sam owns checkout.", "Sorry, Lea owns checkout.")
    before = by_id(memory)[newer.replaced[0].newer]
    assert before["valid_from"] == day(0).isoformat()
    memory.unreplace(newer.replaced[0].newer)
    assert by_id(memory)[newer.replaced[0].newer]["valid_from"] == day(1).isoformat()


def test_a_chain_keeps_its_other_links(memory: Mnemic) -> None:
    """What the older one had replaced stays replaced; what replaced the newer one later still does."""
    first, second, third, fourth = tell(
        memory, *(f"Ben lives in {city}." for city in ("Bern", "Basel", "Zurich", "Geneva"))
    )
    done = memory.unreplace(*joined(third))
    assert not done.in_force
    assert done.overruled_by == fourth.stored[0].id
    assert values(memory, "Ben", "lives_in") == ["Geneva"]
    assert joined(second) in edges(memory, "changed")
    kept = by_id(memory)
    assert kept[second.stored[0].id]["valid_to"] == day(3).isoformat()
    assert kept[first.stored[0].id]["valid_to"] == day(1).isoformat()


def test_a_statement_that_named_its_end_has_it_again(memory: Mnemic) -> None:
    told = "Ben lives in Bern until 2026-05-01."
    first, second = tell(memory, told, "Ben moved to Basel.")
    memory.unreplace(*joined(second))
    assert by_id(memory)[first.stored[0].id]["valid_to"].startswith("2026-05-02")
    assert set(values(memory, "Ben", "lives_in")) == {"Bern", "Basel"}


@pytest.mark.parametrize(
    ("task", "deed"),
    [("I need to renew the passport.", "I renewed the passport."), ("我要续签护照", "护照续签了")],
)
def test_a_task_that_was_not_done_is_open_again(memory: Mnemic, task: str, deed: str) -> None:
    tell(memory, task)
    (before,) = memory.tasks()
    tell(memory, deed)
    assert memory.tasks() == ()
    (pair,) = edges(memory, "done")
    memory.unreplace(*pair)
    assert memory.tasks() == (before,)


@pytest.mark.parametrize(
    ("first", "second", "again"),
    [
        ("Ben lives in Berlin.", "Ben lives in Paris.", "Ben lives in Paris."),
        ("Ben lives in Berlin.", "Ben lives in Paris.", "Ben moved to Paris."),
        ("小王住在上海。", "小王搬到北京了。", "小王现在住北京"),
        (
            "checkout uses MySQL.",
            "checkout moved from MySQL to Kafka.",
            "checkout moved from MySQL to Kafka.",
        ),
        ("结算服务用 MySQL", "结算服务从 MySQL 换成 PG 了", "结算服务已经从 MySQL 换到 PG"),
        (
            "The spare key is under the flowerpot.",
            "Moved the car key. It's with Mrs Aldous now.",
            "The car key is with Mrs Aldous now.",
        ),
        (
            "备用钥匙放在花盆底下",
            "车钥匙换地方了，现在在刘阿姨那里",
            "车钥匙现在在刘阿姨那里了",
        ),
    ],
)
def test_saying_it_again_joins_them_no_more(first: str, second: str, again: str) -> None:
    with door() as memory:
        tell(memory, first)
        older = rows(memory, "memory")[0]["id"]
        newer = tell(memory, second)[0]
        if older not in {edge.older for edge in newer.replaced}:
            memory.remember(second, replaces=older, id="outright", at=day(1.2))
        for pair in edges(memory, *TAKING):
            memory.unreplace(*pair)
        clock_of(memory).now = day(5)
        receipts = [memory.remember(text, id=f"again{n}") for n, text in enumerate((again, second, first))]
        assert [edge for receipt in receipts for edge in receipt.replaced] == []
        texts = {row["id"]: row["text"] for row in rows(memory, "memory")}
        found = edges(memory, *TAKING)
        assert [pair for pair in found if first in {texts[id] for id in pair}] == []


def test_what_says_more_of_the_older_one_is_judged_anew(memory: Mnemic) -> None:
    first, second = tell(memory, "Ben lives in Berlin.", "Ben lives in Paris.")
    memory.unreplace(*joined(second))
    third = memory.remember("Ben moved from Berlin to Rome.")
    assert first.stored[0].id in {edge.older for edge in third.replaced}


def test_the_caller_may_still_say_it_outright(memory: Mnemic) -> None:
    first, second = tell(memory, "Ben lives in Berlin.", "Ben lives in Paris.")
    memory.unreplace(*joined(second))
    receipt = memory.remember("Ben lives in Paris.", replaces=first.stored[0].id)
    assert [edge.older for edge in receipt.replaced] == [first.stored[0].id]


def test_a_doubt_is_settled(memory: Mnemic) -> None:
    memory.remember("Ben owns Atlas.", speaker="Lea")
    memory.remember("Sam owns Atlas.", speaker="Joe")
    ((newer, older),) = edges(memory, "doubt")
    assert memory.recall("who owns Atlas?").notes
    done = memory.unreplace(newer, older)
    assert (done.reason, done.in_force) == ("doubt", True)
    answer = memory.recall("who owns Atlas?")
    assert answer.notes == ()
    assert len(answer.items) == 2
    memory.remember("Sam owns Atlas.", speaker="Joe", at=day(2))
    assert edges(memory, "doubt") == []


def test_it_goes_with_its_memories(memory: Mnemic) -> None:
    _, second = tell(memory, "Ben lives in Berlin.", "Ben lives in Paris.")
    newer, older = joined(second)
    memory.unreplace(newer)
    memory.forget(older)
    assert rows(memory, "replaces") == []


def test_who_may_not_read_it_may_not_take_it_back(memory: Mnemic, bob: Mnemic) -> None:
    _, second = tell(memory, "Ben lives in Berlin.", "Ben lives in Paris.")
    with unchanged(memory), pytest.raises(NotFound):
        bob.unreplace(*joined(second))
    with unchanged(memory), pytest.raises(NotFound):
        bob.unreplace("Ben lives in Paris.")


def test_what_the_team_was_told_each_may_take_back_and_no_mark_reaches_others(
    memory: Mnemic, bob: Mnemic
) -> None:
    memory.remember("Ben lives in Berlin.", visibility="team")
    shared = memory.remember("Ben lives in Paris.", visibility="team")
    bob.unreplace(*joined(shared))
    assert set(values(memory, "Ben", "lives_in")) == {"Berlin", "Paris"}
    for text in ("Ben lives in Berlin.", "Ben lives in Paris."):
        own = bob.remember(text)
    assert len(own.replaced) == 1


@pytest.mark.parametrize("pointers", [("nobody",), ("x" * 20_000,), ("",), ("🗝️",)])
def test_what_is_not_there_is_named(memory: Mnemic, pointers: tuple[str, ...]) -> None:
    tell(memory, "Ben lives in Berlin.", "Ben lives in Paris.")
    with unchanged(memory), pytest.raises((NotFound, InvalidInput)):
        memory.unreplace(*pointers)


def test_what_replaced_nothing_or_something_else_is_refused(memory: Mnemic) -> None:
    _, second = tell(memory, "Ben lives in Berlin.", "Ben lives in Paris.")
    newer, older = joined(second)
    with unchanged(memory):
        with pytest.raises(InvalidInput, match="replaces nothing"):
            memory.unreplace(older)
        with pytest.raises(InvalidInput, match="name one of"):
            memory.unreplace(newer, newer)
    memory.unreplace(newer, older)
    with unchanged(memory), pytest.raises(InvalidInput, match="replaces nothing"):
        memory.unreplace(newer, older)


def test_of_several_one_is_to_be_named(memory: Mnemic) -> None:
    tell(memory, "checkout uses MySQL.", "checkout uses PostgreSQL.")
    done = memory.remember("checkout switched to Oracle.")
    assert len(done.replaced) == 2
    with unchanged(memory), pytest.raises(InvalidInput, match="several"):
        memory.unreplace(done.stored[0].id)
    memory.unreplace(done.stored[0].id, "checkout uses MySQL.")
    assert set(values(memory, "checkout", "uses")) == {"MySQL", "Oracle Database"}


def test_what_was_settled_is_told_as_examples_without_words(memory: Mnemic) -> None:
    _, second = tell(memory, "Ben lives in Berlin.", "Ben lives in Paris.")
    memory.unreplace(*joined(second))
    memory.remember("The spare key is under the flowerpot.", importance=1.0)
    memory.remember("Mrs Aldous has it.", replaces="spare key under the flowerpot")
    taught = list(memory.taught())
    assert sorted(row["overrules"] for row in taught) == [False, True]
    assert all(row["features"] for row in taught)
    assert not any(word in str(taught) for word in ("Ben", "Paris", "Aldous", "flowerpot"))


def test_of_a_message_that_says_several_things_each_is_taken_back(memory: Mnemic) -> None:
    (first,) = tell(memory, "The spare key is under the flowerpot.")
    second = memory.remember("Ben moved to Rome and Lea moved to Oslo.", replaces=first.stored[0].id)
    newer = [edge.newer for edge in second.replaced]
    assert len(newer) == 2
    done = memory.unreplace(newer[0])
    assert (done.in_force, done.overruled_by) == (False, newer[1])
    assert memory.unreplace(newer[1]).in_force
