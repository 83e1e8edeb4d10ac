from datetime import date, datetime

import pytest

from mnemic.extraction.times import find_times
from mnemic.extraction.times.festivals import festival_day, nth_weekday
from mnemic.extraction.times.lexicon import DATA

AT = datetime.fromisoformat("2026-03-10T09:30:00+08:00")


@pytest.mark.parametrize(
    ("text", "normal"),
    [
        ("端午", "2026-06-19"),
        ("今年中秋", "2026-09-25"),
        ("去年春节", "2025-01-29"),
        ("除夕", "2027-02-05"),
        ("正月十五", "2027-02-20"),
        ("国庆", "2026-10-01"),
        ("清明", "2026-04-05"),
        ("christmas", "2026-12-25"),
        ("last christmas", "2025-12-25"),
        ("easter 2010", "2010-04-04"),
        ("thanksgiving of next year", "2027-11-25"),
        ("black friday", "2026-11-27"),
        ("mother's day", "2026-05-10"),
    ],
)
def test_a_holiday_falls_on_its_day(text: str, normal: str) -> None:
    (value,) = find_times(text, AT)
    assert (value.text, value.normal) == (text, normal)


@pytest.mark.parametrize(
    "name", sorted(set(DATA["festivals"]) - {"laba"})
)  # which can fall into a year twice
def test_every_holiday_has_a_day_in_every_year_of_the_tables(name: str) -> None:
    for year in range(2011, 2040):
        day = festival_day(name, year)
        assert day is not None
        assert day.year == year


def test_a_lunar_holiday_beyond_its_table_has_no_day() -> None:
    assert festival_day("mid-autumn festival", 2099) is None


@pytest.mark.parametrize(
    ("nth", "weekday", "day"), [(1, 0, 5), (4, 3, 22), (5, 3, 29), (5, 0, None), (-1, 4, 30), (-1, 5, 31)]
)
def test_the_nth_weekday_of_october_2026(nth: int, weekday: int, day: int | None) -> None:
    assert nth_weekday(2026, 10, nth, weekday) == (day and date(2026, 10, day))
