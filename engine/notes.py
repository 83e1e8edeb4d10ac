"""Notes on an answer: sentences in the language of the question that tell a reader what to mind."""

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import datetime, tzinfo
from itertools import combinations

from mnemic.engine.conflict import unlike
from mnemic.engine.facets import facet
from mnemic.engine.question import Question
from mnemic.engine.rank import Ranked
from mnemic.extraction.predicates import shipped_inventory
from mnemic.extraction.text import fold
from mnemic.graph.clock import BEGINNING
from mnemic.graph.model import DOUBT, UNDONE, Memory, Replaces

_NUMBER = re.compile(r"\d+(?:[.,:]\d+)*")

_WORDS = {
    "en": {
        "doubt": '"{older}" ({when}) may be out of date: replaced perhaps by "{newer}" ({then})',
        "disagree": "these disagree: {values}",
        "value": '"{text}" ({speaker}, {when})',
        "between": "; ",
        "short": "the budget of {budget} tokens has room for {shown} of {all} items",
    },
    "zh": {
        "doubt": "“{older}”（{when}）可能已过时：或许已被“{newer}”（{then}）取代",
        "disagree": "说法不一：{values}",
        "value": "“{text}”（{speaker}，{when}）",
        "between": "；",
        "short": "预算 {budget} 个词元只放得下 {all} 条中的 {shown} 条",
    },
}


def day(moment: datetime, zone: tzinfo | None) -> str:
    """Return the day of a moment in a zone (None: as it is), at the calendar's edges the one it has."""
    if moment == BEGINNING:
        return "…"
    try:
        there = moment.astimezone(zone) if zone is not None else moment
    except OverflowError:
        there = moment
    return f"{there:%Y-%m-%d}"


def differ(edge: Replaces, older: Memory, newer: Memory) -> bool:
    """Tell whether a doubt is no more than two people saying different things, neither correcting the other.

    A cue that stands in both of them speaks of no change.
    """
    corrects = edge.cue and edge.cue not in fold(older.text)
    return edge.reason == DOUBT and not corrects and older.speaker != newer.speaker


def notes_on(
    items: Sequence[Ranked],
    present: Mapping[str, Ranked],
    doubted: Collection[str],
    hidden: Collection[str],
    edges: Sequence[Replaces],
    apart: Sequence[tuple[Memory, Memory]],
    least: float,
    question: Question,
) -> list[str]:
    """Return a note for each doubt that an item casts on another or on what gave way to it, and for items that disagree.

    ``apart`` are pairs of different owners. What is ``hidden`` is quoted nowhere, nor what would not have been shown anyway.
    """
    shown = {item.row.id: item.row for item in items if isinstance(item.row, Memory)}
    notes = [disagreement(list(group), question) for group in _disagreeing(shown, edges, apart)]
    for edge in edges:
        if edge.reason != DOUBT or not {edge.older, edge.newer} <= present.keys() - set(hidden):
            continue
        older, newer = present[edge.older].row, present[edge.newer].row
        gave_way = edge.older in doubted and present[edge.older].score >= least
        if not isinstance(older, Memory) or not isinstance(newer, Memory):
            continue
        told = not differ(edge, older, newer) and not unlike(older, newer)
        if told and edge.newer in shown and (edge.older in shown or gave_way):
            notes.append(
                _WORDS[question.tongue]["doubt"].format(
                    older=older.text,
                    when=day(older.at, question.zone),
                    newer=newer.text,
                    then=day(newer.at, question.zone),
                )
            )
    return list(dict.fromkeys(notes))


def disagreement(memories: Sequence[Memory], question: Question) -> str:
    """Return the note that these memories disagree, each with who said it when."""
    words = _WORDS[question.tongue]
    values = [
        words["value"].format(text=m.text, speaker=m.speaker, when=day(m.valid_from, question.zone))
        for m in sorted(memories, key=lambda m: (m.valid_from, m.id))
    ]
    return words["disagree"].format(values=words["between"].join(values))


def shortage(budget: int, shown: int, count: int, tongue: str) -> str:
    """Return the note that the budget has room for ``shown`` of ``count`` items only."""
    return _WORDS[tongue]["short"].format(budget=budget, shown=shown, all=count)


def _disagreeing(
    shown: Mapping[str, Memory], edges: Sequence[Replaces], apart: Sequence[tuple[Memory, Memory]]
) -> list[tuple[Memory, ...]]:
    """Return the shown memories that hold different values of one slot, or that differ in a pair.

    Of two whose replacing was undone the owner has said that both are right.
    """
    slots: dict[tuple[str, str, str], dict[str, Memory]] = {}
    for memory in sorted(shown.values(), key=lambda m: m.valid_from):
        one_valued = memory.predicate and not shipped_inventory()[memory.predicate].many
        if one_valued and memory.modality == "asserted" and memory.valid_to is None:
            slots.setdefault((memory.subject, memory.predicate, facet(memory)), {})[memory.value] = memory
    groups = [tuple(values.values()) for values in slots.values() if _told_apart(values.values())]
    told = {frozenset(m.id for m in group) for group in groups}
    for edge in edges:
        pair = {edge.older, edge.newer}
        if pair <= shown.keys() and not any(pair <= group for group in told):
            older, newer = shown[edge.older], shown[edge.newer]
            if differ(edge, older, newer):
                groups.append((older, newer))
    groups += [pair for pair in apart if all(memory.id in shown for memory in pair)]
    groups += _alike_but_for_numbers(shown.values())
    settled = {frozenset((edge.newer, edge.older)) for edge in edges if edge.reason == UNDONE}
    return [group for group in groups if not all(_pair(*two) in settled for two in combinations(group, 2))]


def _pair(one: Memory, other: Memory) -> frozenset[str]:
    return frozenset((one.id, other.id))


def _told_apart(memories: Collection[Memory]) -> bool:
    """Tell whether these are several, and not all of one message, which only tells them closer."""
    return len(memories) > 1 and not set.intersection(*(set(m.sources) for m in memories))


def _alike_but_for_numbers(memories: Iterable[Memory]) -> list[tuple[Memory, ...]]:
    """Return what different people said in the same words with other numbers, where no slot is known."""
    shapes: dict[str, dict[str, Memory]] = {}
    for memory in memories:
        if not memory.predicate and memory.modality == "asserted":
            shapes.setdefault(_NUMBER.sub("#", fold(memory.text)), {})[memory.text] = memory
    return [
        tuple(alike.values())
        for alike in shapes.values()
        if len(alike) > 1 and len({memory.speaker for memory in alike.values()}) > 1
    ]
