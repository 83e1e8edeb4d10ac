"""Forgetting: memories and the words they came from, physically removed."""

import re
from collections.abc import Sequence

from mnemic.engine.core import Core
from mnemic.engine.profile import refreshed_profiles
from mnemic.engine.results import Forgotten
from mnemic.engine.target import described
from mnemic.extraction.model import Analysis
from mnemic.graph.ids import told_ids
from mnemic.graph.model import GraphDelta, Memory, Turn
from mnemic.graph.store import Store
from mnemic.graph.view import View

_ASKED = re.compile(
    r"(?:please\s+)?(?:actually,?\s*)?(?:forget|delete|erase|remove|wipe|scrap|unremember)\s+(?:about\s+)?(?:(?:everything|anything|what|all)\s+)?(?:i\s+(?:said|told you|mentioned|wrote))?\s*(?:about)?"
    r"|请?把|之前说的|忘掉|忘了吧|忘记|删掉|删了吧|抹掉|清掉|别留着|别记了?|不要记|的?那?件?事|吧|那个|那条|我说的|关于|了|，|,",
    re.IGNORECASE,
)
_ENOUGH = 0.2


def forget(core: Core, view: View, owner: str, memories: Sequence[Memory]) -> Forgotten:
    """Remove ``memories`` of ``owner`` with the turns they came from and all other memories of those turns."""

    def work(store: Store) -> Forgotten:
        return remove(store, view, owner, memories, core)

    return core.store.transact(owner, work)


def remove(store: Store, view: View, owner: str, memories: Sequence[Memory], core: Core) -> Forgotten:
    """Erase inside a running transaction; see :func:`forget`."""
    turns = sorted({turn for memory in memories if memory.owner == owner for turn in memory.sources})
    doomed = {
        m.id: m
        for m in [*memories, *(store.memories(view, turns=turns) if turns else [])]
        if m.owner == owner
    }
    rows = store.erase(memories=sorted(doomed), turns=turns) if doomed else 0
    subjects = {memory.subject for memory in doomed.values() if memory.subject}
    profiles = refreshed_profiles(store, view, owner, subjects, core.clock())
    if profiles:
        store.apply(GraphDelta(entities=tuple(profiles)))
    return Forgotten(memories=tuple(sorted(doomed)), turns=told_ids(turns), rows=rows)


def forget_spoken(core: Core, store: Store, view: View, turn: Turn, analysis: Analysis) -> Forgotten:
    """Carry out a request to forget that was said in a turn: what its words describe best is removed."""
    unit = next(unit for unit in analysis.units if "forget" in unit.cues)
    words = _ASKED.sub(" ", unit.text).strip()
    ranked = [
        (m, score)
        for m, score in described(core, store, view, words or unit.text)
        if turn.id not in m.sources
    ]
    meant = [memory for memory, score in ranked[:1] if score >= _ENOUGH]
    return remove(store, view, turn.owner, meant, core) if meant else Forgotten()
