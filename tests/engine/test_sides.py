"""What is worked out of one memory of a pair that is compared."""

from datetime import UTC, datetime

import pytest

from mnemic.engine.sides import Side
from mnemic.graph.model import Kind, Memory


def side(text: str) -> Side:
    now = datetime(2026, 3, 2, tzinfo=UTC)
    return Side(
        Memory(
            id="m",
            owner="ada",
            kind=Kind.FACT,
            text=text,
            summary=text,
            at=now,
            recorded_at=now,
            valid_from=now,
        ),
        {},
    )


@pytest.mark.parametrize(
    ("one", "other", "shared"),
    [
        ("logs are kept for 30 days", "they are kept 45 days now", True),
        ("logs are kept for 30 days", "the clean-up starts at 2am", False),
        ("seats are $12 a month", "it went up to $15", True),
        ("每分钟最多 600 次", "提到 1000 次了", True),
        ("房租 2300 块", "合同签了三年", False),
    ],
)
def test_numbers_are_told_apart_by_what_they_count(one: str, other: str, *, shared: bool) -> None:
    assert (not side(one).units.isdisjoint(side(other).units)) is shared
