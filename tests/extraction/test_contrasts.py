"""Corrections that name both values: the new one takes the place of the old one that was told."""

import pytest

from tests.extraction.reading import brief, statements


@pytest.mark.parametrize(
    ("told", "text", "expected", "old"),
    [
        ("the workshop is on Monday", "Sorry, Friday not Monday.", ("workshop", "Friday"), "Monday"),
        ("the workshop is on Monday", "I meant Friday, not Monday", ("workshop", "Friday"), "Monday"),
        ("the workshop is on Monday", "not Monday, Friday. my bad", ("workshop", "Friday"), "Monday"),
        ("I live in Porto", "oops: Lisbon, not Porto", ("Ada", "Lisbon"), "Porto"),
        ("Priya owns Atlas", "that should be Tomas, not Priya", ("Atlas", "Tomas"), "Priya"),
        ("Atlas uses Kafka", "RabbitMQ, not Kafka, sorry", ("Atlas", "RabbitMQ"), "Kafka"),
        ("my spare key is in the shed", "the garage, not the shed", ("Ada's spare key", "garage"), "shed"),
        ("家长会在周二", "说错了，是周五，不是周二", ("家长会", "周五"), "周二"),
        ("家长会在周二", "不是周二，是周五，抱歉", ("家长会", "周五"), "周二"),
        ("我住在厦门", "打错了，福州不是厦门", ("Ada", "福州"), "厦门"),
        ("林悦负责支付系统", "更正一下：是陈默而不是林悦", ("支付系统", "陈默"), "林悦"),
        ("支付系统用 Kafka", "不对，不是 Kafka，是 RocketMQ", ("支付系统", "RocketMQ"), "Kafka"),
    ],
)
def test_the_new_value_takes_the_place_of_the_old_one(
    told: str, text: str, expected: tuple[str, str], old: str
) -> None:
    (found,) = statements(text, ("Ada", told))
    assert (found.subject.name, found.value, found.replaces) == (*expected, old)
    assert found.modality.value == "asserted"


def test_what_is_corrected_may_stand_in_the_same_message() -> None:
    assert brief("The picnic is on Saturday. Sorry, Sunday not Saturday.") == [
        ("picnic", "scheduled_at", "Saturday", "asserted"),
        ("picnic", "scheduled_at", "Sunday", "asserted"),
    ]


def test_the_old_value_tells_which_line_is_meant() -> None:
    earlier = (("Ada", "I live in Porto"), ("Ada", "the workshop is on Monday"), ("Tomas", "great"))
    assert brief("Lisbon, not Porto", *earlier) == [("Ada", "lives_in", "Lisbon", "asserted")]
    assert brief("Friday, not Monday", *earlier) == [("workshop", "scheduled_at", "Friday", "asserted")]


@pytest.mark.parametrize("text", ["I live in Lisbon, not Porto", "我住在里斯本，不是波尔图"])
def test_a_whole_sentence_corrects_as_well(text: str) -> None:
    told = "I live in Porto" if text.isascii() else "我住在波尔图"
    (found,) = statements(text, ("Ada", told))
    assert found.modality.value == "asserted"
    assert found.replaces


@pytest.mark.parametrize(
    "text", ["tea, not coffee", "Friday not Monday?", "not today, maybe", "不是我，是他", "not bad, not bad"]
)
def test_a_contrast_of_what_nobody_told_corrects_nothing(text: str) -> None:
    assert brief(text, ("Tomas", "I live in Porto")) == []


@pytest.mark.parametrize(
    ("told", "text", "expected"),
    [
        ("Priya's birthday is May 4.", "Sorry, May 6.", ("Priya", "birthday", "May 6")),
        ("The rent is $900.", "Oops, it's $950.", ("rent", "price", "$950")),
        ("我妈生日是5月4号。", "说错了，是5月5号。", ("Ada的妈妈", "birthday", "5月5号")),
        ("林悦负责支付系统", "记错了，是陈默", ("支付系统", "owner", "陈默")),
    ],
)
def test_a_new_value_alone_corrects_what_was_told_last(
    told: str, text: str, expected: tuple[str, str, str]
) -> None:
    (found,) = statements(text, ("Ada", told))
    assert (found.subject.name, found.predicate, found.value) == expected
    assert found.replaces


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("我从腾讯离职了，现在在美团。", ("Ada", "employer", "美团", "asserted")),
        ("林悦升职当组长了", ("林悦", "role", "组长", "asserted")),
    ],
)
def test_a_new_post_is_told_with_the_old_one_left(text: str, expected: tuple[str, ...]) -> None:
    assert expected in brief(text)


def test_who_moved_is_no_firm_in_view() -> None:
    assert brief("上个月搬到杭州了。", ("Ada", "我在美团上班")) == [("Ada", "lives_in", "杭州", "asserted")]
