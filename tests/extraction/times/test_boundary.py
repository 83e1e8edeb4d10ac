from datetime import datetime

import pytest

from mnemic.extraction.times import boundary, find_times

AT = datetime.fromisoformat("2026-03-10T09:30:00+08:00")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("here since March", "since"),
        ("starting the 14th", "since"),
        ("as of this morning", "since"),
        ("从周一开始", "since"),
        ("7月1号起搬到汉阳", "since"),
        ("上周以来", "since"),
        ("下周一起改用新接口", "since"),
        ("until Friday", "until"),
        ("做到月底为止", "until"),
        ("截至周五", "until"),
        ("by Friday", "by"),
        ("due on the 30th", "by"),
        ("周五前交", "by"),
        ("月底之前", "by"),
        ("最晚周五", "by"),
        ("on Friday", "at"),
        ("改到下周三", "at"),
        ("moved to Friday", "at"),
        ("在周五", "at"),
        ("Friday it is", ""),
        ("下周一起去吃饭", ""),
        ("周一起床晚了", ""),
        ("周五后端发布", ""),
    ],
)
def test_the_words_beside_a_time_say_how_it_bounds(text: str, expected: str) -> None:
    (value,) = find_times(text, AT)
    assert boundary(text, value) == expected
