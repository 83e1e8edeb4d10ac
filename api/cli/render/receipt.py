"""What ``remember``, ``import``, ``unreplace`` and ``forget`` did."""

from collections.abc import Iterator

from rich.console import RenderableType
from rich.text import Text

from mnemic.api.cli.render.words import (
    BAD,
    GOOD,
    NAME,
    QUIET,
    RELATION,
    WARNING,
    grid,
    joined,
    relation,
    words,
)
from mnemic.api.intake import Imported
from mnemic.api.logline import BadLine
from mnemic.engine.results import Doomed, Forgotten, Receipt, Replaced, Said, Unreplaced

Row = tuple[str | Text, ...]


def receipt(done: Receipt) -> RenderableType:
    """Show what one call of ``remember`` understood, kept and replaced."""
    rows = list(_rows(done))
    if not rows:
        rows = [(Text("·", QUIET), "kept the words" if done.turns else "nothing", Text(""))]
    return grid(rows)


def _rows(done: Receipt) -> Iterator[Row]:
    for stored in done.stored:
        yield Text("✔", GOOD), Text(stored.kind, GOOD), words(stored.text)
        if stored.said is not None:
            yield "", "", _said(stored.said)
        if stored.state != "active":
            yield "", "", Text(stored.state, WARNING)
    yield from (_replaced(edge) for edge in done.replaced)
    for again in done.reinforced:
        yield Text("✔", GOOD), Text("again", GOOD), words(again.text)
    for hidden in done.masked:
        yield (
            Text("■", BAD),
            Text("masked", BAD),
            words(f"a secret ({hidden.kind}) was blanked before anything was stored"),
        )
    for left in done.ignored:
        yield Text("·", QUIET), Text("let go", QUIET), words(f"{left.text} ({left.reason})", QUIET)
    if done.forgotten.memories or done.forgotten.turns:
        yield Text("✘", BAD), Text("forgot", BAD), Text(_forgotten(done.forgotten))
    for asked in done.asked:
        said = asked.said or asked.note
        believed = "" if asked.used else " (not used)"
        yield (
            Text("·", QUIET),
            Text("model", QUIET),
            words(f"{asked.stage}: {said}{believed}, {asked.seconds:.1f} s", QUIET),
        )
    for note in done.notes:
        yield Text("·", QUIET), Text("note", QUIET), words(note, QUIET)
    if done.known:
        yield (
            Text("·", QUIET),
            Text("known", QUIET),
            Text(f"{_count(len(done.known), 'turn')} told before", QUIET),
        )


def _said(said: Said) -> Text:
    meant = "" if said.modality == "asserted" else f"  ({said.modality})"
    return joined(
        (said.subject, NAME),
        (f" ─{relation(said.predicate)}→ ", RELATION),
        (said.value, NAME),
        (meant, WARNING),
    )


def _replaced(edge: Replaced) -> Row:
    why = f"  ({edge.reason}{f', heard in “{edge.cue}”' if edge.cue else ''}, {edge.score:.2f})"
    return Text("⇄", WARNING), Text("REPLACES", WARNING), joined((edge.older_text, "strike"), (why, QUIET))


def unreplaced(done: Unreplaced) -> RenderableType:
    """Show what holds again, and beside what."""
    rows: list[Row] = [
        (Text("✔", GOOD), Text("holds again" if done.in_force else "is back", GOOD), words(done.older_text)),
        (Text("✔", GOOD), "beside", words(done.newer_text)),
        (Text("·", QUIET), Text("was", QUIET), words(f"{done.reason}; the two are not joined again", QUIET)),
    ]
    if done.overruled_by:
        rows.append(
            (
                Text("⇄", WARNING),
                Text("REPLACED", WARNING),
                words(f"by {done.overruled_by} all the same", QUIET),
            )
        )
    return grid(rows)


def doomed(going: Doomed) -> RenderableType:
    """Show what would go, before it does."""
    rows: list[Row] = [(Text("✘", BAD), "memory", words(text)) for text in going.memories.values()]
    rows += [(Text("✘", BAD), "turn", words(text, QUIET)) for text in going.turns.values()]
    return grid(rows)


def exported(file: str, rows: int) -> Text:
    """Show where an export went."""
    return joined(("✔ ", GOOD), f"{_count(rows, 'row')} written to {file}")


def forgotten(done: Forgotten) -> RenderableType:
    """Show what is physically gone."""
    return joined(("✘ ", BAD), f"gone for good: {_forgotten(done)}")


def _forgotten(done: Forgotten) -> str:
    return f"{_count(len(done.memories), 'memory')} and {_count(len(done.turns), 'turn')}"


def imported(total: Imported) -> RenderableType:
    """Show the totals of an import."""
    new = total.messages - total.known
    rows: list[Row] = [
        (
            Text("✔", GOOD),
            f"{_count(total.messages, 'message')} read: {new:,} new, {total.known:,} known before",
        ),
        (
            " ",
            f"{_count(total.stored, 'memory')} stored, {total.reinforced:,} said again, {total.replaced:,} replaced",
        ),
    ]
    if total.silent:
        rows.append((" ", f"{_count(total.silent, 'message')} without words left out"))
    if total.masked:
        rows.append((Text("■", BAD), f"{_count(total.masked, 'secret')} blanked"))
    if total.bad:
        rows.append((Text("✘", BAD), f"{_count(total.bad, 'bad line')} left out"))
    return grid(rows)


def bad_line(bad: BadLine) -> Text:
    """Show a line that could not be read."""
    where = f"line {bad.line}" if bad.last == bad.line else f"lines {bad.line}–{bad.last}"
    return joined((f"{bad.file}, {where}: ", BAD), words(bad.reason))


def _count(number: int, what: str) -> str:
    many = what[:-1] + "ies" if what.endswith("y") else what + "s"
    return f"{number:,} {what if number == 1 else many}"
