"""The tenant's dictionary."""

from collections.abc import Sequence

from rich.console import RenderableType
from rich.text import Text

from mnemic.api.cli.render.words import GOOD, NAME, QUIET, joined, table, words
from mnemic.engine.results import Proposal, Reread
from mnemic.graph.model import Name


def names(listed: Sequence[Name]) -> RenderableType:
    """Show names with their kinds and aliases."""
    if not listed:
        return Text("no names yet", QUIET)
    shown = table(None, "name", "kind", "aliases")
    for name in listed:
        shown.add_row(words(name.name, NAME), words(name.kind), words(", ".join(name.aliases), QUIET))
    return shown


def proposed(listed: Sequence[Proposal]) -> RenderableType:
    """Show what may be a name, with a guess of its kind, how often it stands where, and one of the places."""
    if not listed:
        return Text("nothing to propose", QUIET)
    shown = table(None, "name", "kind", "turns", "sessions", "why", "for example")
    for each in listed:
        why = ", ".join(f"{place} {count}" for place, count in each.why.items())
        place = each.evidence[0] if each.evidence else None
        example = (
            joined((place.before, QUIET), (each.name, NAME), (place.behind, QUIET))
            if place is not None
            else Text("")
        )
        shown.add_row(
            words(each.name, NAME),
            words(each.kind),
            str(each.turns),
            str(each.sessions),
            words(why, QUIET),
            example,
        )
    return shown


def decided(taken: Sequence[Name], refused: Sequence[str]) -> RenderableType:
    """Show what became names, and what is proposed no more."""
    lines = [joined(("✔ ", GOOD), (name.name, NAME), f" is a {name.kind} of yours now") for name in taken]
    lines += [joined(("✔ ", GOOD), (word, NAME), " is not proposed again") for word in refused]
    return Text("\n").join(lines) if lines else Text("nothing changed", QUIET)


def removed(name: str) -> Text:
    """Show that a name is gone."""
    return joined(("✔ ", GOOD), (name, NAME), " is no longer in the dictionary")


def reread(told: Reread) -> Text:
    """Show what reading the history again did."""
    return joined(
        ("✔ ", GOOD),
        f"{told.found} turns hold a name, {told.told} were read again; ",
        f"{told.before} memories came of them before, {told.after} now",
    )
