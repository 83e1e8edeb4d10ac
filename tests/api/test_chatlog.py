from collections.abc import Callable
from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mnemic.api.chatlog import read_chat, read_head
from mnemic.api.logline import Draft, Unreadable
from mnemic.errors import InvalidInput

CST = timezone(timedelta(hours=8))
TEN = datetime(2026, 3, 2, 10, 0, tzinfo=CST)


@pytest.mark.parametrize(
    "line",
    [
        "2026-03-02 10:00 林悦: 你好",
        "2026-03-02 10:00:00 林悦: 你好",
        "2026-03-02T10:00 林悦：你好",
        "2026-03-02 10:00:00.000 林悦：你好",
        "2026-03-02 10:00 +08:00 林悦: 你好",
        "2026-03-02T02:00Z 林悦: 你好",
        "2026-03-01 21:00-0500 林悦: 你好",
        "2026/3/2 10:00 林悦: 你好",
        "2026.03.02 10:00 林悦: 你好",
        "[2026/3/2 10:00] 林悦: 你好",
        "[2026-03-02, 10:00:00] 林悦：你好",
        "2026年3月2日 10:00 林悦：你好",
        "2026年03月02日10:00:00 林悦: 你好",
        "2026年3月2号 10：00 林悦：你好",
        "2026-03-02 10:00 - 林悦: 你好",
        "2026-03-02 10:00 AM 林悦: 你好",
        "[2026/3/2, 10:00:00 a.m.] 林悦: 你好",
        "2026年3月2日 上午10:00 林悦：你好",
        "2026年3月2日 早上 10点00分 林悦：你好",
        "2026/3/2 上午10点00分00秒 林悦：你好",
    ],
)
def test_every_form_of_line_gives_the_same_message(line: str) -> None:
    head = read_head(line, CST)
    assert head is not None
    assert (head.at, head.name, head.text) == (TEN, "林悦", "你好")


def test_an_offset_that_is_written_is_kept() -> None:
    head = read_head("2026-03-02 10:00 -05:30 Ada: hi", CST)
    assert head is not None
    assert head.at.utcoffset() == -timedelta(hours=5, minutes=30)


@pytest.mark.parametrize(
    ("clock", "hour"),
    [
        ("10:08 PM", 22),
        ("12:08 am", 0),
        ("12:08pm", 12),
        ("10:08 p.m.", 22),
        ("下午3点08分", 15),
        ("中午12:08", 12),
        ("中午1:08", 13),
        ("凌晨12:08", 0),
        ("晚上 9:08", 21),
        ("22:08 PM", 22),
    ],
)
def test_a_clock_of_twelve_hours_is_read_by_its_half_of_the_day(clock: str, hour: int) -> None:
    head = read_head(f"2026-05-04 {clock} Joan: late", CST)
    assert head is not None
    assert (head.at, head.name) == (datetime(2026, 5, 4, hour, 8, tzinfo=CST), "Joan")


def test_a_speaker_may_be_called_like_half_a_day() -> None:
    head = read_head("2026-05-04 10:08 PM: we ship", CST)
    assert head is not None
    assert (head.at.hour, head.name) == (10, "PM")


@pytest.mark.parametrize(
    "line",
    [
        "5/4/26, 10:09 - Joan: on my way",
        "[5/4/26, 10:09:11 PM] Joan: on my way",
        "04.05.2026 10:09 Joan: on my way",
        "4 May 2026 10:09 Joan: on my way",
        "May 4, 2026 at 10:09 Joan: on my way",
        "2026-05-04 (Mon) 10:09 Joan: on my way",
        "5月4日 下午3:09 陈博：在路上",
        "2026年5月4日 星期一 10:09 陈博：在路上",
        "2026年5月4日 晚上12:09 陈博：在路上",
        "2026年5月4日 上午15:09 陈博：在路上",
    ],
)
def test_a_date_and_a_clock_that_are_not_understood_continue_no_other_message(line: str) -> None:
    numbered = [(1, "2026-05-04 10:00 Ada: hello"), (2, line), (3, "and more of it")]
    first, second = read_chat(numbered, CST)
    assert isinstance(first, Draft)
    assert first.fields["content"] == "hello"
    assert isinstance(second, Unreadable)
    assert (second.line, second.last, second.error.field) == (2, 3, "at")


@pytest.mark.parametrize(
    "line",
    [
        "just words",
        "",
        "10:00 Tom: no date",
        "2026-03-02 is the day: Monday",
        "in 2026-03-02 10:00 Tom: indented by a word",
        "  2026-03-02 10:00 Tom: quoted",
        "20260302 10:00 Tom: x",
        "3/2/26 was cold",
        "3月2日下午开会",
        "10:09 - Tom: x",
    ],
)
def test_what_does_not_begin_with_date_and_time_starts_no_message(line: str) -> None:
    assert read_head(line, CST) is None


@pytest.mark.parametrize(
    ("line", "field"),
    [
        ("2026-03-03 25:71 Tom: my clock is drunk", "at"),
        ("2026-02-30 10:00 Tom: x", "at"),
        ("2026年13月2日 10:00 Tom：x", "at"),
        ("0000-01-01 10:00 Tom: x", "at"),
        ("0001-01-01 00:00 Tom: x", "at"),
        ("2026-03-02 10:00 +25:00 Tom: x", "at"),
        ("2026-03-02 10:00 Tom joined", "name"),
        ("2026-03-02 10:00 : x", "name"),
        ("2026-03-02 10:00 see https://example.org", "name"),
        ("2026-03-02 10:00", "name"),
    ],
)
def test_what_begins_with_date_and_time_but_is_no_message_says_which_part_is_wrong(
    line: str, field: str
) -> None:
    with pytest.raises(InvalidInput) as caught:
        read_head(line, CST)
    assert caught.value.field == field


def _iso(at: datetime) -> str:
    return f"{at:%Y-%m-%d %H:%M:%S}"


def _iso_with_offset(at: datetime) -> str:
    return at.isoformat(timespec="seconds")


def _slashes(at: datetime) -> str:
    return f"[{at.year}/{at.month}/{at.day} {at:%H:%M:%S}]"


def _chinese(at: datetime) -> str:
    return f"{at.year}年{at.month}月{at.day}日 {at:%H:%M:%S}"


offsets = st.integers(-14 * 4, 14 * 4).map(lambda quarters: timezone(timedelta(minutes=15 * quarters)))
moments = st.datetimes(datetime(1970, 1, 1), datetime(2100, 1, 1)).map(lambda at: at.replace(microsecond=0))
names = st.text(st.characters(categories=["L", "N", "Zs"]), min_size=1, max_size=30).filter(str.strip)
texts = st.text(st.characters(exclude_categories=["C", "Z"]), max_size=60)


@given(moments, offsets, names, texts, st.sampled_from([_iso, _iso_with_offset, _slashes, _chinese]))
def test_what_is_written_in_a_form_is_read_back(
    at: datetime, offset: timezone, name: str, text: str, written: Callable[[datetime], str]
) -> None:
    moment = at.replace(tzinfo=offset)
    for colon in (": ", "：", ":"):
        if colon == ":" and text.startswith("//"):
            continue
        head = read_head(f"{written(moment)} {name}{colon}{text}", offset)
        assert head is not None
        assert (head.at.astimezone(UTC), head.name, head.text) == (moment.astimezone(UTC), name.strip(), text)
