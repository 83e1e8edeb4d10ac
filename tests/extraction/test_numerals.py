from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mnemic.extraction.numerals import Numerals, written

NUMERALS = Numerals(
    dict(zip("零一二三四五六七八九两", [*range(10), 2], strict=True)),
    {"十": 10, "百": 100, "千": 1_000, "万": 10_000, "亿": 100_000_000, "k": 1_000},
    {"half": 0.5, "one": 1, "two": 2, "five": 5, "twenty": 20, "hundred": 100, "thousand": 1_000},
)


@pytest.mark.parametrize(
    ("numeral", "worth"),
    [
        ("八千", "8000"),
        ("三万五", "35000"),
        ("三万零五", "30005"),
        ("一百二", "120"),
        ("十二", "12"),
        ("二零二六", "2026"),
        ("一点五", "1.5"),
        ("一点五亿", "150000000"),
        ("3.5万", "35000"),
        ("1,020", "1020"),
        ("40k", "40000"),
        ("一万亿", "1000000000000"),
        ("twenty-five", "25"),
        ("two hundred", "200"),
        ("one and a half", "1.5"),
        ("", "0"),
    ],
)
def test_what_a_numeral_is_worth(numeral: str, worth: str) -> None:
    assert written(NUMERALS.read(numeral)) == worth


@pytest.mark.parametrize(
    ("numeral", "least", "most"),
    [("两三百", 200, 300), ("十五六", 15, 16), ("一二三四", 1234, 1234), ("五", 5, 5)],
)
def test_neighbouring_figures_are_a_range(numeral: str, least: int, most: int) -> None:
    assert NUMERALS.span(numeral) == (Decimal(least), Decimal(most))


@given(st.decimals(min_value=-(10**9), max_value=10**9, places=3, allow_nan=False))
def test_equal_numbers_are_written_alike(number: Decimal) -> None:
    assert Decimal(written(number)) == number
    assert written(number) == written(number + Decimal("0.000"))


@given(st.text(st.sampled_from("零一二三四五六七八九两十百千万亿k0123456789"), max_size=12))
def test_figures_are_worth_something(numeral: str) -> None:
    low, high = NUMERALS.span(numeral)
    assert 0 <= low <= high
