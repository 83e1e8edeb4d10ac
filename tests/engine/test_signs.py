"""Signs of change, and how late a memory was told: what the overruling scorer weighs beside words and names."""

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mnemic.engine.overrule import compare
from mnemic.engine.sides import Rarity, Side
from mnemic.engine.signs import signs_of
from mnemic.graph.model import Kind, Memory

AT = datetime(2026, 3, 4, 10, tzinfo=UTC)


def side(id: str, text: str, at: datetime = AT) -> Side:
    memory = Memory(
        id=id,
        owner="ada",
        kind=Kind.FACT,
        text=text,
        summary="",
        at=at,
        recorded_at=at,
        valid_from=at,
        terms=tuple(text.split()),
    )
    return Side(memory, {})


@pytest.mark.parametrize(
    ("text", "sign"),
    [
        ("the limit went up to 250", "step"),
        ("Yuki takes over from Monday", "handover"),
        ("the sponsor pulled out", "over"),
        ("we are back to Hollow Farm", "again"),
        ("上限加到 250", "step"),
        ("值班的手机交给老秦了", "handover"),
        ("赞助商撤了", "over"),
        ("牛奶恢复原来那家", "again"),
    ],
)
def test_a_sign_is_heard_in_both_languages(text: str, sign: str) -> None:
    assert sign in signs_of(text)
    assert compare(side("new", text), [side("old", "x")], Rarity(1, {})).row(0)[f"newer says {sign}"] == 1.0


def test_plain_statements_give_no_sign() -> None:
    assert not signs_of("the spare key hangs in the shed") | signs_of("钥匙挂在棚子里")


@given(st.permutations(range(5)))
def test_the_last_told_is_the_latest_in_whatever_order_they_come(order: list[int]) -> None:
    olders = [side(str(day), "key shed" if day % 2 else "roof", AT + timedelta(days=day)) for day in order]
    pairs = compare(side("new", "key pot", AT + timedelta(days=9)), olders, Rarity(5, {"key": 2, "pot": 0}))
    rows = {day: pairs.row(number) for number, day in enumerate(order)}
    assert [round(1.0 / rows[day]["latest"]) for day in range(5)] == [5, 4, 3, 2, 1]
    assert (rows[3]["latest by shared words"], rows[1]["latest by shared words"]) == (1.0, 0.5)
    assert "latest by shared words" not in rows[4]
