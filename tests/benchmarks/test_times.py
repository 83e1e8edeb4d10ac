import json
from datetime import datetime
from pathlib import Path

import pytest

from benchmarks.time_agreement import bounded, half_of_day, starts_at, stretches
from benchmarks.times import cut, measure, shared
from mnemic.extraction.model import Value


def value(since: str, until: str, kind: str = "date", normal: str = "2026-03-10") -> Value:
    ends = datetime.fromisoformat(since), datetime.fromisoformat(until)
    return Value(start=0, end=1, text="x", kind=kind, normal=normal, since=ends[0], until=ends[1])


@pytest.mark.parametrize(
    ("text", "core"),
    [
        ("before 4pm", "4pm"),
        ("from the 5th", "5th"),
        ("大约十点以后", "十点"),
        ("1/1/2016 or later", "1/1/2016"),
        ("forty", "forty"),
        ("on", "on"),
    ],
)
def test_words_that_bound_are_cut_from_a_span(text: str, core: str) -> None:
    start, end = cut(text, 0, len(text))
    assert text[start:end] == core


def test_spans_share_what_both_cover_of_what_either_does() -> None:
    assert shared((0, 4), (2, 6)) == pytest.approx(2 / 6)
    assert shared((0, 2), (2, 6)) == 0


def test_a_day_agrees_with_any_moment_of_it() -> None:
    tenth = value("2026-03-10T00:00", "2026-03-11T00:00")
    assert starts_at(datetime(2026, 3, 10, 15), "day")(tenth)
    assert not starts_at(datetime(2026, 3, 11), "day")(tenth)


def test_a_time_of_day_alone_agrees_on_any_day() -> None:
    three = value("2026-03-10T15:00", "2026-03-10T16:00", "time", "15:00")
    assert starts_at(datetime(2013, 1, 1, 15), "hour")(three)


def test_the_end_of_a_stretch_may_differ_by_one_unit() -> None:
    week = stretches(datetime(2026, 3, 2), datetime(2026, 3, 8))
    assert week(value("2026-03-02T00:00", "2026-03-09T00:00"))
    assert not week(value("2026-03-02T00:00", "2026-03-11T00:00"))
    assert not week(value("2026-03-04T00:00", "2026-03-08T00:00"))


def test_a_part_of_the_day_agrees_where_it_overlaps_on_the_same_day() -> None:
    evening = half_of_day(datetime(2026, 3, 10, 16), datetime(2026, 3, 10, 20))
    assert evening(value("2026-03-10T18:00", "2026-03-11T00:00", "span"))
    assert not evening(value("2026-03-11T18:00", "2026-03-12T00:00", "span"))
    assert not evening(value("2026-03-09T00:00", "2026-03-12T00:00", "span"))


def test_a_limit_agrees_with_either_end() -> None:
    assert bounded(datetime(2026, 3, 11))(value("2026-03-10T00:00", "2026-03-11T00:00"))


def test_every_suite_that_is_there_is_measured(tmp_path: Path) -> None:
    recognizers = tmp_path / "recognizers_datetime" / "English"
    recognizers.mkdir(parents=True)
    case = {
        "Input": "see you tomorrow",
        "Context": {"ReferenceDateTime": "2016-11-07T00:00:00"},
        "Results": [
            {
                "Text": "tomorrow",
                "Type": "date",
                "Start": 8,
                "Length": 8,
                "Value": {
                    "Timex": "2016-11-08",
                    "FutureResolution": {"date": "2016-11-08"},
                    "PastResolution": {"date": "2016-11-08"},
                },
            }
        ],
    }
    (recognizers / "DateParser.json").write_text(json.dumps([case]), encoding="utf-8-sig")
    corpus = tmp_path / "duckling_time"
    corpus.mkdir()
    (corpus / "EN_Corpus.hs.txt").write_text(
        'negativeCorpus = x\n    examples =\n      [ "palm"\n      ]\n'
        'allExamples = [ examples (datetime (2013, 2, 13, 0, 0, 0) Day)\n [ "tomorrow"\n , "yesterday"\n ]\n',
        encoding="utf-8",
    )
    scores = measure(tmp_path)
    assert scores["recognizers"]["en"].figures() == {
        "p": 1,
        "r": 1,
        "f1": 1,
        "exact": 1,
        "resolved": 1,
        "n": 1,
    }
    assert scores["duckling"]["en"].figures() == {
        "p": 1,
        "r": 1,
        "f1": 1,
        "exact": 1,
        "resolved": 0.5,
        "n": 2,
    }
    assert set(scores) == {"recognizers", "duckling"}


def test_questions_and_statements_are_judged_by_their_days(tmp_path: Path) -> None:
    queries = tmp_path / "hindsight_query_time"
    queries.mkdir()
    golden = {
        "2026-08-12T14:30:00\x1fyesterday": ["2026-08-11T00:00:00", "2026-08-11T23:59:59.999999"],
        "2026-08-12T14:30:00\x1fhello": None,
        "2026-08-12T14:30:00\x1fla semana pasada": ["2026-08-03T00:00:00", "2026-08-09T23:59:59.999999"],
    }
    (queries / "query_analyzer_golden.json").write_text(json.dumps(golden), encoding="utf-8")
    labels = tmp_path / "statements"
    labels.mkdir()
    row = {"text": "周五切的", "at": "2026-03-10T10:00:00+08:00", "statements": [{"time": "2026-03-06"}, {}]}
    (labels / "zh.jsonl").write_text(json.dumps(row), encoding="utf-8")
    scores = measure(tmp_path)
    assert scores["hindsight"]["en"].figures() == {"resolved": 1, "n": 2}
    assert scores["statements"]["zh"].figures() == {"resolved": 1, "n": 1}
