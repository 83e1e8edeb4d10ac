from datetime import datetime

import pytest

from mnemic.errors import InvalidInput
from mnemic.extraction.times import Range, query_range

AT = datetime.fromisoformat("2026-08-12T14:30:00+08:00")


def days(found: Range | None) -> tuple[str | None, str | None] | None:
    if found is None:
        return None
    since, until = (None if end is None else end.date().isoformat() for end in found)
    return since, until


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("what did I do last week", ("2026-08-03", "2026-08-10")),
        ("what did we decide last spring?", ("2026-03-01", "2026-06-01")),
        ("what happened in May?", ("2026-05-01", "2026-06-01")),
        ("and in October?", ("2025-10-01", "2025-11-01")),
        ("when we met in 2023", ("2023-01-01", "2024-01-01")),
        ("in the last two weeks", ("2026-07-29", "2026-08-13")),
        ("去年夏天我们去了哪", ("2025-06-01", "2025-09-01")),
        ("周一做了什么", ("2026-08-10", "2026-08-11")),
        ("3月3日的会上说了什么", ("2026-03-03", "2026-03-04")),
        ("notes from March 3rd", ("2026-03-03", "2026-03-04")),
        ("三周前", ("2026-07-22", "2026-07-23")),
        ("what is planned for next month?", ("2026-09-01", "2026-10-01")),
        ("what will we do on Friday?", ("2026-08-14", "2026-08-15")),
        ("last week or last month", ("2026-07-01", "2026-08-10")),
        ("昨天和今天", ("2026-08-11", "2026-08-13")),
        ("everything since June", ("2026-06-01", None)),
        ("what did it cost before May?", (None, "2026-05-01")),
        ("最近在忙什么", ("2026-07-13", "2026-08-13")),
        ("what does the payment service run on?", None),
        ("where do we meet every Monday?", None),
        ("what do I do for two hours at 3pm?", None),
        ("may I ask a question", None),
    ],
)
def test_a_question_asks_about_a_stretch_of_time(
    text: str, expected: tuple[str | None, str | None] | None
) -> None:
    assert days(query_range(text, AT)) == expected


def test_a_clock_without_an_offset_is_refused() -> None:
    with pytest.raises(InvalidInput):
        query_range("yesterday", datetime(2026, 8, 12))
