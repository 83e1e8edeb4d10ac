"""The read path: a question in, at most a handful of items out, each with the reason why it came back."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from mnemic.engine.asking import Asked, Wish, ask
from mnemic.engine.called import value_of
from mnemic.engine.core import Core
from mnemic.engine.notes import shortage
from mnemic.engine.pack import pack
from mnemic.engine.question import Question, understand
from mnemic.engine.rank import Ranked
from mnemic.engine.results import Found, Item, Nothing, Said, Suppressed, Why
from mnemic.engine.suppress import Kept, keep_back
from mnemic.graph.ids import told_id, told_ids
from mnemic.graph.model import Entity, Layer, Turn
from mnemic.graph.view import View

CHANNELS = (
    ("words", "words", "words"),
    ("vector", "detail", "vector"),
    ("entities", "entities", "entity"),
    ("graph", "graph", "graph"),
    ("time", "time", "time"),
    ("salient", "importance", "importance"),
    ("neighbour", "neighbour", "conversation"),
)
"""The store's channels, each with the feature that says how much it speaks for a row, and what people call it."""


@dataclass(frozen=True, slots=True)
class Pass:
    """What one layer gave: all that was asked of it, what stood aside unasked, and what was kept of the rest."""

    layer: Layer
    asked: Asked
    aside: list[Ranked]
    kept: Kept


@dataclass(frozen=True, slots=True)
class Course:
    """How an answer came about: the view that the question meant, and one pass or two.

    ``refused`` says why nothing was asked at all; there are no passes then.
    """

    view: View
    question: Question | None
    passes: tuple[Pass, ...] = ()
    refused: str = ""


def recall(core: Core, view: View, query: str, wish: Wish) -> Found:
    """Return what the store knows about ``query``, or say that it knows nothing."""
    return found(follow(core, view, query, wish), query, wish)


def follow(core: Core, view: View, query: str, wish: Wish) -> Course:
    """Answer ``query`` and return how: the recall itself, and what explains it."""
    if not any(map(str.isalnum, query)):
        return Course(view, None, refused="no word is asked")
    question = understand(core, view, query, wish.entities, wish.conversation)
    if question.chat:
        return Course(view, question, refused="small talk: needs no memory")
    moment = question.moment(view.valid) if wish.present else None
    if moment is not None:
        view = replace(view, valid=moment)
    layer = Layer.TURN if wish.depth == "deep" or question.detail else Layer.MEMORY
    first = look(core, view, question, wish, layer, deep=layer is Layer.TURN)
    if not first.kept.items and wish.depth == "auto" and layer is Layer.MEMORY:
        second = look(core, view, first.asked.question, wish, Layer.TURN, deep=False)
        return Course(view, question, (first, second))
    return Course(view, question, (first,))


def look(
    core: Core, view: View, question: Question, wish: Wish, layer: Layer, *, deep: bool, wider: int = 1
) -> Pass:
    """Look in one layer; ``deep``: its raw words were asked for, else turns only step in where they may."""
    asked = ask(core, view, question, wish, layer, wider=wider)
    unasked = layer is Layer.TURN and not deep
    aside = [item for item in asked.ranked if unasked and not _by_user(item)]
    ranked = [item for item in asked.ranked if not unasked or _by_user(item)]
    floor = wish.profile.of(layer).floor
    kept = keep_back(core, view, asked.question, ranked, asked.around, floor, wish.limit, deep=deep)
    return Pass(layer, asked, aside, kept)


def _by_user(item: Ranked) -> bool:
    """Tell whether a turn may answer unasked: an assistant's words are no facts, a question is no answer."""
    return isinstance(item.row, Turn) and item.row.role == "user" and "asks" not in item.features


def _joined(warm: Kept, cold: Kept) -> Kept:
    nearest = cold.nearest or warm.nearest
    return Kept(cold.items, [*warm.suppressed, *cold.suppressed], cold.notes, nearest, cold.floor)


def found(course: Course, query: str, wish: Wish) -> Found:
    """Return the answer that a course came to."""
    if course.refused:
        return Found(query=query, text="", nothing=Nothing(reason=course.refused))
    kept, question = _kept(course), course.passes[-1].asked.question
    items, text, shown = answered(course, wish)
    nothing = None
    if not items:
        best = kept.nearest
        nothing = Nothing(
            reason="nothing told so far fits" if best else "nothing is known of this",
            nearest=best.row.text if best else "",
            score=best.score if best else 0.0,
            floor=kept.floor,
        )
    notes = [*kept.notes]
    if wish.budget is not None and len(shown) < len(items):
        notes.append(shortage(wish.budget, len(shown), len(items), question.tongue))
    return Found(
        query=question.text,
        text=text,
        items=items,
        suppressed=tuple(_suppressed(entry) for entry in kept.suppressed),
        notes=tuple(notes),
        nothing=nothing,
        weights=wish.profile.name,
    )


def answered(course: Course, wish: Wish) -> tuple[tuple[Item, ...], str, Sequence[Item]]:
    """Return the items of a course, their text, and those that it had room for."""
    kept, asked = _kept(course), course.passes[-1].asked
    items = tuple(as_item(ranked, course.view, asked.around.entities) for ranked in kept.items)
    return items, *pack(asked.question, items, kept.notes, wish.budget)


def _kept(course: Course) -> Kept:
    *before, last = course.passes
    return _joined(before[0].kept, last.kept) if before else last.kept


def _suppressed(entry: tuple[Ranked, str, str]) -> Suppressed:
    ranked, reason, by = entry
    row, turns = ranked.row, told_ids(ranked.turns)
    id = turns[0] if isinstance(row, Turn) else row.id
    return Suppressed(id=id, text=row.text, turns=turns, reason=reason, by=by, score=ranked.score)


def as_item(ranked: Ranked, view: View, entities: Mapping[str, Entity]) -> Item:
    """Return a ranked row as ``view`` knows it."""
    row = ranked.row if isinstance(ranked.row, Turn) else view.as_known(ranked.row)
    why = Why(channels=ranked.features, seed=seed_of(ranked), path=ranked.path)
    if isinstance(row, Turn):
        return Item(
            id=told_id(row.id), layer="turn", kind="turn", text=row.text, said=None, speaker=row.speaker, since=row.at,
            until=None, score=ranked.score, why=why, turns=(told_id(row.id),), owner=row.owner, mark=ranked.mark,
        )  # fmt: skip
    said = None
    if row.predicate and row.subject in entities:
        name = entities[row.subject].name
        said = Said(
            subject=name, predicate=row.predicate, value=value_of(row, entities), modality=row.modality
        )
    return Item(
        id=row.id, layer="memory", kind=row.kind.value, text=row.summary if ranked.partly else row.text, said=said, speaker=row.speaker,
        since=row.valid_from, until=row.valid_to, score=ranked.score, why=why, turns=told_ids(row.sources), owner=row.owner,
    )  # fmt: skip


def seed_of(ranked: Ranked) -> str:
    """Return the channel that speaks loudest of those that nominated the item; importance only where it alone did."""
    nominated = ranked.candidate.channels
    loud = [
        (feature != "importance", ranked.features.get(feature, 0.0), called)
        for name, feature, called in CHANNELS
        if name in nominated
    ]
    return max(loud, default=(False, 0.0, min(nominated, default="")))[2]
