"""Running a suite of recall: every system is told each case and asked its questions, and the figures are counted."""

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks.harness import Place, with_progress
from benchmarks.suites.case import Case, Outcome
from benchmarks.suites.figures import Figures
from benchmarks.suites.systems import SYSTEMS

Result = dict[str, dict[str, Figures]]
"""Figures by system and group; the group ``all`` holds every question of the suite."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """How a suite is run: in which ``place``, with which ``systems``, over at most so many ``cases`` (0: all)."""

    place: Place
    systems: Sequence[str] = tuple(SYSTEMS)
    cases: int = 0
    quiet: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Recall:
    """A suite of histories and questions; ``folder`` is the name its data usually go by."""

    about: str
    folder: str
    load: Callable[[Path], Iterator[Case]]
    figures: Callable[[Sequence[Outcome]], Figures]

    def run(self, folder: Path, run: Run) -> Result:
        """Tell and ask; raises what the data's reading raises where a file has another form."""
        cases = list(self.load(folder))[: run.cases or None]
        if not cases:
            raise FileNotFoundError(f"{folder}: holds no data of this suite")
        groups: dict[str, dict[str, list[Outcome]]] = {name: defaultdict(list) for name in run.systems}
        for case in with_progress(cases, self.folder, quiet=run.quiet):
            for name in run.systems:
                for outcome in _outcomes(case, name, run.place):
                    for group in ("all", *outcome.query.groups):
                        groups[name][group].append(outcome)
        return {
            name: {group: _rounded(self.figures(outcomes)) for group, outcomes in by_group.items()}
            for name, by_group in groups.items()
        }


def _outcomes(case: Case, system: str, place: Place) -> list[Outcome]:
    session = {turn.id: turn.session for turn in case.turns}
    try:
        with SYSTEMS[system](case, place) as ask:
            return [Outcome(query, ask(query), session) for query in case.queries]
    except Exception as error:
        error.add_note(f"in {case.id}, asked of {system}")
        raise


def _rounded(figures: Figures) -> Figures:
    return {name: round(value, 4) for name, value in figures.items()}
