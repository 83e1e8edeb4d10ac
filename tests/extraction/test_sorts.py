"""Words that tell one thing from its neighbour of the same sort."""

import pytest

from mnemic.extraction.sorts import ones, told_apart


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("staging runs Redis 6", "we bumped production to Redis 7"),
        ("预发环境用 Redis 6", "生产环境升到 Redis 7 了"),
        ("the deposit is 200", "Rent went up to 900"),
        ("定金付了 500", "尾款月底结"),
        ("早班归小何", "晚班换成小郑"),
        ("the north gate shuts at six", "the southern one shuts at eight now"),
    ],
)
def test_neighbours_are_told_apart(one: str, other: str) -> None:
    assert told_apart(ones(one), ones(other))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("staging runs Redis 6", "staging is on Redis 7"),
        ("staging runs Redis 6", "we promoted it from staging to production"),
        ("the deposit is 200", "it is 250 from now on"),
        ("early shift", "north gate"),
        ("reproduction", "staging"),
    ],
)
def test_what_speaks_of_the_same_or_of_no_other_is_not(one: str, other: str) -> None:
    assert not told_apart(ones(one), ones(other))
