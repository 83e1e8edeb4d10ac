"""Asking one layer of the store: what it nominates for a question, with features and scores, the best first."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from mnemic.engine.core import Core
from mnemic.engine.question import Question, understand
from mnemic.engine.rank import Ranked, Reach, rank
from mnemic.engine.walk import spread
from mnemic.engine.weights import Profile
from mnemic.graph.model import Layer, Memory, Turn
from mnemic.graph.store import Around, Candidate, Probe
from mnemic.graph.view import View

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
    """What the store answered in one layer, ranked, with the entities of the question and what stands around.

    ``seeds``: so many rows each channel could nominate.
    """

    question: Question
    ranked: list[Ranked]
    around: Around
    seeds: int


def ask(core: Core, view: View, question: Question, wish: Wish, layer: Layer, *, wider: int = 1) -> Asked:
    """Ask the store once and rank in one layer; hidden rows are among the candidates, for explaining them.

    Where names have changed meanwhile, the question is read and asked again. ``wider``: so many times as many
    rows are looked at as an answer needs.
    """
    gathered = core.store.gather(view, _probe(core, question, wish, layer, wider))
    while core.hear(gathered.around, view.owners):
        question = understand(core, view, question.text, wish.entities, wish.conversation)
        gathered = core.store.gather(view, _probe(core, question, wish, layer, wider))
    question = replace(question, entities=question.entities or gathered.named)
    seeds = [entity.id for entity in question.entities] if layer is Layer.MEMORY else []
    reach = spread(gathered.subgraph, seeds, view.valid)
    candidates = [c for c in _nearest(gathered.candidates, reach, wider) if not unfit(c.row, wish, question)]
    if seeds:
        kinds = {id: entity.kind for id, entity in gathered.around.entities.items()}
        reach = replace(reach, kinds={**reach.kinds, **kinds})
    centres = core.centres(gathered.corpus)
    weighing = wish.profile.of(layer)
    ranked = rank(question, view, candidates, gathered.corpus, centres, reach, weighing, core.adapters)
    for item in ranked:
        if "graph" in item.features:
            item.path = _way(item, reach)
    return Asked(question, ranked, gathered.around, core.settings.seeds * wider)


def _probe(core: Core, question: Question, wish: Wish, layer: Layer, wider: int) -> Probe:
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
        limit=core.settings.seeds * wider,
        window=int(not warm),
        hidden=_HIDDEN * wider,
        hops=core.settings.hops if warm else None,
        spread=core.settings.spread,
        around=True,
        heard=core.heard,
    )


def _nearest(candidates: Sequence[Candidate], reach: Reach, wider: int) -> list[Candidate]:
    """Return the nominated rows, and of those that only the walk reached the ones that it reached best."""
    walked = sorted(
        ((-_activation(c.row, reach), c.row.id, c) for c in candidates if c.channels == {"graph"}),
        key=lambda each: each[:2],
    )
    return [c for c in candidates if c.channels != {"graph"}] + [c for *_, c in walked[: _WALKED * wider]]


def _activation(row: Memory | Turn, reach: Reach) -> float:
    mentions = row.mentions if isinstance(row, Memory) else ()
    return max((reach.activation.get(mention.entity, 0.0) for mention in mentions), default=0.0)


def unfit(row: Memory | Turn, wish: Wish, question: Question) -> str:
    """Return which of the caller's own bounds a row does not keep, by its name there; nothing where it keeps all."""
    at = row.at if isinstance(row, Turn) else row.valid_from
    bounds = (
        ("since", wish.since is None or at >= wish.since),
        ("until", wish.until is None or at < wish.until),
        ("session", wish.session is None or row.session == wish.session),
        ("kinds", not wish.kinds or (isinstance(row, Memory) and row.kind.value in wish.kinds)),
        ("tags", not wish.tags or (isinstance(row, Memory) and bool(wish.tags & set(row.tags)))),
    )
    broken = next((name for name, kept in bounds if not kept), "")
    return broken or ("" if question.admits(row) else "entities")


def _way(item: Ranked, reach: Reach) -> tuple[str, ...]:
    """Return the way through the graph to the entity that brought the memory most."""
    if not isinstance(item.row, Memory):
        return ()
    reached = [m.entity for m in item.row.mentions if m.entity in reach.paths]
    best = max(reached, key=lambda id: reach.activation[id], default="")
    return reach.paths.get(best, ())
