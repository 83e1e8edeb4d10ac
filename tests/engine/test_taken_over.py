"""What took a slot over answers alone: whenever it was told, and whatever else the old sentence said."""

import pytest

from tests.engine.told import day, door, recalled, tell, values


@pytest.mark.parametrize(
    ("story", "asked", "value"),
    [
        (("I live in Berlin.", "I moved to Munich last month."), "Where do I live?", "Munich"),
        (("我住在上海。", "我上个月搬到苏州了。"), "我住在哪里？", "苏州"),
        (("I used to live in Oslo.", "I live in Berlin."), "Where do I live?", "Berlin"),
        (("I live in Berlin.", "I used to live in Oslo."), "Where do I live?", "Berlin"),
        (("I live in Berlin.", "Back in February I lived in Oslo."), "Where do I live?", "Berlin"),
    ],
)
def test_one_value_of_a_slot_holds(story: tuple[str, ...], asked: str, value: str) -> None:
    with door() as memory:
        tell(memory, *story)
        found = recalled(memory, asked)
        assert values(memory, "ada", "lives_in") == [value]
    assert len(found) == 1
    assert value in found[0]


@pytest.mark.parametrize(
    ("story", "before", "after"),
    [
        (("I live in Oslo.", "I moved to Bergen last month."), "Oslo", "Bergen"),
        (("我住在杭州。", "我上个月搬到苏州了。"), "杭州", "苏州"),
    ],
)
def test_what_was_told_as_present_held_until_what_began_before_the_telling(
    story: tuple[str, ...], before: str, after: str
) -> None:
    with door() as memory:
        tell(memory, *story)
        assert values(memory, "ada", "lives_in", valid_as_of=day(-60)) == [before]
        assert values(memory, "ada", "lives_in") == [after]
        (chain,) = memory.history("ada", predicate="lives_in").chains
        first = chain.versions[0]
        assert first.value == before
        assert first.valid_to is not None
        assert first.valid_from < first.valid_to < day(0)


def test_a_value_that_took_over_twice_inherits_what_was_asked_of_the_first() -> None:
    with door(embedder="e5-small-q4") as memory:
        tell(memory, "I live in Berlin.", "I moved to Munich.", "I moved back to Berlin.")
        (item,) = memory.recall("Where do I live?").items
    assert item.text == "I moved back to Berlin."
    assert item.score > 0.5


@pytest.mark.parametrize(
    ("old", "new", "asked", "gone"),
    [
        ("The ledger uses MySQL and Redis.", "We switched ledger from MySQL to PostgreSQL.", "What does ledger use?", "MySQL and"),
        ("账本服务用 MySQL 和 Redis。", "账本服务从 MySQL 换成 PostgreSQL 了。", "账本服务用什么？", "MySQL 和"),
    ],
)  # fmt: skip
def test_a_sentence_of_which_a_part_is_overruled_is_shown_by_its_other_part(
    old: str, new: str, asked: str, gone: str
) -> None:
    with door() as memory:
        tell(memory, old, new)
        found = memory.recall(asked)
    assert any("Redis" in item.text for item in found.items)
    assert not any(gone in item.text for item in found.items)
    assert gone not in found.text


CHAINS = [
    (
        ("We use Redis for caching.", "We moved from Redis to Memcached.", "Then we moved back to Redis."),
        "What do we use for caching?",
        "Then we moved back to Redis.",
    ),
    (
        (
            "We use MySQL for the billing tables.",
            "We moved from MySQL to Oracle.",
            "We switched from Oracle to MariaDB.",
            "We went from MariaDB to PostgreSQL.",
        ),
        "What do the billing tables use?",
        "We went from MariaDB to PostgreSQL.",
    ),
    (
        ("我们用 Redis 做缓存。", "我们从 Redis 换成了 Memcached。", "我们又从 Memcached 换回了 Redis。"),
        "缓存用的是什么？",
        "我们又从 Memcached 换回了 Redis。",
    ),
]


@pytest.mark.parametrize(("story", "asked", "last"), CHAINS)
def test_the_end_of_a_chain_answers_what_only_its_beginning_shares_words_with(
    story: tuple[str, ...], asked: str, last: str
) -> None:
    with door() as memory:
        tell(memory, *story)
        found = memory.recall(asked)
        assert [item.text for item in found.items] == [last]
        assert {kept_back.reason for kept_back in found.suppressed if kept_back.by} == {"replaced"}


@pytest.mark.parametrize(("story", "asked"), [chain[:2] for chain in CHAINS])
def test_a_chain_is_followed_as_far_as_it_had_come(story: tuple[str, ...], asked: str) -> None:
    with door() as memory:
        tell(memory, *story)
        assert recalled(memory, asked, valid_as_of=day(1.5)) == [story[1]]
