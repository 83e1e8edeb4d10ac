"""Contract of views: every door shows exactly what View.shows says, whatever the rows."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime
from itertools import count, product

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from mnemic.graph.model import Kind, Layer, Memory, State, Turn
from mnemic.graph.store import Probe, Store
from mnemic.graph.view import View
from tests.graph.builders import (
    day,
    delta,
    embedded,
    entity,
    ids,
    memory,
    mentions,
    nominated,
    turn,
    uses,
    vector,
    view,
)

_days = st.integers(0, 5).map(day)
_maybe = st.none() | _days
_examples = count()
_BEGINNING = datetime.min.replace(tzinfo=UTC)

same_store = settings(
    max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
"""Each example lives under owners of its own, so that one store serves them all."""


@st.composite
def _memories(draw: st.DrawFn) -> list[Memory]:
    rows = []
    for number in range(draw(st.integers(1, 8))):
        rows.append(
            memory(
                f"m{number}",
                owner=draw(st.sampled_from(["ada", "bob", "team"])),
                state=draw(st.sampled_from(State)),
                recorded_at=draw(_days),
                valid_from=draw(_days),
                retired_at=draw(_maybe),
                valid_to=draw(_maybe),
                closed_at=draw(_maybe),
                expires_at=draw(_maybe),
                kind=draw(st.sampled_from([Kind.FACT, Kind.TASK])),
                tags=tuple(draw(st.sets(st.sampled_from(["work", "home"])))),
                session=draw(st.sampled_from(["s1", "s2"])),
                speaker=draw(st.sampled_from(["Ada", "Bob"])),
            )
        )
    return rows


_views = st.builds(
    View,
    owners=st.sets(st.sampled_from(["ada", "bob", "team"]), min_size=1).map(frozenset),
    valid=_days,
    known=_days,
    states=st.sets(st.sampled_from(State), min_size=1).map(frozenset),
)


def _filter(values: Sequence[str]) -> st.SearchStrategy[frozenset[str]]:
    return st.just(frozenset()) | st.sets(st.sampled_from(values), min_size=1).map(frozenset)


_probes = st.builds(
    Probe,
    kinds=_filter(["fact", "task"]),
    tags=_filter(["work", "home"]),
    sessions=_filter(["s1", "s2"]),
    speakers=_filter(["Ada", "Bob"]),
    hidden=st.sampled_from([0, 100]),
)


def _passes(row: Memory, probe: Probe) -> bool:
    return (
        (not probe.kinds or row.kind in probe.kinds)
        and (not probe.tags or bool(probe.tags & set(row.tags)))
        and (not probe.sessions or row.session in probe.sessions)
        and (not probe.speakers or row.speaker in probe.speakers)
    )


class _World:
    """An example's rows, moved to names that no other example uses."""

    def __init__(self, store: Store, rows: Sequence[Memory], moment: View, probe: Probe) -> None:
        mark = f"{next(_examples)}-"
        self.hub, self.rim = f"{mark}hub", f"{mark}rim"
        self.rows = [
            replace(
                row,
                id=mark + row.id,
                owner=mark + row.owner,
                subject=self.hub,
                predicate="uses",
                terms=("plan",),
                mentions=mentions(self.hub),
                episodes=(uses(self.hub, self.rim),),
            )
            for row in rows
        ]
        self.view = replace(moment, owners=frozenset(mark + owner for owner in moment.owners))
        self.probe = replace(
            probe, terms=("plan",), vector=vector(1), entities=(self.hub,), salient=True, since=_BEGINNING
        )
        reader = min(self.view.owners)
        store.apply(
            delta(
                entity(self.hub, reader),
                entity(self.rim, reader),
                *self.rows,
                *(embedded(row.id, vector(1)) for row in self.rows),
            )
        )

    def shown(self) -> set[str]:
        return {row.id for row in self.rows if self.view.shows(row)}

    def readable(self) -> set[str]:
        return {row.id for row in self.rows if row.owner in self.view.owners}


