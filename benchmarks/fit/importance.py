"""Examples for the importance scorers: labelled messages, and the turns that scenarios ask for.

With an embedder each example also has its vector, number by number, and what no question asks for counts a
little against: there are more than enough of both to learn a direction from.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from pathlib import Path

from benchmarks import statements
from benchmarks.fit.histories import SHIPPED, histories
from benchmarks.fit.logistic import Example
from benchmarks.form import Scenario
from benchmarks.harness import Fold
from benchmarks.labels import Row
from mnemic.engine.embedding import own_words
from mnemic.engine.importance import importance_features
from mnemic.engine.meaning import PART, centred
from mnemic.extraction.analyse import Analyser
from mnemic.extraction.embedders.base import Embedder
from mnemic.extraction.lexicon import Entry, Lexicon
from mnemic.extraction.model import Line, Unit
from mnemic.extraction.names import shipped_lexicon

SPREAD = 2.0
"""By how much the numbers of a unit vector are stretched: the penalty is as heavy on them as on features of 0 and 1."""

_ASKED_FOR, _UNASKED = 0.5, 0.1
"""What the turns of scenarios count beside a labelled message; what nobody asks for may be worth keeping all the same."""


@dataclass(frozen=True, slots=True)
class Judged:
    """A unit of a line, whether it is worth keeping, and how much that counts."""

    line: Line
    unit: Unit
    keep: bool
    group: str
    weight: float = 1.0

    def example(self) -> Example:
        """Return it with its visible features."""
        return Example(importance_features(self.unit, self.line), self.keep, self.group, self.weight)


def examples(folder: Path) -> list[Example]:
    """Return an example for each unit whose worth is known; the open fold only."""
    labelled = [*statements.load(folder / "statements", Fold.OPEN), *statements.load(SHIPPED / "messages")]
    asked_for = (each for history in histories(folder) for each in _turns(history) if each.keep)
    return [each.example() for each in (*_labelled(row for _, row in labelled), *asked_for)]


def meant(folder: Path, embedder: Embedder) -> list[Example]:
    """Return an example for each unit whose worth is known, with its vector; the open fold only."""
    labelled = [
        *statements.load(folder / "statements", Fold.OPEN),
        *statements.load(SHIPPED / "messages"),
        *((file, row) for file, row in statements.load(SHIPPED / "statements", Fold.OPEN) if _even(row.id)),
    ]
    turns = (each for history in histories(folder) for each in _turns(history))
    judged = [*_labelled(row for _, row in labelled), *turns]
    return [
        replace(each.example(), features={**each.example().features, **_numbers(each, embedder)})
        for each in judged
    ]


def direction(weights: Mapping[str, float], dimension: int) -> list[float]:
    """Return what the numbers of a vector of unit length add to the log odds, one by one."""
    return [round(SPREAD * weights.get(f"{PART}:{n}", 0.0), 4) for n in range(dimension)]


def visible(weights: Mapping[str, float]) -> dict[str, float]:
    """Return the weights of the visible features, and of the part of the vector as a whole."""
    return {n: w for n, w in weights.items() if not n.startswith(f"{PART}:")} | {PART: 1.0}


def _numbers(judged: Judged, embedder: Embedder) -> dict[str, float]:
    words = own_words(replace(judged.line, text=judged.unit.text))
    vector = centred(embedder.name, judged.unit.text, embedder.passages([words])[0])
    return {f"{PART}:{n}": SPREAD * float(value) for n, value in enumerate(vector)}


def _even(id: str) -> bool:
    """Tell whether the last digit of an id is even: the others are kept back for measuring."""
    return int(id[-1]) % 2 == 0


def _labelled(rows: Iterable[Row]) -> Iterator[Judged]:
    for row in rows:
        before = [Line(speaker=c.speaker, text=c.text, at=row.at - timedelta(minutes=3)) for c in row.context]
        line = Line(speaker=row.speaker, text=row.text, at=row.at)
        units = (
            _analyser([Entry(n.name, n.kind, tuple(n.aliases)) for n in row.dictionary])
            .analyse(line, before)
            .units
        )
        for unit in _known(units, keep=row.keep):
            yield Judged(line, unit, row.keep, row.id)


def _known(units: Sequence[Unit], *, keep: bool) -> Sequence[Unit]:
    """Return the units whose worth is known: which of several makes a message worth keeping, nobody said."""
    return units if not keep or len(units) == 1 else ()


def _turns(history: Scenario) -> Iterator[Judged]:
    """Yield the turns of one unit that a check expects, or forbids as no longer true, and those of no check."""
    analyser = _analyser([Entry(n.name, n.kind, tuple(n.aliases)) for n in history.dictionary])
    wanted = {turn for check in history.checks for turn in check.expect}
    once = {turn for check in history.checks for turn in check.forbid} - wanted
    for told in history.turns:
        line = Line(speaker=told.speaker, text=told.text, at=told.at)
        units = analyser.analyse(line).units if told.role == "user" else ()
        if len(units) == 1 and told.id not in once:
            keep = told.id in wanted
            yield Judged(line, units[0], keep, history.id, _ASKED_FOR if keep else _UNASKED)


def _analyser(entries: list[Entry]) -> Analyser:
    return Analyser(Lexicon(entries, base=shipped_lexicon()))
