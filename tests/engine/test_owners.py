"""What a user tells privately is theirs alone; what they tell the team is everybody's."""

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mnemic import InvalidInput, MissingScope, Mnemic, NotFound, Scope, WrongTenant
from tests.engine.told import all_seen, as_user, door, recalled, rows, stored_id, tell, unchanged, values

QUESTION = "What does checkout use?"


def test_a_private_memory_reaches_no_other_user(memory: Mnemic, bob: Mnemic) -> None:
    memory.remember("Checkout uses Postgres.", id="secret-turn")
    memory.remember("I need to migrate checkout to Postgres.")
    for word in ("postgres", "secret-turn", "migrate"):
        assert word not in all_seen(bob, "checkout", QUESTION).lower()
        assert word in all_seen(memory, "checkout", QUESTION).lower()


@pytest.mark.parametrize("name", ["checkout", "PostgreSQL", "ada"])
def test_what_only_another_user_spoke_of_is_not_known(memory: Mnemic, bob: Mnemic, name: str) -> None:
    memory.remember("Checkout uses Postgres. I prefer green tea.")
    for look in (bob.about, bob.explore, bob.history):
        with pytest.raises(NotFound) as caught:
            look(name)
        assert caught.value.nearest == ()
    with pytest.raises(NotFound):
        bob.path(name, name)


def test_a_name_that_only_another_user_introduced_means_nothing(memory: Mnemic, bob: Mnemic) -> None:
    memory.remember("We have a new service called Quokka. Quokka uses Postgres.")
    assert memory.resolve("Quokka")
    with pytest.raises(NotFound):
        bob.resolve("Quokka")
    assert memory.resolve("PostgreSQL").id != bob.resolve("PostgreSQL").id


def test_what_is_told_to_the_team_reaches_everybody(memory: Mnemic, bob: Mnemic) -> None:
    memory.remember("Checkout uses Postgres.", visibility="team", id="shared-turn")
    seen = all_seen(bob, "checkout", QUESTION)
    assert all(word in seen for word in ("Checkout uses Postgres.", "PostgreSQL", "shared-turn"))
    assert values(bob, "checkout", "uses") == ["PostgreSQL"]
    assert bob.explore("checkout").edges
    assert bob.path("checkout", "PostgreSQL").steps
    assert bob.history("checkout", predicate="uses").chains


def test_two_views_of_one_entity_are_shown_as_one_to_their_owner_only(memory: Mnemic, bob: Mnemic) -> None:
    memory.remember("Checkout uses Postgres.", visibility="team")
    memory.remember("Checkout uses RabbitMQ.")
    assert set(memory.about("checkout").profile["uses"]) == {"PostgreSQL", "RabbitMQ"}
    assert bob.about("checkout").profile == {"uses": ("PostgreSQL",)}
    assert "rabbitmq" not in all_seen(bob, "checkout", QUESTION).lower()


def test_an_alias_used_privately_does_not_reach_the_shared_entity(memory: Mnemic, bob: Mnemic) -> None:
    memory.remember("Checkout uses Postgres.", visibility="team")
    memory.remember("结算服务现在用 RabbitMQ。")
    assert "结算服务" in memory.resolve("checkout").aliases
    assert bob.resolve("checkout").aliases == ()


def test_another_users_sentence_is_no_context(memory: Mnemic, bob: Mnemic) -> None:
    memory.remember("Checkout uses Postgres.", session="shared")
    bob.remember("It moved to Kafka.", session="shared")
    assert "checkout" not in all_seen(bob, "Kafka", "What moved?").lower()


def test_a_private_sentence_is_no_context_of_what_the_team_is_told(memory: Mnemic, bob: Mnemic) -> None:
    memory.remember("Checkout uses Postgres.", session="shared")
    memory.remember("It moved to Kafka.", session="shared", visibility="team")
    assert "checkout" not in all_seen(bob, "Kafka", "What moved?").lower()


def test_one_users_news_replaces_nobody_elses_memory(memory: Mnemic, bob: Mnemic) -> None:
    memory.remember("Ben lives in Berlin.")
    memory.remember("Ben lives in Rome.", visibility="team")
    assert bob.remember("Ben lives in Paris.").replaced == ()
    assert set(values(memory, "Ben", "lives_in")) == {"Berlin", "Rome"}
    assert set(values(bob, "Ben", "lives_in")) == {"Paris", "Rome"}


def test_nobody_points_at_another_users_memory(memory: Mnemic, bob: Mnemic) -> None:
    target = stored_id(memory.remember("Ben lives in Berlin."))
    with unchanged(memory), unchanged(bob):
        for pointer in (target, "Ben lives in Berlin."):
            for point in (bob.forget, bob.doomed):
                with pytest.raises(NotFound) as caught:
                    point(pointer)
                assert caught.value.nearest == ()
            with pytest.raises(NotFound):
                bob.remember("Ben lives in Oslo.", replaces=pointer)


