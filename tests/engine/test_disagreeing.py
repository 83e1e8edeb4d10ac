"""Two people who say different things of one slot, neither correcting the other: both stand until one gives in."""

import pytest

from mnemic import Mnemic
from tests.engine.told import clock_of, day, values

Said = tuple[str, str]


def say(memory: Mnemic, *lines: Said) -> None:
    """Tell what each said, in order."""
    for speaker, text in lines:
        memory.remember(text, speaker=speaker)


@pytest.mark.parametrize(
    ("lines", "question", "said"),
    [
        (
            [("Ben", "The log retention is 30 days."), ("Lea", "The log retention is 14 days.")],
            "how long is the log retention?",
            ("30 days", "14 days", "Ben", "Lea"),
        ),
        (
            [("小王", "阿特拉斯的截止日期是5月3日"), ("李雷", "阿特拉斯的截止日期是5月10日")],
            "阿特拉斯什么时候截止？",
            ("5月3日", "5月10日", "小王", "李雷"),
        ),
    ],
)
def test_both_stand_with_names(
    memory: Mnemic, lines: list[Said], question: str, said: tuple[str, ...]
) -> None:
    say(memory, *lines)
    answer = memory.recall(question)
    assert {item.text for item in answer.items} == {text for _, text in lines}
    assert any(all(word in note for word in said) for note in answer.notes)


def test_each_value_is_a_current_fact(memory: Mnemic) -> None:
    say(memory, ("Ben", "Sam owns checkout."), ("Lea", "Ben owns checkout."))
    assert set(values(memory, "checkout", "owner")) == {"Sam Reed", "Ben Hill"}
    assert memory.about("checkout").doubtful == ()


def test_who_gives_in_settles_it(memory: Mnemic) -> None:
    say(
        memory,
        ("Ben", "Sam owns checkout."),
        ("Lea", "Ben owns checkout."),
        ("Ben", "I own checkout, right."),
    )
    assert values(memory, "checkout", "owner") == ["Ben Hill"]


@pytest.mark.parametrize(
    ("first", "second", "value"),
    [
        ("Sam owns checkout.", "Ben owns checkout now.", "Ben Hill"),
        ("Sam owns checkout.", "Ben took over checkout from Sam.", "Ben Hill"),
        ("结算服务的负责人是李雷。", "结算服务的负责人改成小王了。", "王小明"),
        ("结算服务的负责人是李雷。", "结算服务换成小王负责。", "王小明"),
    ],
)
def test_who_reports_a_change_replaces(memory: Mnemic, first: str, second: str, value: str) -> None:
    say(memory, ("Sam", first), ("Lea", second))
    assert values(memory, "checkout", "owner") == [value]


def test_of_themselves_people_know_best(memory: Mnemic) -> None:
    say(memory, ("Lea", "Ben lives in Rome."), ("Ben", "I live in Milan."))
    assert values(memory, "Ben", "lives_in") == ["Milan"]


def test_one_person_replaces_what_they_said_themselves(memory: Mnemic) -> None:
    say(memory, ("Ben", "Sam owns checkout."), ("Ben", "Lea owns checkout."))
    assert values(memory, "checkout", "owner") == ["Lea Moss"]


@pytest.mark.parametrize(
    ("shared", "own", "question"),
    [
        ("Checkout runs on Azure.", "Checkout moved to GCP.", "Where does checkout run?"),
        ("Checkout uses MySQL.", "Checkout switched from MySQL to MariaDB.", "What does checkout use?"),
        ("结算服务由李雷负责。", "结算服务现在归小王了。", "结算服务归谁？"),
    ],
)
def test_what_one_says_against_the_team_comes_first_to_them_and_is_noted(
    memory: Mnemic, bob: Mnemic, shared: str, own: str, question: str
) -> None:
    memory.remember(shared, visibility="team")
    clock_of(memory).now = day(2)
    bob.remember(own)
    found = bob.recall(question)
    assert [item.text for item in found.items] == [own, shared]
    (note,) = found.notes
    assert own in note
    assert shared in note
    assert memory.recall(question).notes == ()


def test_what_joins_the_teams_values_of_a_slot_is_no_disagreement(memory: Mnemic, bob: Mnemic) -> None:
    memory.remember("Checkout uses Redis.", visibility="team")
    bob.remember("Checkout uses Kafka.")
    bob.remember("Checkout uses Redis.")
    assert bob.recall("What does checkout use?").notes == ()
