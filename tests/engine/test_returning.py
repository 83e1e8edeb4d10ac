"""A value that comes back: what stood between the two tellings of it holds no longer."""

import pytest

from mnemic import ManualClock, Mnemic
from tests.engine.told import day, door, recalled, rows, tell, values


def history_of(memory: Mnemic, name: str, predicate: str) -> list[str]:
    (chain,) = memory.history(name, predicate=predicate).chains
    return [version.value for version in chain.versions if version.modality == "asserted"]


@pytest.mark.parametrize(
    ("name", "predicate", "texts", "order"),
    [
        (
            "Ben",
            "lives_in",
            ("Ben lives in Oslo.", "Ben moved to Rome.", "Ben is back in Oslo."),
            ["Oslo", "Rome", "Oslo"],
        ),
        (
            "checkout",
            "uses",
            (
                "checkout builds on Jenkins",
                "checkout's CI is GitLab CI from today",
                "checkout is back on Jenkins",
            ),
            ["Jenkins", "GitLab CI", "Jenkins"],
        ),
        (
            "账本服务",
            "uses",
            ("账本服务用 Kafka", "账本服务换成 RabbitMQ 了", "账本服务又换回 Kafka 了"),
            ["Kafka", "RabbitMQ", "Kafka"],
        ),
    ],
)
def test_a_value_that_comes_back_ends_what_stood_between(
    name: str, predicate: str, texts: tuple[str, ...], order: list[str]
) -> None:
    with door() as memory:
        tell(memory, *texts)
        assert history_of(memory, name, predicate) == order
        assert values(memory, name, predicate) == order[-1:]


def test_what_is_told_of_another_thing_stays_when_a_value_comes_back() -> None:
    with door() as memory:
        tell(
            memory,
            "checkout builds on Jenkins",
            "ledger builds on GitHub Actions",
            "checkout is back on Jenkins",
        )
        assert values(memory, "ledger", "uses") == ["GitHub Actions"]


def test_what_is_told_again_is_no_longer_in_doubt_by_what_was_told_before(
    memory: Mnemic, clock: ManualClock
) -> None:
    memory.remember("Ben owns Atlas.", speaker="Lea")
    memory.remember("Sam owns Atlas.", speaker="Joe")
    (doubt,) = rows(memory, "replaces")
    memory.remember("Ben owns Atlas.", speaker="Lea", at=day(-1))
    assert doubt in rows(memory, "replaces")
    clock.now = day(1)
    memory.remember("Ben owns Atlas.", speaker="Lea")
    assert doubt not in rows(memory, "replaces")


@pytest.mark.parametrize(
    "texts",
    [
        (
            "checkout uses GitLab CI",
            "sorry everyone, since tonight checkout is back on Jenkins instead of GitLab CI",
        ),
        ("结算服务跑在 JDK 11 上", "抱歉各位，结算服务从今晚起改成 JDK 17 了"),
    ],
)
def test_who_is_sorry_for_a_change_takes_nothing_back(texts: tuple[str, ...]) -> None:
    with door() as memory:
        told = tell(memory, *texts)
        assert {given.reason for receipt in told for given in receipt.replaced} <= {"changed"}
        assert texts[0] in recalled(memory, texts[0], valid_as_of=day(0.5))


@pytest.mark.parametrize(
    ("texts", "left"),
    [
        (("checkout's events go through Kafka", "checkout is on RabbitMQ as of today"), ["RabbitMQ"]),
        (("结算服务用 RabbitMQ 发消息", "结算服务从今天起用 Kafka"), ["Kafka"]),
        (("checkout uses Redis", "checkout is on PostgreSQL now"), ["PostgreSQL", "Redis"]),
        (("checkout uses RabbitMQ", "checkout now also uses Kafka"), ["Kafka", "RabbitMQ"]),
    ],
)
def test_what_is_so_from_now_on_takes_the_place_of_its_kind_alone(
    texts: tuple[str, ...], left: list[str]
) -> None:
    with door() as memory:
        tell(memory, *texts)
        assert sorted(values(memory, "checkout", "uses")) == left


def test_what_has_ended_joins_nobody() -> None:
    with door() as memory:
        memory.remember("Atlas used to cache in Redis, we ripped that out in January")
        assert "Redis" not in [node.name for node in memory.explore("Atlas").nodes]
