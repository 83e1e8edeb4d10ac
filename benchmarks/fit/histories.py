"""The histories that weights are fitted on: the open fold of the scenarios, and those that ship for fitting."""

from pathlib import Path

from benchmarks import scenarios
from benchmarks.form import Scenario
from benchmarks.harness import Fold

SHIPPED = Path(__file__).parents[1] / "data"


def histories(folder: Path) -> list[Scenario]:
    """Return the histories for fitting; ``folder`` holds ``scenarios``, whose blind fifth is left alone."""
    return [*scenarios.load(folder / "scenarios", fold=Fold.OPEN), *scenarios.load(SHIPPED)]
