from collections.abc import Mapping
from datetime import UTC, datetime
from itertools import pairwise

import pytest

from benchmarks.checks import Case, judge
from benchmarks.fake import FakeMemory
from benchmarks.form import Check, Name, Scenario
from benchmarks.matching import Names
from mnemic.engine.results import (
    About,
    Chain,
    Edge,
    Explored,
    Fact,
    Found,
    History,
    Item,
    Neighbour,
    Path,
    Suppressed,
    Task,
    Thing,
    Version,
    Why,
)

AT = datetime(2026, 3, 2, 10, tzinfo=UTC)
DICTIONARY = (Name(name="尹琳", kind="person", aliases=("尹小姐",)), Name(name="Checkout", kind="project"))


def case(memory: FakeMemory) -> Case:
    scenario = Scenario.model_validate(
        {
            "id": "x",
            "language": "en",
            "category": "gate",
            "note": "",
            "dictionary": DICTIONARY,
            "turns": [
                {"id": "t1", "session": "s", "at": AT, "speaker": "Ann", "role": "user", "text": "hello"}
            ],
            "checks": [{"do": "absent", "text": "x"}],
        }
    )
    return Case(scenario, memory, Names.of(DICTIONARY), {"T1": "t1", "T2": "t2", "T3": "t3"})


def passes(memory: FakeMemory, **fields: object) -> bool:
    return judge(Check.model_validate(fields), case(memory)).passed


def item(*turns: str) -> Item:
    return Item(
        id="m",
        layer="memory",
        kind="fact",
        text="said",
        said=None,
        speaker="Ann",
        since=AT,
        until=None,
        score=1,
        why=Why(channels={}, seed=""),
        turns=turns,
        owner="chat",
    )


def answering(*items: Item) -> FakeMemory:
    return FakeMemory(founds={"q": Found(query="q", text="", items=items)})


def recall(memory: FakeMemory, **fields: object) -> bool:
    return passes(memory, do="recall", query="q", **fields)


def test_recall_wants_each_expected_turn_behind_some_item_of_the_top() -> None:
    memory = answering(item("T1"), item("T2", "T3"))
    assert recall(memory, expect=["t1", "t3"])
    assert not recall(memory, expect=["t1", "t3"], top=1)
    assert not recall(memory, expect=["t4"])


def test_recall_is_broken_by_an_item_that_rests_on_forbidden_turns_alone() -> None:
    assert not recall(answering(item("T1"), item("T2")), expect=["t1"], forbid=["t2"])
    assert not recall(answering(item("T1", "T2")), forbid=["t1", "t2"])
    assert recall(answering(item("T1", "T2")), expect=["t1"], forbid=["t2"])
    assert recall(answering(item("T1"), item("T2")), expect=["t1"], forbid=["t2"], top=1)


def test_recall_of_nothing_wants_no_item() -> None:
    assert recall(FakeMemory(), nothing=True)
    assert not recall(answering(item("T1")), nothing=True)


def fact(value: str, modality: str = "asserted") -> Fact:
    return Fact(
        predicate="owner",
        value=value,
        text=f"it is {value}, no longer Bob",
        modality=modality,
        since=AT,
        until=None,
        memory="m",
        turns=("T1",),
    )


THING = Thing(id="e1", name="Checkout", kind="project", aliases=("the till",))


def knowing(about: About) -> FakeMemory:
    return FakeMemory(abouts={"Checkout": about})


def about(memory: FakeMemory, **fields: object) -> bool:
    return passes(memory, do="about", name="Checkout", **fields)


def test_about_shows_names_facts_profile_and_neighbours() -> None:
    memory = knowing(
        About(
            entity=THING,
            profile={"uses": ("Kafka",)},
            facts=(fact("尹小姐"),),
            neighbours=(
                Neighbour(
                    name="Orion",
                    kind="project",
                    predicate="part_of",
                    inverse=False,
                    memory="m",
                    turns=("t1",),
                ),
            ),
        )
    )
    assert about(memory, include=["尹琳", "kafka", "Orion", "the till"], exclude=["Bob"])
    assert not about(memory, include=["Bob"])
    assert not about(memory, exclude=["尹琳"])


def test_about_does_not_show_what_is_planned_denied_or_past() -> None:
    memory = knowing(
        About(
            entity=THING,
            profile={},
            facts=(fact("Redis", "negated"),),
            plans=(fact("Kafka", "planned"),),
            timeline=(fact("RabbitMQ"),),
        )
    )
    assert about(memory, exclude=["Redis", "Kafka", "RabbitMQ"])


def test_about_an_unknown_name_shows_nothing() -> None:
    assert about(FakeMemory(), exclude=["Kafka"])
    assert not about(FakeMemory(), include=["Kafka"])


def edge(subject: str, thing: str) -> Edge:
    return Edge(subject=subject, predicate="uses", object=thing, memory="m", since=AT, turns=("T1",))


def connected(*names: str) -> FakeMemory:
    steps = tuple(edge(a, b) for a, b in pairwise(names))
    way = Path(source=THING, target=THING, names=names, steps=steps)
    return FakeMemory(paths={("Ann", "Kafka"): way})


