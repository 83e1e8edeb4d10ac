"""Why a row answers a question, or why not: the recall itself is followed, and what it did with the row is told.

No figure here is worked out again: features, scores and reasons are those of the pass that the row went through.
Where no channel brought it, the same pass looks wider until one does.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from mnemic.engine.asking import Wish, unfit
from mnemic.engine.core import Core
from mnemic.engine.figures import lacking, standing
from mnemic.engine.rank import Ranked
from mnemic.engine.reasons import Out, layer_called, sentence
from mnemic.engine.recall import Course, Pass, answered, follow, look
from mnemic.engine.results import Explained
from mnemic.engine.suppress import hidden_rows
from mnemic.engine.target import find_any
from mnemic.extraction.text import tongue
from mnemic.graph.ids import told_id, told_ids
from mnemic.graph.model import Layer, Memory, Turn
from mnemic.graph.store import Around, Candidate
from mnemic.graph.view import Scope, View

_WIDER = (10, 100)
"""So many times as many rows are looked at where no channel brought the one that is asked about."""

_CUT = {"floor": Out.FLOOR, "faint": Out.FAINT, "limit": Out.LIMIT}


@dataclass(frozen=True, slots=True)
class _Case:
    """What became of a row: the pass that says so, how it stands there, what kept it out, by which row."""

    kept_out: str = ""
    by: str = ""
    within: Pass | None = None
    item: Ranked | None = None
    place: int = 0
    takes: float = 0.0
    returned: bool = False
    figures: Mapping[str, Any] = field(default_factory=dict)
    missing: tuple[str, ...] = ()


def why(core: Core, scope: Scope, view: View, query: str, pointer: str, wish: Wish) -> Explained:
    """Return why the row that ``pointer`` means answers ``query``, or why not; raises ``NotFound``."""
    row = find_any(core, scope, view, pointer)
    course = follow(core, view, query, wish)
    case = _case(core, course, wish, row)
    by = _text_of(core, course.view, case)
    speaks = tongue(query)
    item = case.item
    score = item.score if item is not None else 0.0
    figures = {"score": score, "place": case.place, "takes": case.takes, "gap": case.takes - score, "by": by}
    return Explained(
        query=query,
        id=told_id(row.id) if isinstance(row, Turn) else row.id,
        layer=_layer(row).value,
        text=row.text,
        turns=(told_id(row.id),) if isinstance(row, Turn) else told_ids(row.sources),
        returned=case.returned,
        place=case.place,
        kept_out=case.kept_out,
        because=sentence(speaks, case.kept_out, **figures, **case.figures),
        by=case.by,
        by_text=by,
        missing=case.missing,
        takes=case.takes,
        weights=wish.profile.name,
        **(standing(case.within, item, wish) if item is not None and case.within is not None else {}),
    )


def _layer(row: Memory | Turn) -> Layer:
    return Layer.TURN if isinstance(row, Turn) else Layer.MEMORY


def _case(core: Core, course: Course, wish: Wish, row: Memory | Turn) -> _Case:
    if course.question is None or course.refused:
        return _Case(course.refused)
    layer = _layer(row)
    within = next((each for each in course.passes if each.layer is layer), None)
    if within is None:
        return _not_asked(core, course, wish, row)
    placed = _placed(within, wish, row)
    if placed is not None and placed.returned:
        return _packed(course, wish, placed)
    bound = unfit(row, wish, within.asked.question)
    if bound:
        return _filtered(core, course, wish, row, bound)
    return placed or _unseen(core, course, wish, row)


def _placed(within: Pass, wish: Wish, row: Memory | Turn) -> _Case | None:
    """Return what a pass did with a row that it saw."""
    kept = within.kept
    takes = kept.least if kept.items else kept.floor
    for place, item in enumerate(kept.items, 1):
        if item.row.id == row.id:
            return _Case("", "", within, item, place, takes if place > 1 else kept.floor, returned=True)
    for item, reason, by in kept.suppressed:
        if item.row.id == row.id:
            return _Case(reason, by or _twin_of(kept.items, item), within, item)
    for place, (item, cut) in enumerate(kept.left, len(kept.items) + 1):
        if item.row.id == row.id:
            return _Case(_CUT[cut], "", within, item, place, takes, figures={"limit": wish.limit})
    for ahead, item in enumerate(within.asked.ranked):
        if item.row.id == row.id:
            return _Case(_left_behind(within, row), "", within, item, figures={"ahead": ahead})
    return None


def _left_behind(within: Pass, row: Memory | Turn) -> Out:
    """Return why a row that was nominated was not looked at closely."""
    if row.id not in {item.row.id for item in within.aside}:
        return Out.CROWD
    return Out.ASSISTANT if isinstance(row, Turn) and row.role != "user" else Out.QUESTION


def _seen(within: Pass, row: Memory | Turn) -> Ranked | None:
    return next((item for item in within.asked.ranked if item.row.id == row.id), None)


def _twin_of(items: list[Ranked], item: Ranked) -> str:
    return next((other.row.id for other in items if other.row.text == item.row.text), "")


def _packed(course: Course, wish: Wish, case: _Case) -> _Case:
    """Return the case of an item with what the text had room for."""
    items, _, shown = answered(course, wish)
    if any(each is items[case.place - 1] for each in shown):
        return case
    return replace(case, kept_out=Out.BUDGET, figures={"budget": wish.budget})


def _not_asked(core: Core, course: Course, wish: Wish, row: Memory | Turn) -> _Case:
    """Return the case of a row in whose layer nothing was looked for, with how it would stand there."""
    assert course.question is not None
    layer, speaks = _layer(row), tongue(course.question.text)
    within = look(core, course.view, course.question, wish, layer, deep=layer is Layer.TURN)
    figures = {
        "asked": layer_called(speaks, course.passes[0].layer.value),
        "other": layer_called(speaks, layer.value),
        "depth": "deep" if layer is Layer.TURN else "warm",
    }
    return _Case(Out.NOT_ASKED, "", within, _seen(within, row), figures=figures)


def _filtered(core: Core, course: Course, wish: Wish, row: Memory | Turn, bound: str) -> _Case:
    """Return the case of a row that the caller's own bounds leave out, with how it would stand without them."""
    assert course.question is not None
    free = Wish(limit=wish.limit, depth=wish.depth, profile=wish.profile, conversation=wish.conversation)
    question = replace(course.question, only=())
    within = look(core, course.view, question, free, _layer(row), deep=_deep(course))
    return _Case(Out.FILTERED, "", within, _seen(within, row), figures={"bound": bound})


