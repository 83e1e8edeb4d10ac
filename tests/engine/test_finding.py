"""A name is found by its aliases, in any case and width and in both languages; a typo is not guessed at."""

from collections.abc import Iterator

import pytest

from mnemic import InvalidInput, Mnemic, NotFound
from tests.engine.told import door, recalled, tell, values


@pytest.fixture(scope="module")
def told() -> Iterator[Mnemic]:
    """A memory that was told of checkout in English and of Ben by his short name. To be read only."""
    with door() as memory:
        tell(memory, "Checkout uses Postgres.", "Ben lives in Berlin.", "小王住在上海。")
        yield memory


@pytest.mark.parametrize(
    "name", ["checkout", "Checkout", "CHECKOUT", " checkout ", "ｃｈｅｃｋｏｕｔ", "结算服务"]
)
def test_an_entity_is_found_in_case_width_and_language(told: Mnemic, name: str) -> None:
    assert told.resolve(name) == told.resolve("checkout")
    assert values(told, name, "uses") == ["PostgreSQL"]
    assert told.explore(name).centre.name == "checkout"
    assert told.history(name).entity.name == "checkout"
    assert told.path(name, "PostgreSQL").steps


@pytest.mark.parametrize(
    ("name", "canonical"),
    [
        ("postgres", "PostgreSQL"),
        ("PG", "PostgreSQL"),
        ("Ben", "Ben Hill"),
        ("ben hill", "Ben Hill"),
        ("小王", "王小明"),
        ("Shanghai", "上海"),
        ("柏林", "Berlin"),
    ],
)
def test_an_entity_is_found_through_its_aliases(told: Mnemic, name: str, canonical: str) -> None:
    assert told.resolve(name).name == canonical


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("结算服务用什么数据库？", "Checkout uses Postgres."),
        ("WHERE DOES BEN LIVE?", "Ben lives in Berlin."),
        ("Where does 小王 live?", "小王住在上海。"),
        ("王小明住在哪里？", "小王住在上海。"),
    ],
)
def test_a_question_finds_what_was_told_by_another_name(told: Mnemic, question: str, answer: str) -> None:
    assert answer in recalled(told, question)


@pytest.mark.parametrize(
    ("typo", "near"), [("chekout", "checkout"), ("Checkouts", "checkout"), ("Ben Hil", "Ben Hill")]
)
def test_a_typo_is_answered_with_an_offer(told: Mnemic, typo: str, near: str) -> None:
    for look in (told.resolve, told.about, told.explore, told.history):
        with pytest.raises(NotFound) as caught:
            look(typo)
        assert caught.value.nearest[0] == near
        assert near in str(caught.value)
    with pytest.raises(NotFound) as caught:
        told.path("Berlin", typo)
    assert near in caught.value.nearest


def test_what_looks_like_nothing_is_offered_nothing(told: Mnemic) -> None:
    with pytest.raises(NotFound) as caught:
        told.resolve("Zyx")
    assert caught.value.nearest == ()


@pytest.mark.parametrize("name", ["ledger", "账本服务", "Redis", "k8s"])
def test_of_a_name_of_the_dictionary_that_nobody_mentioned_nothing_is_known(told: Mnemic, name: str) -> None:
    assert told.resolve(name)
    for look in (told.about, told.explore, told.history):
        with pytest.raises(NotFound):
            look(name)


@pytest.mark.parametrize(
    ("name", "canonical"),
    [("pg", "PostgreSQL"), ("PG", "PostgreSQL"), ("k8s", "Kubernetes"), ("ts", "TypeScript")],
)
def test_who_names_a_thing_alone_means_it_however_common_the_word(name: str, canonical: str) -> None:
    with door(names=None) as memory:
        before = memory.resolve(name)
        assert before.name == canonical
        memory.remember(f"The booking site uses {canonical}.")
        assert memory.resolve(name).id == before.id
        assert memory.about(name).entity.name == canonical


@pytest.mark.parametrize(
    ("asked", "there"),
    [
        ("billing", "billing-service"),
        ("Gateway", "Payment Gateway Team"),
        ("nightjar", "Project Nightjar"),
        ("发票", "上海发票平台"),
        ("the billing-service of Acme", "billing-service"),
    ],
)
def test_a_part_of_a_name_is_offered_the_whole_and_not_taken_for_it(asked: str, there: str) -> None:
    names = [{"name": there, "kind": "service"}]
    with door(names=names) as memory:
        memory.remember(f"{there} uses Kafka.")
        for look in (memory.resolve, memory.about, memory.explore, memory.history):
            with pytest.raises(NotFound) as caught:
                look(asked)
            assert caught.value.nearest == (there,)


@pytest.mark.parametrize("name", ["the checkout", "The  Checkout", " a checkout"])
def test_an_article_before_a_name_does_not_matter(told: Mnemic, name: str) -> None:
    assert told.resolve(name) == told.resolve("checkout")
    assert values(told, name, "uses") == ["PostgreSQL"]
    assert told.explore(name).centre.name == told.history(name).entity.name == "checkout"


def test_an_article_that_is_part_of_a_name_tells_two_apart() -> None:
    names = [{"name": "The Ledger", "kind": "product"}, {"name": "Ledger", "kind": "service"}]
    with door(names=names) as memory:
        assert (memory.resolve("the ledger").name, memory.resolve("ledger").name) == ("The Ledger", "Ledger")


@pytest.mark.parametrize("name", ["", "   "])
def test_no_name_is_refused(told: Mnemic, name: str) -> None:
    for look in (told.resolve, told.about, told.explore, told.history):
        with pytest.raises(InvalidInput, match="name"):
            look(name)


def test_one_name_of_two_kinds_is_told_apart_by_what_is_said(memory: Mnemic) -> None:
    memory.learn(
        [
            {"name": "Mercury", "kind": "project"},
            {"name": "Mercury Ltd", "kind": "company", "aliases": ["MCY"]},
        ]
    )
    tell(memory, "Ben works on Mercury.", "MCY is our client.")
    assert memory.resolve("Mercury").kind == "project"
    assert memory.resolve("MCY").name == "Mercury Ltd"


@pytest.mark.parametrize("name", ["pg", "Postgres", "postgresql"])
def test_an_entity_of_a_recall_may_be_named_by_any_of_its_names(memory: Mnemic, name: str) -> None:
    tell(memory, "The booking site uses PostgreSQL.", "Ben lives in Berlin.")
    assert recalled(memory, "what is there?", entities=[name])[:1] == ["The booking site uses PostgreSQL."]
