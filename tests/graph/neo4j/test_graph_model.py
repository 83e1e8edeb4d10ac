"""The queries of docs/graph-model.md run as they stand there, and say what mnemic itself says.

Beside what is shown stand rows that each for a reason of its own are not: they say the same of the same
things, so that a query that forgets a condition finds them.
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from neo4j import GraphDatabase

from mnemic import ManualClock, Mnemic
from mnemic.engine.profile import profile_of
from mnemic.graph.model import DOUBT, UNDONE, Entity, Kind, Layer, Memory, State
from mnemic.graph.neo4j import Neo4jStore
from mnemic.graph.view import View
from tests.graph.builders import day, delta, entity, memory, mentions, replaces, turn, uses
from tests.servers.shared import Access

_DOCUMENT = Path(__file__).parents[3] / "docs" / "graph-model.md"
QUERIES = dict(re.findall(r"^([^\n]+):\n\n```cypher\n(.*?)```", _DOCUMENT.read_text("utf-8"), re.M | re.S))

NOW, THEN = day(100), day(50)
T1, T2, BOBS = "ada/standup/t1", "ada/standup/t2", "bob/standup/t9"
NAMES = {
    **{"payment service": "service", "PostgreSQL": "technology", "MySQL": "technology"},
    **{"Maya": "person", "Leo": "person", "Zoe": "person", "vault": "service"},
}
OWNERS = ("ada", "team", "bob")
HIDDEN: dict[str, dict[str, Any]] = {
    "another's": {"owner": "bob"},
    "future": {"valid_from": day(2000)},
    "ended": {"valid_to": day(20), "closed_at": day(20), "state": State.SUPERSEDED},
    "expired": {"expires_at": day(20)},
    "quarantined": {"state": State.QUARANTINED},
    "archived": {"state": State.ARCHIVED},
    "taken back": {"retired_at": day(20), "state": State.SUPERSEDED},
    "unknown": {"recorded_at": day(120)},
}
"""What hides a row, of the present and of the day in question."""


def id_of(name: str, owner: str = "ada") -> str:
    return f"{owner}-{name}"


def known(name: str, owner: str) -> Entity:
    parts = {"key": f"{NAMES[name]}:{name.lower()}", "name": name, "kind": NAMES[name]}
    return entity(id_of(name, owner), owner, handles=(name.lower(),), **parts)


def says(id: str, subject: str, thing: str, at: float = 10, *, owner: str = "ada", **rest: Any) -> Memory:
    """Return a memory whose slot, episode and mentions say that ``subject`` uses ``thing``."""
    one, other = id_of(subject, owner), id_of(thing, owner)
    slot: dict[str, Any] = {"subject": one, "predicate": "uses", "object": other, "value": thing}
    edges = {"mentions": mentions(one, other), "episodes": (uses(one, other),)}
    return memory(id, at, owner, **(slot | edges | {"speaker": "Ada", "session": "standup"} | rest))


def shown() -> list[Memory]:
    ended: dict[str, Any] = {"valid_to": day(60), "closed_at": day(60), "state": State.SUPERSEDED}
    return [
        says("on MySQL", "payment service", "MySQL", sources=(T1,), **ended),
        says("on PostgreSQL", "payment service", "PostgreSQL", 60, kind=Kind.DECISION, sources=(T2,)),
        says("Maya at it", "Maya", "payment service", 30),
        says("the team's", "payment service", "PostgreSQL", 40, owner="team"),
        says("Leo at it", "Leo", "payment service", 41, owner="team"),
        says("a plan", "Maya", "PostgreSQL", 70, kind=Kind.INTENT, modality="planned"),
        says("doubted", "payment service", "MySQL", 5, modality="asserted"),
        says("learnt later", "Maya", "MySQL", 20, **(ended | {"valid_to": day(40), "closed_at": day(90)})),
    ]


def hidden() -> list[Memory]:
    """Return rows that join Zoe and the vault to the payment service; each is hidden for another reason."""
    return [
        says(f"hidden: {why}, {subject}", subject, thing, kind=Kind.DECISION, sources=(told,), **how)
        for why, how in HIDDEN.items()
        for told in [BOBS if "owner" in how else T1]
        for subject, thing in (("Zoe", "payment service"), ("payment service", "vault"))
    ]  # fmt: skip


def filled(store: Neo4jStore) -> None:
    rows = [*shown(), *hidden()]
    here = [known(name, owner) for name in NAMES for owner in OWNERS]
    here = [replace(each, profile=profile_of(_slots(each, rows))) for each in here]
    edges = [
        replaces("on PostgreSQL", "on MySQL", 60),
        replaces("hidden: another's, Zoe", "hidden: another's, payment service", 10),
        replaces("hidden: future, Zoe", "the team's", 10),
        replaces("on MySQL", "hidden: another's, Zoe", 10),
        replaces("the team's", "doubted", 40, reason=DOUBT),
        replaces("Leo at it", "Maya at it", 41, reason=UNDONE),
        replaces("on MySQL", "doubted", 5, reason=UNDONE),
    ]
    store.apply(delta(turn(T1, 1), turn(T2, 2), turn(BOBS, 9, owner="bob"), *here, *rows, *edges))


def _slots(of: Entity, rows: list[Memory]) -> list[Memory]:
    """Return what the slots of an entity hold now, as they are when its profile is written."""
    view = View(owners=frozenset({of.owner}), valid=NOW, known=NOW)
    return [row for row in rows if row.subject == of.id and view.shows(row)]


tenants: dict[str, str] = {}


@pytest.fixture
def tenant(access: Access) -> str:
    """A tenant on this server that holds what is shown and what is hidden."""
    if access.address not in tenants:
        name = f"acme-{uuid4()}"
        given: dict[str, Any] = {"tenant": name, "user": access.user, "password": access.password}
        with Neo4jStore.open(access.address, **given) as store:
            filled(store)
        tenants[access.address] = name
    return tenants[access.address]


@pytest.fixture
def ada(access: Access, tenant: str) -> Iterator[Mnemic]:
    """What mnemic itself answers."""
    with Mnemic(
        access.address, user="ada", tenant=tenant, clock=ManualClock(NOW), embedder="none",
        credentials=(access.user, access.password),
    ) as opened:  # fmt: skip
        yield opened


Ask = Callable[..., list[list[Any]]]


@pytest.fixture
def ask(access: Access, tenant: str) -> Iterator[Ask]:
    """Run a query of the document by its title."""
    given: dict[str, Any] = {
        **{"tenant": tenant, "owners": ["ada", "team"], "now": NOW, "day": THEN},
        **{"name": "payment service", "other": "Maya", "predicate": "uses", "word": "hidden"},
        **{"since": day(0), "until": day(3000)},
    }
    with GraphDatabase.driver(access.address, auth=(access.user, access.password)) as driver:

        def run(title: str, **others: Any) -> list[list[Any]]:
            (query,) = [text for name, text in QUERIES.items() if name.startswith(title)]
            return [record.values() for record in driver.execute_query(query, given | others).records]

        yield run


def texts(ada: Mnemic, **view: Any) -> list[Memory]:
    """Return what a recall may find, newest first."""
    core = ada.core
    return core.store.timeline(core.view(ada.scope, **view), limit=1000)


def test_there_are_a_dozen_and_each_is_tested() -> None:
    assert len(QUERIES) >= 12
    tested = Path(__file__).read_text("utf-8")
    assert [title for title in QUERIES if f'ask("{title[:12]}' not in tested] == []


def test_what_replaced_what(ask: Ask, ada: Mnemic) -> None:
    told = ada.about("payment service").changes
    rows = ask("What replaced what")
    assert [(was, since.to_native()) for was, _, _, since in rows] == [
        ("text of on MySQL", day(60)),
    ]
    assert [(change.old, change.new, change.at) for change in told] == [("MySQL", "PostgreSQL", day(60))]


def test_who_works_with_whom_joins_what_several_owners_know(ask: Ask, ada: Mnemic) -> None:
    assert ask("Who works with whom") == [["Leo", "Maya", ["payment service"]]]
    reached = ada.explore("payment service", hops=1)
    assert {node.name for node in reached.nodes if node.kind == "person"} == {"Leo", "Maya"}


def test_current_facts(ask: Ask, ada: Mnemic) -> None:
    told = ada.about("payment service")
    assert sorted(text for _, text, _ in ask("Current facts of X")) == sorted(
        fact.text for fact in (*told.facts, *told.doubtful)
    )
    assert {fact.text for fact in told.facts} >= {"text of on PostgreSQL", "text of the team's"}


def test_the_profile(ask: Ask, ada: Mnemic) -> None:
    profile: dict[str, set[str]] = {}
    for _, predicate, current, _ in ask("The profile of X"):
        profile.setdefault(predicate, set()).update(current.split(", "))
    told = ada.about("payment service")
    values = {key: set(values) for key, values in told.profile.items()}
    for fact in told.doubtful:  # they come off the profile only when they are asked for
        values[fact.predicate].add(fact.value)
    assert profile == values


def test_what_was_believed_on_a_day(ask: Ask, ada: Mnemic) -> None:
    shown = texts(ada, valid_as_of=THEN, known_as_of=THEN)
    assert [text for text, _ in ask("What did we believe on a day")] == [each.text for each in shown]
    assert {each.id for each in shown} >= {"on MySQL", "learnt later"}


def test_the_history_of_a_slot(ask: Ask, ada: Mnemic) -> None:
    chains = ada.history("payment service", predicate="uses").chains
    told = sorted((version.value, version.state) for chain in chains for version in chain.versions)
    rows = ask("The history of one slot")
    assert sorted((value, state) for value, _, state, *_ in rows) == told
    assert len(rows) == 4 + len(HIDDEN) - len({"another's", "unknown"})


def test_how_two_things_are_connected(ask: Ask, ada: Mnemic) -> None:
    way = ada.path("payment service", "Maya")
    assert [list(way.names)] == [stops for stops, _ in ask("How two things")]
    assert ada.path("payment service", "vault").steps == ()
    assert ask("How two things", other="vault") == []


def test_where_it_was_said(ask: Ask, ada: Mnemic) -> None:
    found = {(text, said) for text, _, said, *_ in ask("Where was that said", word="text of")}
    view = ada.core.view(ada.scope)
    rows = ada.core.store.memories(view, turns=[T1, T2, BOBS])
    told = {(row.text, f"text of {id}") for row in rows for id in row.sources}
    assert found == {each for each in told if "quarantined" not in each[0] and "unknown" not in each[0]}
    assert not any("another's" in text for text, _ in found)


def test_what_everybody_talks_about(ask: Ask, ada: Mnemic) -> None:
    counted: dict[str, int] = {}
    for row in texts(ada):
        for mention in row.mentions:
            name = mention.entity.partition("-")[2]
            counted[name] = counted.get(name, 0) + 1
    assert {name: count for name, _, count in ask("What everybody")} == counted


def test_decisions_and_plans_of_a_span(ask: Ask, ada: Mnemic) -> None:
    kinds = {Kind.DECISION, Kind.INTENT, Kind.TASK}
    shown = [row.text for row in texts(ada) if row.kind in kinds]
    assert [text for _, text, _ in ask("Decisions and plans")] == shown == ["text of a plan", "text of on PostgreSQL"]  # fmt: skip
    assert ask("Decisions and plans", until=day(1)) == []


def test_the_chain_behind_a_statement(ask: Ask) -> None:
    assert ask("The whole chain") == [[["text of on PostgreSQL", "text of on MySQL"]]]


def test_what_waits(ask: Ask) -> None:
    assert {text for text, *_ in ask("What waits for")} == {
        f"text of hidden: quarantined, {name}" for name in ("Zoe", "payment service")
    }


def test_how_much_each_owner_has(ask: Ask, ada: Mnemic) -> None:
    view, store = ada.core.view(ada.scope), ada.core.store
    rows = {name: (turns, memories, entities) for name, turns, memories, entities in ask("How much each")}
    for owner in ("ada", "team"):
        own = replace(view, owners=frozenset({owner}))
        counts = (len(list(store.scan(own, layer))) for layer in (Layer.TURN, Layer.MEMORY))
        assert rows.pop(owner) == (*counts, len(store.entities(own)))
    assert rows == {}
