"""How words, moments and relations look: the vocabulary of all pictures."""

from collections.abc import Iterable
from datetime import datetime

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from mnemic.graph.clock import BEGINNING

NAME = "bold cyan"
RELATION = "magenta"
QUIET = "dim"
GOOD = "green"
WARNING = "yellow"
BAD = "red"

_CONTROL = {code: "\ufffd" for code in (*range(0x20), 0x7F, *range(0x80, 0xA0)) if chr(code) not in "\n\t"}


def clean(text: str) -> str:
    """Return ``text`` with every control character made harmless: no remembered word commands a terminal."""
    return text.translate(_CONTROL)


def words(text: str, style: str = "") -> Text:
    """Return what somebody said on one line, as it is: neither markup nor control characters count."""
    return Text(clean(" ".join(text.split())), style=style)


def joined(*parts: str | Text | tuple[str, str]) -> Text:
    """Return the parts in a row; a part is a text or a text with its style."""
    line = Text()
    for part in parts:
        if isinstance(part, Text):
            line.append_text(part)
        else:
            said, style = part if isinstance(part, tuple) else (part, "")
            line.append(clean(said.replace("\n", " ")), style)
    return line


def relation(predicate: str) -> str:
    """Return a predicate in words."""
    return predicate.replace("_", " ") or "says"


def day(moment: datetime | None) -> str:
    """Return the day of a moment where this machine is, nothing for none."""
    if moment == BEGINNING:
        return "…"
    return f"{moment.astimezone():%Y-%m-%d}" if moment is not None else ""


def minute(moment: datetime | None) -> str:
    """Return a moment to the minute where this machine is, nothing for none."""
    return f"{moment.astimezone():%Y-%m-%d %H:%M}" if moment is not None else ""


def span(since: datetime, until: datetime | None) -> str:
    """Return the days of a half-open interval."""
    return f"{day(since)} – {day(until)}" if until is not None else f"since {day(since)}"


def grid(rows: Iterable[tuple[str | Text, ...]], *, indent: int = 0) -> Table:
    """Return rows without lines around them; all columns but the last keep to one line."""
    table = Table.grid(padding=(0, 1))
    filled = list(rows)
    for number in range(max(map(len, filled), default=0)):
        last = number == max(map(len, filled)) - 1
        table.add_column(no_wrap=not last, overflow="fold")
    for row in filled:
        table.add_row(
            *(
                Text(" " * indent) + _text(cell) if not place else _text(cell)
                for place, cell in enumerate(row)
            )
        )
    return table


def table(title: str | None, *headings: str) -> Table:
    """Return an empty table with light lines."""
    made = Table(
        title=title, title_justify="left", title_style="bold", box=None, pad_edge=False, header_style=QUIET
    )
    for heading in headings:
        made.add_column(heading, overflow="fold")
    return made


def stack(*parts: RenderableType | None) -> Group:
    """Return the parts below each other, without those that are None."""
    return Group(*(part for part in parts if part is not None))


def _text(cell: str | Text) -> Text:
    return cell if isinstance(cell, Text) else Text(cell)
