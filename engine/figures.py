"""The figures of a row in the pass that it went through: its channels, its features, what it lacks."""

import re
from collections.abc import Iterator, Sequence
from typing import Any

from mnemic.engine.asking import Wish
from mnemic.engine.core import Core
from mnemic.engine.question import Question
from mnemic.engine.rank import Ranked
from mnemic.engine.reasons import missing
from mnemic.engine.recall import CHANNELS, Pass, seed_of
from mnemic.engine.results import Channel, Part
from mnemic.extraction.terms import terms
from mnemic.graph.model import Layer, Memory, Turn

_WORD = re.compile(r"[\w'+#.-]+")


def standing(within: Pass, item: Ranked, wish: Wish) -> dict[str, Any]:
    """Return the figures of a row in the pass that it went through."""
    return {
        "score": item.score,
        "inherited": item.features.get("inherited", 0.0),
        "base": round(item.base, 4),
        "parts": _parts(item, wish),
        "channels": tuple(_channels(within, item)),
        "seed": seed_of(item),
        "path": item.path,
    }


def _parts(item: Ranked, wish: Wish) -> tuple[Part, ...]:
    """Return what each feature adds to the score, the weightiest first; turns are weighed by how they stand."""
    weighing = wish.profile.of(Layer.TURN if isinstance(item.row, Turn) else Layer.MEMORY)
    values, weights = (
        (item.standing, weighing.order) if item.standing else (item.features, weighing.scorer.weights)
    )
    parts = [
        Part(feature=name, value=value, weight=weights[name], adds=value * weights[name])
        for name, value in values.items()
        if value and weights.get(name)
    ]
    return tuple(sorted(parts, key=lambda part: (-abs(part.adds), part.feature)))


def _channels(within: Pass, item: Ranked) -> Iterator[Channel]:
    """Yield the channels that brought a row or have a figure for it, with its place among those that each brought."""
    for name, feature, called in CHANNELS:
        brought = [each for each in within.asked.ranked if name in each.candidate.channels]
        brought.sort(
            key=lambda each: (-each.features.get(feature, 0.0), -each.row.at.timestamp(), each.row.id)
        )
        score = item.features.get(feature, 0.0)
        if item in brought or score:
            place = brought.index(item) + 1 if item in brought else 0
            yield Channel(name=called, nominated=bool(place), place=place, of=len(brought), score=score)
    if "replaces" in item.candidate.channels:
        yield Channel(
            name="replaces", nominated=True, place=0, of=0, score=item.features.get("inherited", 0.0)
        )


def lacking(core: Core, within: Pass, item: Ranked | None, row: Memory | Turn) -> Iterator[str]:
    """Yield what would have had to be there for each channel."""
    question, seeds = within.asked.question, core.settings.seeds
    speaks = question.tongue
    channels = {each.name: each for each in _channels(within, item)} if item is not None else {}
    asked = question.weighty or question.terms
    shared = [term for term in asked if term in row.terms]
    if not shared:
        yield missing(speaks, "no word", words=_spelled(question, asked))
    elif "words" in channels and channels["words"].place:
        place = channels["words"].place
        yield missing(speaks, "words", words=_spelled(question, shared), place=place, seeds=seeds)
    if question.vector is None:
        yield missing(speaks, "no vectors")
    elif "vector" in channels and channels["vector"].place:
        near = channels["vector"]
        yield missing(speaks, "far", place=near.place, score=near.score, seeds=seeds)
    else:
        yield missing(speaks, "farther", seeds=within.asked.seeds)
    if isinstance(row, Memory):
        yield from _unnamed(core, within, row)


def _unnamed(core: Core, within: Pass, row: Memory) -> Iterator[str]:
    """Yield which name, or which way through the graph, does not lead from the question to a memory."""
    entities = within.asked.question.entities
    speaks = within.asked.question.tongue
    names = ", ".join(dict.fromkeys(entity.name for entity in entities))
    if not entities:
        yield missing(speaks, "no name")
    elif {entity.id for entity in entities}.isdisjoint(mention.entity for mention in row.mentions):
        yield missing(speaks, "entity", names=names)
        yield missing(speaks, "graph", names=names, hops=core.settings.hops)


def _spelled(question: Question, asked: Sequence[str]) -> str:
    """Return terms as the words of the question that they stand for, where those stand in it."""
    words = {term: word for word in _WORD.findall(question.text) for term in terms(word)}
    return ", ".join(dict.fromkeys(words.get(term, term) if term.isascii() else term for term in asked))