def path(memory: FakeMemory, **fields: object) -> bool:
    return passes(memory, do="path", **{"from": "Ann", "to": "Kafka"}, **fields)


def test_path_wants_a_connection_through_the_names() -> None:
    assert path(connected("Ann", "Checkout", "Kafka"), through=["checkout"])
    assert path(connected("Ann", "Checkout", "Kafka"))
    assert not path(connected("Ann", "Orion", "Kafka"), through=["Checkout"])
    assert not path(connected())
    assert not path(FakeMemory())


def test_explore_compares_the_entities_that_were_reached() -> None:
    nodes = (THING, Thing(id="e2", name="尹小姐", kind="person"))
    around = Explored(centre=THING, nodes=nodes, hops={}, edges=())
    memory = FakeMemory(explored={"Checkout": around})
    fields: Mapping[str, object] = {"do": "explore", "name": "Checkout", "hops": 2}
    assert passes(memory, **fields, include=["尹琳"], exclude=["Kafka"])
    assert not passes(memory, **fields, exclude=["尹琳"])
    assert passes(FakeMemory(), **fields, exclude=["Kafka"])
    assert not passes(FakeMemory(), **fields, include=["Kafka"])


def version(value: str, modality: str = "asserted") -> Version:
    return Version(
        value=value,
        text=value,
        modality=modality,
        state="active",
        valid_from=AT,
        valid_to=None,
        recorded_at=AT,
        retired_at=None,
        memory="m",
        turns=("T1",),
    )


def history(order: list[str], *chains: list[Version]) -> bool:
    held = tuple(Chain(predicate="", versions=tuple(chain)) for chain in chains)
    memory = FakeMemory(histories={"Checkout": History(entity=THING, chains=held)})
    return passes(memory, do="history", name="Checkout", order=order)


def test_history_wants_the_values_in_order_in_one_chain() -> None:
    go, node = version("Go"), version("Node.js")
    assert history(["Node.js", "Go", "Node.js"], [node, go, node], [version("Ann")])
    assert not history(["Node.js", "Go", "Node.js"], [node, go])
    assert not history(["Node.js", "Go"], [node], [go])
    assert not history(["Node.js", "Go"], [go, node])


def test_history_holds_only_what_was_held_true() -> None:
    assert not history(["Node.js", "Go"], [version("Node.js"), version("Go", "proposed")])


def test_history_of_an_unknown_name_is_empty() -> None:
    assert not passes(FakeMemory(), do="history", name="Checkout", order=["Go"])


def absent(memory: FakeMemory, text: str = "Hz#77 Mango") -> bool:
    return passes(memory, do="absent", text=text)


def test_absent_holds_where_no_door_says_it_even_though_recall_repeats_the_query() -> None:
    memory = FakeMemory(founds={"Hz#77 Mango": Found(query="Hz#77 Mango", text="nothing")})
    assert absent(memory)


@pytest.mark.parametrize(
    "memory",
    [
        FakeMemory(founds={"hello": Found(query="hello", text="the key is hz#77mango")}),
        FakeMemory(
            founds={
                "hello": Found(
                    query="hello",
                    text="",
                    suppressed=(Suppressed(id="m", text="Hz#77mango", turns=(), reason="old"),),
                )
            }
        ),
        FakeMemory(abouts={"Checkout": About(entity=THING, profile={"key": ("Hz#77mango",)}, facts=())}),
        FakeMemory(
            histories={
                "Ann": History(
                    entity=THING, chains=(Chain(predicate="key", versions=(version("Hz#77mango"),)),)
                )
            }
        ),
        FakeMemory(
            open=(Task(text="use Hz#77mango", who="Ann", due=None, since=AT, memory="m", turns=("T1",)),)
        ),
        FakeMemory(rows=({"kind": "turn", "body": {"text": ["Hz#77mango"]}},)),
    ],
    ids=["recall", "suppressed", "about", "history", "tasks", "export"],
)
def test_absent_is_broken_by_any_door(memory: FakeMemory) -> None:
    assert not absent(memory)


def resolving(**ids: str) -> FakeMemory:
    return FakeMemory(things={name: Thing(id=key, name=name, kind="project") for name, key in ids.items()})


def test_same_wants_one_entity_and_distinct_two() -> None:
    one, two, half = resolving(a="e1", b="e1"), resolving(a="e1", b="e2"), resolving(a="e1")
    names = ["a", "b"]
    assert [passes(memory, do="same", names=names) for memory in (one, two, half, FakeMemory())] == [
        True,
        False,
        False,
        False,
    ]
    assert [passes(memory, do="distinct", names=names) for memory in (one, two, half, FakeMemory())] == [
        False,
        True,
        True,
        True,
    ]


def test_open_tasks_are_compared_by_their_turns() -> None:
    open_task = Task(text="phone", who="Ann", due=None, since=AT, memory="m", turns=("T1", "T2"))
    memory = FakeMemory(open=(open_task,))
    assert passes(memory, do="open_tasks", include=["t2"], exclude=["t3"])
    assert not passes(memory, do="open_tasks", include=["t3"])
    assert not passes(memory, do="open_tasks", exclude=["t1"])
    assert passes(FakeMemory(), do="open_tasks", exclude=["t1"])