def test_every_combination_of_times_and_moments(store: Store) -> None:
    """Two days, before and after: each order of a memory's times and the view's moments occurs."""
    days, open_or_days = [1, 2], [None, 1, 2]
    rows = [
        memory(
            f"m{number:04}",
            recorded_at=day(recorded),
            valid_from=day(began),
            retired_at=None if retired is None else day(retired),
            valid_to=None if ended is None else day(ended),
            closed_at=None if closed is None else day(closed),
            expires_at=None if expires is None else day(expires),
            terms=("plan",),
        )
        for number, (recorded, began, retired, ended, closed, expires) in enumerate(
            product(days, days, open_or_days, open_or_days, open_or_days, open_or_days)
        )
    ]
    store.apply(delta(*rows))
    probe = Probe(terms=("plan",), since=day(0), limit=len(rows), hidden=len(rows))
    for valid, known in product((0.5, 1, 1.5, 2, 2.5), repeat=2):
        then = view(valid=valid, known=known)
        shown = {row.id for row in rows if then.shows(row)}
        found = store.gather(then, probe)
        assert nominated(found, "time") == shown
        assert nominated(found, "words") == set(ids(rows))
        assert nominated(store.gather(then, replace(probe, hidden=0)), "words") == shown


@same_store
@given(rows=_memories(), moment=_views, probe=_probes)
def test_gather_nominates_what_the_view_shows_and_the_filters_pass(
    store: Store, rows: list[Memory], moment: View, probe: Probe
) -> None:
    world = _World(store, rows, moment, probe)
    found = store.gather(world.view, world.probe)

    passing = {row.id for row in world.rows if _passes(row, probe)}
    shown, hidden = world.shown() & passing, (world.readable() - world.shown()) & passing
    for channel in ("entities", "time", "salient"):
        assert nominated(found, channel) == shown
    for channel in ("words", "vector"):
        assert nominated(found, channel) == (shown | hidden if probe.hidden else shown)


@same_store
@given(rows=_memories(), moment=_views)
def test_look_ups_and_walks_show_what_the_view_shows(store: Store, rows: list[Memory], moment: View) -> None:
    world = _World(store, rows, moment, Probe())
    named = [row.id for row in world.rows]

    assert set(ids(store.timeline(world.view))) == world.shown()
    assert set(ids(store.timeline(world.view, entities=[world.hub]))) == world.shown()
    assert set(ids(store.timeline(world.view, hidden=True))) == world.readable()
    assert set(ids(store.memories(world.view, ids=named, hidden=False))) == world.shown()
    assert set(ids(store.memories(world.view, ids=named))) == world.readable()
    assert set(ids(store.slot(world.view, world.hub))) == world.readable()
    shown = {memory.id for memory in store.slot(world.view, world.hub) if world.view.shows(memory)}
    assert set(ids(store.slot(world.view, world.hub, hidden=False))) == shown
    assert {row.id for row in store.scan(world.view, Layer.MEMORY)} == world.readable()
    assert set(ids(store.expand(world.view, [world.hub], hops=0).memories)) == world.shown()
    walked = store.expand(world.view, [world.rim], hops=1)
    assert set(ids(walked.memories)) == world.shown()
    assert set(walked.entities) == ({world.rim, world.hub} if world.shown() else {world.rim})


@same_store
@given(moments=st.lists(_days, min_size=1, max_size=6), moment=_views)
def test_turns_are_gathered_from_their_time_on(store: Store, moments: list[datetime], moment: View) -> None:
    owner = f"{next(_examples)}-ada"
    turns: list[Turn] = [
        turn(f"{owner}-{number}", number, owner, at=at, terms=("plan",)) for number, at in enumerate(moments)
    ]
    store.apply(delta(*turns, *(embedded(row.id, vector(1), layer=Layer.TURN) for row in turns)))
    own = View(owners=frozenset({owner}), valid=moment.valid, known=moment.known)
    probe = Probe(layer=Layer.TURN, terms=("plan",), vector=vector(1), since=day(-1))

    shown = {row.id for row in turns if row.at <= own.valid}
    found = store.gather(own, probe)
    for channel in ("words", "vector", "time"):
        assert nominated(found, channel) == shown
