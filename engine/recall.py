"""The read path: a question in, at most a handful of items out, each with the reason why it came back."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from mnemic.engine.called import value_of
from mnemic.engine.core import Core
from mnemic.engine.notes import shortage
from mnemic.engine.pack import pack
from mnemic.engine.question import Question, understand
from mnemic.engine.rank import Ranked, Reach, rank
from mnemic.engine.results import Found, Item, Nothing, Said, Suppressed, Why
from mnemic.engine.suppress import Kept, keep_back
from mnemic.engine.walk import spread
from mnemic.engine.weights import Profile
from mnemic.graph.ids import told_id, told_ids
from mnemic.graph.model import Entity, Layer, Memory, Turn
from mnemic.graph.store import Around, Candidate, Probe
from mnemic.graph.view import View

_CHANNELS = (
    ("words", "words", "words"),
    ("vector", "detail", "vector"),
    ("entities", "entities", "entity"),
    ("graph", "graph", "graph"),
    ("time", "time", "time"),
    ("salient", "importance", "importance"),
    ("neighbour", "neighbour", "conversation"),
)
"""The store's channels, each with the feature that says how much it speaks for a row, and what people call it."""

_HIDDEN = 10
_WALKED = 20


@dataclass(frozen=True, slots=True, kw_only=True)
class Wish:
    """What a caller may say about the answer, checked.

    ``present``: the caller named no moment on the valid clock, so that the question may.
    """

    limit: int
    depth: str
    profile: Profile
    present: bool = True
    since: datetime | None = None
    until: datetime | None = None
    kinds: frozenset[str] = frozenset()
    entities: tuple[str, ...] = ()
    tags: frozenset[str] = frozenset()
    session: str | None = None
    budget: int | None = None
    conversation: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Asked:
    """What the store answered in one layer, ranked, with the entities of the question and what stands around."""

    question: Question
    ranked: list[Ranked]
    around: Around


def recall(core: Core, view: View, query: str, wish: Wish) -> Found:
    """Return what the store knows about ``query``, or say that it knows nothing."""
    if not any(map(str.isalnum, query)):
        return Found(query=query, text="", nothing=Nothing(reason="no word is asked"))
    question = understand(core, view, query, wish.entities, wish.conversation)
    if question.chat:
        return Found(query=query, text="", nothing=Nothing(reason="small talk: needs no memory"))
    moment = question.moment(view.valid) if wish.present else None
    if moment is not None:
        view = replace(view, valid=moment)
    layer = Layer.TURN if wish.depth == "deep" or question.detail else Layer.MEMORY
    asked = ask(core, view, question, wish, layer)
    kept = _kept(core, view, asked, wish, layer, deep=layer is Layer.TURN)
    if not kept.items and wish.depth == "auto" and layer is Layer.MEMORY:
        asked = ask(core, view, asked.question, wish, Layer.TURN)
        spoken = replace(asked, ranked=[r for r in asked.ranked if _by_user(r)])
        kept = _joined(kept, _kept(core, view, spoken, wish, Layer.TURN, deep=False))
    return _found(view, asked, wish, kept)


def _kept(core: Core, view: View, asked: Asked, wish: Wish, layer: Layer, *, deep: bool) -> Kept:
    floor = wish.profile.of(layer).floor
    return keep_back(core, view, asked.question, asked.ranked, asked.around, floor, wish.limit, deep=deep)


def _by_user(item: Ranked) -> bool:
    """Tell whether a turn may answer unasked: an assistant's words are no facts, a question is no answer."""
    return isinstance(item.row, Turn) and item.row.role == "user" and "asks" not in item.features


def ask(core: Core, view: View, question: Question, wish: Wish, layer: Layer) -> Asked:
    """Ask the store once and rank in one layer; hidden rows are among the candidates, for explaining them.

    Where names have changed meanwhile, the question is read and asked again.
    """
    gathered = core.store.gather(view, _probe(core, question, wish, layer))
    while core.hear(gathered.around, view.owners):
        question = understand(core, view, question.text, wish.entities, wish.conversation)
        gathered = core.store.gather(view, _probe(core, question, wish, layer))
    question = replace(question, entities=question.entities or gathered.named)
    seeds = [entity.id for entity in question.entities] if layer is Layer.MEMORY else []
    reach = spread(gathered.subgraph, seeds, view.valid)
    candidates = [
        c for c in _nearest(gathered.candidates, reach) if _fits(c.row, wish) and question.admits(c.row)
    ]
    if seeds:
        kinds = {id: entity.kind for id, entity in gathered.around.entities.items()}
        reach = replace(reach, kinds={**reach.kinds, **kinds})
    centres = core.centres(gathered.corpus)
    weighing = wish.profile.of(layer)
    ranked = rank(question, view, candidates, gathered.corpus, centres, reach, weighing, core.adapters)
    for item in ranked:
        if "graph" in item.features:
            item.path = _way(item, reach)
    return Asked(question, ranked, gathered.around)


