"""Open tasks are closed by the deed told in other words, and stay open for what is not done yet."""

import pytest

from mnemic import Mnemic
from tests.engine.told import tell


@pytest.mark.parametrize(
    ("task", "deed"),
    [
        ("TODO: renew the parking permit", "I renewed the parking permit."),
        ("I need to send the invoice to Lea by Friday.", "The invoice to Lea is sent."),
        ("Remind me to buy milk.", "Bought the milk."),
        ("Remind me to pay the rent.", "I paid the rent."),
        ("I need to buy a new kettle.", "I bought a new kettle."),
        ("提醒我买牛奶", "牛奶买好了"),
        ("待办：给老周回电话", "给老周的电话打过了。"),
        ("我得订酒店。", "酒店不用订了。"),
        ("我得周五前交报告。", "报告交了。"),
    ],
)
def test_the_deed_in_other_words_closes_the_task(memory: Mnemic, task: str, deed: str) -> None:
    first, second = tell(memory, task, deed)
    (replaced,) = [row for row in second.replaced if row.reason == "done"]
    assert replaced.older in [stored.id for stored in first.stored]
    assert memory.tasks() == ()


@pytest.mark.parametrize(
    ("task", "told"),
    [
        ("TODO: renew the parking permit", "I have not renewed the parking permit yet."),
        ("TODO: renew the parking permit", "I'll renew the parking permit tomorrow."),
        ("TODO: renew the parking permit", "I renewed the gym membership."),
        ("TODO: buy eggs and flour", "I bought the flour."),
        ("TODO: buy milk", "I bought a bike."),
        ("我得周五前交报告。", "报告还没交。"),
        ("我得订酒店。", "机票订好了。"),
    ],
)
def test_what_is_not_done_or_another_deed_leaves_the_task_open(memory: Mnemic, task: str, told: str) -> None:
    tell(memory, task, told)
    assert len(memory.tasks()) >= 1
    assert task in [row["text"] for row in memory.export() if row["type"] == "memory" and not row["valid_to"]]


def test_of_two_open_tasks_the_one_that_is_told_of_is_closed(memory: Mnemic) -> None:
    tell(memory, "TODO: renew the parking permit", "TODO: renew the passport", "I renewed the passport.")
    assert [task.text for task in memory.tasks()] == ["renew the parking permit"]
