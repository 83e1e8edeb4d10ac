from itertools import pairwise

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from mnemic.extraction.model import Source
from mnemic.extraction.recognise import find_people, find_values

patient = settings(deadline=None)  # the first call reads the data file


def seen(text: str) -> list[tuple[str, str, str]]:
    return [(value.kind, value.text, value.normal) for value in find_values(text)]


@pytest.mark.parametrize(
    ("text", "words", "normal"),
    [
        ("¥1260", "¥1260", "CNY 1260"),
        ("报销单是 1260 块", "1260 块", "CNY 1260"),
        ("专业版 199 元一个月", "199 元", "CNY 199"),
        ("八千块", "八千块", "CNY 8000"),
        ("一共三块五", "三块五", "CNY 3.5"),
        ("从 10 刀涨价", "10 刀", "USD 10"),
        ("the budget is $40k", "$40k", "USD 40000"),
        ("costs €3.50 each", "€3.50", "EUR 3.5"),
        ("USD 20 a head", "USD 20", "USD 20"),
        ("it was 85 quid", "85 quid", "GBP 85"),
        ("raised $1.2m", "$1.2m", "USD 1200000"),
        ("$9-12 a seat", "$9-12", "USD 9-12"),
        ("三百多块", "三百多块", "CNY 300+"),
        ("１２６０ 元", "１２６０ 元", "CNY 1260"),
    ],
)
def test_money_has_a_currency_and_an_amount(text: str, words: str, normal: str) -> None:
    assert ("money", words, normal) in seen(text)


@pytest.mark.parametrize(
    ("text", "words", "normal"),
    [
        ("kept for 90 days", "90 days", "90 day"),
        ("保留 90 天", "90 天", "90 day"),
        ("a 30-day trial", "30-day", "30 day"),
        ("三个月换一次", "三个月", "3 month"),
        ("一个半小时", "一个半小时", "1.5 hour"),
        ("half an hour", "half an hour", "0.5 hour"),
        ("twenty-five years", "twenty-five years", "25 year"),
        ("我们六个人", "六个人", "6 person"),
        ("six people", "six people", "6 person"),
        ("穿 31 码", "31 码", "31 size"),
        ("500 QPS 左右", "500 QPS", "500 QPS"),
        ("2 TB of logs", "2 TB", "2 TB"),
        ("压到120ms了", "120ms", "120 millisecond"),
        ("零下 20 度", "零下 20 度", "-20 degree"),
        ("14 of 20 done", "14 of 20", "14/20"),
        ("三分之二", "三分之二", "2/3"),
        ("三十多人", "三十多人", "30+ person"),
        ("10-15 人", "10-15 人", "10-15 person"),
        ("两三天", "两三天", "2-3 day"),
        ("坐五楼", "五楼", "5 floor"),
        ("水电报价三万二", "三万二", "32000"),
        ("涨到八千了", "八千", "8000"),
        ("奔12万去了", "12万", "120000"),
        ("老房子要价 3.5 万", "3.5 万", "35000"),
        ("1亿2千万", "1亿2千万", "120000000"),
        ("thistle's budget is 40k", "40k", "40000"),
        ("rent goes to 1,020 in may", "1,020", "1020"),
        ("listens on port 2222", "2222", "2222"),
        ("手机尾号 0142", "0142", "0142"),
        ("needs python 3.10", "3.10", "3.10"),
    ],
)
def test_a_quantity_is_a_number_with_its_unit(text: str, words: str, normal: str) -> None:
    assert ("quantity", words, normal) in seen(text)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("灰度提到 30% 了", ("percent", "30%", "30%")),
        ("up 5 percent", ("percent", "5 percent", "5%")),
        ("涨百分之十五", ("percent", "百分之十五", "15%")),
        ("先放三成", ("percent", "三成", "30%")),
        ("from v3 on", ("version", "v3", "3")),
        ("V2.3.1-rc1 is out", ("version", "V2.3.1-rc1", "2.3.1-rc1")),
        ("热更到 4.0.2 了", ("version", "4.0.2", "4.0.2")),
        ("the 4.2 release", ("version", "4.2", "4.2")),
        ("Redis 从6.2升到7.2", ("version", "7.2", "7.2")),
        ("see https://Docs.Example.com/a?b=1.", ("url", "https://Docs.Example.com/a?b=1", "https://docs.example.com/a?b=1")),
        ("在 example.io/x 上", ("url", "example.io/x", "example.io/x")),
        ("写信到 Ada@Example.com。", ("email", "Ada@Example.com", "ada@example.com")),
        ("SR-2023-052 is closed", ("id", "SR-2023-052", "SR-2023-052")),
        ("PROJ-123 归我", ("id", "PROJ-123", "PROJ-123")),
        ("ticket #4521", ("id", "#4521", "#4521")),
        ("moving to C12", ("id", "C12", "C12")),
        ("shelf 3B.", ("id", "3B", "3B")),
        ("commit 3f9a2c1d", ("id", "3f9a2c1d", "3f9a2c1d")),
        ("host 10.0.3.17:8080", ("id", "10.0.3.17:8080", "10.0.3.17:8080")),
        ("my number's +44 7700 900123 now", ("phone", "+44 7700 900123", "+447700900123")),
        ("it's 555-0177 now", ("phone", "555-0177", "5550177")),
        ("打 13800138000", ("phone", "13800138000", "13800138000")),
        ("vet is 0171 555 0199,", ("phone", "0171 555 0199", "01715550199")),
    ],
)  # fmt: skip
def test_other_kinds(text: str, found: tuple[str, str, str]) -> None:
    assert found in seen(text)


