"""Times in text: how many are found, and what they are taken to mean.

    python -m benchmarks.times FOLDER [--json FILE] [--misses SUITE]

FOLDER holds the data folders ``recognizers_datetime``, ``duckling_time``, ``hindsight_query_time`` and
``statements``; those that are missing are left out. ``--misses`` prints what one suite got wrong.

**recognizers**, **duckling**. Found: a value and an expected span are one where they share at least half
of the characters that either covers; precision, recall and F1 over all texts (also those that name no
time), besides ``exact``, the share of the found whose borders are the same. Time zones alone are not
asked for. Resolved: among the found, does the value mean what is expected? A date, moment or time of day
agrees where its start does; where several readings are given (past and future, morning and evening), one of
them suffices. A stretch agrees where both ends do; its end may differ by one of its own units, since the
sets count the last day in or out, now the one, now the other, and we count it in. A part of the day
("morning") agrees where day and half of the day do: no two sets agree on its hours. A length agrees by its
ISO form, a recurrence by being one. A limit ("by 2pm") agrees where the time itself does.

**hindsight**. A question's stretch of time agrees where both days do, and where neither side sees any;
questions in other languages are left out. **statements**. Of the times that the labels give: is there a
value that starts then?
"""

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.table import Table

from benchmarks.harness import Overlap, read_lines, write_json
from mnemic.extraction.model import Value
from mnemic.extraction.times import find_times, query_range

NOON = datetime(2016, 11, 7, 12, tzinfo=UTC)
DUCKLING = datetime(2013, 2, 12, 4, 30, tzinfo=UTC)
LANGUAGES = {"Chinese": "zh", "English": "en", "ZH": "zh", "EN": "en"}
DAYPARTS = re.compile(r"T(MO|AF|EV|NI|MI|DT|ME[LDB]?)$")
HALF = 0.5
Agrees = Callable[[Value], bool]


@dataclass(slots=True)
class Expected:
    """A span of a text and the test that a value with the right meaning passes; None where none is given."""

    start: int
    end: int
    agrees: Agrees | None


@dataclass(slots=True)
class Score:
    """The counts of one suite and language."""

    spans: Overlap = field(default_factory=Overlap)
    exact: int = 0
    right: int = 0
    judged: int = 0
    misses: list[str] = field(default_factory=list)

    def figures(self) -> dict[str, float]:
        """Return the figures that apply."""
        figures = self.spans.figures() if self.spans.expected else {}
        if self.spans.both:
            figures["exact"] = round(self.exact / self.spans.both, 4)
        return figures | {"resolved": round(self.right / self.judged, 4) if self.judged else 0.0, "n": self.judged}

    def judge(self, right: bool, told: str) -> None:
        """Take in one judgement of a meaning."""
        self.judged += 1
        self.right += right
        if not right:
            self.misses.append(told)


def compare(score: Score, text: str, values: list[Value], expected: list[Expected]) -> None:
    """Match values and expected spans one to one, and judge what the matched ones mean."""
    left = list(values)
    both = 0
    for span in expected:
        mate = max(left, key=lambda value: shared(value, span), default=None)
        if mate is None or shared(mate, span) < HALF:
            score.misses.append(f"not found: {text!r} [{text[span.start : span.end]}] in {told(values)}")
            continue
        left.remove(mate)
        both += 1
        score.exact += (mate.start, mate.end) == (span.start, span.end)
        if span.agrees is not None:
            score.judge(span.agrees(mate), f"wrong: {text!r} {told([mate])}")
    score.misses += [f"too much: {text!r} {told([value])}" for value in left]
    score.spans.add(both=both, found=len(values), expected=len(expected))


def shared(value: Value, span: Expected) -> float:
    """Return the share of common characters among all that either covers."""
    common = min(value.end, span.end) - max(value.start, span.start)
    return common / (max(value.end, span.end) - min(value.start, span.start)) if common > 0 else 0.0


def told(values: Iterable[Value]) -> str:
    return ", ".join(f"{value.text} = {value.normal}" for value in values)


# --- agreement ---------------------------------------------------------------------------------------------


