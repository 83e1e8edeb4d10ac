"""Questions about the past: a named moment or "used to" brings what held then, the present what holds now."""

import pytest

from mnemic import ManualClock, Mnemic
from tests.engine.told import START, day, door, recalled

MOVES = (
    (0, "The Atlas project uses MySQL."),
    (60, "Atlas switched from MySQL to PostgreSQL."),
)
OWNERS = ((0, "阿特拉斯由王小明负责"), (60, "从今天起阿特拉斯交给李雷负责"))


def told(story: tuple[tuple[int, str], ...]) -> Mnemic:
    clock = ManualClock(START)
    memory = door(clock=clock)
    for at, text in story:
        clock.now = day(at)
        memory.remember(text)
    clock.now = day(120)
    return memory


@pytest.mark.parametrize(
    ("story", "query", "wanted", "other"),
    [
        (MOVES, "What did Atlas use in March 2026?", "MySQL.", "switched"),
        (MOVES, "Which database did Atlas use on 10 March 2026?", "MySQL.", "switched"),
        (MOVES, "What did Atlas use before May 2026?", "MySQL.", "switched"),
        (MOVES, "What did Atlas use in June 2026?", "switched", "The Atlas project uses MySQL."),
        (MOVES, "What did Atlas previously use?", "MySQL.", "switched"),
        (MOVES, "Which database did Atlas use to run on originally?", "MySQL.", "switched"),
        (MOVES, "What does Atlas use?", "switched", "The Atlas project uses MySQL."),
        (OWNERS, "2026年3月阿特拉斯归谁负责？", "王小明", "李雷"),
        (OWNERS, "阿特拉斯以前谁负责？", "王小明", "李雷"),
        (OWNERS, "阿特拉斯现在谁负责？", "李雷", "王小明"),
    ],
)
def test_a_question_brings_what_held_at_the_time_it_speaks_of(
    story: tuple[tuple[int, str], ...], query: str, wanted: str, other: str
) -> None:
    with told(story) as memory:
        found = recalled(memory, query)
    assert any(wanted in text for text in found), found
    assert not any(other in text for text in found), found


def test_a_moment_that_the_caller_names_wins() -> None:
    with told(MOVES) as memory:
        found = recalled(memory, "What did Atlas use in March 2026?", valid_as_of=day(100))
    assert any("switched" in text for text in found), found


@pytest.mark.parametrize(
    "query", ["What happened to Atlas on 2 March 2026?", "What happened to Atlas this year?"]
)
def test_what_was_told_later_of_that_time_is_not_hidden(query: str) -> None:
    clock = ManualClock(day(1))
    with door(clock=clock) as memory:
        memory.remember("Atlas had an outage in the Berlin office.")
        clock.now = day(9)
        assert recalled(memory, query)


@pytest.mark.parametrize(
    ("story", "query", "held"),
    [
        (
            ((0, "I live in Oslo until May 31."), (92, "I live in Bern since June 1.")),
            "Where did I live in April 2026?",
            ["I live in Oslo until May 31."],
        ),
        (
            ((0, "我住在上海。"), (92, "我从6月1日起住在苏州。")),
            "我四月住在哪里？",
            ["我住在上海。"],
        ),
        (((92, "I live in Bern since June 1."),), "Where did I live in April 2026?", []),
    ],
)
def test_what_began_after_the_named_moment_does_not_answer(
    story: tuple[tuple[int, str], ...], query: str, held: list[str]
) -> None:
    with told(story) as memory:
        found = memory.recall(query)
    assert [item.text for item in found.items] == held


def test_a_mistake_never_held() -> None:
    clock = ManualClock(START)
    with door(clock=clock) as memory:
        memory.remember("Ben lives in Basel.")
        memory.remember("Sorry, I meant Bern, not Basel.")
        clock.now = day(30)
        found = recalled(memory, "Where did Ben previously live?")
    assert not any(text == "Ben lives in Basel." for text in found), found
