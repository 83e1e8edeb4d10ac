"""The benchmarks that are commands of their own, brought into the form of a suite."""

from pathlib import Path

from benchmarks import scenarios, statements, times
from benchmarks.harness import Rate
from benchmarks.suites.figures import Figures
from benchmarks.suites.retrieval import Result, Run


def play_scenarios(folder: Path, run: Run) -> Result:
    """Return the pass rates of the scenarios, by category, language and kind of check."""
    played = scenarios.load(folder)[: run.cases or None]
    score = scenarios.run(played, run.place, quiet=run.quiet)
    groups = {**score.category, **score.language, **score.kind, "all": score.total}
    return {"mnemic": {name: _figures(rate) for name, rate in groups.items()}}


def _figures(rate: Rate) -> Figures:
    return {"passed": round(rate.share, 4), "checks": rate.checks}


def read_statements(folder: Path, run: Run) -> Result:
    """Return the agreement with labelled messages, by file and figure."""
    rows = statements.load(folder)[: run.cases or None]
    score, _ = statements.run(rows, run.place, quiet=run.quiet)
    return {
        "mnemic": {
            f"{file} {figure}": values
            for file, marks in score.marks.items()
            for figure, values in marks.figures().items()
        }
    }


def resolve_times(folder: Path, run: Run) -> Result:
    """Return how expressions of time are found and resolved; ``folder`` holds the sets as folders."""
    return {
        "mnemic": {
            f"{suite} {language}": score.figures()
            for suite, languages in times.measure(folder).items()
            for language, score in languages.items()
        }
    }
