"""The read path: a question in, at most a handful of items out, each with the reason why it came back."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from mnemic.engine.core import Core
from mnemic.engine.pack import pack
from mnemic.engine.question import Question, understand
from mnemic.engine.rank import Ranked, Reach, rank
from mnemic.engine.results import Found, Item, Nothing, Said, Suppressed, Why
from mnemic.engine.suppress import Kept, keep_back
from mnemic.engine.walk import spread
from mnemic.engine.weights import Profile
from mnemic.graph.ids import told_id, told_ids
from mnemic.graph.model import Entity, Layer, Memory, Turn
from mnemic.graph.store import Candidate, Gathered, Probe, Subgraph
from mnemic.graph.view import Scope, View

_CHANNELS = (
    ("words", "words"),
    ("coverage", "words"),
    ("summary", "vector"),
    ("detail", "vector"),
    ("entities", "entity"),
    ("graph", "graph"),
    ("time", "time"),
    ("importance", "importance"),
    ("neighbour", "conversation"),
)
_HIDDEN = 10
_WALKED = 60


@dataclass(frozen=True, slots=True, kw_only=True)
class Wish:
    """What a caller may say about the answer, checked."""

    limit: int
    depth: str
    profile: Profile
    since: datetime | None = None
    until: datetime | None = None
    kinds: frozenset[str] = frozenset()
    entities: tuple[str, ...] = ()
    tags: frozenset[str] = frozenset()
    session: str | None = None
    budget: int | None = None
    conversation: tuple[str, ...] = ()


def recall(core: Core, scope: Scope, view: View, query: str, wish: Wish) -> Found:
    """Return what the store knows about ``query``, or say that it knows nothing."""
    question = understand(core, scope, view, query, wish.entities)
    if question.chat:
        return Found(query=query, text="", nothing=Nothing(reason="small talk: needs no memory"))
    layer = Layer.TURN if wish.depth == "deep" or question.detail else Layer.MEMORY
    kept = _answer(core, view, question, wish, layer)
    if not kept.items and wish.depth == "auto" and layer is Layer.MEMORY:
        spoken = [r for r in rank_candidates(core, view, question, wish, Layer.TURN) if _by_user(r)]
        kept = _joined(
            kept, keep_back(core, view, question, spoken, wish.profile.of(Layer.TURN).floor, wish.limit)
        )
    return _found(core, view, question, wish, kept)


def _answer(core: Core, view: View, question: Question, wish: Wish, layer: Layer) -> Kept:
    ranked = rank_candidates(core, view, question, wish, layer)
    return keep_back(
        core, view, question, ranked, wish.profile.of(layer).floor, wish.limit, deep=layer is Layer.TURN
    )


def _by_user(item: Ranked) -> bool:
    """Tell whether a turn may answer unasked: an assistant's words are no facts, a question is no answer."""
    return isinstance(item.row, Turn) and item.row.role == "user" and "asks" not in item.features


def rank_candidates(core: Core, view: View, question: Question, wish: Wish, layer: Layer) -> list[Ranked]:
    """Gather, expand and rank in one layer; hidden rows are among the candidates, for explaining them."""
    gathered = core.store.gather(view, _probe(core, question, wish, layer))
    seeds = [entity.id for entity in question.entities] if layer is Layer.MEMORY else []
    subgraph = core.store.expand(view, seeds, hops=core.settings.hops, limit=core.settings.spread)
    reach = spread(subgraph, seeds, view.valid)
    candidates = _candidates(core, view, gathered, subgraph, reach, layer)
    candidates = [c for c in candidates if _fits(c.row, wish)]
    if seeds:
        reach = replace(reach, kinds={**reach.kinds, **_kinds(core, view, candidates)})
    centre = core.centre(gathered.corpus)
    ranked = rank(question, candidates, gathered.corpus, centre, reach, wish.profile.of(layer).scorer)
    for item in ranked:
        if "graph" in item.features:
            item.path = _way(item, reach)
    return ranked