def _probe(core: Core, question: Question, wish: Wish, layer: Layer) -> Probe:
    warm = layer is Layer.MEMORY
    return Probe(
        layer=layer,
        terms=question.weighty or question.terms,
        vector=question.vector,
        entities=tuple(entity.id for entity in question.entities),
        handles=() if question.entities else question.handles,
        vague="thing",
        since=wish.since or question.since,
        until=wish.until or question.until,
        salient=warm and not question.weighty,
        kinds=wish.kinds,
        tags=wish.tags,
        sessions=frozenset({wish.session}) if wish.session else frozenset(),
        limit=core.settings.seeds,
        window=int(not warm),
        hidden=_HIDDEN,
        hops=core.settings.hops if warm else None,
        spread=core.settings.spread,
        around=True,
        heard=core.heard,
    )


def _nearest(candidates: Sequence[Candidate], reach: Reach) -> list[Candidate]:
    """Return the nominated rows, and of those that only the walk reached the ones that it reached best."""
    walked = sorted(
        ((-_activation(c.row, reach), c.row.id, c) for c in candidates if c.channels == {"graph"}),
        key=lambda each: each[:2],
    )
    return [c for c in candidates if c.channels != {"graph"}] + [c for *_, c in walked[:_WALKED]]


def _activation(row: Memory | Turn, reach: Reach) -> float:
    mentions = row.mentions if isinstance(row, Memory) else ()
    return max((reach.activation.get(mention.entity, 0.0) for mention in mentions), default=0.0)


def _fits(row: Memory | Turn, wish: Wish) -> bool:
    """Tell whether a row keeps the caller's own bounds."""
    at = row.at if isinstance(row, Turn) else row.valid_from
    if (wish.since is not None and at < wish.since) or (wish.until is not None and at >= wish.until):
        return False
    if wish.session is not None and row.session != wish.session:
        return False
    if isinstance(row, Turn):
        return not wish.kinds and not wish.tags
    return (not wish.kinds or row.kind.value in wish.kinds) and (
        not wish.tags or bool(wish.tags & set(row.tags))
    )


def _way(item: Ranked, reach: Reach) -> tuple[str, ...]:
    """Return the way through the graph to the entity that brought the memory most."""
    if not isinstance(item.row, Memory):
        return ()
    reached = [m.entity for m in item.row.mentions if m.entity in reach.paths]
    best = max(reached, key=lambda id: reach.activation[id], default="")
    return reach.paths.get(best, ())


def _joined(warm: Kept, cold: Kept) -> Kept:
    nearest = cold.nearest or warm.nearest
    return Kept(cold.items, [*warm.suppressed, *cold.suppressed], cold.notes, nearest, cold.floor)


def _found(view: View, asked: Asked, wish: Wish, kept: Kept) -> Found:
    question = asked.question
    items = tuple(as_item(ranked, view, asked.around.entities) for ranked in kept.items)
    nothing = None
    if not items:
        best = kept.nearest
        nothing = Nothing(
            reason="nothing told so far fits" if best else "nothing is known of this",
            nearest=best.row.text if best else "",
            score=best.score if best else 0.0,
            floor=kept.floor,
        )
    text, shown = pack(question, items, kept.notes, wish.budget)
    notes = [*kept.notes]
    if wish.budget is not None and shown < len(items):
        notes.append(shortage(wish.budget, shown, len(items), question.tongue))
    return Found(
        query=question.text,
        text=text,
        items=items,
        suppressed=tuple(_suppressed(entry) for entry in kept.suppressed),
        notes=tuple(notes),
        nothing=nothing,
        weights=wish.profile.name,
    )


def _suppressed(entry: tuple[Ranked, str, str]) -> Suppressed:
    ranked, reason, by = entry
    row, turns = ranked.row, told_ids(ranked.turns)
    id = turns[0] if isinstance(row, Turn) else row.id
    return Suppressed(id=id, text=row.text, turns=turns, reason=reason, by=by, score=ranked.score)


def as_item(ranked: Ranked, view: View, entities: Mapping[str, Entity]) -> Item:
    """Return a ranked row as ``view`` knows it."""
    row = ranked.row if isinstance(ranked.row, Turn) else view.as_known(ranked.row)
    why = Why(channels=ranked.features, seed=_seed(ranked), path=ranked.path)
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


def _seed(ranked: Ranked) -> str:
    """Return the channel that speaks loudest of those that nominated the item; importance only where it alone did."""
    nominated = ranked.candidate.channels
    loud = [
        (feature != "importance", ranked.features.get(feature, 0.0), called)
        for name, feature, called in _CHANNELS
        if name in nominated
    ]
    return max(loud, default=(False, 0.0, min(nominated, default="")))[2]
