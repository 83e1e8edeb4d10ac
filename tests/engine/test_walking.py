"""Relations between entities: what lies around one, and how two are connected."""

import pytest

from mnemic import InvalidInput, Mnemic
from tests.engine.told import recalled, tell


@pytest.fixture
def net(memory: Mnemic) -> Mnemic:
    """Ben - Atlas - checkout - PostgreSQL, and Lea elsewhere."""
    tell(
        memory,
        "Ben works on Atlas.",
        "Atlas depends on checkout.",
        "Checkout uses Postgres.",
        "Lea lives in Oslo.",
    )
    return memory


@pytest.mark.parametrize(
    ("hops", "names"),
    [
        (0, {"Ben Hill"}),
        (1, {"Ben Hill", "Atlas"}),
        (2, {"Ben Hill", "Atlas", "checkout"}),
        (6, {"Ben Hill", "Atlas", "checkout", "PostgreSQL"}),
    ],
)
def test_hops_bound_what_is_reached(net: Mnemic, hops: int, names: set[str]) -> None:
    explored = net.explore("Ben", hops=hops)
    assert {thing.name for thing in explored.nodes} == names
    assert max(explored.hops.values()) == min(hops, 3)
    assert all({edge.subject, edge.object} <= names for edge in explored.edges)


def test_the_nearest_are_kept_where_there_are_too_many(net: Mnemic) -> None:
    explored = net.explore("Ben", hops=6, limit=2)
    assert [thing.name for thing in explored.nodes] == ["Ben Hill", "Atlas"]
    assert explored.truncated


def test_a_path_names_each_step_as_it_was_said(net: Mnemic) -> None:
    path = net.path("PostgreSQL", "Ben")
    assert path.names == ("PostgreSQL", "checkout", "Atlas", "Ben Hill")
    assert [(step.subject, step.predicate, step.object) for step in path.steps] == [
        ("checkout", "uses", "PostgreSQL"),
        ("Atlas", "depends_on", "checkout"),
        ("Ben Hill", "works_on", "Atlas"),
    ]


@pytest.mark.parametrize(("max_hops", "found"), [(2, False), (3, True), (6, True)])
def test_a_path_is_no_longer_than_allowed(net: Mnemic, max_hops: int, found: bool) -> None:
    assert bool(net.path("Ben", "PostgreSQL", max_hops=max_hops).steps) == found


def test_what_is_not_connected_has_no_path(net: Mnemic) -> None:
    path = net.path("Ben", "Oslo")
    assert (path.names, path.steps) == ((), ())


def test_from_an_entity_to_itself_there_is_no_step(net: Mnemic) -> None:
    path = net.path("Ben", "Ben Hill")
    assert (path.names, path.steps) == (("Ben Hill",), ())


def test_a_replaced_relation_is_walked_no_more(net: Mnemic) -> None:
    tell(net, "Checkout switched from Postgres to MySQL.")
    assert not net.path("checkout", "PostgreSQL").steps
    assert net.path("checkout", "MySQL").steps


def test_recall_reaches_over_hops(net: Mnemic) -> None:
    found = net.recall("Which database does Atlas depend on?", limit=10)
    (item,) = (item for item in found.items if item.text == "Checkout uses Postgres.")
    assert item.why.channels.get("graph", 0) > 0
    assert item.why.path


@pytest.mark.parametrize("hops", [-1, 7])
def test_hops_out_of_range_are_refused_by_name(net: Mnemic, hops: int) -> None:
    with pytest.raises(InvalidInput, match=r"^hops"):
        net.explore("Ben", hops=hops)
    with pytest.raises(InvalidInput, match=r"^max_hops"):
        net.path("Ben", "Atlas", max_hops=hops)


# -- over both owners -------------------------------------------------------------------------------


@pytest.fixture
def shared(memory: Mnemic) -> Mnemic:
    """Ada knows that Atlas depends on checkout; the team knows what checkout uses."""
    memory.remember("Atlas depends on checkout.")
    memory.remember("Checkout uses Postgres.", visibility="team")
    return memory


def test_a_path_leads_from_private_to_team_memories(shared: Mnemic) -> None:
    path = shared.path("Atlas", "PostgreSQL")
    assert path.names == ("Atlas", "checkout", "PostgreSQL")
    assert [step.predicate for step in path.steps] == ["depends_on", "uses"]


def test_exploring_leads_from_private_to_team_memories(shared: Mnemic) -> None:
    assert "PostgreSQL" in {thing.name for thing in shared.explore("Atlas", hops=2).nodes}


def test_recall_leads_from_private_to_team_memories(shared: Mnemic) -> None:
    assert "Checkout uses Postgres." in recalled(shared, "Which database does Atlas depend on?", depth="warm")


def test_a_path_may_change_between_owners_several_times(memory: Mnemic) -> None:
    memory.remember("Ben works on Atlas.")
    memory.remember("Atlas depends on checkout.", visibility="team")
    memory.remember("Checkout depends on ledger.")
    memory.remember("Ledger uses Postgres.", visibility="team")
    assert memory.path("Ben", "PostgreSQL").names == ("Ben Hill", "Atlas", "checkout", "ledger", "PostgreSQL")


def test_what_both_owners_know_is_one_neighbour(shared: Mnemic) -> None:
    shared.remember("Checkout uses Postgres.")
    names = [neighbour.name for neighbour in shared.about("checkout").neighbours]
    assert sorted(names) == ["Atlas", "PostgreSQL"]


def test_what_both_owners_know_is_one_node(shared: Mnemic) -> None:
    names = [thing.name for thing in shared.explore("checkout", hops=1).nodes]
    assert sorted(names) == ["Atlas", "PostgreSQL", "checkout"]
