"""What is kept back from an answer, and why: overruled, doubted, said twice, or below the floor.

A newer memory inherits most of the relevance of the one that it overrules: "moved to Bristol" shares no
word with "which city does she live in", but what it replaced does. An older memory that is only doubted is
kept back as well, where the newer one answers the same question.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from mnemic.engine.apart import told_apart
from mnemic.engine.conflict import Manner, unlike
from mnemic.engine.core import Core
from mnemic.engine.facets import facet
from mnemic.engine.hearsay import says_nothing_sure
from mnemic.engine.notes import differ, notes_on
from mnemic.engine.question import Question
from mnemic.engine.rank import Ranked
from mnemic.engine.successors import with_successors
from mnemic.extraction.predicates import shipped_inventory
from mnemic.graph.model import DOUBT, Memory, Replaces, State, Turn
from mnemic.graph.store import Around
from mnemic.graph.view import View

_INHERITED = 0.9
"""The share of an overruled memory's score that the newer one inherits."""

_ANSWERS = 0.8
"""A newer memory that reaches this share of the best score answers the question as well."""


_WORTH = 0.2
"""What reaches less than this share of the best item's score says nothing beside it.

The floor is for the best one alone: where that is an answer, others belong to it in words of their own.
"""

_STORED_AWAY = frozenset({State.MERGED, State.ARCHIVED})

Reasons = dict[str, tuple[str, str]]
"""By row id: why it is kept back, and the id of the memory that overrules it (or nothing)."""


@dataclass(frozen=True, slots=True)
class Kept:
    """The items of an answer, what was kept back (with reason and the id that overrules), notes, nearest miss.

    ``left`` is what nothing speaks against but that it scores too little (``floor``, ``faint``) or comes too late
    (``limit``); ``least`` what it takes beside the best.
    """

    items: list[Ranked]
    suppressed: list[tuple[Ranked, str, str]]
    notes: list[str]
    nearest: Ranked | None
    floor: float
    left: list[tuple[Ranked, str]] = field(default_factory=list)
    least: float = 0.0


def keep_back(
    core: Core,
    view: View,
    question: Question,
    ranked: Sequence[Ranked],
    around: Around,
    floor: float,
    limit: int,
    *,
    deep: bool = False,
) -> Kept:
    """Return at most ``limit`` items, the best from ``floor`` on, without what is overruled, doubted or said twice.

    ``deep``: the raw words were asked for; turns that hold nothing sure then come marked, and where the best is
    an answer, whatever comes next is shown, however little it says.
    """
    considered, edges = with_successors(view, around, ranked)
    present = {item.row.id: item for item in considered}
    begun = {id: item for id, item in present.items() if not _is_ahead(item.row, view)}
    hidden = hidden_rows(view, considered, around, floor, deep=deep)
    if question.sets(view):
        _show_told_later(present, hidden, around, edges)
    elif question.former:
        _show_former(present, hidden, edges, floor)
    else:
        _hide_over(begun, hidden)
    _mark_siblings(considered, hidden)
    doubted = _doubted(question, begun, hidden, edges, core.settings.doubt_from)
    _inherit(present, hidden, doubted, edges)
    _hand_down(present, hidden, around)
    apart = told_apart(question, (item for id, item in present.items() if id not in hidden), around.entities)
    items: list[Ranked] = []
    suppressed: list[tuple[Ranked, str, str]] = []
    left: list[tuple[Ranked, str]] = []
    nearest: Ranked | None = None
    least = floor
    for item in sorted(considered, key=lambda r: (-r.score, -r.row.at.timestamp(), r.row.id)):
        reason, by = hidden.get(item.row.id) or doubted.get(item.row.id) or ("", "")
        if not reason and _twin(item, items):
            reason = "said by another item"
        if reason:
            suppressed.append((item, reason, by))
            continue
        nearest = nearest or item
        if item.score < least and not (deep and items):
            left.append((item, "faint" if items else "floor"))
        elif len(items) == limit:
            left.append((item, "limit"))
        else:
            items.append(item)
            least = _WORTH * items[0].score
    notes = notes_on(items, present, doubted, hidden, edges, apart, least, question)
    return Kept(items, suppressed, notes, nearest, floor, left, least)