def test_replacing_a_team_memory_privately_is_refused(memory: Mnemic) -> None:
    target = stored_id(memory.remember("Checkout uses Postgres.", visibility="team"))
    with unchanged(memory), pytest.raises(InvalidInput, match="replaces"):
        memory.remember("Checkout uses Oracle.", replaces=target)


def test_a_turn_spoken_to_forget_takes_nothing_from_others(memory: Mnemic, bob: Mnemic) -> None:
    memory.remember("Checkout uses Postgres.")
    memory.remember("Atlas depends on checkout.", visibility="team")
    assert bob.remember("Please forget what I said about checkout.").forgotten.rows == 0
    assert recalled(memory, QUESTION)


@pytest.mark.parametrize(
    ("said", "name"),
    [
        ("Project Nightjar, NJ for short, is our secret project.", "Nightjar"),
        ("我们的新项目叫「夜鹰计划」。", "夜鹰计划"),
    ],
)
def test_a_name_introduced_privately_stays_private(memory: Mnemic, bob: Mnemic, said: str, name: str) -> None:
    memory.remember(said)
    assert name not in all_seen(bob, name, "Which projects are there?")
    assert name not in str(bob.names())


@pytest.mark.parametrize("scope", [{"user": ""}, {"user": "  "}, {"user": "ada", "tenant": ""}])
def test_nobody_is_refused(scope: dict[str, str]) -> None:
    with pytest.raises(MissingScope, match="tenant" if "tenant" in scope else "user"):
        Mnemic(":memory:", embedder="none", **scope)  # type: ignore[arg-type]


def test_a_user_called_team_is_refused() -> None:
    with pytest.raises(InvalidInput, match="user"):
        Mnemic(":memory:", user="team", embedder="none")


def test_the_file_of_another_tenant_is_refused(tmp_path: Path) -> None:
    Mnemic(tmp_path / "one.db", user="ada", tenant="acme", embedder="none").close()
    with pytest.raises(WrongTenant, match="acme"):
        Mnemic(tmp_path / "one.db", user="ada", tenant="globex", embedder="none")


def test_tenants_in_one_folder_have_a_file_each(tmp_path: Path) -> None:
    for tenant in ("acme", "globex"):
        with Mnemic(tmp_path, user="ada", tenant=tenant, embedder="none", dictionary=[]) as memory:
            memory.remember("Checkout uses Postgres.")
            assert memory.stats().turns == 1
    assert len(list(tmp_path.glob("*.db"))) == 2


def test_what_is_neither_private_nor_for_the_team_is_refused(memory: Mnemic) -> None:
    with unchanged(memory), pytest.raises(InvalidInput, match="private, team"):
        memory.remember("Ben lives in Berlin.", visibility="public")


SENTENCES = [
    "Checkout uses {}.",
    "Checkout switched to {}.",
    "I prefer {}.",
    "结算服务换成了 {}。",
    "Ben lives in {}.",
    "小王住在{}。",
    "Please forget what I said about {}.",
    "I need to tell Lea about {}.",
]
THINGS = ["Postgres", "Kafka", "Berlin", "上海", "green tea"]
USERS = ["ada", "bob", "team"]

told = st.tuples(st.sampled_from(USERS), st.sampled_from(SENTENCES), st.sampled_from(THINGS))


@given(st.lists(told, min_size=2, max_size=8))
@settings(max_examples=25, deadline=None, derandomize=True)
def test_no_export_holds_what_only_another_user_told(script: list[tuple[str, str, str]]) -> None:
    with door() as ada:
        doors = {"ada": ada, "bob": as_user(ada, "bob")}
        for number, (user, sentence, thing) in enumerate(script):
            teller = doors[user] if user in doors else doors[USERS[number % 2]]
            teller.remember(
                f"{sentence.format(thing)} Mark-{user}-{number}.",  # no two texts are alike
                visibility="team" if user == "team" else "private",
                session="shared",
            )
        for user, other in (("ada", "bob"), ("bob", "ada")):
            assert f"Mark-{other}" not in str(list(doors[user].export()))
            assert not any(row.get("owner") == other for row in rows(doors[user]))


def test_what_a_user_tells_first_is_not_first_for_another(memory: Mnemic, bob: Mnemic) -> None:
    tell(memory, "I live in Rome.")
    tell(bob, "I live in Oslo.")
    assert values(memory, "ada", "lives_in") == ["Rome"]
    assert values(bob, "bob", "lives_in") == ["Oslo"]


@pytest.mark.parametrize("name", ["ada\x1flovelace", "ada\x00", "ada\n", "\x7f", "ada\x85"])
def test_a_name_with_a_control_character_is_nobodys(name: str) -> None:
    for told in ({"tenant": "acme", "user": name}, {"tenant": name, "user": "ada"}):
        with pytest.raises(InvalidInput, match="control character"):
            Scope(**told)
