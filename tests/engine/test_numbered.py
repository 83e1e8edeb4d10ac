"""Values that a number tells apart: another floor, row or room is another value, never the old one said again."""

import pytest

from mnemic import Mnemic
from tests.engine.told import recalled, tell


def stated(memory: Mnemic, text: str) -> list[str]:
    """Return the values that one text states."""
    (receipt,) = tell(memory, text)
    return [stored.said.value for stored in receipt.stored if stored.said is not None]


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("The scanner is on floor 4.", "floor 4"),
        ("The scanner is on floor four.", "floor four"),
        ("The van is parked in row C9.", "row C9"),
        ("The ladder is in locker 31 now.", "locker 31"),
        ("The router is in rack B.", "rack B"),
        ("The passport is in box #6.", "box #6"),
        ("The ladder is in the shed.", "shed"),
        ("投影仪在四楼。", "四楼"),
        ("钥匙放在 7 号柜子里。", "7 号柜子里"),
        ("投影仪放在 3 号会议室了。", "3 号会议室"),
    ],
)
def test_a_value_includes_the_number_beside_it(memory: Mnemic, text: str, value: str) -> None:
    assert stated(memory, text) == [value]


@pytest.mark.parametrize(
    ("texts", "question"),
    [
        (["The scanner is on floor 4.", "The scanner is on floor 5.", "The scanner is on floor 6."], "scanner"),
        (["The van is parked in row C9.", "The van is parked in row D2."], "Where is the van?"),
        (["The router is in rack 12 of hall 3.", "The router is in rack 12 of hall 4."], "Where is the router?"),
        (["投影仪在四楼。", "投影仪在六楼。"], "投影仪在哪"),
        (["钥匙放在 7 号柜子里。", "钥匙放在 9 号柜子里。"], "钥匙在哪"),
    ],
)  # fmt: skip
def test_another_number_is_another_value_and_the_newest_holds(
    memory: Mnemic, texts: list[str], question: str
) -> None:
    receipts = tell(memory, *texts)
    assert not any(receipt.reinforced for receipt in receipts)
    assert recalled(memory, question) == texts[-1:]


@pytest.mark.parametrize(
    ("first", "again"),
    [
        ("The scanner is on floor 4.", "The scanner is on floor 4."),
        ("The scanner is on floor 4.", "Reminder: the scanner is on floor 4."),
        ("Ben lives in Oslo since 2019.", "Ben lives in Oslo since March 2020."),
        ("投影仪在四楼。", "投影仪在四楼。"),
    ],
)
def test_the_same_value_said_again_is_the_known_one(memory: Mnemic, first: str, again: str) -> None:
    _, receipt = tell(memory, first, again)
    assert [known.text for known in receipt.reinforced] == [first]


def test_the_same_thing_with_another_number_beside_it_is_not_the_known_one(memory: Mnemic) -> None:
    _, receipt = tell(memory, "Checkout uses Redis with 3 replicas.", "Checkout uses Redis with 5 replicas.")
    assert not receipt.reinforced
    assert [stored.text for stored in receipt.stored] == ["Checkout uses Redis with 5 replicas."]
