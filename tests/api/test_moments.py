from datetime import UTC, datetime, timedelta, timezone

import pytest

from mnemic.api.moments import parse_moment
from mnemic.errors import InvalidInput

CST = timezone(timedelta(hours=8))


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("2026-03-02", datetime(2026, 3, 2, tzinfo=CST)),
        ("2026-03-02T10:00", datetime(2026, 3, 2, 10, tzinfo=CST)),
        ("2026-03-02 10:00", datetime(2026, 3, 2, 10, tzinfo=CST)),
        ("2026-03-02T10:00Z", datetime(2026, 3, 2, 10, tzinfo=UTC)),
        ("2026-03-02T10:00-05:30", datetime(2026, 3, 2, 15, 30, tzinfo=UTC)),
    ],
)
def test_what_lacks_an_offset_is_meant_in_the_default_one(written: str, meant: datetime) -> None:
    assert parse_moment(written, "since", CST) == meant


def test_without_a_default_it_is_this_machines_offset() -> None:
    assert parse_moment("2026-03-02", "since") == datetime(2026, 3, 2).astimezone()


@pytest.mark.parametrize("written", ["", "yesterday", "2026-02-30", "25:71", "0001-01-01"])
def test_what_is_no_moment_is_refused_by_its_field(written: str) -> None:
    with pytest.raises(InvalidInput) as caught:
        parse_moment(written, "since", CST)
    assert caught.value.field == "since"
