from datetime import date, datetime, timedelta, timezone

from hypothesis import given, settings
from hypothesis import strategies as st

from mnemic.extraction.times import boundary, find_times, query_range
from mnemic.extraction.times.lexicon import DATA, fold

MONTHS = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
]
WIDE = str.maketrans("0123456789", "０１２３４５６７８９")
FORMS = (
    "{0:%Y-%m-%d}",
    "{0:%Y/%m/%d}",
    "{0.year}-{0.month}-{0.day}",
    "{0:%m/%d/%Y}",
    "{0.day}.{0.month}.{0.year}",
    "{0.year}年{0.month}月{0.day}日",
    "{0.year} 年 {0.month} 月 {0.day} 号",
    "{1} {0.day}, {0.year}",
    "{0.day} {1} {0.year}",
    "the {0.day}th of {1} {0.year}",
    "{2} {0.day} {0.year}",
    "{0.day}-{2}-{0.year}",
)
"""Ways of writing a date in full; ``{1}`` is the month's name, ``{2}`` its first three letters."""

clocks = st.builds(
    lambda moment, minutes: moment.replace(tzinfo=timezone(timedelta(minutes=minutes))),
    st.datetimes(datetime(1990, 1, 1), datetime(2090, 1, 1)),
    st.integers(-14 * 60, 14 * 60),
)
words = [word for values in DATA["words"].values() for group in values.values() for word in group]
pieces = st.one_of(
    st.sampled_from([*words, "3", "12", "2026", "19th", " ", ", ", "。", "x", "3:15", "7/8"]),
    st.text(max_size=3),
)
texts = st.one_of(
    st.text(max_size=60),
    st.lists(pieces, max_size=12).map("".join),
    st.lists(pieces, max_size=12).map(" ".join),
)


@given(day=st.dates(date(1990, 1, 1), date(2089, 12, 31)), form=st.sampled_from(FORMS), at=clocks)
def test_a_full_date_in_any_form_means_itself(day: date, form: str, at: datetime) -> None:
    month = MONTHS[day.month - 1]
    text = form.format(day, month, month[:3])
    if day.day > 12 or form != "{0:%m/%d/%Y}":
        (value,) = find_times(f"it was {text}!", at)
        assert (value.text, value.normal, value.kind) == (text, day.isoformat(), "date")


@given(day=st.dates(date(1990, 1, 1), date(2089, 12, 31)), form=st.sampled_from(FORMS), at=clocks)
def test_full_width_digits_read_as_ascii_ones(day: date, form: str, at: datetime) -> None:
    month = MONTHS[day.month - 1]
    text = form.format(day, month, month[:3])
    narrow, wide = find_times(text, at), find_times(text.translate(WIDE), at)
    assert [(value.start, value.end, value.normal) for value in narrow] == [
        (value.start, value.end, value.normal) for value in wide
    ]


@given(text=texts, at=clocks, past=st.sampled_from([None, True, False]))
@settings(max_examples=300)
def test_any_text_gives_sound_values(text: str, at: datetime, past: bool | None) -> None:
    edge = 0
    for value in find_times(text, at, past=past):
        assert edge <= value.start < value.end <= len(text)
        assert value.text == text[value.start : value.end]
        assert value.kind in ("date", "time", "span", "quantity")
        assert value.normal
        assert (value.since is None) == (value.until is None) == (value.kind == "quantity")
        if value.since is not None and value.until is not None:
            assert value.since < value.until
            assert value.since.utcoffset() == value.until.utcoffset() == at.utcoffset()
        assert boundary(text, value) in ("since", "until", "by", "at", "")
        edge = value.end


@given(text=texts, at=clocks)
def test_any_question_gives_a_stretch_or_none(text: str, at: datetime) -> None:
    found = query_range(text, at)
    if found is not None:
        assert found.since is not None or found.until is not None
        if found.since is not None and found.until is not None:
            assert found.since < found.until


@given(
    at=clocks, days=st.integers(1, 400), text=st.sampled_from(["tomorrow", "三天前", "in 2 weeks", "昨晚"])
)
def test_what_counts_from_now_moves_with_the_clock(at: datetime, days: int, text: str) -> None:
    (first,), (second,) = find_times(text, at), find_times(text, at + timedelta(days=days))
    assert first.since is not None
    assert second.since == first.since + timedelta(days=days)


@given(at=clocks, weekday=st.sampled_from(["Monday", "周三", "星期天", "fri"]))
def test_an_open_weekday_is_the_coming_one_or_the_last_one(at: datetime, weekday: str) -> None:
    today = at.replace(hour=0, minute=0, second=0, microsecond=0)
    (coming,), (gone,) = find_times(weekday, at, past=False), find_times(weekday, at, past=True)
    assert coming.since is not None
    assert gone.since is not None
    assert today <= coming.since < today + timedelta(days=7)
    assert today - timedelta(days=7) <= gone.since < today


@given(text=st.text(max_size=80))
def test_folding_is_code_point_by_code_point(text: str) -> None:
    assert len(fold(text)) == len(text)
    assert fold(fold(text)) == fold(text)
