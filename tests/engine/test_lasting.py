"""Beginnings and ends told in words: what is over is no current fact, and still answers for its time."""

from datetime import UTC, datetime, timedelta

import pytest

from mnemic import Mnemic
from tests.engine.told import clock_of, day, rows, tell, values


def moment(text: str) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=UTC)


@pytest.mark.parametrize(
    ("text", "during", "end"),
    [
        ("Checkout used RabbitMQ until last year.", "2025-06-01", "2026-01-01"),
        ("Until last year checkout used RabbitMQ.", "2025-06-01", "2026-01-01"),
        ("结算服务用 RabbitMQ 到去年底。", "2025-12-01", "2026-01-01"),
        ("Checkout used RabbitMQ from 2018 to 2020.", "2019-06-01", "2021-01-01"),
        ("Checkout used RabbitMQ between 2018 and 2020.", "2019-06-01", "2021-01-01"),
        ("结算服务 2018 到 2020 年用 RabbitMQ。", "2019-06-01", "2021-01-01"),
    ],
)
def test_what_is_told_to_be_over_holds_up_to_its_end(
    memory: Mnemic, text: str, during: str, end: str
) -> None:
    tell(memory, text)
    assert values(memory, "checkout", "uses") == []
    assert memory.about("checkout").profile == {}
    assert values(memory, "checkout", "uses", valid_as_of=moment(during)) == ["RabbitMQ"]
    assert values(memory, "checkout", "uses", valid_as_of=moment(end)) == []


@pytest.mark.parametrize(
    ("text", "name"),
    [("Ben lives in Turku until Friday.", "Ben"), ("小王住在上海,到周五为止。", "小王")],
)
def test_what_has_a_coming_end_holds_until_then(memory: Mnemic, text: str, name: str) -> None:
    tell(memory, text)
    assert len(values(memory, name, "lives_in")) == 1
    clock_of(memory).now = day(5)
    assert values(memory, name, "lives_in") == []


def test_a_past_stretch_takes_nothing_away_from_what_holds_now(memory: Mnemic) -> None:
    tell(memory, "Ben works at Nokia.", "Ben worked at Siemens until March 2024.")
    assert values(memory, "Ben", "employer") == ["Nokia"]


def test_the_end_of_a_known_fact_closes_it(memory: Mnemic) -> None:
    tell(memory, "Checkout uses RabbitMQ since 2019.", "Checkout used RabbitMQ until last year.")
    assert values(memory, "checkout", "uses") == []
    assert values(memory, "checkout", "uses", valid_as_of=moment("2022-01-01")) == ["RabbitMQ"]


@pytest.mark.parametrize(
    "text", ["Checkout has used RabbitMQ since 2019.", "结算服务从 2019 年起用 RabbitMQ。"]
)
def test_a_beginning_told_in_words_is_when_it_began(memory: Mnemic, text: str) -> None:
    tell(memory, text)
    (row,) = rows(memory, "memory")
    assert (row["valid_from"][:10], row["valid_to"]) == ("2019-01-01", None)


@pytest.mark.parametrize(
    ("text", "last"),
    [
        ("I need to send the invoice by Friday.", "2026-03-07"),
        ("TODO: book the van by 20 March", "2026-03-21"),
        ("我得周五前交报告。", "2026-03-07"),
        ("TODO: book the van", None),
    ],
)
def test_a_task_is_due_when_its_words_say(memory: Mnemic, text: str, last: str | None) -> None:
    tell(memory, text)
    (task,) = memory.tasks()
    assert task.due == (moment(last) if last else None)


@pytest.mark.parametrize("text", ["I need to return the keys by Wednesday.", "我得周三前还钥匙。"])
def test_an_overdue_task_is_open_until_it_is_done(memory: Mnemic, text: str) -> None:
    tell(memory, text)
    clock_of(memory).now += timedelta(days=30)
    (task,) = memory.tasks()
    assert task.due is not None
    assert task.due < clock_of(memory).now
    tell(memory, "I returned the keys." if text.isascii() else "钥匙还了。")
    assert memory.tasks() == ()


def test_a_task_is_due_on_the_clock_of_who_told_it(memory: Mnemic) -> None:
    late = datetime.fromisoformat("2026-03-02T00:30:00+08:00")
    memory.remember("I need to call the bank by tomorrow.", at=late)
    (task,) = memory.tasks()
    assert task.due == datetime.fromisoformat("2026-03-04T00:00:00+08:00")
