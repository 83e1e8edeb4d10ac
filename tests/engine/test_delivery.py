"""Turns come in once each, in order, and a call is stored whole or not at all."""

from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mnemic import FixedEmbedder, InvalidInput, Mnemic, NotFound, StoreError
from mnemic.errors import EmbedderError
from mnemic.extraction.embedders.base import Vectors
from tests.engine.told import as_user, day, door, rows, tell, unchanged

SAID = "Checkout uses Postgres."
TWO = [{"role": "user", "content": SAID}, {"role": "user", "content": "Ben lives in Berlin."}]


def turns(memory: Mnemic) -> list[dict[str, Any]]:
    return sorted(rows(memory, "turn"), key=lambda turn: (turn["session"], turn["position"]))


def test_the_same_id_again_changes_nothing(memory: Mnemic) -> None:
    assert memory.remember(SAID, id="one").known == ()
    with unchanged(memory):
        receipt = memory.remember(SAID, id="one", at=day(3))
    assert receipt.turns == receipt.known == ("one",)
    assert not receipt.stored
    assert not receipt.reinforced


def test_the_same_call_again_changes_nothing_without_ids_too(memory: Mnemic) -> None:
    first = memory.remember(TWO)
    with unchanged(memory):
        assert memory.remember(TWO).known == first.turns


def test_the_same_words_at_another_time_are_another_turn(memory: Mnemic) -> None:
    receipts = tell(memory, SAID, SAID)
    assert receipts[1].known == ()
    assert receipts[1].reinforced
    assert len(turns(memory)) == 2


def test_two_equal_messages_of_a_list_are_two_turns_and_stay_two(memory: Mnemic) -> None:
    twice = [{"role": "user", "content": SAID}] * 2
    first = memory.remember(twice)
    assert len(set(first.turns)) == 2
    with unchanged(memory):
        assert memory.remember(twice).known == first.turns


def test_a_known_id_keeps_its_first_words(memory: Mnemic) -> None:
    memory.remember(SAID, id="one")
    with unchanged(memory):
        assert memory.remember("Checkout uses Oracle.", id="one").known == ("one",)


def test_a_list_may_hold_known_turns_and_new_ones(memory: Mnemic) -> None:
    memory.remember(SAID, id="one")
    receipt = memory.remember(
        [{"content": SAID, "id": "one"}, {"content": "Ben lives in Berlin.", "id": "two"}]
    )
    assert receipt.turns == ("one", "two")
    assert receipt.known == ("one",)
    assert [turn["id"] for turn in turns(memory)] == ["one", "two"]


@pytest.mark.parametrize("id", ["a/b", "team/1", "ada/1", "编号 7", "100%2F", "ünï"])
def test_an_id_comes_back_as_it_was_given(memory: Mnemic, id: str) -> None:
    receipt = memory.remember(SAID, id=id)
    assert receipt.turns == receipt.stored[0].turns == (id,)
    assert memory.about("checkout").facts[0].turns == (id,)
    assert memory.remember(SAID, id=id).known == (id,)


@pytest.mark.parametrize(
    "bad",
    [
        {"role": "user", "content": " "},
        {"role": "user", "content": None},
        {"role": "user", "content": "a\x00b"},
        {"role": "boss", "content": "Lea lives in Oslo."},
        {"role": "user", "content": "Lea lives in Oslo.", "at": datetime(2026, 1, 1)},
        {"role": "user", "content": "Lea lives in Oslo.", "colour": "red"},
        "Lea lives in Oslo.",
    ],
)
def test_one_bad_message_and_nothing_of_the_list_is_stored(memory: Mnemic, bad: Any) -> None:
    with unchanged(memory), pytest.raises(InvalidInput, match=r"messages\[2\]"):
        memory.remember([*TWO, bad])


def test_two_messages_of_one_call_may_not_share_an_id(memory: Mnemic) -> None:
    with unchanged(memory), pytest.raises(InvalidInput, match="one"):
        memory.remember([{"content": SAID, "id": "one"}, {"content": "Ben lives in Berlin.", "id": "one"}])


