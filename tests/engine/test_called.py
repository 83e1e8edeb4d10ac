"""People read the names that they wrote, in whatever language a name that ships is kept."""

import pytest

from mnemic import ManualClock, Mnemic
from tests.engine.told import as_user, door, tell

WRITTEN = [
    ("Ben works at Siemens.", "Ben", "employer", "Siemens", "西门子"),
    ("Lea lives in Beijing.", "Lea", "lives_in", "Beijing", "北京"),
    ("李雷住在新加坡。", "李雷", "lives_in", "新加坡", "Singapore"),
    ("李雷住在北京。", "李雷", "lives_in", "北京", "Beijing"),
    ("Ben lives in Singapore.", "Ben", "lives_in", "Singapore", "新加坡"),
]


@pytest.mark.parametrize(("text", "who", "predicate", "written", "other"), WRITTEN)
def test_a_shipped_name_is_shown_as_it_was_written(
    memory: Mnemic, text: str, who: str, predicate: str, written: str, other: str
) -> None:
    (stored,) = memory.remember(text, importance=0.9).stored
    known = memory.about(who)
    assert stored.said is not None
    assert stored.said.value == written
    assert known.profile == {predicate: (written,)}
    assert [neighbour.name for neighbour in known.neighbours] == [written]
    assert memory.history(who).chains[0].versions[0].value == written
    assert [item.said.value for item in memory.recall(text).items if item.said is not None] == [written]
    assert memory.about(other).entity.name == memory.about(written).entity.name == written


@pytest.mark.parametrize("second", ["李雷搬到了北京。", "李雷住在北京。"])
def test_either_name_means_one_entity(memory: Mnemic, second: str) -> None:
    tell(memory, "Ben lives in Beijing.", second)
    (stands,) = memory.about("李雷").facts
    assert stands.value == "Beijing"
    assert memory.about("北京").entity == memory.about("Beijing").entity
    assert {other.name for other in memory.about("北京").neighbours} == {"Ben Hill", "李雷"}


def test_the_second_teller_reads_the_name_that_they_wrote(memory: Mnemic) -> None:
    bob = as_user(memory, "bob")
    memory.remember("Ben works at Siemens.", importance=0.9, visibility="team")
    bob.remember("Ben 在西门子上班。", importance=0.9)
    assert memory.about("Ben").profile == {"employer": ("Siemens",)}
    assert bob.about("Ben").profile == {"employer": ("西门子",)}
    assert memory.about("西门子").entity.id != bob.about("Siemens").entity.id


def test_the_graph_calls_one_thing_one_name(memory: Mnemic) -> None:
    bob = as_user(memory, "bob")
    memory.remember("Ben works at Siemens.", importance=0.9, visibility="team")
    bob.remember("李雷在西门子上班。", importance=0.9)
    for reader, name in ((memory, "Siemens"), (bob, "西门子")):
        around = reader.explore("Ben", hops=3)
        assert name in {node.name for node in around.nodes}
        assert {end for edge in around.edges for end in (edge.subject, edge.object)} <= set(around.hops)
        assert set(around.hops) == {node.name for node in around.nodes}
    way = bob.path("Ben", "李雷")
    assert way.names == ("Ben Hill", "西门子", "李雷")
    assert {way.steps[0].object, way.steps[1].object} == {"西门子"}


def test_ones_own_names_and_short_forms_stay_what_the_dictionary_calls_them(clock: ManualClock) -> None:
    names = [{"name": "payment service", "kind": "service", "aliases": ["支付系统"]}]
    with door(clock=clock, names=names) as memory:
        memory.remember("支付系统用 PG。", importance=0.9)
        assert memory.about("支付系统").entity.name == "payment service"
        assert memory.about("payment service").profile == {"uses": ("PostgreSQL",)}


def test_the_canonical_name_finds_what_was_written_otherwise(memory: Mnemic) -> None:
    tell(memory, "Ben works at Siemens.")
    (item,) = memory.recall("谁在西门子上班？").items
    assert item.text == "Ben works at Siemens."
