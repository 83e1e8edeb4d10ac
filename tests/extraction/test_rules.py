"""Rules against something keep the words that forbid it; what nobody does is denied or over."""

import pytest

from tests.extraction.reading import brief, statements


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Do not use Kafka for billing.", "Do not use Kafka for billing"),
        ("Don't use MySQL in Atlas", "Don't use MySQL in Atlas"),
        ("never restart the scanner on Mondays", "never restart the scanner on Mondays"),
        ("we must not print the invoices twice", "must not print the invoices twice"),
        ("please avoid nested loops here", "avoid nested loops here"),
        ("别用 Kafka 了", "别用 Kafka"),
        ("支付系统别用 MySQL", "别用 MySQL"),
        ("不要在月底发版", "不要在月底发版"),
        ("严禁私自重启主库", "严禁私自重启主库"),
    ],
)
def test_a_rule_against_something_says_so(text: str, expected: str) -> None:
    found = statements(text)
    assert [(each.predicate, each.value, each.modality.value) for each in found] == [
        ("rule", expected, "asserted")
    ]


def test_to_stop_is_both_an_end_and_a_rule() -> None:
    assert brief("以后别再用 Kafka 了", ("Ada", "支付系统用 Kafka")) == [
        ("Kafka", "rule", "别再用 Kafka", "asserted"),
        ("支付系统", "uses", "Kafka", "ended"),
    ]


@pytest.mark.parametrize("text", ["don't worry about it", "别担心", "别客气", "don't know", "别人说的"])
def test_not_every_denial_is_a_rule(text: str) -> None:
    assert brief(text) == []


@pytest.mark.parametrize(
    ("text", "subject"),
    [
        ("Nobody uses Kafka any more", "Ada"),
        ("no one uses Kafka anymore", "Ada"),
        ("没人用 Kafka 了", "Ada"),
        ("支付系统已经没有人用 Kafka 了", "支付系统"),
        ("谁都不用 Kafka 了", "Ada"),
    ],
)
def test_what_nobody_does_any_more_is_over(text: str, subject: str) -> None:
    assert brief(text) == [(subject, "uses", "Kafka", "ended")]


@pytest.mark.parametrize("text", ["Nobody likes Kafka here", "Atlas is owned by nobody", "没人负责支付系统"])
def test_nobody_is_never_somebody(text: str) -> None:
    for each in statements(text):
        assert each.modality.value == "negated"
        assert "nobody" not in (each.subject.name.casefold(), each.value.casefold())
