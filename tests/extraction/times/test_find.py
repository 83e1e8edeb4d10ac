from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from mnemic.errors import InvalidInput
from mnemic.extraction.model import Value
from mnemic.extraction.times import find_times

AT = datetime.fromisoformat("2026-03-10T09:30:00+08:00")
"""A Tuesday."""


def normals(text: str, at: datetime = AT, *, past: bool | None = None) -> list[tuple[str, str]]:
    return [(value.text, value.normal) for value in find_times(text, at, past=past)]


def only(text: str, at: datetime = AT, *, past: bool | None = None) -> Value:
    (value,) = find_times(text, at, past=past)
    return value


DAYS = {
    "明天": "2026-03-11",
    "大前天": "2026-03-07",
    "the day after tomorrow": "2026-03-12",
    "上周五": "2026-03-06",
    "这周五": "2026-03-13",
    "下下周日": "2026-03-29",
    "next Tuesday": "2026-03-17",
    "last Friday": "2026-03-06",
    "this Friday": "2026-03-13",
    "Friday next week": "2026-03-20",
    "下个月 12 号": "2026-04-12",
    "20th of next month": "2026-04-20",
    "the 19th": "2026-03-19",
    "5号": "2026-04-05",
    "三天前": "2026-03-07",
    "in two weeks": "2026-03-24",
    "two days after tomorrow": "2026-03-13",
    "in three business days": "2026-03-13",
    "two sundays from now": "2026-03-22",
    "this coming Friday": "2026-03-13",
    "半年后": "2026-09-10",
    "2026/03/02": "2026-03-02",
    "13.5.2026": "2026-05-13",
    "02/22/16": "2016-02-22",
    "05-Aug-2016": "2016-08-05",
    "2009年10月12号": "2009-10-12",
    "二零零四年八月十五日": "2004-08-15",
    "15年一月十日": "2015-01-10",
    "3月2日周一": "2026-03-02",
    "Fri, Jul 18": "2025-07-18",
    "Thursday the 12th": "2026-03-12",
    "5 may": "2026-05-05",
    "May 5, 2018": "2018-05-05",
    "the third of march, two thousand and eighteen": "2018-03-03",
    "first Monday of October": "2026-10-05",
    "last Friday of July": "2026-07-31",
    "十月第一个星期一": "2026-10-05",
    "last day of october 2015": "2015-10-31",
    "29 feb": "2028-02-29",
}


@pytest.mark.parametrize(("text", "normal"), DAYS.items())
def test_a_day_is_found_whole_and_resolved(text: str, normal: str) -> None:
    value = only(text)
    assert (value.text, value.kind, value.grain, value.normal) == (text, "date", "day", normal)
    assert value.since is not None
    assert value.until == value.since + timedelta(days=1)


UNITS = {
    "下周": ("week", "2026-W12"),
    "this month": ("month", "2026-03"),
    "明年四月": ("month", "2027-04"),
    "June 2016": ("month", "2016-06"),
    "2018年十二月": ("month", "2018-12"),
    "去年": ("year", "2025"),
    "FY26": ("year", "2026"),
    "next quarter": ("quarter", "2026-Q2"),
    "Q3": ("quarter", "2026-Q3"),
    "2018Q4": ("quarter", "2018-Q4"),
    "第二季度": ("quarter", "2026-Q2"),
    "今年上半年": ("half", "2026-H1"),
    "third week of 2027": ("week", "2027-W03"),
    "the week of April 10": ("week", "2026-W15"),
}


@pytest.mark.parametrize(("text", "grain", "normal"), [(text, *said) for text, said in UNITS.items()])
def test_a_calendar_unit_is_a_date_of_its_grain(text: str, grain: str, normal: str) -> None:
    value = only(text)
    assert (value.text, value.kind, value.grain, value.normal) == (text, "date", grain, normal)


