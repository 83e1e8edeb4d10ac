"""A clause that begins with the name of a slot speaks of the thing in view."""

import pytest

from tests.extraction.reading import brief


@pytest.mark.parametrize(
    ("before", "text", "stated"),
    [
        ("Atlas's deadline is June 1.", "The deadline slipped to June 15.", ("Atlas", "deadline", "June 15")),
        ("Marlin is due on May 3.", "The new due date is May 9.", ("Marlin", "deadline", "May 9")),
        ("Atlas costs $40 a month.", "But the price went up to $50.", ("Atlas", "price", "$50")),
        ("Atlas的截止日期是6月1号", "截止日期推到6月15号了", ("Atlas", "deadline", "6月15号")),
        ("支付系统的负责人是林悦", "负责人换成陈默了", ("支付系统", "owner", "陈默")),
        ("支付系统的联系人是林悦", "联系人换成陈默了", ("支付系统", "owner", "陈默")),
        ("Priya owns Atlas.", "The new contact is Tomas.", ("Atlas", "owner", "Tomas")),
    ],
)
def test_the_name_of_a_slot_is_of_the_thing_in_view(
    before: str, text: str, stated: tuple[str, str, str]
) -> None:
    assert brief(text, ("Ada", before)) == [(*stated, "asserted")]


def test_another_thing_keeps_its_own() -> None:
    (stated,) = brief("The deadline of the report is June 15.", ("Ada", "Atlas is due on June 1."))
    assert stated[0] == "report"
