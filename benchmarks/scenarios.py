"""Memory scenarios: short histories told to an empty memory, and what a person would then expect of it.

    python -m benchmarks.scenarios FOLDER [--files zh,en,mix] [--failed] [--json FILE]

FOLDER holds JSONL files, a scenario a line (``form.py`` gives the form). Each scenario gets a fresh store
and a clock that is put to each turn's and each check's own time; turns are told one by one through
``remember``, and a check is asked when its time has come. Measured is the share of checks that pass,
by category, language and kind of check (``checks.py`` says when each passes).
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.text import Text

from benchmarks.checks import Case, Verdict, judge
from benchmarks.door import Door
from benchmarks.form import Check, Scenario, Told
from benchmarks.harness import (
    Fold,
    Place,
    Rate,
    rates_table,
    read_lines,
    with_progress,
    write_json,
)
from benchmarks.matching import Names
from mnemic.graph.clock import ManualClock


@dataclass(frozen=True, slots=True)
class Outcome:
    """A check of a scenario and how it went."""

    scenario: Scenario
    check: Check
    verdict: Verdict


@dataclass(slots=True)
class Score:
    """Pass rates in all and by group, and the checks that failed."""

    total: Rate = field(default_factory=Rate)
    category: dict[str, Rate] = field(default_factory=lambda: defaultdict(Rate))
    language: dict[str, Rate] = field(default_factory=lambda: defaultdict(Rate))
    kind: dict[str, Rate] = field(default_factory=lambda: defaultdict(Rate))
    failed: list[Outcome] = field(default_factory=list)

    def count(self, outcome: Outcome) -> None:
        """Take in one check."""
        scenario, passed = outcome.scenario, outcome.verdict.passed
        for rate in (
            self.total,
            self.category[scenario.category],
            self.language[scenario.language],
            self.kind[outcome.check.do],
        ):
            rate.count(passed)
        if not passed:
            self.failed.append(outcome)

    def as_json(self, *, with_failed: bool) -> dict[str, object]:
        """Return the figures, and the failed checks unless these are to stay unseen."""
        groups = {"category": self.category, "language": self.language, "kind": self.kind}
        return {
            "total": _counts(self.total),
            **{name: {key: _counts(rate) for key, rate in rates.items()} for name, rates in groups.items()},
            "failed": [
                {"id": one.scenario.id, "check": one.check.as_written(), "got": one.verdict.got}
                for one in self.failed
                if with_failed
            ],
        }


def _counts(rate: Rate) -> dict[str, int]:
    return {"passed": rate.passed, "checks": rate.checks}


def load(folder: Path, files: Sequence[str] = (), fold: Fold = Fold.ALL) -> list[Scenario]:
    """Read the scenarios of a folder (of these files only, where some are named) that lie in the fold."""
    scenarios = (Scenario.model_validate(line) for _, line in read_lines(folder, files))
    return [scenario for scenario in scenarios if fold.holds(scenario.id)]


def play(scenario: Scenario, memory: Door, clock: ManualClock) -> Iterable[Outcome]:
    """Tell the turns and ask the checks in the order of time."""
    case = Case(scenario, memory, Names.of(scenario.dictionary))
    for event in scenario.in_time():
        if isinstance(event, Told):
            clock.now = event.at
            _tell(event, case)
        else:
            clock.now = scenario.asked_at(event)
            yield Outcome(scenario, event, judge(event, case))


def _tell(turn: Told, case: Case) -> None:
    receipt = case.memory.remember(
        turn.text, speaker=turn.speaker, role=turn.role, session=turn.session, at=turn.at, id=turn.id
    )
    case.turns.update(dict.fromkeys((*receipt.turns, *receipt.known), turn.id))


def outcomes(scenario: Scenario, place: Place) -> list[Outcome]:
    """Return what came of each check, in a fresh store."""
    clock = ManualClock(scenario.turns[0].at)
    dictionary = [entry.model_dump(mode="json") for entry in scenario.dictionary]
    with place.fresh(scenario.id, clock, dictionary) as memory:
        return list(play(scenario, memory, clock))


def run(scenarios: Sequence[Scenario], place: Place, *, quiet: bool) -> Score:
    """Play every scenario in a fresh store and count its checks."""
    score = Score()
    for scenario in with_progress(scenarios, "scenarios", quiet=quiet):
        try:
            for outcome in outcomes(scenario, place):
                score.count(outcome)
        except Exception as error:
            error.add_note(f"in scenario {scenario.id}")
            raise
    return score


def show_failed(score: Score, console: Console) -> None:
    """Print each failed check: what was told, what was expected, what came."""
    for one in score.failed:
        lines = [f"{one.scenario.id}  {one.scenario.category}  {one.scenario.note}"]
        for turn in one.scenario.turns:
            lines.append(f"  {turn.id:>4} {turn.at:%Y-%m-%d %H:%M} {turn.speaker}: {turn.text}")
        lines.append(f"  expected {one.check.as_written()}")
        lines.append(f"  came     {one.verdict.got}")
        console.print(Text("\n".join([*lines, ""])), soft_wrap=True)


def main(
    folder: Annotated[Path, typer.Argument(help="The folder that holds the scenario files.")],
    files: Annotated[
        str, typer.Option(help="Names of files, without ending, with commas; all if none.")
    ] = "",
    store: Annotated[str, typer.Option(help=":memory:, file, or the URL of a server.")] = ":memory:",
    embedder: Annotated[
        str | None, typer.Option(help="The embedder's name; the default one if none.")
    ] = None,
    fold: Annotated[Fold, typer.Option(help="All, the open four fifths, or the blind fifth.")] = Fold.ALL,
    failed: Annotated[bool, typer.Option("--failed", help="Show each failed check.")] = False,
    json: Annotated[Path | None, typer.Option(help="Write the figures to this file.")] = None,
    quiet: Annotated[bool, typer.Option("--quiet", help="No progress bar.")] = False,
) -> None:
    """Play memory scenarios and print the share of checks that pass.

    With ``--fold blind`` failures are counted, but never shown nor written.
    """
    scenarios = load(folder, [name for name in files.split(",") if name], fold)
    score = run(scenarios, Place(store, embedder), quiet=quiet)
    console = Console()
    if failed and fold is not Fold.BLIND:
        show_failed(score, console)
    groups = {
        "category": score.category,
        "language": score.language,
        "kind": score.kind,
        "": {"total": score.total},
    }
    console.print(rates_table(f"{len(scenarios)} scenarios", groups))
    if json is not None:
        write_json(json, score.as_json(with_failed=fold is not Fold.BLIND))


if __name__ == "__main__":
    typer.run(main)