CLOCKS = {
    "2026年3月2号上午10点半": "2026-03-02T10:30",
    "明天下午三点一刻": "2026-03-11T15:15",
    "今晚8点": "2026-03-10T20:00",
    "周五六点半": "2026-03-13T18:30",
    "next Tuesday 3pm": "2026-03-17T15:00",
    "3pm tomorrow": "2026-03-11T15:00",
    "tomorrow morning at 9": "2026-03-11T09:00",
    "Sunday at 1": "2026-03-15T13:00",
    "8 tonight": "2026-03-10T20:00",
    "2016-12-16T12:23:59": "2016-12-16T12:23",
    "half past 3 on Friday": "2026-03-13T15:30",
    "a quarter to noon": "11:45",
    "晚上八点": "20:00",
    "凌晨2点半": "02:30",
    "中午12点": "12:00",
    "at 7": "07:00",
    "noon": "12:00",
    "7 in the evening": "19:00",
    "seven thirty pm": "19:30",
}


@pytest.mark.parametrize(("text", "normal"), CLOCKS.items())
def test_a_time_of_day_takes_its_half_of_the_day_from_the_words(text: str, normal: str) -> None:
    value = only(text)
    assert (value.text, value.kind, value.normal) == (text, "time", normal)


SPANS = {
    "June 8 through June 19": "2026-06-08/2026-06-20",
    "July 13-15": "2026-07-13/2026-07-16",
    "1到3号": "2026-04-01/2026-04-04",
    "4 to 22 January, 1995": "1995-01-04/1995-01-23",
    "10/25 to 01/25": "2026-10-25/2027-01-26",
    "明天2点到4点": "2026-03-11T14:00/2026-03-11T16:00",
    "3-4pm": "15:00/16:00",
    "11:30 to 1:30": "11:30/13:30",
    "晚上9:30到凌晨3:00": "21:30/03:00",
    "now until Friday": "2026-03-10T09:30/2026-03-14T00:00",
    "last two weeks": "2026-02-24/2026-03-11",
    "最近三天": "2026-03-07/2026-03-11",
    "next 3 days": "2026-03-11/2026-03-14",
    "within 5 days": "2026-03-10/2026-03-16",
    "a few days ago": "2026-03-05/2026-03-09",
    "this weekend": "2026-03-14/2026-03-16",
    "上周末": "2026-03-07/2026-03-09",
    "去年夏天": "2025-06-01/2025-09-01",
    "mid-May": "2026-05-11/2026-05-21",
    "4月上旬": "2026-04-01/2026-04-11",
    "月底": "2026-03-21/2026-04-01",
    "early next week": "2026-03-16/2026-03-19",
    "去年年底": "2025-10-01/2026-01-01",
    "2025年年底": "2025-10-01/2026-01-01",
    "EOD Thursday": "2026-03-12T18:00/2026-03-13T00:00",
    "5月6号到现在": "2025-05-06T00:00/2026-03-10T09:31",
    "yesterday evening": "2026-03-09T18:00/2026-03-10T00:00",
    "昨晚": "2026-03-09T18:00/2026-03-10T00:00",
    "90年代": "1990-01-01/2000-01-01",
}


@pytest.mark.parametrize(("text", "normal"), SPANS.items())
def test_a_stretch_of_time_has_both_ends(text: str, normal: str) -> None:
    value = only(text)
    assert (value.text, value.kind, value.normal) == (text, "span", normal)


@pytest.mark.parametrize(("before", "after"), [("from ", ""), ("between ", ""), ("从", "")])
def test_the_words_that_introduce_a_range_are_not_part_of_it(before: str, after: str) -> None:
    assert not only(f"{before}9:30 到 11:00{after}").text.startswith(before.strip())


LENGTHS = {
    "两天": "P2D",
    "三年半": "P3.5Y",
    "两个半小时": "PT2.5H",
    "an hour and a half": "PT1.5H",
    "half an hour": "PT0.5H",
    "1 year 2 months": "P1Y2M",
    "a few weeks": "P3W",
    "两三天": "P2D",
    "30min": "PT30M",
    "three working days": "P3BD",
}