def starts_at(moment: datetime, grain: str) -> Agrees:
    """Agree where the value starts at the moment, as far as the grain tells."""
    width = {"year": 4, "quarter": 7, "month": 7, "week": 10, "day": 10, "hour": 13}.get(grain, 16)
    said = moment.isoformat()

    def agrees(value: Value) -> bool:
        if value.since is None:
            return False
        ours = value.since.isoformat()
        if value.kind == "time" and "T" not in value.normal and not value.recurring:
            return ours[11:16] == said[11:16]
        return ours[:width] == said[:width]

    return agrees


def stretches(since: datetime, until: datetime) -> Agrees:
    """Agree where both ends do, give or take one unit at the end and a day at the start."""
    unit = timedelta(days=1) if until - since >= timedelta(days=1) else timedelta(hours=1)
    if since.day == until.day == 1 and (since.hour, until.hour) == (0, 0):
        unit = timedelta(days=366 if since.month == until.month == 1 else 31)
    if until - since < timedelta(hours=1):
        unit = timedelta(minutes=1)

    def agrees(value: Value) -> bool:
        if value.since is None or value.until is None:
            return False
        ours, ends = (moment.replace(tzinfo=None) for moment in (value.since, value.until))
        early = min(unit, timedelta(days=1))
        return abs(ours - since) <= early and abs(ends - until) <= unit

    return agrees


def half_of_day(since: datetime, until: datetime) -> Agrees:
    """Agree where the value overlaps the part of the day on the same day."""

    def agrees(value: Value) -> bool:
        if value.since is None or value.until is None:
            return False
        ours, ends = (moment.replace(tzinfo=None) for moment in (value.since, value.until))
        return ours < until and ends > since and ends - ours <= timedelta(days=1)

    return agrees


def bounded(moment: datetime) -> Agrees:
    """Agree where the value begins or ends at the limit."""

    def agrees(value: Value) -> bool:
        ends = [each.replace(tzinfo=None) for each in (value.since, value.until) if each is not None]
        return any(abs(each - moment) < timedelta(minutes=1) for each in ends)

    return agrees


def lasts(iso: str) -> Agrees:
    """Agree where the length has the same ISO form."""
    return lambda value: value.kind == "quantity" and value.normal == iso


def recurs(value: Value) -> bool:
    return value.recurring


def any_of(tests: Iterable[Agrees]) -> Agrees | None:
    """Agree where one of the tests does; None without tests."""
    tests = list(tests)
    return (lambda value: any(test(value) for test in tests)) if tests else None


# --- recognizers -------------------------------------------------------------------------------------------


def recognizers(folder: Path) -> Iterator[tuple[str, str, datetime, list[Expected]]]:
    """Yield language, text, clock and expectation of each case."""
    for path in sorted(folder.glob("*/*.json")):
        if path.stem.startswith("TimeZone"):
            continue
        for case in json.loads(path.read_text(encoding="utf-8-sig")):
            results = [result for result in case.get("Results") or [] if not _is_zone(result)]
            clock = (case.get("Context") or {}).get("ReferenceDateTime")
            at = datetime.fromisoformat(clock[:19]).replace(tzinfo=UTC) if clock else NOON
            expected = [_recognized(result) for result in results]
            yield LANGUAGES[path.parent.name], case["Input"], at, expected


def _is_zone(result: Mapping[str, Any]) -> bool:
    return str(result.get("Type") or result.get("TypeName")).endswith("timezone")


def _recognized(result: Mapping[str, Any]) -> Expected:
    end = result["Start"] + result["Length"] if "Length" in result else result["End"] + 1
    value = result.get("Value") or result.get("Resolution") or {}
    kind = str(result.get("Type") or result.get("TypeName"))
    if kind.endswith("set"):
        return Expected(result["Start"], end, recurs)
    if "values" in value:
        tests = [test for each in value["values"] for test in _reading(each, each.get("timex", ""))]
    else:
        readings = [value[name] for name in ("FutureResolution", "PastResolution") if value.get(name)]
        tests = [test for each in readings for test in _reading(each, value.get("Timex", ""))]
    return Expected(result["Start"], end, any_of(tests))


