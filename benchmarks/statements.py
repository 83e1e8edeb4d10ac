"""Labelled sentences: what one message states, whether it is worth keeping, whom it mentions.

    python -m benchmarks.statements FOLDER [--failed] [--json FILE]

FOLDER holds JSONL files, a message a line, with the messages before it where it needs them. Each gets a
fresh store in memory; the context is remembered a minute apart before it. Measured against the labels:
``keep`` (something of the message was stored), ``mentions`` by surface form, ``statements`` one to one
(``agreement.py``), and on the statements found: ``modality``, ``replaces``, ``time``. Figures are given
for all messages, by file and, for statements, by predicate. Statements that the memory puts under no
predicate are not compared, since the labels have none such.
"""

from collections.abc import Iterable, Iterator, Sequence
from datetime import timedelta, tzinfo
from pathlib import Path
from typing import Annotated, Literal

import typer
from rich.console import Console
from rich.table import Table
from rich.text import Text

from benchmarks.agreement import Said, plain
from benchmarks.door import Door
from benchmarks.harness import (
    Fold,
    Place,
    read_lines,
    with_progress,
    write_json,
)
from benchmarks.labels import Read, Row, Score
from mnemic.extraction.model import Analysis, Source, Statement
from mnemic.graph.clock import ManualClock

SESSION = "talk"
APART = timedelta(minutes=1)
UNSPOKEN = frozenset({Source.SPEAKER, Source.PHRASE})
"""Sources of mentions that name no entity by its words."""


def read(row: Row, memory: Door, clock: ManualClock) -> Read:
    """Tell the memory the context and the message, and return what it understood of the message."""
    for back, before in zip(range(len(row.context), 0, -1), row.context, strict=True):
        clock.now = row.at - back * APART
        memory.remember(
            before.text, speaker=before.speaker, role=_role(before.speaker), session=SESSION, at=clock.now
        )
    clock.now = row.at
    analysis = memory.analyse(row.text, speaker=row.speaker, at=row.at, session=SESSION)
    receipt = memory.remember(
        row.text, speaker=row.speaker, role=_role(row.speaker), session=SESSION, at=row.at
    )
    return Read(
        kept=bool(receipt.stored or receipt.reinforced),
        mentions=frozenset(_mentions(analysis)),
        statements=tuple(dict.fromkeys(_statements(analysis, row.at.tzinfo))),
    )


def _role(speaker: str) -> Literal["user", "assistant"]:
    """Return the speaker's role, which the data tells by the name alone."""
    return "assistant" if speaker.casefold().endswith(("assistant", "助手")) else "user"


def _mentions(analysis: Analysis) -> Iterator[str]:
    for unit in analysis.units:
        yield from (plain(mention.text) for mention in unit.mentions if mention.source not in UNSPOKEN)


def _statements(analysis: Analysis, zone: tzinfo | None) -> Iterator[Said]:
    for unit in analysis.units:
        yield from (_as_said(statement, zone) for statement in unit.statements if statement.predicate)


def _as_said(statement: Statement, zone: tzinfo | None) -> Said:
    """Return a statement for comparison: where its object is a time, also by the words for it."""
    when = statement.when
    moment = (when.since if when else None) or statement.since or statement.until
    return Said(
        subject=statement.subject.name,
        predicate=statement.predicate,
        object=statement.value,
        modality=str(statement.modality),
        replaces=statement.replaces,
        other=(when.text,) if when else (),
        moment=moment.astimezone(zone) if moment else None,
    )


def run(
    rows: Sequence[tuple[str, Row]], place: Place, *, quiet: bool
) -> tuple[Score, list[tuple[Row, Read]]]:
    """Read every message in a fresh store; return the score and what was read otherwise than labelled."""
    score, wrong = Score(), []
    for file, row in with_progress(rows, "statements", quiet=quiet):
        clock = ManualClock(row.at)
        dictionary = [entry.model_dump(mode="json") for entry in row.dictionary]
        try:
            with place.fresh(row.id, clock, dictionary) as memory:
                understood = read(row, memory, clock)
        except Exception as error:
            error.add_note(f"in message {row.id}")
            raise
        if not score.count(file, row, understood):
            wrong.append((row, understood))
    return score, wrong


def show_wrong(wrong: Iterable[tuple[Row, Read]], console: Console) -> None:
    """Print each message that was read otherwise than labelled."""
    for row, understood in wrong:
        lines = [f"{row.id}  {row.speaker}: {row.text}"]
        lines += [f"     before  {before.speaker}: {before.text}" for before in row.context]
        lines.append(f"  keep {row.keep} / {understood.kept}")
        lines.append(f"  mentions {sorted(map(plain, row.mentions))} / {sorted(understood.mentions)}")
        lines += [f"  labelled {_shown(label.said())} {label.time}" for label in row.statements]
        lines += [f"  read     {_shown(said)} {said.moment or ''}" for said in understood.statements]
        console.print(Text("\n".join([*lines, ""])), soft_wrap=True)


def _shown(said: Said) -> str:
    replaced = f" (was {said.replaces})" if said.replaces else ""
    return f"{said.subject} | {said.predicate} | {said.object}{replaced} | {said.modality}"


def tables(score: Score) -> Iterator[Table]:
    """Lay out the figures: marks by file, agreement by predicate."""
    table = Table("messages", "figure", "p", "r", "f1 / accuracy", title="statements")
    for name, marks in score.marks.items():
        table.add_section()
        for figure, values in marks.figures().items():
            shown = [f"{value:.3f}" for value in values.values()]
            table.add_row(name, figure, *[""] * (3 - len(shown)), *shown)
    yield table
    table = Table("predicate", "labelled", "read", "p", "r", "f1", title="statements by predicate")
    for name, overlap in sorted(score.predicate.items()):
        figures = [f"{value:.3f}" for value in overlap.figures().values()]
        table.add_row(name, str(overlap.expected), str(overlap.found), *figures)
    yield table


def load(folder: Path, fold: Fold = Fold.ALL) -> list[tuple[str, Row]]:
    """Read the messages of a folder that lie in the fold, each with its file's name."""
    rows = ((file, Row.model_validate(line)) for file, line in read_lines(folder))
    return [(file, row) for file, row in rows if fold.holds(row.id)]


def main(
    folder: Annotated[Path, typer.Argument(help="The folder that holds the labelled messages.")],
    embedder: Annotated[
        str | None, typer.Option(help="The embedder's name; the default one if none.")
    ] = None,
    fold: Annotated[Fold, typer.Option(help="All, the open four fifths, or the blind fifth.")] = Fold.ALL,
    failed: Annotated[bool, typer.Option("--failed", help="Show what was read otherwise.")] = False,
    json: Annotated[Path | None, typer.Option(help="Write the figures to this file.")] = None,
    quiet: Annotated[bool, typer.Option("--quiet", help="No progress bar.")] = False,
) -> None:
    """Read labelled messages and print how the reading agrees with the labels.

    With ``--fold blind`` single messages are never shown.
    """
    score, wrong = run(load(folder, fold), Place(embedder=embedder), quiet=quiet)
    console = Console()
    if failed and fold is not Fold.BLIND:
        show_wrong(wrong, console)
    for table in tables(score):
        console.print(table)
    if json is not None:
        write_json(json, score.as_json())


if __name__ == "__main__":
    typer.run(main)