@pytest.mark.parametrize(("text", "normal"), LENGTHS.items())
def test_a_length_is_a_quantity_without_an_interval(text: str, normal: str) -> None:
    value = only(text)
    assert (value.text, value.kind, value.normal, value.since) == (text, "quantity", normal, None)


RHYTHMS = {
    "every Monday": ("weekly:mon", "2026-03-16"),
    "每周三": ("weekly:wed", "2026-03-11"),
    "每周二和周四晚上8点": ("weekly:tue,thu@20:00", "2026-03-10"),
    "每周一三五": ("weekly:mon,wed,fri", "2026-03-11"),
    "每周一到周五": ("weekly:mon,tue,wed,thu,fri", "2026-03-10"),
    "every other Friday": ("weekly/2:fri", "2026-03-13"),
    "Tuesdays at 9am": ("weekly:tue@09:00", "2026-03-10"),
    "每天早上六点": ("daily@06:00", "2026-03-10"),
    "every night": ("daily@evening", "2026-03-10"),
    "每月15号": ("monthly:15", "2026-03-15"),
    "每年5月1日": ("yearly:05-01", "2026-05-01"),
    "the first Saturday of each month": ("monthly:1sat", "2026-04-04"),
    "每三天": ("daily/3", "2026-03-10"),
    "once a week": ("weekly", "2026-03-09"),
    "weekdays": ("weekly:mon,tue,wed,thu,fri", "2026-03-10"),
}


@pytest.mark.parametrize(("text", "normal", "day"), [(text, *said) for text, said in RHYTHMS.items()])
def test_what_recurs_is_marked_and_stands_on_its_next_occurrence(text: str, normal: str, day: str) -> None:
    value = only(text)
    assert (value.text, value.recurring, value.normal) == (text, True, normal)
    assert value.since is not None
    assert value.since.date().isoformat() == day


NO_TIMES = [
    "mnemic runs on 3.11 and 4.0.2",
    "ticket SR-2023-052, build ABC-12345-A1B2C3",
    "call 650-650-6500 or 0171 555 0199",
    "it costs $12 or 199 元, 12% off",
    "may I ask who may call? she may be right",
    "soldiers march past, the march was long",
    "the second prize, her first visit, the 27th floor",
    "the cat sat in the sun",
    "better at 24 than at 30",
    "when I was in Paris",
    "happy valentine's day! 新年快乐",
    "快一点，好一点，有三点建议",
    "储物柜是 17 号，仓库在上海路 18 号，3 号楼",
    "周会在 2 号会议室，出口走 4 号出口",
    "等一下，线下说，基本上没问题",
    "早上好，good morning",
    "a 1:1 meeting, the score was 16:9",
    "写了一晚上",
]


@pytest.mark.parametrize("text", NO_TIMES)
def test_what_only_looks_like_a_time_is_left_alone(text: str) -> None:
    assert find_times(text, AT) == []


def test_expressions_of_one_text_come_in_order_without_overlap() -> None:
    found = normals("评审从周五改到下周三下午2点了，material 周四前给我")
    assert found == [("周五", "2026-03-13"), ("下周三下午2点", "2026-03-18T14:00"), ("周四", "2026-03-12")]


@pytest.mark.parametrize(
    ("text", "normal"),
    [
        ("next Tuesday or Thursday", ["2026-03-17", "2026-03-19"]),
        ("下周二或者周四", ["2026-03-17", "2026-03-19"]),
        ("5月3号、7号", ["2026-05-03", "2026-05-07"]),
        ("the 5th and the 12th of June", ["2026-06-05", "2026-06-12"]),
        ("tomorrow 3pm or 5pm", ["2026-03-11T15:00", "2026-03-11T17:00"]),
        ("on Friday or next Monday", ["2026-03-13", "2026-03-16"]),
    ],
)
def test_the_members_of_a_list_share_what_is_said_once(text: str, normal: list[str]) -> None:
    assert [value.normal for value in find_times(text, AT)] == normal


def test_a_range_that_runs_backwards_is_two_times() -> None:
    assert normals("from 2026-03-05 to 2026-02-01") == [
        ("2026-03-05", "2026-03-05"),
        ("2026-02-01", "2026-02-01"),
    ]


