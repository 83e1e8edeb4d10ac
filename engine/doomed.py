"""What would go if it were forgotten: to be shown before anybody says yes."""

from collections.abc import Sequence

from mnemic.engine.core import Core
from mnemic.engine.forget import going
from mnemic.engine.results import Doomed
from mnemic.graph.ids import told_id
from mnemic.graph.model import Memory, Turn
from mnemic.graph.view import View


def doomed(core: Core, view: View, rows: Sequence[Memory | Turn]) -> Doomed:
    """Return the words of ``rows``, of the turns they came from, and of what only these turns said."""
    words: dict[str, str] = {}
    spoken: dict[str, str] = {}
    for owner in sorted({row.owner for row in rows}):
        own, turns = going(core.store, view, owner, [row for row in rows if row.owner == owner])
        words |= {memory.id: memory.text for memory in own.values()}
        told = core.store.turns(view, ids=turns) if turns else []
        spoken |= {told_id(turn.id): turn.text for turn in told if turn.owner == owner}
    return Doomed(memories=words, turns=spoken)
