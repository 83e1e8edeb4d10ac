"""Both clocks through every read: when it was true, and when we knew it."""

import time
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta, timezone
from typing import Any

import pytest

from mnemic import InvalidInput, ManualClock, Mnemic
from mnemic.graph.clock import system_clock
from tests.engine.told import day, door, recalled, stored_id, values

QUESTION = "Where does Ben live?"


@pytest.fixture(scope="module")
def moved() -> Iterator[Mnemic]:
    """Ben lives in Berlin from day 0; since day 10, known on day 15, in Paris. Today is day 20. To be read only."""
    clock = ManualClock(day(0))
    with door(clock=clock) as memory:
        memory.remember("Ben lives in Berlin.")
        clock.now = day(15)
        memory.remember("Ben lives in Paris.", at=day(10))
        clock.now = day(20)
        yield memory


MOMENTS: list[tuple[dict[str, Any], list[str]]] = [
    ({}, ["Paris"]),
    ({"valid_as_of": day(-1)}, []),
    ({"valid_as_of": day(0)}, ["Berlin"]),
    ({"valid_as_of": day(9.9)}, ["Berlin"]),
    ({"valid_as_of": day(10)}, ["Paris"]),
    ({"known_as_of": day(-1)}, []),
    ({"known_as_of": day(14.9)}, ["Berlin"]),
    ({"known_as_of": day(15)}, ["Paris"]),
    ({"valid_as_of": day(12), "known_as_of": day(14)}, ["Berlin"]),
    ({"valid_as_of": day(12), "known_as_of": day(16)}, ["Paris"]),
    ({"valid_as_of": day(5), "known_as_of": day(16)}, ["Berlin"]),
    ({"valid_as_of": day(10).astimezone(timezone(timedelta(hours=8)))}, ["Paris"]),
]


@pytest.mark.parametrize(("moments", "city"), MOMENTS)
def test_about_shows_what_was_true_and_known(moved: Mnemic, moments: dict[str, Any], city: list[str]) -> None:
    about = moved.about("Ben", **moments)
    assert values(moved, "Ben", "lives_in", **moments) == city
    assert [fact.value for fact in about.timeline] == city
    assert [neighbour.name for neighbour in about.neighbours] == city


@pytest.mark.parametrize(("moments", "city"), MOMENTS)
@pytest.mark.parametrize("depth", ["warm", "auto"])
def test_recall_shows_what_was_true_and_known(
    moved: Mnemic, moments: dict[str, Any], city: list[str], depth: str
) -> None:
    assert recalled(moved, QUESTION, depth=depth, **moments) == [f"Ben lives in {name}." for name in city]


@pytest.mark.parametrize(("moments", "city"), MOMENTS)
def test_explore_and_path_walk_over_what_was_true_and_known(
    moved: Mnemic, moments: dict[str, Any], city: list[str]
) -> None:
    explored = moved.explore("Ben", **moments)
    assert [edge.object for edge in explored.edges] == city
    assert [thing.name for thing in explored.nodes] == ["Ben Hill", *city]
    for name in ("Berlin", "Paris"):
        assert bool(moved.path("Ben", name, **moments).steps) == (name in city)


@pytest.mark.parametrize("deep", [False, True])
def test_nothing_that_was_told_later_is_recalled_for_an_earlier_day(moved: Mnemic, deep: bool) -> None:
    depth = "deep" if deep else "warm"
    assert recalled(moved, QUESTION, depth=depth, known_as_of=day(5)) == ["Ben lives in Berlin."]
    assert recalled(moved, QUESTION, depth=depth, valid_as_of=day(5)) == ["Ben lives in Berlin."]


def test_history_lists_what_was_known(moved: Mnemic) -> None:
    def known(moment: datetime) -> list[str]:
        chains = moved.history("Ben", predicate="lives_in", known_as_of=moment).chains
        return [version.value for chain in chains for version in chain.versions]

    assert known(day(-1)) == []
    assert known(day(14)) == ["Berlin"]
    assert known(day(20)) == ["Berlin", "Paris"]


def test_tasks_are_open_until_they_are_replaced(memory: Mnemic, clock: ManualClock) -> None:
    task = stored_id(memory.remember("Call the dentist.", kind="task", importance=0.9))
    clock.now = day(10)
    memory.remember("The dentist was called.", replaces=task)
    clock.now = day(20)
    assert memory.tasks() == ()
    assert [task.memory for task in memory.tasks(valid_as_of=day(5))] == [task]
    assert [task.memory for task in memory.tasks(known_as_of=day(5))] == [task]
    assert memory.tasks(valid_as_of=day(-1)) == ()
    assert memory.tasks(known_as_of=day(-1)) == ()


# -- what a past view must not tell -----------------------------------------------------------------


@pytest.mark.parametrize("moments", [{"valid_as_of": day(5)}, {"known_as_of": day(5)}])
def test_a_profile_of_the_past_holds_what_was_true_then(moved: Mnemic, moments: dict[str, Any]) -> None:
    assert moved.about("Ben", **moments).profile == {"lives_in": ("Berlin",)}


