"""Contract of expand: where a walk leads, what it brings back, where it stops."""

from mnemic.graph.model import Memory, State
from mnemic.graph.store import Store
from tests.graph.builders import delta, entity, ids, memory, mentions, uses, view


def edge(id: str, first: str, second: str, at: float = 0, owner: str = "ada", **rest: object) -> Memory:
    """Return a memory that relates two entities and mentions both."""
    return memory(id, at, owner, mentions=mentions(first, second), episodes=(uses(first, second),), **rest)


def chain(store: Store) -> None:
    """A line a - b - c - d, and a memory that only mentions a."""
    store.apply(
        delta(
            *(entity(name) for name in "abcd"),
            *(edge("ab", "a", "b", 1), edge("cb", "c", "b", 2), edge("cd", "c", "d", 3)),
            memory("alone", 4, mentions=mentions("a")),
        )
    )


def test_no_hops_give_the_seeds_and_what_mentions_them(store: Store) -> None:
    chain(store)
    found = store.expand(view(), ["a"], hops=0)

    assert found.distance == {"a": 0}
    assert set(ids(found.memories)) == {"ab", "alone"}
    assert found.entities == {"a": entity("a")}
    assert not found.truncated


def test_a_walk_goes_along_episodes_in_either_direction(store: Store) -> None:
    chain(store)
    one, two, far = (store.expand(view(), ["a"], hops=hops) for hops in (1, 2, 9))

    assert (one.distance, set(ids(one.memories))) == ({"a": 0, "b": 1}, {"ab", "alone"})
    assert (two.distance, set(ids(two.memories))) == ({"a": 0, "b": 1, "c": 2}, {"ab", "cb", "alone"})
    assert far.distance == {"a": 0, "b": 1, "c": 2, "d": 3}
    assert far.entities == {name: entity(name) for name in "abcd"}


def test_distance_is_from_the_nearest_seed(store: Store) -> None:
    chain(store)
    found = store.expand(view(), ["d", "a"], hops=1)
    assert found.distance == {"a": 0, "d": 0, "b": 1, "c": 1}


def test_mentions_alone_are_no_edges(store: Store) -> None:
    store.apply(delta(entity("a"), entity("b"), memory("m1", mentions=mentions("a", "b"))))
    found = store.expand(view(), ["a"], hops=2)
    assert (found.distance, ids(found.memories)) == ({"a": 0}, ["m1"])


def test_an_episode_of_a_memory_that_mentions_nothing_is_walked_too(store: Store) -> None:
    store.apply(delta(entity("a"), entity("b"), memory("m1", episodes=(uses("a", "b"), uses("a", "a")))))
    found = store.expand(view(), ["b"], hops=1)
    assert (found.distance, ids(found.memories)) == ({"b": 0, "a": 1}, ["m1"])


def test_degree_counts_every_memory_that_mentions_an_entity(store: Store) -> None:
    chain(store)
    store.apply(delta(memory("old", state=State.ARCHIVED, mentions=mentions("b", "b"))))
    assert store.expand(view(), ["a"], hops=1).degree == {"a": 2, "b": 3}


def test_unknown_seeds_are_ignored(store: Store) -> None:
    chain(store)
    assert store.expand(view(), ["nobody", "a"], hops=0).distance == {"a": 0}
    empty = store.expand(view(), ["nobody"], hops=3)
    assert (empty.entities, empty.memories, empty.distance, empty.degree) == ({}, (), {}, {})
    assert store.expand(view(), [], hops=3).distance == {}


def test_a_walk_never_leads_through_what_the_reader_may_not_read(store: Store) -> None:
    store.apply(
        delta(
            *(entity("a"), entity("b"), entity("x", "bob"), entity("t", "team")),
            edge("private", "a", "b", owner="bob"),
            edge("foreign", "a", "x"),
            edge("ours", "a", "t", owner="team"),
        )
    )
    mine = store.expand(view("ada"), ["a", "x"], hops=3)
    assert mine.distance == {"a": 0}
    assert "private" not in ids(mine.memories)
    both = store.expand(view("ada", "team"), ["a"], hops=3)
    assert both.distance == {"a": 0, "t": 1}


def test_a_walk_passes_only_what_the_view_shows(store: Store) -> None:
    chain(store)
    store.apply(delta(edge("cb", "c", "b", 2, state=State.QUARANTINED)))
    assert set(store.expand(view(), ["a"], hops=3).distance) == {"a", "b"}
    assert set(store.expand(view(valid=0.5), ["a"], hops=3).distance) == {"a"}


def test_all_memories_of_a_seed_come_while_there_is_room(store: Store) -> None:
    store.apply(
        delta(entity("a"), *(memory(f"m{number}", number, mentions=mentions("a")) for number in range(300)))
    )
    found = store.expand(view(), ["a"], hops=1)
    assert (len(found.memories), found.truncated) == (300, False)


def test_too_many_memories_are_cut_to_the_latest(store: Store) -> None:
    rows = [memory(f"m{number:02}", number, mentions=mentions("a")) for number in range(20)]
    store.apply(delta(entity("a"), *rows))
    found = store.expand(view(), ["a"], hops=0, limit=3)

    assert set(ids(found.memories)) == {f"m{number:02}" for number in range(8, 20)}
    assert found.truncated


def test_too_many_entities_are_cut_to_the_nearest_and_latest(store: Store) -> None:
    near = [edge(f"near{number}", "a", f"n{number}", number) for number in range(6)]
    far = [edge(f"far{number}", "n5", f"f{number}", 100 + number) for number in range(6)]
    names = ["a", *(f"n{number}" for number in range(6)), *(f"f{number}" for number in range(6))]
    store.apply(delta(*map(entity, names), *near, *far))

    assert store.expand(view(), ["a"], hops=2, limit=4).distance == {"a": 0, "n5": 1, "n4": 1, "n3": 1}
    wider = store.expand(view(), ["a"], hops=2, limit=9)
    assert set(wider.distance) == {"a", *(f"n{number}" for number in range(6)), "f5", "f4"}
    assert wider.truncated
    assert not store.expand(view(), ["a"], hops=2, limit=len(names)).truncated


def test_hubs_on_the_edge_of_the_walk_are_cut_to_the_latest_of_them_together(store: Store) -> None:
    hubs = [edge(f"hub{number}", "a", f"h{number}", number) for number in range(3)]
    spokes = [edge(f"s{number:03}", f"h{number % 3}", f"x{number}", 10 + number) for number in range(90)]
    names = ["a", *(f"h{number}" for number in range(3)), *(f"x{number}" for number in range(90))]
    store.apply(delta(*map(entity, names), *hubs, *spokes))
    found = store.expand(view(), ["a"], hops=2, limit=10)

    latest = {f"s{number:03}" for number in range(90 - (40 - 3), 90)}
    assert set(ids(found.memories)) == {"hub0", "hub1", "hub2"} | latest
    assert set(found.distance) == {"a", "h0", "h1", "h2", *(f"x{number}" for number in range(84, 90))}
