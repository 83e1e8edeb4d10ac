"""What is kept back from an answer, and why: overruled, doubted, said twice, or below the floor."""

from collections.abc import Sequence
from dataclasses import dataclass

from mnemic.engine.core import Core
from mnemic.engine.rank import Ranked
from mnemic.extraction.predicates import shipped_inventory
from mnemic.graph.model import Memory, Replaces, State, Turn
from mnemic.graph.view import View

_CONSIDERED = 60
"""So many of the best candidates are looked at closely; the rest cannot reach an answer."""


@dataclass(frozen=True, slots=True)
class Kept:
    """The items of an answer, what was kept back (with reason and the id that overrules), notes, nearest miss."""

    items: list[Ranked]
    suppressed: list[tuple[Ranked, str, str]]
    notes: list[str]
    nearest: Ranked | None
    floor: float


def keep_back(
    core: Core, view: View, ranked: Sequence[Ranked], floor: float, limit: int
) -> Kept:
    """Return at most ``limit`` items from ``floor`` on, without what is overruled or said twice."""
    considered = list(ranked[:_CONSIDERED])
    edges = core.store.replacements(view, [r.row.id for r in considered if isinstance(r.row, Memory)])
    overruled = _overruled_turns(core, view, considered)
    items: list[Ranked] = []
    suppressed: list[tuple[Ranked, str, str]] = []
    nearest: Ranked | None = None
    for item in considered:
        reason, by = _reason(item, view, edges, overruled)
        if not reason:
            doubt = _doubt(item, edges, considered)
            item.score = round(item.score * (1.0 - doubt), 4)
            reason = "said by another item" if _twin(item, items) else ""
        if reason:
            suppressed.append((item, reason, by))
            continue
        nearest = nearest or item
        if item.score >= floor and len(items) < limit:
            items.append(item)
    items.sort(key=lambda r: -r.score)
    return Kept(items, suppressed, _notes(items, edges), nearest, floor)


def _reason(
    item: Ranked, view: View, edges: Sequence[Replaces], overruled: dict[str, str]
) -> tuple[str, str]:
    row = item.row
    if isinstance(row, Turn):
        if row.at > view.valid or row.recorded_at > view.known:
            return "future", ""
        return ("replaced", overruled[row.id]) if row.id in overruled else ("", "")
    by = next((e.newer for e in edges if e.older == row.id and e.reason != "doubt"), "")
    if row.state not in view.states:
        return row.state.value, by
    hidden = view.reason_hidden(row)
    return (("replaced" if by else hidden), by) if hidden else ("", "")


def _overruled_turns(core: Core, view: View, considered: Sequence[Ranked]) -> dict[str, str]:
    """Return the turns all of whose memories the view hides because newer ones replaced them."""
    turns = [r.row.id for r in considered if isinstance(r.row, Turn)]
    if not turns:
        return {}
    memories = core.store.memories(view, turns=turns)
    told: dict[str, list[Memory]] = {}
    for memory in memories:
        for turn in memory.sources:
            told.setdefault(turn, []).append(memory)
    gone = {
        turn: rows
        for turn, rows in told.items()
        if all(not view.shows(m) and m.state is State.SUPERSEDED for m in rows)
    }
    edges = core.store.replacements(view, [m.id for rows in gone.values() for m in rows])
    newer = {edge.older: edge.newer for edge in edges}
    return {turn: newer.get(rows[0].id, "") for turn, rows in gone.items()}


def _doubt(item: Ranked, edges: Sequence[Replaces], considered: Sequence[Ranked]) -> float:
    """Return how much an item is doubted by newer memories that are candidates themselves."""
    present = {r.row.id for r in considered}
    return max(
        (e.score for e in edges if e.older == item.row.id and e.reason == "doubt" and e.newer in present),
        default=0.0,
    )


def _twin(item: Ranked, items: Sequence[Ranked]) -> bool:
    """Tell whether an item that is kept already shows the same words of the same turns."""
    return any(item.row.text == other.row.text and _sources(item) == _sources(other) for other in items)


def _sources(item: Ranked) -> frozenset[str]:
    row = item.row
    return frozenset({row.id}) if isinstance(row, Turn) else frozenset(row.sources)


def _notes(items: Sequence[Ranked], edges: Sequence[Replaces]) -> list[str]:
    """Return a note for each pair of items that disagree about a one-valued slot, or may."""
    memories = {r.row.id: r.row for r in items if isinstance(r.row, Memory)}
    notes = []
    for edge in edges:
        if edge.reason == "doubt" and edge.older in memories:
            notes.append(f"possibly out of date: {memories[edge.older].text}")
    notes = list(dict.fromkeys(notes))
    slots: dict[tuple[str, str], list[Memory]] = {}
    for memory in memories.values():
        single = (
            memory.predicate
            and not shipped_inventory()[memory.predicate].many
            and memory.modality == "asserted"
        )
        if single:
            slots.setdefault((memory.subject, memory.predicate), []).append(memory)
    for rows in slots.values():
        values = {row.value: row for row in sorted(rows, key=lambda m: m.valid_from)}
        if len(values) > 1:
            told = "; ".join(
                f"{row.value} ({row.speaker}, {row.valid_from:%Y-%m-%d})" for row in values.values()
            )
            notes.append(f"these disagree: {told}")
    return notes
