"""The two data sets of time expressions that give spans and meanings, read as cases."""

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path
from typing import Any

from benchmarks.time_agreement import (
    Agrees,
    any_of,
    bounded,
    half_of_day,
    lasts,
    recurs,
    starts_at,
    stretches,
)

NOON = datetime(2016, 11, 7, 12, tzinfo=UTC)
"""The clock of cases that name none."""

DUCKLING = datetime(2013, 2, 12, 4, 30, tzinfo=timezone(timedelta(hours=-2)))
LANGUAGES = {"Chinese": "zh", "English": "en", "ZH": "zh", "EN": "en"}
DAYPARTS = re.compile(r"T(MO|AF|EV|NI|MI|DT|ME[LDB]?)$")
OTHER_MODES = ("TimeZone", "DateTimeModelSplit", "DateTimeModelTasks", "MergedExtractorSkip")
COMPLETE = ("DateTimeModel", "Merged")


@dataclass(slots=True)
class Expected:
    """A span of a text and the test that a value with the right meaning passes; None where none is given."""

    start: int
    end: int
    agrees: Agrees | None


@dataclass(frozen=True, slots=True)
class Case:
    """A text, its clock and what is expected; ``complete`` if nothing else should be found."""

    language: str
    text: str
    at: datetime
    expected: list[Expected]
    complete: bool = True


def recognizers(folder: Path) -> Iterator[Case]:
    """Yield the cases of all files that ask for what we give."""
    for path in sorted(folder.glob("*/*.json")):
        if path.stem.startswith(OTHER_MODES):
            continue
        for case in json.loads(path.read_text(encoding="utf-8-sig")):
            results = [result for result in case.get("Results") or [] if not _is_zone(result)]
            clock = (case.get("Context") or {}).get("ReferenceDateTime")
            at = datetime.fromisoformat(clock[:19]).replace(tzinfo=UTC) if clock else NOON
            expected = [_recognized(result, at) for result in results]
            yield Case(
                LANGUAGES[path.parent.name], case["Input"], at, expected, path.stem.startswith(COMPLETE)
            )


def _is_zone(result: Mapping[str, Any]) -> bool:
    return str(result.get("Type") or result.get("TypeName")).endswith("timezone")


def _recognized(result: Mapping[str, Any], at: datetime) -> Expected:
    end = result["Start"] + result["Length"] if "Length" in result else result["End"] + 1
    value = result.get("Value") or result.get("Resolution") or {}
    kind = str(result.get("Type") or result.get("TypeName"))
    if kind.endswith("set"):
        return Expected(result["Start"], end, recurs)
    if "values" in value:
        tests = [test for each in value["values"] for test in _reading(each, each.get("timex", ""), at)]
    else:
        readings = [value[name] for name in ("FutureResolution", "PastResolution") if value.get(name)]
        tests = [test for each in readings for test in _reading(each, value.get("Timex", ""), at)]
    return Expected(result["Start"], end, any_of(tests))


def _reading(reading: Mapping[str, str], timex: str, at: datetime) -> Iterator[Agrees]:
    """Yield the test of one reading, whose fields are named after the kind of the time."""
    known = {name: moment for name, text in reading.items() if (moment := _moment(text, at)) is not None}
    since = next((known[name] for name in known if name.lower().startswith("start")), None)
    until = next((known[name] for name in known if name.lower().startswith("end")), None)
    if "duration" in reading or reading.get("type") == "duration":
        yield lasts(timex)
    elif since and until:
        until += timedelta(days=1) if until <= since else timedelta()
        yield half_of_day(since, until) if DAYPARTS.search(timex) else stretches(since, until)
    elif since or until:
        yield bounded(since or until or at)
    elif known:
        yield starts_at(next(iter(known.values())), "minute")


def _moment(text: str, at: datetime) -> datetime | None:
    """Read "2016-11-07", "2016-11-07 08:00:00" or "08:00:00", which lies on the day of the clock."""
    if re.fullmatch(r"\d\d:\d\d:\d\d", str(text)):
        text = f"{at:%Y-%m-%d} {text}"
    try:
        moment = datetime.fromisoformat(str(text))
    except ValueError:
        return None
    return moment if moment.year > 1 else None


_GROUP = re.compile(r"examples\s+\((?P<said>.*?)\)\s*\n?\s*\[(?P<texts>.*?)\n\s*\]", re.DOTALL)
_TUPLE = re.compile(r"\((-?\d+), *(\d+), *(\d+), *(\d+), *(\d+), *(\d+)\)")
_STRING = re.compile(r'"((?:[^"\\]|\\.)*)"')
_NEGATIVE = re.compile(r"negativeCorpus = .*?examples =\s*\[(.*?)\n\s*\]", re.DOTALL)


def duckling(folder: Path) -> Iterator[Case]:
    """Yield the cases: the whole text is one time, or none."""
    for path in sorted(folder.glob("*_Corpus.hs.txt")):
        source = path.read_text(encoding="utf-8")
        language = LANGUAGES[path.name.partition("_")[0]]
        negative = _NEGATIVE.search(source)
        for text in _STRING.findall(negative[1]) if negative else ():
            yield Case(language, text, DUCKLING, [])
        latent = source.partition("latentCorpus ::")[2].partition("diffContext ::")[0]
        for group in _GROUP.finditer(source.replace(latent, "")):
            agrees = _duckled(group["said"])
            for text in _STRING.findall(group["texts"]):
                spoken = text.replace('\\"', '"')
                yield Case(language, spoken, DUCKLING, [Expected(0, len(spoken), agrees)])


def _duckled(said: str) -> Agrees | None:
    moments = [_tuple([int(number) for number in found]) for found in _TUPLE.findall(said)]
    grain = next(
        (word.lower() for word in reversed(said.split()) if word.isalpha() and word[0].isupper()), "day"
    )
    if not moments or None in moments:
        return None
    first, *more = [moment for moment in moments if moment]
    if "Open" in said:
        return bounded(first)
    if not more:
        return starts_at(first, grain)
    day = more[0] - first <= timedelta(days=1)
    parts = day and grain == "hour" and first.hour in (0, 4, 12, 18) and more[0].hour in (0, 12, 19)
    if first == DUCKLING.replace(tzinfo=None):  # "by Friday", "within 2 weeks": from now to the limit
        return any_of([stretches(first, more[0]), bounded(more[0])])
    return half_of_day(first, more[0]) if parts else stretches(first, more[0])


def _tuple(numbers: list[int]) -> datetime | None:
    year, month, day, hour, minute, second = numbers
    try:
        return datetime(year, month or 1, day or 1, hour, minute, second)
    except ValueError:
        return None