def test_changes_that_came_later_are_not_told_of_an_earlier_day(moved: Mnemic) -> None:
    assert moved.about("Ben", valid_as_of=day(12)).changes
    assert moved.about("Ben", valid_as_of=day(5)).changes == ()


def test_history_leaves_out_what_began_later_when_asked(moved: Mnemic) -> None:
    def lived(**moments: datetime) -> list[str]:
        chains = moved.history("Ben", predicate="lives_in", **moments).chains
        return [version.value for chain in chains for version in chain.versions]

    assert lived() == ["Berlin", "Paris"]
    assert lived(valid_as_of=day(10)) == ["Berlin", "Paris"]
    assert lived(valid_as_of=day(9)) == ["Berlin"]
    assert lived(valid_as_of=day(12), known_as_of=day(14)) == ["Berlin"]
    assert lived(valid_as_of=day(-1)) == []


def test_an_end_that_was_learnt_later_is_not_told_by_about(moved: Mnemic) -> None:
    (fact,) = moved.about("Ben", known_as_of=day(5)).facts
    assert fact.until is None


def test_an_end_that_was_learnt_later_is_not_told_by_recall(moved: Mnemic) -> None:
    found = moved.recall(QUESTION, known_as_of=day(5))
    assert [item.until for item in found.items] == [None]
    assert "–" not in found.text


def test_an_end_that_was_learnt_later_is_not_told_by_history(moved: Mnemic) -> None:
    (chain,) = moved.history("Ben", predicate="lives_in", known_as_of=day(5)).chains
    (version,) = chain.versions
    assert (version.state, version.valid_to, version.retired_at) == ("active", None, None)


def test_changes_tell_what_gave_way_to_what_once_it_is_known(moved: Mnemic) -> None:
    (changed,) = moved.about("Ben").changes
    assert (changed.predicate, changed.old, changed.new, changed.at) == (
        "lives_in",
        "Berlin",
        "Paris",
        day(10),
    )
    assert moved.about("Ben", known_as_of=day(14)).changes == ()


# -- naive moments ----------------------------------------------------------------------------------

Read = Callable[..., Any]
READS: dict[str, tuple[Callable[[Mnemic], Read], tuple[str, ...], tuple[str, ...]]] = {
    "recall": (lambda memory: memory.recall, (QUESTION,), ("valid_as_of", "known_as_of")),
    "about": (lambda memory: memory.about, ("Ben",), ("valid_as_of", "known_as_of")),
    "explore": (lambda memory: memory.explore, ("Ben",), ("valid_as_of", "known_as_of")),
    "path": (lambda memory: memory.path, ("Ben", "Berlin"), ("valid_as_of", "known_as_of")),
    "tasks": (lambda memory: memory.tasks, (), ("valid_as_of", "known_as_of")),
    "history": (lambda memory: memory.history, ("Ben",), ("valid_as_of", "known_as_of")),
}


@pytest.mark.parametrize(
    ("read", "field"), [(read, field) for read, (_, _, fields) in READS.items() for field in fields]
)
def test_a_moment_without_an_offset_is_refused_by_name(moved: Mnemic, read: str, field: str) -> None:
    door, said, _ = READS[read]
    with pytest.raises(InvalidInput, match="offset") as caught:
        door(moved)(*said, **{field: datetime(2026, 3, 5)})
    assert caught.value.field == field


def test_a_moment_of_telling_without_an_offset_is_refused_by_name(memory: Mnemic) -> None:
    for told in ("Ben lives in Berlin.", {"role": "user", "content": "Ben lives in Berlin."}):
        with pytest.raises(InvalidInput, match="offset") as caught:
            memory.remember(told, at=datetime(2026, 3, 5))
        assert caught.value.field == "at"


@pytest.mark.parametrize("field", ["since", "until"])
def test_a_bound_without_an_offset_is_refused_by_name(moved: Mnemic, field: str) -> None:
    bounds = {field: datetime(2026, 3, 5)}
    with pytest.raises(InvalidInput, match="offset") as caught:
        moved.recall(QUESTION, since=bounds.get("since"), until=bounds.get("until"))
    assert caught.value.field == field


def test_reversed_bounds_are_refused_by_name(moved: Mnemic) -> None:
    with pytest.raises(InvalidInput) as caught:
        moved.recall(QUESTION, since=day(2), until=day(1))
    assert caught.value.field in ("since", "until")


@pytest.mark.parametrize(("zone", "hours"), [("Asia/Shanghai", 8), ("America/Phoenix", -7), ("UTC", 0)])
def test_the_machines_clock_tells_the_offset_of_where_it_is(
    monkeypatch: pytest.MonkeyPatch, zone: str, hours: int
) -> None:
    try:
        monkeypatch.setenv("TZ", zone)
        time.tzset()
        assert system_clock().utcoffset() == timedelta(hours=hours)
        assert abs(system_clock() - datetime.now(UTC)) < timedelta(minutes=1)
    finally:
        monkeypatch.undo()
        time.tzset()