def _deep(course: Course) -> bool:
    """Tell whether the raw words were asked for."""
    return course.passes[0].layer is Layer.TURN


def _unseen(core: Core, course: Course, wish: Wish, row: Memory | Turn) -> _Case:
    """Return the case of a row that no channel brought: hidden itself, or without what would have brought it."""
    assert course.question is not None
    within, item = course.passes[-1], None
    for wider in _WIDER:
        within = look(core, course.view, course.question, wish, _layer(row), deep=_deep(course), wider=wider)
        item = _seen(within, row)
        if item is not None:
            break
    floor = wish.profile.of(_layer(row)).floor
    alone = item or Ranked(Candidate(row, frozenset()), {})
    hidden = hidden_rows(course.view, [alone], _around(core, course.view, row), floor, deep=_deep(course))
    if row.id in hidden:
        reason, by = hidden[row.id]
        return _Case(reason, by, within, item)
    lacks = tuple(lacking(core, within, item, row))
    return _Case(Out.UNSEEN, "", within, item, figures={"seeds": core.settings.seeds}, missing=lacks)


def _around(core: Core, view: View, row: Memory | Turn) -> Around:
    """Return what stands around one row."""
    told = [row] if isinstance(row, Memory) else core.store.memories(view, turns=[row.id])
    edges = core.store.replacements(view, [memory.id for memory in told]) if told else []
    memories = {memory.id: memory for memory in told} if isinstance(row, Turn) else {}
    return Around(edges=tuple(edges), memories=memories)


def _text_of(core: Core, view: View, case: _Case) -> str:
    """Return the words of the row that another gave way to."""
    if not case.by:
        return ""
    found = core.store.memories(view, ids=[case.by])
    turns = found or core.store.turns(view, ids=[case.by])
    return turns[0].text if turns else ""
