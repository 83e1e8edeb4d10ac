"""The kinds of checks: each asks one door of a memory and judges what comes back.

``recall`` (by source turns) · ``about`` (by the values currently held true) · ``path`` · ``explore`` ·
``history`` (by values in their order) · ``absent`` (behind every door) · ``same``, ``distinct`` (by entity
id) · ``open_tasks`` (by source turns). How a value is compared with an expected one: ``matching.py``.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Literal

from pydantic import BaseModel

from benchmarks.door import Door
from benchmarks.form import Check, Scenario
from benchmarks.matching import Names, matches
from mnemic.engine.results import About
from mnemic.errors import NotFound
from mnemic.extraction.text import fold

HELD = "asserted"
"""The modality of what is held true; what is negated, reported or planned shows no value."""

DEPTHS: tuple[Literal["warm", "deep"], ...] = ("warm", "deep")


@dataclass(frozen=True, slots=True)
class Verdict:
    """Whether a check passed, and what came back."""

    passed: bool
    got: object


@dataclass(slots=True)
class Case:
    """A scenario that is being told to a memory: ``turns`` maps the memory's turn ids to the file's."""

    scenario: Scenario
    memory: Door
    names: Names
    turns: dict[str, str] = field(default_factory=dict)

    def sources(self, turns: Iterable[str]) -> set[str]:
        """Return the file's ids of these turns."""
        return {self.turns.get(turn, turn) for turn in turns}

    def shows(self, expected: str, values: Iterable[str]) -> bool:
        """Tell whether one of the values matches."""
        return any(matches(expected, value, self.names) for value in values)

    def fits(self, check: Check, values: Iterable[str]) -> bool:
        """Tell whether the values show all that is included and nothing that is excluded."""
        shown = list(values)
        return all(self.shows(expected, shown) for expected in check.include) and not any(
            self.shows(unwanted, shown) for unwanted in check.exclude
        )


def judge(check: Check, case: Case) -> Verdict:
    """Ask the memory as the check says, and judge the answer."""
    return JUDGES[check.do](check, case)


def _recall(check: Check, case: Case) -> Verdict:
    """Judge whether each expected turn stands behind some item, and none rests on forbidden turns alone."""
    found = case.memory.recall(check.query, limit=check.top, valid_as_of=check.valid_as_of)
    items = found.items[: check.top]
    sources = [case.sources(item.turns) for item in items]
    got = [{"turns": sorted(turns), "text": item.text} for turns, item in zip(sources, items, strict=True)]
    if check.nothing:
        return Verdict(not items, got)
    reached = set(check.expect) <= {turn for turns in sources for turn in turns}
    broken = any(turns and turns <= set(check.forbid) for turns in sources)
    return Verdict(reached and not broken, got)


def _about(check: Check, case: Case) -> Verdict:
    """Judge the values currently held true; an unknown name has none."""
    try:
        shown = list(values_of(case.memory.about(check.name)))
    except NotFound:
        shown = []
    return Verdict(case.fits(check, shown), shown)


def values_of(about: About) -> Iterator[str]:
    """Yield what an answer holds true of its entity: names, profile, values of facts, neighbours."""
    yield about.entity.name
    yield from about.entity.aliases
    for values in about.profile.values():
        yield from values
    yield from (fact.value for fact in about.facts if fact.modality == HELD)
    yield from (neighbour.name for neighbour in about.neighbours)


def _path(check: Check, case: Case) -> Verdict:
    """Judge whether the two are connected, through all that is to lie between them."""
    try:
        way = case.memory.path(check.source, check.target, max_hops=check.max_hops)
    except NotFound:
        return Verdict(False, [])
    between = all(case.shows(name, way.names) for name in check.through)
    return Verdict(bool(way.steps) and between, list(way.names))


