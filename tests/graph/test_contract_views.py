"""Contract of views: every door shows exactly what View.shows says, whatever the rows."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime
from itertools import count

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

    def __init__(self, store: Store, rows: Sequence[Memory], view: View, probe: Probe) -> None:
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
        self.view = replace(view, owners=frozenset(mark + owner for owner in view.owners))
        self.probe = replace(
            probe, terms=("plan",), vector=vector(1), entities=(self.hub,), salient=True, since=_BEGINNING
        )
        reader = min(self.view.owners)
        store.apply(
            delta(
                *(entity(self.hub, reader), entity(self.rim, reader), *self.rows),
                *(embedded(row.id, vector(1)) for row in self.rows),
            )
        )

    def shown(self) -> set[str]:
        return {row.id for row in self.rows if self.view.shows(row)}

    def readable(self) -> set[str]:
        return {row.id for row in self.rows if row.owner in self.view.owners}


@same_store
@given(rows=_memories(), view=_views, probe=_probes)
def test_gather_nominates_what_the_view_shows_and_the_filters_pass(
    store: Store, rows: list[Memory], view: View, probe: Probe
) -> None:
    world = _World(store, rows, view, probe)
    found = store.gather(world.view, world.probe)

    passing = {row.id for row in world.rows if _passes(row, probe)}
    shown, hidden = world.shown() & passing, (world.readable() - world.shown()) & passing
    for channel in ("entities", "time", "salient"):
        assert nominated(found, channel) == shown
    for channel in ("words", "summary", "detail"):
        assert nominated(found, channel) == (shown | hidden if probe.hidden else shown)


@same_store
@given(rows=_memories(), view=_views)
def test_look_ups_and_walks_show_what_the_view_shows(store: Store, rows: list[Memory], view: View) -> None:
    world = _World(store, rows, view, Probe())
    named = [row.id for row in world.rows]

    assert set(ids(store.timeline(world.view))) == world.shown()
    assert set(ids(store.timeline(world.view, entities=[world.hub]))) == world.shown()
    assert set(ids(store.timeline(world.view, hidden=True))) == world.readable()
    assert set(ids(store.memories(world.view, ids=named, hidden=False))) == world.shown()
    assert set(ids(store.memories(world.view, ids=named))) == world.readable()
    assert set(ids(store.slot(world.view, world.hub))) == world.readable()
    assert {row.id for row in store.scan(world.view, Layer.MEMORY)} == world.readable()
    assert set(ids(store.expand(world.view, [world.hub], hops=0).memories)) == world.shown()
    walked = store.expand(world.view, [world.rim], hops=1)
    assert set(ids(walked.memories)) == world.shown()
    assert set(walked.entities) == ({world.rim, world.hub} if world.shown() else {world.rim})


@same_store
@given(moments=st.lists(_days, min_size=1, max_size=6), view=_views)
def test_turns_are_gathered_from_their_time_on(store: Store, moments: list[datetime], view: View) -> None:
    owner = f"{next(_examples)}-ada"
    turns: list[Turn] = [
        turn(f"{owner}-{number}", number, owner, at=at, terms=("plan",)) for number, at in enumerate(moments)
    ]
    store.apply(delta(*turns, *(embedded(row.id, vector(1), layer=Layer.TURN) for row in turns)))
    own = View(owners=frozenset({owner}), valid=view.valid, known=view.known)
    probe = Probe(layer=Layer.TURN, terms=("plan",), vector=vector(1), since=day(-1))

    shown = {row.id for row in turns if row.at <= own.valid}
    found = store.gather(own, probe)
    for channel in ("words", "summary", "detail", "time"):
        assert nominated(found, channel) == shown