def test_what_fails_in_the_middle_of_writing_leaves_nothing(memory: Mnemic) -> None:
    memory.remember("Lea lives in Oslo.")
    with unchanged(memory), pytest.raises(NotFound):
        memory.remember(TWO, replaces="no such memory anywhere")


def test_an_embedder_that_fails_leaves_nothing() -> None:
    class Failing(FixedEmbedder):
        def passages(self, texts: Sequence[str]) -> Vectors:
            raise EmbedderError("out of order")

    with door(embedder=Failing()) as memory, unchanged(memory), pytest.raises(EmbedderError):
        memory.remember(TWO)


def test_positions_count_within_a_session_in_the_order_of_telling(memory: Mnemic) -> None:
    memory.remember(SAID, session="work", at=day(5))
    memory.remember("Ben lives in Berlin.", session="home")
    memory.remember(TWO, session="work", at=day(1))
    assert [(t["session"], t["position"], t["text"]) for t in turns(memory)] == [
        ("home", 0, "Ben lives in Berlin."),
        ("work", 0, SAID),
        ("work", 1, TWO[0]["content"]),
        ("work", 2, TWO[1]["content"]),
    ]


def test_users_count_apart_in_a_session_of_one_name(memory: Mnemic, bob: Mnemic) -> None:
    memory.remember(TWO, session="work")
    bob.remember(SAID, session="work")
    assert [turn["position"] for turn in turns(bob)] == [0]


def test_one_turn_that_comes_from_many_threads_is_stored_once(memory: Mnemic) -> None:
    def deliver(_: int) -> tuple[str, ...]:
        return memory.remember(SAID, id="one").known

    with ThreadPoolExecutor(4) as pool:
        known = list(pool.map(deliver, range(8)))
    assert sorted(map(len, known)) == [0] + [1] * 7
    assert memory.stats().memories == 1


def test_a_closed_memory_says_so(memory: Mnemic) -> None:
    memory.close()
    with pytest.raises(StoreError):
        memory.remember(SAID)


TALK = [
    "Checkout uses Postgres.",
    "It moved from Postgres to MySQL.",
    "小王住在上海。",
    "他现在住在北京。",
    "Thanks!",
    "Ben lives in Berlin. Lea lives in Oslo.",
]


def numbered(texts: Sequence[str]) -> list[Mapping[str, Any]]:
    return [{"content": text, "id": str(number), "at": day(number)} for number, text in enumerate(texts)]


@given(texts=st.lists(st.sampled_from(TALK), min_size=2, max_size=6), cut=st.integers(1, 5))
@settings(max_examples=15, deadline=None, derandomize=True)
def test_however_messages_are_cut_into_calls_the_same_is_remembered(texts: list[str], cut: int) -> None:
    messages = numbered(texts)
    with door() as whole, door() as parts:
        whole.remember(messages)
        for start in range(0, len(messages), cut):
            parts.remember(messages[max(0, start - 1) : start + cut])  # the last of each call comes again
        assert rows(whole) == rows(parts)


def test_a_name_introduced_in_a_list_is_known_to_its_next_message() -> None:
    texts = ["Project Nightjar, NJ for short, is our new project.", "NJ uses Postgres."]
    with door() as whole, door() as parts:
        whole.remember(numbered(texts))
        for message in numbered(texts):
            parts.remember(message)
        assert parts.about("NJ").facts
        assert rows(whole) == rows(parts)


def test_private_turns_of_two_users_may_share_an_id(memory: Mnemic, bob: Mnemic) -> None:
    assert memory.remember(SAID, id="1").known == ()
    assert bob.remember("Checkout uses Oracle.", id="1").known == ()
    assert memory.remember("Checkout uses Kafka.", id="1", visibility="team").known == ()
    assert [turn["text"] for turn in turns(bob)] == ["Checkout uses Oracle.", "Checkout uses Kafka."]


def test_turns_that_two_users_tell_the_team_may_share_an_id(memory: Mnemic) -> None:
    memory.remember(SAID, id="1", visibility="team")
    receipt = as_user(memory, "bob").remember("Lea lives in Oslo.", id="1", visibility="team")
    assert receipt.known == ()
    assert len(turns(memory)) == 2