def _probe(core: Core, question: Question, wish: Wish, layer: Layer) -> Probe:
    return Probe(
        layer=layer,
        terms=question.weighty or question.terms,
        vector=question.vector,
        entities=tuple(entity.id for entity in question.entities),
        since=wish.since or question.since,
        until=wish.until or question.until,
        kinds=wish.kinds,
        tags=wish.tags,
        sessions=frozenset({wish.session}) if wish.session else frozenset(),
        limit=core.settings.seeds,
        window=int(layer is Layer.TURN),
        hidden=_HIDDEN,
    )


def _candidates(
    core: Core, view: View, gathered: Gathered, subgraph: Subgraph, reach: Reach, layer: Layer
) -> list[Candidate]:
    """Return the nominated rows and, in the warm layer, the memories that only the walk reached."""
    if layer is Layer.TURN:
        return list(gathered.candidates)
    known = {candidate.row.id for candidate in gathered.candidates}
    walked = sorted(
        (m for m in subgraph.memories if m.id not in known and view.shows(m)),
        key=lambda m: (-max((reach.activation.get(x.entity, 0.0) for x in m.mentions), default=0.0), m.id),
    )[:_WALKED]
    vectors = {v.id: v for v in core.store.vectors(Layer.MEMORY, [m.id for m in walked])} if walked else {}
    return [*gathered.candidates, *(_walked(memory, vectors.get(memory.id)) for memory in walked)]


def _walked(memory: Memory, vectors: object) -> Candidate:
    summary = getattr(vectors, "summary", None)
    return Candidate(memory, frozenset({"graph"}), summary, getattr(vectors, "detail", None))


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


def _kinds(core: Core, view: View, candidates: Sequence[Candidate]) -> dict[str, str]:
    ids = {m.entity for c in candidates if isinstance(c.row, Memory) for m in c.row.mentions}
    return {entity.id: entity.kind for entity in core.store.entities(view, ids=sorted(ids))} if ids else {}


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


def _found(core: Core, view: View, question: Question, wish: Wish, kept: Kept) -> Found:
    entities = _named(core, view, kept.items)
    items = tuple(as_item(ranked, view, entities) for ranked in kept.items)
    nothing = None
    if not items:
        best = kept.nearest
        nothing = Nothing(
            reason="nothing told so far fits" if best else "nothing is known of this",
            nearest=best.row.text if best else "",
            score=best.score if best else 0.0,
            floor=kept.floor,
        )
    return Found(
        query=question.text,
        text=pack(question, items, kept.notes, wish.budget),
        items=items,
        suppressed=tuple(_suppressed(entry) for entry in kept.suppressed),
        notes=tuple(kept.notes),
        nothing=nothing,
        weights=wish.profile.name,
    )


def _suppressed(entry: tuple[Ranked, str, str]) -> Suppressed:
    ranked, reason, by = entry
    row, turns = ranked.row, told_ids(_sources(ranked.row))
    id = turns[0] if isinstance(row, Turn) else row.id
    return Suppressed(id=id, text=row.text, turns=turns, reason=reason, by=by, score=ranked.score)


def _sources(row: Memory | Turn) -> tuple[str, ...]:
    """Return the keys of the turns that a row comes from."""
    return (row.id,) if isinstance(row, Turn) else row.sources


def _named(core: Core, view: View, items: Sequence[Ranked]) -> dict[str, Entity]:
    ids = {r.row.subject for r in items if isinstance(r.row, Memory) and r.row.subject}
    return {entity.id: entity for entity in core.store.entities(view, ids=sorted(ids))} if ids else {}


def as_item(ranked: Ranked, view: View, entities: dict[str, Entity]) -> Item:
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
        said = Said(subject=name, predicate=row.predicate, value=row.value, modality=row.modality)
    return Item(
        id=row.id, layer="memory", kind=row.kind.value, text=row.text, said=said, speaker=row.speaker,
        since=row.valid_from, until=row.valid_to, score=ranked.score, why=why, turns=told_ids(row.sources), owner=row.owner,
    )  # fmt: skip


def _seed(ranked: Ranked) -> str:
    """Return the channel that speaks loudest for the item."""
    present = [(ranked.features.get(name, 0.0), channel) for name, channel in _CHANNELS]
    return max(present, default=(0.0, ""))[1]
