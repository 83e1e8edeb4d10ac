import pytest

from benchmarks.form import Name
from benchmarks.matching import Names, matches

NAMES = Names.of(
    [
        Name(name="尹琳", kind="person", aliases=("尹小姐",)),
        Name(name="上海", kind="place"),
        Name(name="上海路", kind="place"),
        Name(name="微风X1", kind="product"),
        Name(name="微风X10", kind="product"),
        Name(name="York", kind="place"),
        Name(name="New York", kind="place"),
        Name(name="Old Mill Kitchen", kind="organization", aliases=("OMK", "the Mill")),
    ]
)


@pytest.mark.parametrize(
    ("expected", "value"),
    [
        ("Kafka", "kafka"),
        ("Kafka", "ＫＡＦＫＡ"),
        ("尹琳", "尹小姐"),
        ("OMK", "lunch at the mill"),
        ("Kafka", "switched over to Kafka."),
        ("Kafka", "用Kafka做的"),
        ("技术经理", "4月1号起的技术经理"),
        ("Go", "go"),
        ("Go", "Go 写的"),
        ("C++", "C++"),
        (".NET", "C# on .NET"),
        ("invoices", "the invoices, all of them"),
        ("Redis", "Redis,Postgres"),
        ("Redis", "Kafka+Redis"),
        ("4.2", "went out with 4.2."),
        ("York", "lives in York"),
        ("上海", "上海的办事处"),
        ("66 号", "云台路66号"),
    ],
)
def test_a_value_matches_by_name_alias_case_width_and_as_whole_words(expected: str, value: str) -> None:
    assert matches(expected, value, NAMES)


@pytest.mark.parametrize(
    ("expected", "value"),
    [
        ("Java", "JavaScript"),
        ("C", "C++"),
        ("C", "C#"),
        ("C", "C12"),
        ("R", "R&D"),
        ("R", "R-07"),
        ("Quill", "Quill.js"),
        ("Go", "ready to go"),
        ("4.2", "4.2.1"),
        ("5%", "15%"),
        ("5%", "0.5%"),
        ("$9", "$99"),
        ("ORC-118", "ORC-1181"),
        ("上海", "上海路"),
        ("微风X1", "微风X10"),
        ("York", "New York"),
        ("Ann", "Anna"),
        ("尹琳", "蒋先生"),
        ("Kafka", ""),
    ],
)
def test_part_of_a_word_or_of_a_longer_name_is_no_match(expected: str, value: str) -> None:
    assert not matches(expected, value, NAMES)


def test_shipped_aliases_are_known() -> None:
    assert matches("Postgres", "PostgreSQL", NAMES)
    assert matches("PostgreSQL", "PG", NAMES)


@pytest.mark.parametrize(
    ("expected", "value"),
    [
        ("45 days", "45 天"),
        ("45 days", "45 day"),
        ("$14", "14 dollars a month"),
        ("10 毫克", "10mg"),
        ("80 MB", "80MB"),
        ("30%", "百分之三十"),
    ],
)
def test_numbers_with_units_match_by_their_normal_form(expected: str, value: str) -> None:
    assert matches(expected, value, NAMES)


@pytest.mark.parametrize(
    ("expected", "value"), [("45 days", "45 weeks"), ("45 days", "30 days"), ("$14", "14 euros")]
)
def test_another_number_or_unit_is_no_match(expected: str, value: str) -> None:
    assert not matches(expected, value, NAMES)


@pytest.mark.parametrize(
    ("expected", "value"),
    [
        ("5 月 9 号", "2026-05-09"),
        ("6 月 21 号", "June 21"),
        ("Thursday", "2026-05-14"),
        ("2026-06-21", "2026年6月21日"),
    ],
)
def test_a_date_matches_one_that_says_all_it_says(expected: str, value: str) -> None:
    assert matches(expected, value, NAMES)


@pytest.mark.parametrize(
    ("expected", "value"),
    [
        ("5 月 9 号", "2026-05-10"),
        ("5 月 9 号", "5 月"),
        ("Thursday", "2026-05-15"),
        ("2026-06-21", "6 月 21 号"),
        ("tomorrow", "2026-05-15"),
    ],
)
def test_a_date_that_says_less_or_something_else_is_no_match(expected: str, value: str) -> None:
    assert not matches(expected, value, NAMES)
