"""Answers in words: plain lines for an assistant to read, as long as the bounded answers allow."""

from collections.abc import Iterable, Iterator
from datetime import datetime

from mnemic.api.mcp.answers import (
    Around,
    Changed,
    Fact,
    Forgetting,
    Item,
    Kept,
    Known,
    Neighbour,
    Past,
    Recalled,
    Stored,
    Thing,
    Version,
    cut,
)
from mnemic.engine.results import Found
from mnemic.graph.clock import BEGINNING


def kept(answer: Kept) -> str:
    """Return what a call of ``remember`` did."""
    lines = [*map(_stored, answer.stored)]
    lines += [f'Replaced: "{_flat(each.older_text)}" ({each.reason})' for each in answer.replaced]
    lines += [f"Known already, now told again: {_flat(each.text)}" for each in answer.reinforced]
    lines += [f"A secret ({each.kind}) was blanked before anything was stored." for each in answer.masked]
    gone = len(answer.forgotten.memories)
    lines += [f"Forgotten for good, as was asked: {gone} memories."] if gone else []
    if not lines and answer.known:
        lines.append("Nothing new: exactly this was told before.")
    elif not lines:
        why = "; ".join(dict.fromkeys(each.reason for each in answer.ignored)) or "it states nothing"
        lines.append(
            f"Kept the words only, no memory was made of them: {why}. "
            "If it should be remembered all the same, call remember again with a kind."
        )
    return "\n".join([*lines, *(f"Note: {note}" for note in answer.notes)])


def _stored(memory: Stored) -> str:
    state = "" if memory.state == "active" else f", {memory.state}"
    return f"Remembered ({memory.kind}{state}): {_flat(memory.text)} [{memory.id}]"


def recalled(answer: Recalled, found: Found) -> str:
    """Return what ``recall`` found: the text for a model, which names who said what and when."""
    if answer.nothing is not None:
        near = (
            f' Nearest, but too far off: "{_flat(answer.nothing.nearest)}"' if answer.nothing.nearest else ""
        )
        return f"Nothing is remembered that answers this ({answer.nothing.reason}).{near}"
    if found.text:
        short = [note for note in answer.notes if note not in found.text]
        return "\n".join([found.text, *short])
    return "\n".join([*map(_item, answer.items[:1]), *answer.notes])


def _item(item: Item) -> str:
    return f"- {_flat(item.text)} [{item.speaker}, {_day(item.since)}]"


def known(answer: Known) -> str:
    """Return all that is known of a name."""
    lines = [_thing(answer.entity)]
    lines += [f"{_relation(name)}: {', '.join(values)}" for name, values in answer.profile.items()]
    sections: tuple[tuple[str, str, Iterable[str]], ...] = (
        ("Facts", "facts", map(_fact, answer.facts)),
        ("Planned", "plans", map(_fact, answer.plans)),
        ("Changed", "changes", map(_changed, answer.changes)),
        ("Connected with", "neighbours", map(_neighbour, answer.neighbours)),
        ("Perhaps out of date", "doubtful", map(_fact, answer.doubtful)),
        ("To do", "tasks", map(_fact, answer.tasks)),
    )
    for title, name, told in sections:
        lines += _section(title, told, answer.left_out.get(name, 0))
    return "\n".join(lines)


def _section(title: str, told: Iterable[str], left_out: int) -> Iterator[str]:
    lines = list(dict.fromkeys(told))
    if lines:
        yield f"{title}:"
        yield from (f"- {line}" for line in lines)
    if left_out:
        yield f"- … and {left_out} more; ask recall for something particular"


def _thing(entity: Thing) -> str:
    also = f", also called {', '.join(entity.aliases)}" if entity.aliases else ""
    return f"{entity.name} ({entity.kind}){also}"


def _fact(fact: Fact) -> str:
    return f"{_flat(fact.text)} [{_span(fact.since, fact.until)}]"


def _changed(change: Changed) -> str:
    slot = f"{_relation(change.predicate)}: " if change.predicate else ""
    return f"{slot}{_flat(change.old)} → {_flat(change.new) or '(ended)'} [{_day(change.at)}]"


def _neighbour(other: Neighbour) -> str:
    way = f"{_relation(other.predicate)} of" if other.inverse else _relation(other.predicate)
    return f"{other.name} ({other.kind}): {way}"


def around(answer: Around) -> str:
    """Return who and what is connected with a name, and by which statements."""
    lines = [_thing(answer.centre)]
    if not answer.nodes:
        return f"{lines[0]}\nNothing is connected with it."
    for hops in sorted({node.hops for node in answer.nodes}):
        names = [f"{node.name} ({node.kind})" for node in answer.nodes if node.hops == hops]
        lines.append(f"{hops} step{'s' * (hops > 1)} away: {', '.join(names)}")
    edges = [
        f"{edge.subject} — {_relation(edge.predicate)} → {_flat(edge.object)} [{_day(edge.since)}]"
        for edge in answer.edges
    ]
    lines += _section("Statements", edges, 0)
    return "\n".join(
        [*lines, *(["More lies beyond; ask with a higher limit, or of another name."] * answer.truncated)]
    )


def past(answer: Past) -> str:
    """Return what a name's relations held, one after the other."""
    lines = [_thing(answer.entity)]
    for chain in answer.chains:
        lines += _section(_relation(chain.predicate) or "other", map(_version, chain.versions), 0)
    return "\n".join(lines if len(lines) > 1 else [*lines, "Nothing was ever said of it."])


def _version(version: Version) -> str:
    current = version.valid_to is None and version.retired_at is None
    if current:
        when = f"since {_day(version.valid_from)}, still holds"
    elif version.retired_at is not None:
        when = f"told as of {_day(version.valid_from)}, taken back {_day(version.retired_at)}"
    else:
        when = f"{_day(version.valid_from)} to {_day(version.valid_to)}"
    meant = "" if version.modality == "asserted" else f", {version.modality}"
    why = f", {version.reason}" if version.reason else ""
    return f"{_flat(version.value)} [{when}{meant}{why}]"


def forgetting(answer: Forgetting) -> str:
    """Return what would go, with the code that makes it go, or that it went."""
    words = [*answer.memories.values(), *answer.turns.values()]
    listed = "\n".join(dict.fromkeys(f"- {_flat(text)}" for text in words))
    if answer.gone:
        return f"Gone for good, with the messages that told it:\n{listed}"
    return (
        f"Nothing is removed yet. This would go for good:\n{listed}\n"
        f"Show it to the user. If they agree, call forget again with the same pointers and confirm {answer.confirm!r}."
    )


def names(things: Iterable[Thing], more: bool) -> str:
    """Return a list of names."""
    lines = [f"- {_thing(thing)}" for thing in things]
    if not lines:
        return "Nobody and nothing is known yet."
    return "\n".join([*lines, *(["- … and more; resources/list goes through all of them"] * more)])


def _relation(predicate: str) -> str:
    return predicate.replace("_", " ")


def _flat(text: str) -> str:
    return cut(" ".join(text.split()))


def _day(moment: datetime | None) -> str:
    """Return the day of a moment where this machine is."""
    if moment is None:
        return "…"
    return "…" if moment == BEGINNING else f"{moment.astimezone():%Y-%m-%d}"


def _span(since: datetime, until: datetime | None) -> str:
    return f"{_day(since)} to {_day(until)}" if until is not None else f"since {_day(since)}"