def _inherit(
    present: Mapping[str, Ranked], hidden: Reasons, doubted: Reasons, edges: Sequence[Replaces]
) -> None:
    """Give each memory that takes the place of another, or disagrees with it, what that one's score was worth."""
    for edge in edges:
        older, newer = present.get(edge.older), present.get(edge.newer)
        if older is None or newer is None:
            continue
        shown = edge.newer not in hidden
        if edge.overrules or (edge.reason == DOUBT and shown and edge.older in doubted):
            _lift(newer, older.score * edge.score)  # a replaced one, too: its successor inherits
        elif shown and _differ(edge, older, newer) and edge.older not in hidden:
            _lift(newer, older.score)
            _lift(older, newer.score)


def _hand_down(present: Mapping[str, Ranked], hidden: Reasons, around: Around) -> None:
    """Give the turns that told what overrules a hidden turn what that one's score was worth, oldest first."""
    for item in sorted(present.values(), key=lambda ranked: (ranked.row.at, ranked.row.id)):
        newer = around.memories.get(hidden.get(item.row.id, ("", ""))[1])
        if isinstance(item.row, Turn) and newer is not None:
            for turn in newer.sources:
                if turn in present:
                    _lift(present[turn], item.score)


def _lift(item: Ranked, score: float) -> None:
    """Give an item a share of the ``score`` of what it belongs with, if that is more than its own."""
    inherited = round(_INHERITED * score, 4)
    if inherited > item.score:
        item.score = inherited
        item.features = {**item.features, "inherited": inherited}


def _differ(edge: Replaces, older: Ranked, newer: Ranked) -> bool:
    return (
        isinstance(older.row, Memory) and isinstance(newer.row, Memory) and differ(edge, older.row, newer.row)
    )


def hidden_rows(
    view: View,
    considered: Sequence[Ranked],
    around: Around,
    floor: float,
    *,
    deep: bool,
) -> Reasons:
    """Return why candidates are hidden, and the memory that overrules them where there is one."""
    newer = {edge.older: edge.newer for edge in around.edges if edge.overrules}
    spent = _spent_turns(view, considered, around, newer, floor)
    reasons: Reasons = {}
    for item in considered:
        row = item.row
        if isinstance(row, Memory):
            why = _why_hidden(row, view, newer) if not _is_ahead(row, view) else None
        elif not view.heard(row):
            why = ("future", "")
        else:
            why = spent.get(row.id)
            if deep and why is not None and why[0] == State.QUARANTINED:
                item.mark, why = why[0], None
        if why is not None:
            reasons[row.id] = why
    return reasons


def _is_ahead(row: Memory | Turn, view: View) -> bool:
    """Tell whether a memory had been told, but what it says had not begun yet: it was announced."""
    if not isinstance(row, Memory) or row.state not in view.states or row.at > view.valid:
        return False
    return view.reason_hidden(row) == "future"


def _show_told_later(
    present: Mapping[str, Ranked], hidden: Reasons, around: Around, edges: Sequence[Replaces]
) -> None:
    """Show what was told after the moment that a question names: it may speak of that time.

    ("The outage was last Wednesday.") Not what names its own beginning, later than that, nor what took the
    place of what held then, nor another value of its slot beside that.
    """
    took_over = {edge.newer for edge in edges if edge.overrules and edge.older not in hidden}
    filled = {_sole_slot(item, "asserted") for id, item in present.items() if id not in hidden} - {None}
    for id in [id for id, (reason, _) in hidden.items() if reason == "future" and id not in took_over]:
        row = present[id].row
        told = [row] if isinstance(row, Memory) else [m for m in around.memories.values() if id in m.sources]
        if not (told and all(map(_begins_later, told))) and _sole_slot(present[id], "asserted") not in filled:
            del hidden[id]


def _begins_later(memory: Memory) -> bool:
    return memory.valid_from != memory.at and memory.valid_to is None


def _show_former(
    present: Mapping[str, Ranked], hidden: Reasons, edges: Sequence[Replaces], floor: float
) -> None:
    """Show what held before a change, and keep back what took its place; mistakes and plans never held."""
    for edge in edges:
        older = present.get(edge.older)
        if older is None or older.score < floor or not edge.overrules or edge.reason == Manner.CORRECTED:
            continue
        held = isinstance(older.row, Memory) and older.row.modality == "asserted"
        if held and hidden.get(edge.older, ("", ""))[0] in ("replaced", "ended"):
            del hidden[edge.older]
            hidden.setdefault(edge.newer, ("present", ""))


