"""Examples for the importance scorer: labelled messages, and the turns that scenarios ask for."""

from collections.abc import Iterable, Iterator
from datetime import timedelta
from pathlib import Path

from benchmarks import statements
from benchmarks.fit.histories import SHIPPED, histories
from benchmarks.fit.logistic import Example
from benchmarks.harness import Fold
from benchmarks.labels import Row
from mnemic.engine.importance import importance_features
from mnemic.extraction.analyse import Analyser
from mnemic.extraction.lexicon import Entry, Lexicon
from mnemic.extraction.model import Line
from mnemic.extraction.names import shipped_lexicon


def examples(folder: Path) -> list[Example]:
    """Return an example for each unit whose worth is known; the open fold only."""
    labelled = [*statements.load(folder / "statements", Fold.OPEN), *statements.load(SHIPPED / "messages")]
    return [*_labelled(row for _, row in labelled), *_asked_for(folder)]


def _labelled(rows: Iterable[Row]) -> Iterator[Example]:
    for row in rows:
        analyser = _analyser([Entry(n.name, n.kind, tuple(n.aliases)) for n in row.dictionary])
        before = [Line(speaker=c.speaker, text=c.text, at=row.at - timedelta(minutes=3)) for c in row.context]
        line = Line(speaker=row.speaker, text=row.text, at=row.at)
        units = [importance_features(unit, line) for unit in analyser.analyse(line, before).units]
        for features in units if not row.keep else units[:1] if len(units) == 1 else []:
            yield Example(features, row.keep, row.id)


def _asked_for(folder: Path) -> Iterator[Example]:
    """Yield the turns of one unit that some check expects as worth keeping, at half weight."""
    for scenario in histories(folder):
        analyser = _analyser([Entry(n.name, n.kind, tuple(n.aliases)) for n in scenario.dictionary])
        wanted = {turn for check in scenario.checks for turn in check.expect}
        for told in scenario.turns:
            if told.id in wanted and told.role == "user":
                line = Line(speaker=told.speaker, text=told.text, at=told.at)
                units = analyser.analyse(line).units
                if len(units) == 1:
                    yield Example(importance_features(units[0], line), True, scenario.id, 0.5)


def _analyser(entries: list[Entry]) -> Analyser:
    return Analyser(Lexicon(entries, base=shipped_lexicon()))
