"""Times in text: how many are found, and what they are taken to mean.

    python -m benchmarks.times FOLDER [--json FILE] [--misses SUITE]

FOLDER holds the data folders ``recognizers_datetime``, ``duckling_time``, ``hindsight_query_time`` and
``statements``; those that are missing are left out. ``--misses`` prints what one suite got wrong.

**recognizers**, **duckling**. Found: a value and an expected span are one where they share at least half
of the characters that either covers. Words that bound or blur ("before", "from", "about", "以后") are cut
from both ends first: the sets count them in, we report them apart. Precision, recall and F1 are over all
texts, also those that name no time, besides ``exact``, the share of the found whose borders are the same.
Files that look for one kind of time only say nothing of the others, so values beside theirs do not count.
Files for modes that ask for another output (times and dates apart, tasks) and time zones alone are left
out. Resolved: among the found, does the value mean what is expected? A date, moment or time of day
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
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table

from benchmarks.harness import Overlap, read_lines, write_json
from benchmarks.time_sets import Case, duckling, recognizers
from mnemic.extraction.model import Value
from mnemic.extraction.times import find_times, query_range

HALF = 0.5
_LEAD = re.compile(
    r"(?:(?:from|in|on|at|the|my|before|after|since|by|until|till|between|around|about|approximately|for|sometimes?|"
    r"anytime|later than|earlier than|sooner than|no later than|as (?:early|late) as|prior to|in advance of|or|"
    r"equal to|through|during|[<>=@]+)(?![a-z])|从|在|自|于|大约|大概|包括)[\s,]*",
    re.IGNORECASE,
)
_TAIL = re.compile(
    r"[\s,]*(?:or (?:later|after|earlier|before)|and (?:later|after|greater)|approximately|sharp|或?[及以]?之?[前后以]+|以?后|"
    r"以前|之后|之前|开始|起|左右|之?间)$",
    re.IGNORECASE,
)


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
        return figures | {
            "resolved": round(self.right / self.judged, 4) if self.judged else 0.0,
            "n": self.judged,
        }

    def judge(self, right: bool, told: str) -> None:
        """Take in one judgement of a meaning."""
        self.judged += 1
        self.right += right
        if not right:
            self.misses.append(told)


def compare(score: Score, case: Case, values: list[Value]) -> None:
    """Match values and expected spans one to one, and judge what the matched ones mean."""
    text, left, both = case.text, list(values), 0
    for span in case.expected:
        core = cut(text, span.start, span.end)
        mate = max(left, key=lambda value: shared(cut(text, value.start, value.end), core), default=None)
        ours = cut(text, mate.start, mate.end) if mate is not None else (0, 0)
        if mate is None or shared(ours, core) < HALF:
            score.misses.append(f"not found: {text!r} [{text[span.start : span.end]}] in {told(values)}")
            continue
        left.remove(mate)
        both += 1
        score.exact += ours == core
        if span.agrees is not None:
            score.judge(span.agrees(mate), f"wrong: {text!r} {told([mate])}")
    if case.complete:
        score.misses += [f"too much: {text!r} {told([value])}" for value in left]
    score.spans.add(both=both, found=len(values) if case.complete else both, expected=len(case.expected))


def cut(text: str, start: int, end: int) -> tuple[int, int]:
    """Return the span without the words at its ends that only bound or blur."""
    while (lead := _LEAD.match(text, start, end)) and lead.end() < end:
        start = lead.end()
    tail = _TAIL.search(text[start:end])
    return start, start + tail.start() if tail and tail.start() else end


def shared(ours: tuple[int, int], theirs: tuple[int, int]) -> float:
    """Return the share of common characters among all that either span covers."""
    common = min(ours[1], theirs[1]) - max(ours[0], theirs[0])
    return common / (max(ours[1], theirs[1]) - min(ours[0], theirs[0])) if common > 0 else 0.0


def told(values: Iterable[Value]) -> str:
    return ", ".join(f"{value.text} = {value.normal}" for value in values)


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
        ours = (
            [f"{found.since:%Y-%m-%d}", f"{found.until - timedelta(seconds=1):%Y-%m-%d}"]
            if found and found.since and found.until
            else None
        )
        golden_days = [day[:10] for day in days] if days else None
        scores[language].judge(
            ours == golden_days, f"wrong: {clock[:16]} {text[:80]!r} {ours}, not {golden_days}"
        )


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
                scores[name[:2]].judge(
                    right, f"wrong: {at:%a %m-%d} {text!r} {told(values)}, not {statement['time']}"
                )


def spans(cases: Iterable[Case], scores: dict[str, Score]) -> None:
    """Compare what is found with what is expected, case by case."""
    for case in cases:
        compare(scores[case.language], case, find_times(case.text, case.at))


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
            row = [
                f"{figures[name]:.3f}" if name in figures else ""
                for name in ("p", "r", "f1", "exact", "resolved")
            ]
            table.add_row(suite, language, *row, f"{figures['n']:.0f}")
    Console().print(table)
    if misses:
        for language, score in scores[misses].items():
            for line in score.misses:
                print(language, line)
    if json_file is not None:
        write_json(
            json_file,
            {
                suite: {name: score.figures() for name, score in found.items()}
                for suite, found in scores.items()
            },
        )


if __name__ == "__main__":
    typer.run(main)
