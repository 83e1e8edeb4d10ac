"""Why a row answers a question, or what keeps it out."""

from rich.console import RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from mnemic.api.cli.render.words import GOOD, NAME, QUIET, WARNING, joined, stack, table, words
from mnemic.engine.results import Explained
from mnemic.engine.scorer import probability

_MOST = 12
"""So many features are shown, the weightiest; the document of ``--json`` holds all."""


def explained(told: Explained) -> RenderableType:
    """Show the row, what became of it, what it lacks, and its figures as tables."""
    return stack(
        _verdict(told),
        Padding(words(told.text), (0, 0, 0, 2)),
        Padding(words(told.because, QUIET), (0, 0, 0, 2)),
        _missing(told),
        _channels(told) if told.channels else None,
        _parts(told) if told.parts else None,
        _sum(told) if told.channels else None,
        joined(("way ", QUIET), (" → ".join(told.path), NAME)) if told.path else None,
        joined(("from ", QUIET), ", ".join(told.turns)),
    )


def _verdict(told: Explained) -> Text:
    head = ("✔ returned", GOOD) if told.returned else ("✘ not returned", WARNING)
    reason = f": {told.kept_out}" if told.kept_out else f", in place {told.place}"
    return joined(head, (reason, WARNING if told.kept_out else ""), (f"  {told.layer} {told.id}", QUIET))


def _missing(told: Explained) -> RenderableType | None:
    if not told.missing:
        return None
    lines = [Padding(joined(("· ", QUIET), words(each)), (0, 0, 0, 4)) for each in told.missing]
    return stack(Text("  what would have brought it:", QUIET), *lines)


def _channels(told: Explained) -> Table:
    shown = table(None, "channel", "place", "score")
    for channel in told.channels:
        place = (
            f"{channel.place} of {channel.of}" if channel.place else ("brought" if channel.nominated else "–")
        )
        shown.add_row(words(channel.name, NAME), place, f"{channel.score:.4f}")
    return shown


def _parts(told: Explained) -> Table:
    shown = table(None, "feature", "value", "weight", "adds")
    for part in told.parts[:_MOST]:
        style = GOOD if part.adds > 0 else WARNING
        shown.add_row(
            words(part.feature), f"{part.value:.4f}", f"{part.weight:.4f}", Text(f"{part.adds:+.4f}", style)
        )
    if len(told.parts) > _MOST:
        rest = sum(part.adds for part in told.parts[_MOST:])
        shown.add_row(Text(f"{len(told.parts) - _MOST} more", QUIET), "", "", Text(f"{rest:+.4f}", QUIET))
    return shown


def _sum(told: Explained) -> Text:
    total = told.base + sum(part.adds for part in told.parts)
    own, inherited = (probability(total), told.inherited) if told.inherited else (told.score, 0.0)
    more = f"; it inherited {inherited:.4f} from what it belongs with" if inherited else ""
    return joined(
        (f"from {told.base:+.4f}: {total:+.4f} in log odds, a score of ", QUIET),
        (f"{own:.4f}", NAME),
        (f"{more} (weights: {told.weights})", QUIET),
    )
