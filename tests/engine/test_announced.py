"""What is announced for a day to come: until then the old holds, from then on the new."""

import pytest

from tests.engine.told import clock_of, day, door, recalled, tell, values

ANNOUNCED = [
    ("Ben owns Atlas.", "Lea owns Atlas from March 20.", "Atlas", "Who owns Atlas?", "Ben Hill", "Lea Moss"),
    ("阿特拉斯由李雷负责。", "3月20号起阿特拉斯由赵敏负责。", "Atlas", "阿特拉斯谁负责？", "李雷", "赵敏"),
]


@pytest.mark.parametrize(("old", "new", "name", "query", "before", "after"), ANNOUNCED)
def test_what_is_announced_holds_from_its_day_on(
    old: str, new: str, name: str, query: str, before: str, after: str
) -> None:
    with door() as memory:
        tell(memory, old, new)
        assert values(memory, name, "owner") == [before]
        clock_of(memory).now = day(25)
        assert values(memory, name, "owner") == [after]
        assert recalled(memory, query) == [new]


@pytest.mark.parametrize(("old", "new", "name", "query", "before", "after"), ANNOUNCED)
def test_until_its_day_it_is_shown_beside_what_still_holds(
    old: str, new: str, name: str, query: str, before: str, after: str
) -> None:
    with door() as memory:
        tell(memory, old, new)
        assert set(recalled(memory, query)) == {old, new}
        assert memory.recall(query).notes == ()


@pytest.mark.parametrize(
    "text", ["Lea plans to own Atlas from March 20.", "Lea 打算 3月20号起负责阿特拉斯。"]
)
def test_what_is_only_planned_from_a_day_on_stays_a_plan(text: str) -> None:
    with door() as memory:
        memory.remember(text)
        clock_of(memory).now = day(25)
        assert values(memory, "Atlas", "owner") == []
