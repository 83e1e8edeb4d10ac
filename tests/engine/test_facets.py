"""Slots with several sides: an address of each sort, and the one favourite of each sort of thing."""

import pytest

from mnemic import Mnemic
from tests.engine.told import tell, values


@pytest.mark.parametrize(
    ("first", "other", "newer", "held"),
    [
        (
            "My phone number is 555-0134.",
            "My email is ada@example.com.",
            "My phone number is 555-0177 now.",
            {"ada@example.com", "555-0177"},
        ),
        (
            "My email is ada@example.com.",
            "My work email is ada@corp.example.com.",
            "My email changed to a@example.com.",
            {"ada@corp.example.com", "a@example.com"},
        ),
        (
            "我手机号是13812345678",
            "我邮箱是 ada@example.com",
            "我的手机号换成13900001111了",
            {"ada@example.com", "13900001111"},
        ),
    ],
)
def test_an_address_gives_way_to_one_of_its_own_sort(
    memory: Mnemic, first: str, other: str, newer: str, held: set[str]
) -> None:
    _, beside, last = tell(memory, first, other, newer)
    assert beside.replaced == ()
    assert [each.older_text for each in last.replaced] == [first]
    assert set(values(memory, "ada", "contact")) == held


@pytest.mark.parametrize(
    ("first", "others", "newer", "held"),
    [
        (
            "My favorite color is blue.",
            ["I like red.", "My favourite food is sushi."],
            "Purple is my favourite colour now.",
            {"red", "sushi", "Purple"},
        ),
        (
            "My favourite movie is Alien.",
            ["One of my favourite films is Heat."],
            "My favourite film is Ran.",
            {"Heat", "Ran"},
        ),
        ("我最喜欢的颜色是蓝色", ["我最喜欢的菜是火锅"], "红色是我最喜欢的颜色", {"火锅", "红色"}),
        ("我最爱吃的水果是芒果", ["我喜欢梨"], "我现在最爱吃的水果是荔枝", {"梨", "荔枝"}),
    ],
)
def test_one_thing_of_a_sort_is_the_favourite(
    memory: Mnemic, first: str, others: list[str], newer: str, held: set[str]
) -> None:
    *_, last = tell(memory, first, *others, newer)
    assert [each.older_text for each in last.replaced] == [first]
    assert set(values(memory, "ada", "likes")) == held


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Atlas runs on Debian in staging", "Atlas runs on Ubuntu in production"),
        ("阿特拉斯测试环境跑在 Debian 上", "阿特拉斯生产环境跑在 Ubuntu 上了"),
    ],
)
def test_what_is_said_of_one_thing_takes_nothing_from_its_neighbour(
    memory: Mnemic, one: str, other: str
) -> None:
    assert [receipt.replaced for receipt in tell(memory, one, other)] == [(), ()]
