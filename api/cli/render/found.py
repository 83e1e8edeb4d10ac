"""What ``recall`` found, and why."""

from collections.abc import Iterator, Sequence

from rich.console import RenderableType
from rich.padding import Padding
from rich.text import Text

from mnemic.api.cli.render.words import GOOD, NAME, QUIET, WARNING, grid, joined, span, stack, words
from mnemic.engine.results import Found, Item, Nothing, Suppressed

Row = tuple[str | Text, ...]

_KEPT_BACK = 5
"""So many of what was kept back are shown, the nearest misses; the document of ``--json`` holds all."""


def found(answer: Found, *, why: bool) -> RenderableType:
    """Show the items of an answer; with ``why`` also their scores and ways, and what was kept back."""
    if answer.nothing is not None:
        return stack(_nothing(answer.nothing), _suppressed(answer.suppressed) if why else None)
    rows = [row for item in answer.items for row in _item(item, why)]
    notes = [joined(("! ", WARNING), words(note, WARNING)) for note in answer.notes]
    return stack(grid(rows), *notes, _suppressed(answer.suppressed) if why else None)


def _item(item: Item, why: bool) -> Iterator[Row]:
    who = f"{item.kind}, {item.speaker}, {span(item.since, item.until)}"
    yield Text(f"{item.score:.2f}", GOOD), words(item.text)
    yield "", words(who, QUIET)
    if why:
        yield from (("", line) for line in _reasons(item))


def _reasons(item: Item) -> Iterator[Text]:
    """Yield the lines that say why an item came back: the seed, the channels, the way, the turns."""
    yield joined(("seed ", QUIET), (item.why.seed, NAME))
    channels = sorted(item.why.channels.items(), key=lambda pair: (-abs(pair[1]), pair[0]))
    yield joined(("scores ", QUIET), ", ".join(f"{name} {value:.2f}" for name, value in channels if value))
    if item.why.path:
        yield joined(("way ", QUIET), (" → ".join(item.why.path), NAME))
    yield joined(("from ", QUIET), ", ".join(item.turns))


def _nothing(nothing: Nothing) -> RenderableType:
    head = joined(("∅ ", WARNING), words(f"nothing: {nothing.reason}"))
    if not nothing.nearest:
        return head
    near = f"nearest, {nothing.score:.3f} of the {nothing.floor:.3f} it takes: {nothing.nearest}"
    return stack(head, Padding(words(near, QUIET), (0, 0, 0, 2)))


def _suppressed(kept_back: Sequence[Suppressed]) -> RenderableType | None:
    best = sorted(kept_back, key=lambda each: -each.score)
    rows: list[Row] = [
        (Text(f"{each.score:.2f}", QUIET), Text(each.reason, WARNING), words(each.text, QUIET))
        for each in best[:_KEPT_BACK]
    ]
    more = Text(f"and {len(best) - _KEPT_BACK} more", QUIET) if len(best) > _KEPT_BACK else None
    return stack(Text("kept back", QUIET), grid(rows), more) if rows else None
