"""What a caller may ask of an answer: how much, from where, of which kind, how long."""

from collections.abc import Iterator
from typing import Any

import pytest

from mnemic import InvalidInput, ManualClock, Mnemic, UnknownName
from mnemic.engine.pack import estimate_tokens
from tests.engine.told import day, door, recalled, rows, tell, values

QUESTION = "What does checkout use?"
POSTGRES, RABBIT, KAFKA = (f"Checkout uses {name}." for name in ("Postgres", "RabbitMQ", "Kafka"))


@pytest.fixture(scope="module")
def stocked() -> Iterator[Mnemic]:
    """Three things that checkout uses, told on days 0, 5 and 10, apart in session, tag and kind. Read only."""
    with door(clock=ManualClock(day(20))) as memory:
        memory.remember(POSTGRES, at=day(0), session="one", tags=["store", "old"])
        memory.remember(RABBIT, at=day(5), session="two", tags=["queue"])
        memory.remember(KAFKA, at=day(10), session="two", kind="decision")
        yield memory


@pytest.mark.parametrize(
    ("wishes", "texts"),
    [
        ({}, {POSTGRES, RABBIT, KAFKA}),
        ({"tags": ["store"]}, {POSTGRES}),
        ({"tags": ["old", "queue"]}, {POSTGRES, RABBIT}),
        ({"tags": ["nobody"]}, set()),
        ({"session": "two"}, {RABBIT, KAFKA}),
        ({"session": "nobody"}, set()),
        ({"kinds": ["decision"]}, {KAFKA}),
        ({"kinds": ["fact", "decision"]}, {POSTGRES, RABBIT, KAFKA}),
        ({"kinds": ["task"]}, set()),
        ({"since": day(5)}, {RABBIT, KAFKA}),
        ({"until": day(5)}, {POSTGRES}),
        ({"since": day(5), "until": day(10)}, {RABBIT}),
        ({"session": "two", "kinds": ["fact"]}, {RABBIT}),
    ],
)
@pytest.mark.parametrize("depth", ["warm", "auto"])
def test_the_callers_bounds_hold(
    stocked: Mnemic, depth: str, wishes: dict[str, Any], texts: set[str]
) -> None:
    assert set(recalled(stocked, QUESTION, depth=depth, **wishes)) == texts


@pytest.mark.parametrize(
    ("wishes", "texts"),
    [({"session": "one"}, {POSTGRES}), ({"since": day(5)}, {RABBIT, KAFKA}), ({"until": day(5)}, {POSTGRES})],
)
def test_the_callers_bounds_hold_for_turns_too(
    stocked: Mnemic, wishes: dict[str, Any], texts: set[str]
) -> None:
    assert set(recalled(stocked, QUESTION, depth="deep", **wishes)) == texts


@pytest.mark.parametrize("limit", [1, 2, 3, 50])
@pytest.mark.parametrize("depth", ["warm", "deep", "auto"])
def test_there_are_no_more_items_than_asked_for(stocked: Mnemic, depth: str, limit: int) -> None:
    found = stocked.recall(QUESTION, limit=limit, depth=depth)
    assert len(found.items) == min(limit, 3)
    assert [item.score for item in found.items] == sorted((item.score for item in found.items), reverse=True)


def test_depth_says_which_layer_answers(stocked: Mnemic) -> None:
    assert {item.layer for item in stocked.recall(QUESTION, depth="warm").items} == {"memory"}
    assert {item.layer for item in stocked.recall(QUESTION, depth="deep").items} == {"turn"}


def test_what_became_no_memory_is_found_in_the_turns(memory: Mnemic) -> None:
    tell(memory, "Thanks, the weather in Lisbon was lovely!")
    assert memory.stats().memories == 0
    asked = "How was the weather in Lisbon?"
    assert recalled(memory, asked, depth="warm") == []
    for depth in ("deep", "auto"):
        assert recalled(memory, asked, depth=depth) == ["Thanks, the weather in Lisbon was lovely!"]


def test_an_entity_the_caller_names_brings_what_is_known_of_it(stocked: Mnemic) -> None:
    assert set(recalled(stocked, "What is in use there?", entities=["结算服务"])) >= {POSTGRES, RABBIT}


@pytest.mark.parametrize(
    "wishes",
    [
        {"depth": "bottomless"},
        {"profile": "nosuch"},
        {"kinds": ["rumour"]},
        {"kinds": ["fact", "rumour"]},
    ],
)
def test_an_unknown_choice_lists_the_known_ones(stocked: Mnemic, wishes: dict[str, Any]) -> None:
    with pytest.raises(UnknownName) as caught:
        stocked.recall(QUESTION, **wishes)
    (field,) = wishes
    assert caught.value.field == field
    known = {"depth": "warm", "profile": "assistant", "kinds": "decision"}[field]
    assert known in str(caught.value)


@pytest.mark.parametrize("profile", ["assistant", "support", "project"])
def test_every_profile_answers_and_says_which_it_was(stocked: Mnemic, profile: str) -> None:
    found = stocked.recall(QUESTION, profile=profile)
    assert found.items
    assert found.weights == profile


