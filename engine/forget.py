"""Forgetting: memories and turns, and the words that they came from, physically removed."""

from collections.abc import Sequence
from dataclasses import replace

from mnemic.engine.core import Core
from mnemic.engine.profile import refreshed_profiles
from mnemic.engine.results import Forgotten
from mnemic.engine.target import COVERED, covering, described
from mnemic.engine.version import require_version
from mnemic.extraction.model import Request
from mnemic.extraction.text import fold
from mnemic.graph.ids import told_ids
from mnemic.graph.model import GraphDelta, Layer, Memory, Turn
from mnemic.graph.store import Store
from mnemic.graph.view import View

_ENOUGH = 0.2
"""The share of the weighty words of a request that a memory must hold to be the one meant."""

_MOST = 1000


def forget(
    core: Core, view: View, owner: str, rows: Sequence[Memory | Turn], version: str | None = None
) -> Forgotten:
    """Remove ``rows`` of ``owner``: memories with the turns they came from, and what only these turns told.

    Raises ``Conflict`` where a ``version`` is given and the memories are no longer as they were in it.
    """

    def work(store: Store) -> Forgotten:
        for memory in store.memories(view, ids=[row.id for row in rows]) if version is not None else ():
            require_version(memory, version)
        return remove(store, view, owner, rows, core)

    return core.store.transact(owner, work)


def going(
    store: Store, view: View, owner: str, rows: Sequence[Memory | Turn]
) -> tuple[dict[str, Memory], list[str]]:
    """Return the memories by id, and the turns, that go when ``rows`` are forgotten.

    Their turns go, and with these whatever only they told, or told in the same words.
    """
    memories = [row for row in rows if isinstance(row, Memory)]
    own = {memory.id: memory for memory in memories if memory.owner == owner}
    told = {row.id for row in rows if isinstance(row, Turn) and row.owner == owner}
    turns = sorted(told.union(*(memory.sources for memory in own.values())))
    for memory in store.memories(view, turns=turns) if turns else []:
        alone = set(memory.sources) <= set(turns)
        same_words = any(memory.text in other.text or other.text in memory.text for other in memories)
        if memory.owner == owner and (alone or same_words):
            own[memory.id] = memory
    return own, turns


def remove(store: Store, view: View, owner: str, rows: Sequence[Memory | Turn], core: Core) -> Forgotten:
    """Erase inside a running transaction; see :func:`forget`. Entities that nothing speaks of any more go too."""
    doomed, turns = going(store, view, owner, rows)
    count = store.erase(memories=sorted(doomed), turns=turns)
    own = replace(view, owners=frozenset({owner}))
    named = sorted({mention.entity for memory in doomed.values() for mention in memory.mentions})
    orphans = [id for id in named if not store.timeline(own, entities=[id], hidden=True, limit=1)]
    alone = {entity.name for entity in store.entities(own, ids=orphans)} if orphans else set()
    introduced = [name.name for name in store.names(own) if name.owner == owner and name.name in alone]
    store.erase(entities=orphans)
    store.apply(GraphDelta(dropped_names=tuple((owner, name) for name in introduced)))
    left = {memory.subject for memory in doomed.values() if memory.subject} - set(orphans)
    profiles = refreshed_profiles(store, view, owner, left, core.clock())
    if profiles:
        store.apply(GraphDelta(entities=tuple(profiles)))
    return Forgotten(memories=tuple(sorted(doomed)), turns=told_ids(turns), rows=count)


def forget_spoken(core: Core, store: Store, view: View, turn: Turn, request: Request) -> Forgotten:
    """Carry out a request to forget that was said in a turn."""
    own = replace(view, owners=frozenset({turn.owner}))
    meant: list[Memory | Turn] = []
    if request.what:
        meant += _all_meant(core, store, own, request)
        if request.everything or not meant:
            meant += _cold(core, store, own, request, turn)
    else:
        meant += just_said(store, own, turn)
    return remove(store, view, turn.owner, meant, core) if meant else Forgotten()


def _all_meant(core: Core, store: Store, view: View, request: Request) -> list[Memory]:
    """Return the memories that a request describes: the best one, or all of what it names."""
    if request.everything:
        handles = sorted(
            {fold(mention.name) for mention in core.analyser(view.owners).mentions(request.what)}
            | {fold(request.what)}
        )
        entities = [entity.id for entity in store.entities(view, handles=handles)]
        if entities:
            return store.timeline(view, entities=entities, hidden=True, limit=_MOST)
    ranked = described(core, store, view, request.what)
    fitting = [memory for memory, share in ranked if share >= _ENOUGH]
    return fitting if request.everything else fitting[:1]


def _cold(core: Core, store: Store, view: View, request: Request, asked: Turn) -> list[Turn]:
    """Return the turns that a request describes, of which no memory was made: the best one, or all."""
    turns = [
        row
        for row, share in covering(core, store, view, request.what, Layer.TURN)
        if isinstance(row, Turn) and share >= COVERED and row.id != asked.id
    ]
    made = store.memories(view, turns=[turn.id for turn in turns]) if turns else []
    warm = {id for memory in made for id in memory.sources}
    cold = [turn for turn in turns if turn.id not in warm]
    return cold if request.everything else cold[:1]


def just_said(store: Store, view: View, turn: Turn) -> Sequence[Memory | Turn]:
    """Return the memories of what the speaker said last before this turn, or that turn where there are none."""
    before = [
        t
        for t in store.turns(view, session=turn.session)
        if t.speaker == turn.speaker and t.position < turn.position
    ]
    return (store.memories(view, turns=[before[-1].id]) or before[-1:]) if before else []
