"""Which memory or turn a caller or a speaker means when they point at one: by id, or by its words."""

from mnemic.engine.core import Core
from mnemic.engine.message import checked_text
from mnemic.engine.sides import Rarity
from mnemic.errors import NotFound
from mnemic.extraction.terms import stop_terms, terms
from mnemic.extraction.text import fold
from mnemic.graph.ids import turn_key
from mnemic.graph.model import TEAM, Layer, Memory, Turn
from mnemic.graph.store import Probe, Store
from mnemic.graph.view import Scope, View

_LONGEST = 10_000
COVERED = 0.5
"""The share of the weighty words asked for that a memory or turn must hold to be the one meant."""


def find_target(core: Core, store: Store, view: View, pointer: str) -> Memory:
    """Return the memory with the id ``pointer``, or the current one that its words describe best.

    Raises ``NotFound`` with the nearest texts where no memory holds half of the words' weight.
    """
    checked_text(pointer, "pointer", _LONGEST)
    by_id = store.memories(view, ids=[pointer])
    if by_id:
        return by_id[0]
    ranked = described(core, store, view, pointer)
    if not ranked or ranked[0][1] < COVERED:
        raise NotFound("memory", pointer, [memory.text for memory, _ in ranked[:3]])
    return ranked[0][0]


def find_row(core: Core, scope: Scope, view: View, pointer: str) -> Memory | Turn:
    """Return the memory that ``pointer`` means, else the turn: by the id it was told under, or its words.

    Raises ``NotFound`` as :func:`find_target` does.
    """
    checked_text(pointer, "pointer", _LONGEST)
    keys = [turn_key(owner, scope.user, pointer) for owner in (scope.user, TEAM)]
    turns = core.store.turns(view, ids=keys)
    if turns:
        return turns[0]
    try:
        return find_target(core, core.store, view, pointer)
    except NotFound:
        spoken = covering(core, core.store, view, pointer, Layer.TURN)
        if not spoken or spoken[0][1] < COVERED:
            raise
        return spoken[0][0]


def find_any(core: Core, scope: Scope, view: View, pointer: str) -> Memory | Turn:
    """Return the memory or turn that ``pointer`` means, shown or hidden: by its id, its very words, or most of them.

    Raises ``NotFound`` with the nearest texts.
    """
    checked_text(pointer, "item", _LONGEST)
    by_id = core.store.memories(view, ids=[pointer])
    keys = [turn_key(owner, scope.user, pointer) for owner in (scope.user, TEAM)]
    named: list[Memory | Turn] = [*by_id, *core.store.turns(view, ids=keys)]
    if named:
        return named[0]
    near: list[str] = []
    for layer in Layer:
        rows = covering(core, core.store, view, pointer, layer, hidden=True)
        rows.sort(key=lambda row: fold(row[0].text) != fold(pointer))
        if rows and rows[0][1] >= COVERED:
            return rows[0][0]
        near += [row.text for row, _ in rows[:3]]
    raise NotFound("memory or turn", pointer, near[:3])


def described(core: Core, store: Store, view: View, words: str) -> list[tuple[Memory, float]]:
    """Return the current memories with the share of the weight of ``words`` that each covers, best first."""
    rows = covering(core, store, view, words, Layer.MEMORY)
    return [(row, share) for row, share in rows if isinstance(row, Memory)]


def covering(
    core: Core, store: Store, view: View, words: str, layer: Layer, *, hidden: bool = False
) -> list[tuple[Memory | Turn, float]]:
    """Return the rows of a layer with the share of the weight of ``words`` that each covers, best first.

    Where there is an embedder, likeness of meaning decides between memories that cover the same words. ``hidden``:
    also rows that the view does not show.
    """
    wanted = [term for term in dict.fromkeys(terms(words)) if term not in stop_terms()] or list(terms(words))
    vector = core.embedder.query(words) if core.embedder is not None else None
    most = core.settings.candidates
    probe = Probe(layer=layer, terms=tuple(wanted), vector=vector, limit=most, hidden=most if hidden else 0)
    gathered = store.gather(view, probe)
    rarity = Rarity(gathered.corpus.size, gathered.corpus.frequency)
    mass = sum(map(rarity.weight, wanted)) or 1.0
    scored = []
    for candidate in gathered.candidates:
        held = set(candidate.row.terms)
        covered = sum(rarity.weight(term) for term in wanted if term in held) / mass
        likeness = (
            float(candidate.summary @ vector) if candidate.summary is not None and vector is not None else 0.0
        )
        scored.append((candidate.row, covered, likeness))
    scored.sort(key=lambda row: (-(row[1] + row[2]), row[0].id))
    return [(row, covered) for row, covered, _ in scored]
