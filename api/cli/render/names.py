"""The tenant's dictionary."""

from collections.abc import Sequence

from rich.console import RenderableType
from rich.text import Text

from mnemic.api.cli.render.words import GOOD, NAME, QUIET, joined, table, words
from mnemic.graph.model import Name


def names(listed: Sequence[Name]) -> RenderableType:
    """Show names with their kinds and aliases."""
    if not listed:
        return Text("no names yet", QUIET)
    shown = table(None, "name", "kind", "aliases")
    for name in listed:
        shown.add_row(words(name.name, NAME), words(name.kind), words(", ".join(name.aliases), QUIET))
    return shown


def removed(name: str) -> Text:
    """Show that a name is gone."""
    return joined(("✔ ", GOOD), (name, NAME), " is no longer in the dictionary")
