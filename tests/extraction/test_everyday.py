"""What people tell of everyday things, in the ways they tell it, by families of wordings."""

import pytest

from tests.extraction.reading import brief

SAID = [
    ("piano lessons went up to 40 quid an hour", ("piano lessons", "price", "40 quid")),
    ("网费一年 980", ("网费", "price", "980")),
    ("up to 62 members now", ("members", "quantity", "62")),
    ("库存只剩 15 件", ("库存", "quantity", "15 件")),
    ("dentist at 3:30 tomorrow", ("dentist", "scheduled_at", "at 3:30 tomorrow")),
    ("约了周四看牙", ("看牙", "scheduled_at", "周四")),
    ("practice is at the scout hut", ("practice", "located_at", "scout hut")),
    ("that red bike is mine", ("Ada", "owns", "red bike")),
    ("这把吉他是我的", ("Ada", "owns", "吉他")),
    ("I stepped down as chair", ("Ada", "role", "chair")),
    ("新任店长是小何", ("小何", "role", "店长")),
    ("I've fed the goats already", ("Ada", "done", "fed the goats already")),
    ("我来订酒店", ("Ada", "task", "订酒店")),
    ("小李离职了", ("小李", "happened", "离职")),
]


@pytest.mark.parametrize(("text", "stated"), SAID)
def test_it_is_read(text: str, stated: tuple[str, str, str]) -> None:
    assert stated in [found[:3] for found in brief(text)]


@pytest.mark.parametrize("le", ["了", "啦", "咯", "喽"])
def test_le_may_be_said_in_any_way(le: str) -> None:
    assert [found[:3] for found in brief(f"酒店订好{le}")] == [("Ada", "done", "酒店")]


@pytest.mark.parametrize("text", ["我一天五公里", "跑步一小时十公里", "the queue is 40 people"])
def test_what_has_a_unit_is_no_price(text: str) -> None:
    assert "price" not in [predicate for _, predicate, _, _ in brief(text)]


@pytest.mark.parametrize("text", ["My boss is called Ingrid", "Our colleague is called Imke"])
def test_what_somebody_undergoes_is_no_deed(text: str) -> None:
    assert "done" not in [predicate for _, predicate, _, _ in brief(text)]