def _hide_over(present: Mapping[str, Ranked], hidden: Reasons) -> None:
    """Keep back that something is over where another value has taken its slot; that one inherits from all before."""
    slots = ((_sole_slot(item, "asserted"), item) for item in present.values() if item.row.id not in hidden)
    current = {slot: item for slot, item in slots if slot}
    for item in present.values():
        over = _sole_slot(item, "ended") or _sole_slot(item, "negated")
        former = over or (_sole_slot(item, "asserted") if item.row.id in hidden else None)
        if former not in current:
            continue
        _lift(current[former], item.score)
        if over:
            hidden.setdefault(item.row.id, ("ended", current[former].row.id))


def _sole_slot(item: Ranked, modality: str) -> tuple[str, str, str] | None:
    """Return the slot of a memory meant so, where it holds one value."""
    row = item.row
    if not isinstance(row, Memory) or row.modality != modality or not row.predicate:
        return None
    return None if shipped_inventory()[row.predicate].many else (row.subject, row.predicate, facet(row))


def _mark_siblings(considered: Sequence[Ranked], hidden: Reasons) -> None:
    """Mark memories whose sentence also says what holds no longer: of them the summary is shown alone."""
    spent = {
        (item.row.text, source)
        for item in considered
        if isinstance(item.row, Memory) and item.row.id in hidden
        for source in item.row.sources
    }
    for item in considered:
        if isinstance(item.row, Memory) and item.row.id not in hidden and item.row.predicate:
            item.partly = any((item.row.text, source) in spent for source in item.row.sources)


def _why_hidden(memory: Memory, view: View, newer: Mapping[str, str]) -> tuple[str, str] | None:
    """Return why the view hides a memory and what overrules it, None where it shows it."""
    if memory.state not in view.states:
        return memory.state.value, ""
    why = view.reason_hidden(memory)
    if not why:
        return None
    return ("replaced", newer[memory.id]) if memory.id in newer else (why, "")


def _spent_turns(
    view: View,
    considered: Sequence[Ranked],
    around: Around,
    newer: Mapping[str, str],
    floor: float,
) -> Reasons:
    """Return the turns all of whose memories are hidden, with the reason of one of them.

    So are those that became no memory, score at least ``floor`` and said nothing sure. What is merged or
    archived is hidden for room's sake, not because it is not so.
    """
    told: dict[str, list[tuple[str, str] | None]] = {}
    for memory in around.memories.values():
        why = None if memory.state in _STORED_AWAY else _why_hidden(memory, view, newer)
        for turn in memory.sources:
            told.setdefault(turn, []).append(why)
    for item in considered:
        row = item.row
        if isinstance(row, Turn) and row.id not in told and item.score >= floor and says_nothing_sure(row):
            told[row.id] = [(State.QUARANTINED.value, "")]
    gone = {
        turn: [why for why in reasons if why is not None]
        for turn, reasons in told.items()
        if None not in reasons
    }
    return {turn: max(reasons, key=lambda why: why[0] == "replaced") for turn, reasons in gone.items()}


def _doubted(
    question: Question,
    present: Mapping[str, Ranked],
    hidden: Reasons,
    edges: Sequence[Replaces],
    threshold: float,
) -> Reasons:
    """Return the candidates that a newer one puts in doubt while it answers the question itself.

    What fills the slot that is asked for gives way to no other slot.
    """
    best = max((item.score for id, item in present.items() if id not in hidden), default=0.0)
    doubted: Reasons = {}
    for edge in edges:
        older, newer = present.get(edge.older), present.get(edge.newer)
        if edge.reason != DOUBT or older is None or newer is None or edge.newer in hidden:
            continue
        if _differ(edge, older, newer) or _alone_asked(question, older, newer):
            continue
        answers = min(1.0, newer.score / (_ANSWERS * best)) if best else 0.0
        if edge.score * answers >= threshold:
            doubted[edge.older] = ("possibly out of date", edge.newer)
    return doubted


def _alone_asked(question: Question, older: Ranked, newer: Ranked) -> bool:
    """Tell whether the older one fills a slot that the question asks for, and the newer one another."""
    if not isinstance(older.row, Memory) or not isinstance(newer.row, Memory):
        return False
    asked = older.row.predicate in question.predicates and newer.row.predicate not in question.predicates
    return asked and unlike(older.row, newer.row)


def _twin(item: Ranked, items: Sequence[Ranked]) -> bool:
    """Tell whether an item that is kept already shows the same words of the same turns."""
    return any(item.row.text == other.row.text and set(item.turns) == set(other.turns) for other in items)