def _reading(reading: Mapping[str, str], timex: str) -> Iterator[Agrees]:
    """The test of one reading: its fields are named after the kind of the time."""
    known = {name: text for name, text in reading.items() if _moment(text) is not None}
    since = next((known[name] for name in known if name.lower().startswith("start")), None)
    until = next((known[name] for name in known if name.lower().startswith("end")), None)
    if "duration" in reading or reading.get("type") == "duration":
        yield lasts(timex)
    elif since and until:
        first, last = _moment(since), _moment(until)
        if first and last and first.year > 1:
            last += timedelta(days=1) if last <= first else timedelta()
            yield half_of_day(first, last) if DAYPARTS.search(timex) else stretches(first, last)
    elif since or until:
        limit = _moment(since or until or "")
        if limit:
            yield bounded(limit)
    else:
        point = next((_moment(text) for text in known.values()), None)
        if point and point.year > 1:
            yield starts_at(point, "minute")


def _moment(text: str) -> datetime | None:
    """Read "2016-11-07", "2016-11-07 08:00:00" or "08:00:00"; a time alone lies on the usual day."""
    if re.fullmatch(r"\d\d:\d\d:\d\d", str(text)):
        text = f"{NOON:%Y-%m-%d} {text}"
    try:
        return datetime.fromisoformat(str(text))
    except ValueError:
        return None


# --- duckling ----------------------------------------------------------------------------------------------

_GROUP = re.compile(r"examples\s+\((?P<said>.*?)\)\s*\n?\s*\[(?P<texts>.*?)\n\s*\]", re.DOTALL)
_TUPLE = re.compile(r"\((-?\d+), *(\d+), *(\d+), *(\d+), *(\d+), *(\d+)\)")
_STRING = re.compile(r'"((?:[^"\\]|\\.)*)"')
_NEGATIVE = re.compile(r"negativeCorpus = .*?examples =\s*\[(.*?)\n\s*\]", re.DOTALL)


def duckling(folder: Path) -> Iterator[tuple[str, str, datetime, list[Expected]]]:
    """Yield language, text, clock and expectation: the whole text is one time, or none."""
    for path in sorted(folder.glob("*_Corpus.hs.txt")):
        source = path.read_text(encoding="utf-8")
        language = LANGUAGES[path.name.partition("_")[0]]
        negative = _NEGATIVE.search(source)
        for text in _STRING.findall(negative[1]) if negative else ():
            yield language, text, DUCKLING, []
        latent = source.partition("latentCorpus ::")[2].partition("diffContext ::")[0]
        for group in _GROUP.finditer(source.replace(latent, "")):
            agrees = _duckled(group["said"])
            for text in _STRING.findall(group["texts"]):
                spoken = text.replace('\\"', '"')
                yield language, spoken, DUCKLING, [Expected(0, len(spoken), agrees)]


def _duckled(said: str) -> Agrees | None:
    moments = [_tuple([int(number) for number in found]) for found in _TUPLE.findall(said)]
    grain = next((word.lower() for word in reversed(said.split()) if word.isalpha() and word[0].isupper()), "day")
    if not moments or None in moments:
        return None
    first, *more = [moment for moment in moments if moment]
    if "Open" in said:
        return bounded(first)
    if not more:
        return starts_at(first, grain)
    parts = grain == "hour" and first.hour in (0, 4, 12, 18) and more[0].hour in (0, 12, 19)
    return half_of_day(first, more[0]) if parts else stretches(first, more[0])


def _tuple(numbers: list[int]) -> datetime | None:
    year, month, day, *clock = numbers
    try:
        return datetime(year, month or 1, day or 1, *clock)
    except ValueError:
        return None


# --- questions and statements ------------------------------------------------------------------------------

_FOREIGN = re.compile(
    r"\b(?:el|la|le|il|lo|de|del|du|hace|hier|ieri|ayer|oggi|hoy|gestern|heute|vor|que|aujourd|letzte\w*|cosa|jours|giorni|"
    r"marzo|abril|agosto|aout|avril|aprile|dezember|dicembre|diciembre|enero|febbraio|febrero|februar|gennaio|giugno|januar|"
    r"janvier|juillet|juin|juli|julio|juni|junio|luglio|maggio|mai|mars|mayo|novembre|noviembre|octobre|octubre|oktober|"
    r"ottobre|septembre|septiembre|settembre|l'anno|Besprechung)\b",
    re.IGNORECASE,
)