@pytest.mark.parametrize(
    "text",
    [
        "蘸料千万别放",
        "十分好",
        "我有一个想法",
        "one person",
        "第三天",
        "几十个",
        "万一下雨",
        "on the 18th",
        "1. first",
        "三块蛋糕"[1:],
        "一块儿住",
        "Chapter One",
        "bring plus ones",
    ],
)
def test_words_with_a_number_in_them_are_no_values(text: str) -> None:
    assert seen(text) == []


def test_a_pair_of_amounts_keeps_both_and_their_order() -> None:
    assert [normal for _, _, normal in seen("每席99涨到129了")] == ["99", "129"]


def test_taken_spans_are_left_alone() -> None:
    text = "截止 2026-03-02，预算 300 元"
    start = text.index("2026")
    assert [value.text for value in find_values(text, taken=[(start, start + 10)])] == ["300 元"]


def test_a_number_after_a_product_is_its_version() -> None:
    text = "lantern staging is on Postgres 15 with 3 replicas"
    start = text.index("Postgres")
    values = find_values(text, products=[(start, start + len("Postgres"))])
    assert [(value.kind, value.normal) for value in values] == [("version", "15"), ("quantity", "3 replica")]


def test_a_version_keeps_its_last_zero() -> None:
    text = "Python 3.10"
    assert [value.normal for value in find_values(text, products=[(0, 6)])] == ["3.10"]


@patient
@given(st.text(alphabet=st.characters(codec=None), max_size=80))
@example("\ud800 12 元")
@example("９" * 40)
@example("一二三四五六七八九十百千万亿点半")
def test_any_text_gives_spans_in_order_that_do_not_overlap(text: str) -> None:
    values = find_values(text)
    assert all(value.text == text[value.start : value.end] for value in values)
    assert all(one.end <= two.start for one, two in pairwise(values))


@patient
@given(st.integers(0, 10**12))
def test_full_width_figures_mean_the_same(number: int) -> None:
    wide = str(number).translate({ord(sign): ord(sign) - ord("0") + ord("０") for sign in "0123456789"})
    assert [v.normal for v in find_values(f"共 {wide} 元")] == [
        v.normal for v in find_values(f"共 {number} 元")
    ]


@patient
@given(st.integers(1, 10**8 - 1))
def test_every_chinese_numeral_reads_back(number: int) -> None:
    assert [value.normal for value in find_values(f"付了{_chinese(number)}元")] == [f"CNY {number}"]


def test_people_called_with_an_at() -> None:
    people = find_people("@林悦 看下，cc @ada.l. 和 ＠陈默")
    assert [(person.name, person.kind, person.source) for person in people] == [
        ("林悦", "person", Source.AT),
        ("ada.l", "person", Source.AT),
        ("陈默", "person", Source.AT),
    ]
    assert people[0].start == 1


@pytest.mark.parametrize(
    "text", ["a@b.com", "@all 开会", "@所有人", "@types/node", "@林悦帮我看下这个", "x@y"]
)
def test_addresses_and_everyone_are_no_people(text: str) -> None:
    assert find_people(text) == []


def _chinese(number: int) -> str:
    """Write a number below 10^8 as it is read."""
    if number >= 10_000:
        high, low = divmod(number, 10_000)
        gap = "零" if 0 < low < 1000 else ""
        return f"{_chinese(high)}万{gap}{_chinese(low) if low else ''}"
    written, pending = "", False
    for scale, sign in ((1000, "千"), (100, "百"), (10, "十"), (1, "")):
        digit, number = divmod(number, scale)
        if digit:
            written += ("零" if pending and written else "") + "一二三四五六七八九"[digit - 1] + sign
            pending = False
        else:
            pending = True
    return written
