"""What the doctor found."""

from rich.console import RenderableType
from rich.text import Text

from mnemic.api.cli.render.words import BAD, GOOD, NAME, WARNING, grid, words
from mnemic.api.health import Health

_MARKS = {"good": ("✔", GOOD), "warning": ("!", WARNING), "bad": ("✘", BAD)}


def health(found: Health) -> RenderableType:
    """Show one line a check, green, yellow or red."""
    return grid(
        (Text(*_MARKS[check.status]), Text(check.name, NAME), words(check.detail, _tone(check.status)))
        for check in found.checks
    )


def _tone(status: str) -> str:
    return "" if status == "good" else _MARKS[status][1]