@pytest.mark.parametrize(
    "wishes", [{"limit": 0}, {"limit": -1}, {"limit": 10**6}, {"budget": 0}, {"budget": -5}]
)
def test_a_bound_out_of_range_is_refused_by_name(stocked: Mnemic, wishes: dict[str, int]) -> None:
    (field,) = wishes
    with pytest.raises(InvalidInput) as caught:
        stocked.recall(QUESTION, **wishes)  # type: ignore[arg-type]
    assert caught.value.field == field


@pytest.mark.parametrize("depth", ["warm", "deep"])
def test_the_text_stays_within_the_budget(memory: Mnemic, depth: str) -> None:
    tell(
        memory,
        *(f"Checkout uses {name}{'!' * n}" for n, name in enumerate(["Postgres", "RabbitMQ", "Kafka"])),
    )
    tell(memory, "结算服务的负责人是小王。", "Ben owns checkout.", "Checkout depends on ledger.")
    for question in (QUESTION, "结算服务用什么？"):
        whole = estimate_tokens(memory.recall(question, limit=50, depth=depth).text)
        assert whole > 20
        for budget in range(1, whole + 3):
            text = memory.recall(question, limit=50, depth=depth, budget=budget).text
            assert estimate_tokens(text) <= budget
        assert estimate_tokens(text) == whole


def test_what_does_not_fit_the_text_is_among_the_items_all_the_same(stocked: Mnemic) -> None:
    found = stocked.recall(QUESTION, budget=1)
    assert found.text == ""
    assert found.items


def test_the_text_holds_the_items_oldest_first(stocked: Mnemic) -> None:
    text = stocked.recall(QUESTION).text
    assert text.index(POSTGRES) < text.index(RABBIT) < text.index(KAFKA)


@pytest.mark.parametrize(
    "chat",
    [
        *("Hello there!", "Thanks!", "oh well, never mind", "wow, that's so lovely", "nah, all good mate"),
        *("谢谢！", "好的，收到", "确实确实，有道理", "哎呀太感谢了", "嗯嗯对的"),
    ],
)
def test_small_talk_needs_no_memory(stocked: Mnemic, chat: str) -> None:
    found = stocked.recall(chat)
    assert (found.items, found.text) == ((), "")
    assert found.nothing is not None
    assert found.nothing.reason


@pytest.mark.parametrize("depth", ["warm", "deep", "auto"])
def test_an_empty_store_says_that_it_knows_nothing(memory: Mnemic, depth: str) -> None:
    found = memory.recall(QUESTION, depth=depth)
    assert (found.items, found.text) == ((), "")
    assert found.nothing is not None
    assert found.nothing.reason


def test_asking_writes_nothing_that_is_seen(stocked: Mnemic) -> None:
    before = rows(stocked, "turn", "entity", "name", "replaces")
    recalled(stocked, "My name is Ada and I live in Rome. What does checkout use?")
    assert rows(stocked, "turn", "entity", "name", "replaces") == before


@pytest.mark.parametrize("depth", ["warm", "deep", "auto"])
def test_a_replaced_value_comes_back_at_no_depth(memory: Mnemic, depth: str) -> None:
    tell(memory, "Ben lives in Berlin.", "Ben lives in Paris.")
    found = memory.recall("Where does Ben live? In Berlin?", depth=depth, limit=50)
    assert not any("Berlin" in item.text for item in found.items)
    assert "Berlin" not in found.text


def test_a_fact_is_not_lost_behind_many_newer_ones() -> None:
    with door() as memory:
        memory.remember("Ben lives in Berlin.", at=day(-9))
        memory.remember([{"content": f"Ben likes tea number {n}.", "at": day(-1)} for n in range(201)])
        assert values(memory, "Ben", "lives_in") == ["Berlin"]
        assert memory.about("Ben").profile["lives_in"] == ("Berlin",)


@pytest.mark.parametrize("query", ["？", "🎉", "!?", "\u0301\u0301", "…。"])
@pytest.mark.parametrize("depth", ["auto", "deep"])
def test_what_has_no_word_asks_nothing(memory: Mnemic, query: str, depth: str) -> None:
    tell(memory, "Ben lives in Bergen.", "ok 🎉", "？")
    found = memory.recall(query, depth=depth)
    assert (found.items, found.nothing is not None) == ((), True)


def test_of_what_asks_for_nothing_in_particular_the_most_important_comes_first(memory: Mnemic) -> None:
    memory.remember("Ben lives in Bergen.", importance=0.7)
    memory.remember("Ben prefers tea.", importance=1.0)
    found = memory.recall("what is it about me?")
    assert (found.items[0].text, found.items[0].why.seed) == ("Ben prefers tea.", "importance")
    assert memory.recall("is the sky blue?").items == ()


@pytest.mark.parametrize(
    ("told", "asked"),
    [
        ("I love espresso.", "nice espresso?"),
        ("My right knee hurts since Friday.", "right knee?"),
        ("我喜欢喝可乐", "可以喝可乐吗？"),
        ("I like coffee.", "coffee?"),
        ("The perfect pitch is 440 hertz.", "perfect pitch"),
        ("赞同号停在三号码头", "赞同号在哪？"),
    ],
)
def test_a_question_about_something_is_no_small_talk(memory: Mnemic, told: str, asked: str) -> None:
    memory.remember(told)
    assert memory.recall(asked).items