@pytest.mark.parametrize(
    ("text", "normal"),
    [
        ("上线定在周五", "2026-03-13"),
        ("周五切的", "2026-03-06"),
        ("我周五就传了", "2026-03-06"),
        ("see you on Friday", "2026-03-13"),
        ("we shipped it on Friday", "2026-03-06"),
        ("he's off that since friday", "2026-03-06"),
        ("will be done on Friday", "2026-03-13"),
        ("moved it to Friday", "2026-03-13"),
        ("bumped from Monday to friday", "2026-03-16"),
        ("the offsite was postponed until the friday", "2026-03-13"),
        ("she moved to Lyon on Friday", "2026-03-06"),
        ("we moved to Lyon in November", "2025-11"),
        ("they pushed the demo into November", "2026-11"),
        ("他们十一月搬到里昂了", "2025-11"),
        ("他们把体检改到十一月了", "2026-11"),
        ("春节那会儿还在用", "2026-02-17"),
        ("没过敏, 从15号提到12号了", "2026-03-15"),
    ],
)
def test_an_open_day_follows_the_tense_of_its_clause(text: str, normal: str) -> None:
    assert find_times(text, AT)[0].normal == normal


@pytest.mark.parametrize(
    ("past", "friday", "march"), [(True, "2026-03-06", "2026-03"), (False, "2026-03-13", "2026-03")]
)
def test_the_callers_hint_overrules_the_words(past: bool, friday: str, march: str) -> None:
    assert normals("周五切的", past=past) == [("周五", friday)]
    assert normals("in March", past=past) == [("March", march)]


@pytest.mark.parametrize(
    ("text", "normal"),
    [("月底前交", "2026-03-31"), ("by the end of June", "2026-06-30"), ("before EOY", "2026-12-31")],
)
def test_a_limit_at_the_end_of_a_unit_is_its_last_day(text: str, normal: str) -> None:
    assert only(text).normal == normal


def test_a_date_of_another_time_zone_is_told_in_the_speakers_own() -> None:
    assert only("3pm UTC").normal == "23:00"
    assert only("2026-03-10T12:00:00Z").since == datetime(2026, 3, 10, 20, tzinfo=AT.tzinfo)


def test_results_carry_the_time_zone_of_the_clock() -> None:
    berlin = ZoneInfo("Europe/Berlin")
    value = only("in May", datetime(2026, 3, 10, tzinfo=berlin))
    assert value.since is not None
    assert value.since.tzinfo is berlin
    assert value.since.utcoffset() == timedelta(hours=2)


def test_traditional_characters_read_as_simplified_ones() -> None:
    assert [normal for _, normal in normals("後天下午三點，下週三")] == ["2026-03-12T15:00", "2026-03-18"]


def test_a_date_that_does_not_exist_gives_nothing() -> None:
    assert find_times("2019年2月29日，February 30, 2026-13-45", AT) == []


def test_dates_beyond_the_calendar_give_nothing() -> None:
    assert (
        find_times("9000 years ago, 9999 个世纪后, in 999999 weeks", datetime(1990, 1, 1, tzinfo=UTC)) == []
    )


def test_a_clock_without_an_offset_is_refused() -> None:
    with pytest.raises(InvalidInput, match="pass an aware datetime"):
        find_times("tomorrow", datetime(2026, 3, 10))


@pytest.mark.parametrize(
    "text", ["Thursdays", "thursday at 9:15", "the 14th", "9:15", "every tuesday", "周三", "明天上午"]
)
@pytest.mark.parametrize("frame", ["{}", "now {}", "{} now", "{} from now on"])
def test_now_takes_no_time_away(text: str, frame: str) -> None:
    found = find_times(frame.format(text), AT)
    assert [time.text for time in found] == [time.text for time in find_times(text, AT)]


@pytest.mark.parametrize("text", ["三块五一斤", "两块六一瓶", "草莓三十五一斤"])
def test_a_price_names_no_holiday(text: str) -> None:
    assert find_times(text, AT) == []
