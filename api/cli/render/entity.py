"""What is known of an entity, what it was before, and what is to be done."""

from collections.abc import Iterable, Sequence

from rich.console import RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from mnemic.api.cli.render.words import (
    GOOD,
    NAME,
    QUIET,
    RELATION,
    WARNING,
    day,
    grid,
    joined,
    minute,
    relation,
    span,
    stack,
    table,
    words,
)
from mnemic.engine.results import About, Changed, Fact, History, Neighbour, Task, Thing, Version


def about(known: About) -> RenderableType:
    """Show profile, facts, plans, changes, neighbours and tasks of an entity."""
    profile = [(Text(relation(p), RELATION), words(", ".join(v), NAME)) for p, v in known.profile.items()]
    said = {fact.memory for fact in known.facts if fact.predicate in known.profile and not fact.inverse}
    return stack(
        thing(known.entity),
        grid(profile, indent=2) if profile else None,
        _section("also", (_fact(fact) for fact in known.facts if fact.memory not in said)),
        _section("planned", map(_fact, known.plans)),
        _section("changed", map(_changed, known.changes)),
        _section("beside it", map(_neighbour, known.neighbours)),
        _section("to do", map(_fact, known.tasks)),
    )


def thing(entity: Thing) -> Text:
    """Show an entity in a line."""
    also = f"  also {', '.join(entity.aliases)}" if entity.aliases else ""
    return joined((entity.name, NAME), (f"  {entity.kind}", QUIET), (also, QUIET))


def history(past: History) -> RenderableType:
    """Show all that the slots of an entity held as a timeline, one table a slot."""
    chains = [chain for chain in past.chains if chain.versions]
    tables = [
        _chain(relation(chain.predicate) if chain.predicate else "", chain.versions) for chain in chains
    ]
    return stack(thing(past.entity), *tables, None if tables else Text("nothing was ever said of it", QUIET))


def _chain(title: str, versions: Sequence[Version]) -> Table:
    chain = table(title or None, "true from", "until", "value", "told on", "")
    for version in versions:
        current = version.valid_to is None and version.retired_at is None
        style = GOOD if current else QUIET
        ended = "ended" if version.modality in ("ended", "negated") else version.reason
        chain.add_row(
            Text(day(version.valid_from), style),
            Text(day(version.valid_to) or ("now" if current else ""), style),
            words(version.value, NAME if current else "strike"),
            Text(minute(version.recorded_at), QUIET),
            words(ended, WARNING),
        )
    return chain


def tasks(opened: Sequence[Task]) -> RenderableType:
    """Show the open tasks."""
    if not opened:
        return Text("nothing to do", QUIET)
    listed = table(None, "who", "what", "due", "since")
    for task in opened:
        listed.add_row(words(task.who, NAME), words(task.text), day(task.due), Text(day(task.since), QUIET))
    return listed


def _section(title: str, lines: Iterable[Text]) -> RenderableType | None:
    once = {line.plain: line for line in lines}
    return (
        stack(Text(f"  {title}", QUIET), *(Padding(line, (0, 0, 0, 4)) for line in once.values()))
        if once
        else None
    )


def _fact(fact: Fact) -> Text:
    return joined(words(fact.text), (f"  {span(fact.since, fact.until)}", QUIET))


def _changed(change: Changed) -> Text:
    new = change.new or "(ended)"
    slot = relation(change.predicate) if change.predicate else ""
    return joined(
        (f"{slot} ", RELATION), (change.old, "strike"), " → ", (new, NAME), (f"  {day(change.at)}", QUIET)
    )


def _neighbour(other: Neighbour) -> Text:
    arrow = f"←{relation(other.predicate)}─ " if other.inverse else f"─{relation(other.predicate)}→ "
    return joined((arrow, RELATION), (other.name, NAME), (f"  {other.kind}", QUIET))