def _explore(check: Check, case: Case) -> Verdict:
    """Judge the entities within so many hops; around an unknown name there are none."""
    try:
        nodes = case.memory.explore(check.name, hops=check.hops).nodes
    except NotFound:
        nodes = ()
    reached = [name for node in nodes for name in (node.name, *node.aliases)]
    return Verdict(case.fits(check, reached), [node.name for node in nodes])


def _history(check: Check, case: Case) -> Verdict:
    """Judge whether one slot held these values in this order."""
    try:
        chains = case.memory.history(check.name).chains
    except NotFound:
        chains = ()
    held = [[version.value for version in chain.versions if version.modality == HELD] for chain in chains]
    return Verdict(any(_in_order(check.order, values, case) for values in held), held)


def _in_order(expected: Iterable[str], values: Iterable[str], case: Case) -> bool:
    """Tell whether each expected value is found behind the one before it."""
    rest = iter(values)
    return all(any(case.shows(wanted, [value]) for value in rest) for wanted in expected)


def _absent(check: Check, case: Case) -> Verdict:
    """Judge whether the text stands in nothing that any door returns, blanks aside."""
    wanted = _solid(check.text)
    seen = sorted({text for text in said_by_every_door(check, case) if wanted in _solid(text)})
    return Verdict(not seen, seen)


def _solid(text: str) -> str:
    return "".join(fold(text).split())


def said_by_every_door(check: Check, case: Case) -> Iterator[str]:
    """Yield every text that the memory returns to someone who looks for this one everywhere."""
    for query in (check.text, *(turn.text for turn in case.scenario.turns)):
        for depth in DEPTHS:
            found = case.memory.recall(query, limit=20, depth=depth)
            yield from _texts(found.model_dump(exclude={"query"}))
    speakers = {turn.speaker for turn in case.scenario.turns}
    for name in sorted(speakers | {entry.name for entry in case.scenario.dictionary}):
        yield from _said_of(name, case.memory)
    yield from _texts(list(case.memory.tasks()))
    yield from _texts(list(case.memory.export()))


def _said_of(name: str, memory: Door) -> Iterator[str]:
    for door in (memory.about, memory.history, memory.explore):
        try:
            yield from _texts(door(name))
        except NotFound:
            continue


def _texts(value: object) -> Iterator[str]:
    """Yield every string inside a result, keys included."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, BaseModel):
        yield from _texts(value.model_dump())
    elif isinstance(value, Mapping):
        for key, inner in value.items():
            yield from _texts(key)
            yield from _texts(inner)
    elif isinstance(value, list | tuple | set | frozenset):
        for inner in value:
            yield from _texts(inner)


def _same(check: Check, case: Case) -> Verdict:
    """Judge whether both names are known and mean one entity."""
    ids = _resolved(check, case)
    return Verdict(None not in ids.values() and len(set(ids.values())) == 1, ids)


def _distinct(check: Check, case: Case) -> Verdict:
    """Judge whether the names mean different entities; a name that is not known means none."""
    ids = _resolved(check, case)
    known = [entity for entity in ids.values() if entity is not None]
    return Verdict(len(set(known)) == len(known), ids)


def _resolved(check: Check, case: Case) -> dict[str, str | None]:
    ids: dict[str, str | None] = {}
    for name in check.names:
        try:
            ids[name] = case.memory.resolve(name).id
        except NotFound:
            ids[name] = None
    return ids


def _open_tasks(check: Check, case: Case) -> Verdict:
    """Judge the turns behind the tasks that are still open."""
    tasks = case.memory.tasks()
    turns = {turn for task in tasks for turn in case.sources(task.turns)}
    passed = set(check.include) <= turns and not turns & set(check.exclude)
    return Verdict(passed, [{"turns": sorted(case.sources(task.turns)), "text": task.text} for task in tasks])


JUDGES: Mapping[str, Callable[[Check, Case], Verdict]] = {
    "recall": _recall,
    "about": _about,
    "path": _path,
    "explore": _explore,
    "history": _history,
    "absent": _absent,
    "same": _same,
    "distinct": _distinct,
    "open_tasks": _open_tasks,
}
