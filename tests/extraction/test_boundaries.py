"""Where a subject and an object begin and end: the whole of what is named, and nothing of what stands beside it."""

import pytest

from tests.extraction.reading import brief


def said(text: str) -> list[tuple[str, str, str]]:
    """Return what is stated as (subject, predicate, value)."""
    return [found[:3] for found in brief(text)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("my train to Berlin is on May 9", ("Ada's train to Berlin", "scheduled_at", "May 9")),
        ("the retrospective for Atlas is on Friday", ("retrospective for Atlas", "scheduled_at", "Friday")),
        ("the notes on Kafka are in the red binder", ("notes on Kafka", "located_at", "red binder")),
        ("the weekly sync moved from Monday to Friday", ("weekly sync", "scheduled_at", "Friday")),
        ("The cabin costs $90 per night", ("cabin", "price", "$90")),
        ("年会定在北京开", ("年会", "located_at", "北京")),
        ("支付系统下个版本换成 MySQL", ("支付系统", "uses", "MySQL")),
        ("the permit for the boat runs out on Friday", ("permit for the boat", "deadline", "Friday")),
        ("下周起支付系统的周会挪到周二", ("支付系统的周会", "scheduled_at", "周二")),
        ("这个季度的指标是 300 单", ("指标", "quantity", "300 单")),
    ],
)
def test_a_subject_is_named_whole_and_alone(text: str, expected: tuple[str, str, str]) -> None:
    assert said(text) == [expected]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Priya's phone number is 555 0188", ("Priya", "contact", "555 0188")),
        ("前台电话是 6677 1234", ("前台", "contact", "6677 1234")),
        ("碎纸机在三楼电梯旁边", ("碎纸机", "located_at", "三楼电梯旁边")),
        ("车停在地下一层 B 区 7 号", ("车", "located_at", "地下一层 B 区 7 号")),
        ("Priya is head of logistics", ("Priya", "role", "head of logistics")),
        ("I can't eat shrimp because of a rash", ("Ada", "avoids", "shrimp")),
        ("no more salmon for Priya", ("Priya", "avoids", "salmon")),
        ("我最喜欢的歌手是王菲", ("Ada", "likes", "王菲")),
        ("林悦要把合同寄给陈默", ("林悦", "task", "把合同寄给陈默")),
        ("I gave up sugar in January", ("Ada", "avoids", "sugar")),
    ],
)
def test_an_object_is_named_whole_and_alone(text: str, expected: tuple[str, str, str]) -> None:
    assert said(text) == [expected]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("I have 3 kids", ("Ada", "family", "3 kids")),
        ("林悦有两个儿子", ("林悦", "family", "两个儿子")),
        ("the rent of the studio is 900 a month", ("rent of the studio", "price", "900")),
        ("there are 14 people on the team", ("team", "quantity", "14 people")),
        ("我是做室内设计的", ("Ada", "role", "做室内设计")),
        ("Marlin 是支付系统的一部分", ("Marlin", "part_of", "支付系统")),
        ("房租每个月3800", ("房租", "price", "3800")),
        ("储物柜是 C3-207", ("储物柜", "located_at", "C3-207")),
        ("Priya is on parental leave until June", ("Priya", "status", "on parental leave")),
        ("Priya from accounting handles expenses", ("expenses", "owner", "Priya")),
        ("我以前在华为上班", ("Ada", "employer", "华为")),
    ],
)
def test_plain_facts_are_read(text: str, expected: tuple[str, str, str]) -> None:
    assert expected in said(text)


def test_what_was_before_is_over() -> None:
    assert brief("我以前住在上海") == [("Ada", "lives_in", "上海", "ended")]


def test_a_capital_alone_makes_no_name() -> None:
    assert all(subject != "Th" for subject, *_ in said("The dog is called Biscuit"))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Starting at Siemens on Thursday", ("Ada", "employer", "西门子")),
        ("Interning at IKEA now", ("Ada", "employer", "IKEA")),
        ("ada lives in Bergen", ("Ada", "lives_in", "Bergen")),
        ("priya knows Rust", ("Priya", "knows", "Rust")),
        ("明天下午3点和周涛开会", ("周涛", "scheduled_at", "明天下午3点")),
        ("@Tomas the spare key is in the drawer", ("spare key", "located_at", "drawer")),
        ("@Tomas 备用钥匙在抽屉里", ("备用钥匙", "located_at", "抽屉里")),
        ("@Tomas owns Atlas", ("Atlas", "owner", "Tomas")),
        ("We moved Atlas's queue to Kafka", ("Atlas", "uses", "Kafka")),
        ("Atlas 的 cache 换到 Redis 了", ("Atlas", "uses", "Redis")),
        ("结题报告22号前要交", ("结题报告", "deadline", "22号")),
        ("The Atlas queue is on Kafka now", ("Atlas", "uses", "Kafka")),
        ("Atlas's docs are in the drawer", ("Atlas's docs", "located_at", "drawer")),
    ],
)
def test_the_subject_is_whom_or_what_it_is_said_of(text: str, expected: tuple[str, str, str]) -> None:
    assert [said[:3] for said in brief(text)] == [expected]


def test_a_part_is_not_of_whom_it_is_told() -> None:
    assert brief("@Henrike 测试库换成 MySQL 了") == []
