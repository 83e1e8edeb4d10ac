"""How good the proposals of names are: what of a hidden dictionary is found, and what else is proposed.

    python -m benchmarks.proposals FOLDER [FOLDER …] [--fold open] [--show] [--json FILE]

FOLDER holds conversations (JSON files with ``dictionary`` and ``sessions``) or scenarios (JSONL, ``form.py``).
Each history is told to a store without a dictionary. A name of the hidden one can be found when one of its forms
stands in at least three turns of users in two sessions, which is what a proposal needs, and when no shipped
dictionary knows it. A proposal is right when it is a form of any name of the hidden dictionary, or a speaker.
"""

import json
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.table import Table

from benchmarks.harness import USER, Fold, Overlap, read_lines, write_json
from mnemic import ManualClock, Mnemic
from mnemic.extraction.forms import Entry
from mnemic.extraction.lexicon import Lexicon
from mnemic.extraction.names import shipped_lexicon
from mnemic.extraction.shortnames import with_short_forms
from mnemic.extraction.text import fold
from mnemic.graph.ids import turn_key
from mnemic.graph.model import GraphDelta, Turn

_TURNS, _SESSIONS = 3, 2


@dataclass(frozen=True, slots=True)
class History:
    """One history with its hidden dictionary."""

    id: str
    language: str
    entries: tuple[Entry, ...]
    turns: tuple[Turn, ...]

    def forms(self) -> set[str]:
        """Return the folded forms of all names, and the speakers."""
        own = {
            fold(form) for entry in with_short_forms(self.entries) for form in (entry.name, *entry.aliases)
        }
        return own | {fold(turn.speaker) for turn in self.turns}

    def findable(self) -> list[set[str]]:
        """Return the folded forms of each name that can be found."""
        users = [turn for turn in self.turns if turn.role == "user"]
        wanted = []
        for entry in with_short_forms(self.entries):
            finder = Lexicon([entry])
            holding = [turn for turn in users if finder.find(turn.text)]
            enough = len(holding) >= _TURNS and len({turn.session for turn in holding}) >= _SESSIONS
            if enough and shipped_lexicon().named(entry.name) is None:
                wanted.append({fold(form) for form in (entry.name, *entry.aliases)})
        return wanted


def read(folder: Path, fold: Fold) -> Iterator[History]:
    """Yield the histories of a folder that lie in the fold."""
    if list(folder.glob("*.jsonl")):
        for _, row in read_lines(folder):
            yield from _history(row, row["turns"], fold)
        return
    for path in sorted(folder.glob("*.json")):
        row = json.loads(path.read_text(encoding="utf-8"))
        turns = [
            {"session": session["id"], "at": session["at"], **turn}
            for session in row["sessions"]
            for turn in session["turns"]
        ]
        yield from _history(row, turns, fold)


def _history(row: Mapping[str, Any], turns: Any, fold: Fold) -> Iterator[History]:
    if fold.holds(row["id"]) and row["dictionary"]:
        entries = tuple(Entry(e["name"], e["kind"], tuple(e.get("aliases", ()))) for e in row["dictionary"])
        yield History(row["id"], row["language"], entries, tuple(_turns(turns)))


def _turns(rows: Sequence[Mapping[str, Any]]) -> Iterator[Turn]:
    for number, row in enumerate(rows):
        at = datetime.fromisoformat(row["at"]) + timedelta(seconds=number)
        yield Turn(
            id=turn_key(USER, USER, f"t{number}"), owner=USER, session=row["session"], position=number,
            speaker=row["speaker"], role=row["role"], text=row["text"], at=at, recorded_at=at,
        )  # fmt: skip


def judge(history: History) -> tuple[Overlap, list[str], list[str]]:
    """Return how the proposals agree with the hidden names, what is no name, and what was not found."""
    clock = ManualClock(history.turns[-1].at)
    with Mnemic(":memory:", user=USER, embedder="none", clock=clock) as memory:
        memory.core.store.apply(GraphDelta(turns=history.turns))
        proposed = [each.name for each in memory.proposals(limit=1000)]
    forms, wanted = history.forms(), history.findable()
    wrong = [name for name in proposed if fold(name) not in forms]
    missed = [min(names) for names in wanted if names.isdisjoint(map(fold, proposed))]
    overlap = Overlap()
    overlap.add(both=len(proposed) - len(wrong), found=len(proposed), expected=len(wanted))
    return overlap, wrong, missed


def main(
    folders: Annotated[list[Path], typer.Argument(help="Folders of conversations or scenarios.")],
    fold: Annotated[Fold, typer.Option(help="Which part is looked at.")] = Fold.OPEN,
    show: Annotated[bool, typer.Option("--show", help="Print what is wrong and what is missed.")] = False,
    json: Annotated[Path | None, typer.Option(help="Write the figures to this file as well.")] = None,
) -> None:
    """Count right and wrong proposals by language."""
    console = Console()
    counts: dict[str, dict[str, int]] = defaultdict(lambda: defaultdict(int))
    for history in (each for folder in folders for each in read(folder, fold)):
        overlap, wrong, missed = judge(history)
        for name, count in (
            ("histories", 1), ("proposed", overlap.found), ("right", overlap.both),
            ("findable", overlap.expected), ("found", overlap.expected - len(missed)),
        ):  # fmt: skip
            counts[history.language][name] += count
            counts["all"][name] += count
        if show and fold is not Fold.BLIND:
            console.print(history.id, "wrong", wrong, "missed", missed)
    table = Table("language", "histories", "proposed", "right", "precision", "findable", "found", "recall")
    for language, row in counts.items():
        precision = row["right"] / row["proposed"] if row["proposed"] else 0.0
        recall = row["found"] / row["findable"] if row["findable"] else 0.0
        table.add_row(
            language, str(row["histories"]), str(row["proposed"]), str(row["right"]), f"{precision:.0%}",
            str(row["findable"]), str(row["found"]), f"{recall:.0%}",
        )  # fmt: skip
    console.print(table)
    if json is not None:
        write_json(json, {language: dict(row) for language, row in counts.items()})


if __name__ == "__main__":
    typer.run(main)
