"""What would go if it were forgotten: to be shown before anybody says yes."""

from collections.abc import Sequence

from mnemic.engine.core import Core
from mnemic.engine.results import Doomed
from mnemic.graph.ids import told_id
from mnemic.graph.model import Memory
from mnemic.graph.view import View


def doomed(core: Core, view: View, memories: Sequence[Memory]) -> Doomed:
    """Return the words of ``memories``, of the turns they came from, and of what else these turns said."""
    going: dict[str, str] = {}
    turns: dict[str, str] = {}
    for owner in sorted({memory.owner for memory in memories}):
        own = [memory for memory in memories if memory.owner == owner]
        sources = sorted({turn for memory in own for turn in memory.sources})
        told = core.store.memories(view, turns=sources) if sources else []
        going |= {memory.id: memory.text for memory in [*own, *told] if memory.owner == owner}
        spoken = core.store.turns(view, ids=sources) if sources else []
        turns |= {told_id(turn.id): turn.text for turn in spoken if turn.owner == owner}
    return Doomed(memories=going, turns=turns)