def questions(folder: Path, scores: dict[str, Score]) -> None:
    """Judge the stretch of each Chinese or English question."""
    golden = json.loads((folder / "query_analyzer_golden.json").read_text(encoding="utf-8"))
    for key, days in golden.items():
        clock, _, text = key.partition("\x1f")
        language = _language(text)
        if language is None:
            continue
        found = query_range(text, datetime.fromisoformat(clock).replace(tzinfo=UTC))
        ours = [f"{found.since:%Y-%m-%d}", f"{found.until - timedelta(seconds=1):%Y-%m-%d}"] if found and found.since and found.until else None
        golden_days = [day[:10] for day in days] if days else None
        scores[language].judge(ours == golden_days, f"wrong: {clock[:16]} {text[:80]!r} {ours}, not {golden_days}")


def _language(text: str) -> str | None:
    if re.search("[\u3040-\u30ff\uac00-\ud7a3]", text):
        return None
    if re.search("[\u4e00-\u9fff]", text):
        return "zh"
    return "en" if text.isascii() and not _FOREIGN.search(text) else None


def statements(folder: Path, scores: dict[str, Score]) -> None:
    """Judge whether each labelled time is the start of a value."""
    for name, row in read_lines(folder):
        text, at = str(row["text"]), datetime.fromisoformat(str(row["at"]))
        values = find_times(text, at)
        for statement in row["statements"]:  # type: ignore[attr-defined]  # a list of objects
            if statement.get("time"):
                starts = [value.since.isoformat() for value in values if value.since]
                right = any(start.startswith(statement["time"]) for start in starts)
                scores[name[:2]].judge(right, f"wrong: {at:%a %m-%d} {text!r} {told(values)}, not {statement['time']}")


def spans(cases: Iterable[tuple[str, str, datetime, list[Expected]]], scores: dict[str, Score]) -> None:
    """Compare what is found with what is expected, case by case."""
    for language, text, at, expected in cases:
        compare(scores[language], text, find_times(text, at), expected)


SUITES: dict[str, tuple[str, Callable[[Path, dict[str, Score]], None]]] = {
    "recognizers": ("recognizers_datetime", lambda folder, scores: spans(recognizers(folder), scores)),
    "duckling": ("duckling_time", lambda folder, scores: spans(duckling(folder), scores)),
    "hindsight": ("hindsight_query_time", questions),
    "statements": ("statements", statements),
}


def measure(folder: Path) -> dict[str, dict[str, Score]]:
    """Return the scores of every suite whose folder is there, by language."""
    scores: dict[str, dict[str, Score]] = {}
    for suite, (name, run) in SUITES.items():
        if (folder / name).is_dir():
            scores[suite] = {"en": Score(), "zh": Score()}
            run(folder / name, scores[suite])
    return scores


def main(
    folder: Annotated[Path, typer.Argument(help="holds the data folders")],
    json_file: Annotated[Path | None, typer.Option("--json", help="write the figures here")] = None,
    misses: Annotated[str | None, typer.Option(help="print what this suite got wrong")] = None,
) -> None:
    """Measure the time recogniser."""
    scores = measure(folder)
    table = Table("suite", "language", "p", "r", "f1", "exact", "resolved", "n", title="Times")
    for suite, languages in scores.items():
        for language, score in languages.items():
            figures = score.figures()
            row = [f"{figures[name]:.3f}" if name in figures else "" for name in ("p", "r", "f1", "exact", "resolved")]
            table.add_row(suite, language, *row, f"{figures['n']:.0f}")
    Console().print(table)
    if misses:
        for language, score in scores[misses].items():
            for line in score.misses:
                print(language, line)
    if json_file is not None:
        write_json(json_file, {suite: {name: score.figures() for name, score in found.items()} for suite, found in scores.items()})


if __name__ == "__main__":
    typer.run(main)
