"""What becomes a memory and what stays a turn; secrets stay nowhere."""

from collections.abc import Sequence
from pathlib import Path

import pytest

from mnemic import FixedEmbedder, ManualClock, Mnemic
from mnemic.extraction.embedders.base import Vectors
from tests.engine.told import all_seen, bytes_of, door, recalled, rows, stored_id, tell


@pytest.mark.parametrize("small_talk", ["Thanks, see you!", "Hello there!", "好的，谢谢", "哈哈"])
def test_small_talk_is_kept_as_a_turn_alone(memory: Mnemic, small_talk: str) -> None:
    receipt = memory.remember(small_talk)
    assert receipt.stored == ()
    assert [ignored.turn for ignored in receipt.ignored] == list(receipt.turns)
    assert [turn["text"] for turn in rows(memory, "turn")] == [small_talk]
    assert memory.stats().memories == 0


@pytest.mark.parametrize(
    "told",
    ["I don't eat shellfish", "I'm allergic to cats", "我不吃猪肉", "我对花粉过敏", "Ben is vegetarian"],
)
def test_what_somebody_cannot_eat_is_kept(memory: Mnemic, told: str) -> None:
    assert [each.text for each in memory.remember(told).stored] == [told]


def test_what_is_ignored_says_why_and_by_how_much(memory: Mnemic) -> None:
    (ignored,) = memory.remember("Thanks, see you!").ignored
    assert ignored.reason
    assert 0.0 <= ignored.importance < 0.6
    assert ignored.features


@pytest.mark.parametrize(
    ("said", "feature"),
    [
        ("Our new tool is called Heron.", "introduces a name"),
        ("Our new colleague is called Imke.", "introduces a name"),
        ("新来的设计师叫孟晓，负责测试。", "introduces a name"),
        ("新系统叫云梯。", "introduces a name"),
        ("Note to self: buy stamps", "asked to remember"),
        ("Remember this: blue folder, top shelf", "asked to remember"),
        ("别忘记带雨衣", "asked to remember"),
        ("记一下：蓝色那把", "asked to remember"),
        ("I'm planning to sing", "plans"),
        ("我想学画画", "plans"),
        ("I'm pescatarian", "tells a trait"),
        ("I'm a vegan", "tells a trait"),
        ("我吃全素", "tells a trait"),
    ],
)
def test_introductions_and_requests_to_remember_are_kept_however_small(
    memory: Mnemic, said: str, feature: str
) -> None:
    (stored,) = memory.remember(said).stored
    assert stored.importance == 0.6
    assert stored.features[feature] > 0.0


@pytest.mark.parametrize(
    ("said", "predicate"),
    [("Don't forget: dad's train arrives at 8pm Sunday", "scheduled_at"), ("别忘了周四交申请", "task")],
)
def test_a_reminder_denies_nothing(memory: Mnemic, said: str, predicate: str) -> None:
    (stored,) = memory.remember(said).stored
    assert stored.said is not None
    assert stored.said.predicate == predicate
    assert stored.said.modality != "negated"


@pytest.mark.parametrize("role", ["assistant", "system", "tool"])
def test_what_others_than_users_say_is_no_fact(memory: Mnemic, role: str) -> None:
    receipt = memory.remember([{"role": role, "content": "You live in Rome. Checkout uses Postgres."}])
    assert receipt.stored == ()
    assert all(role in ignored.reason for ignored in receipt.ignored)
    assert memory.stats().entities == 0
    assert [(turn["role"], turn["speaker"]) for turn in rows(memory, "turn")] == [(role, role)]


def test_an_assistant_that_repeats_an_old_value_changes_nothing(memory: Mnemic) -> None:
    tell(memory, "Ben lives in Berlin.", "Ben lives in Paris.")
    memory.remember([{"role": "assistant", "content": "Correction: Ben lives in Berlin."}])
    assert memory.about("Ben").profile == {"lives_in": ("Paris",)}


def test_an_assistant_forgets_nothing(memory: Mnemic) -> None:
    memory.remember("Ben lives in Berlin.")
    receipt = memory.remember([{"role": "assistant", "content": "Please forget what I said about Ben."}])
    assert receipt.forgotten.rows == 0
    assert recalled(memory, "Where does Ben live?")


def test_an_assistants_words_are_not_put_into_the_users_mouth(memory: Mnemic) -> None:
    memory.remember("Ben lives in Berlin.", role="assistant")
    assert [turn["speaker"] for turn in rows(memory, "turn")] == ["assistant"]


def test_the_callers_kind_and_importance_win(memory: Mnemic) -> None:
    stored = memory.remember("Thanks, see you!", importance=0.9, kind="event", confidence=0.5).stored[0]
    assert (stored.kind, stored.importance) == ("event", 0.9)
    (row,) = rows(memory, "memory")
    assert (row["kind"], row["importance"], row["confidence"]) == ("event", 0.9, 0.5)


def test_a_low_importance_said_outright_is_kept_as_it_is(memory: Mnemic) -> None:
    (stored,) = memory.remember("Ben lives in Berlin.", importance=0.1).stored
    assert stored.importance == 0.1


def test_tags_and_metadata_stay_with_the_memory(memory: Mnemic) -> None:
    memory.remember("Ben lives in Berlin.", tags=["home", "城市"], metadata={"source": {"page": 7}})
    (row,) = rows(memory, "memory")
    assert row["tags"] == ["home", "城市"]
    assert row["metadata"] == {"source": {"page": 7}}


def test_what_is_said_again_gets_a_further_source_and_no_twin(memory: Mnemic) -> None:
    first, second = tell(memory, "Ben lives in Berlin.", "Ben lives in Berlin.")
    assert [again.id for again in second.reinforced] == [stored_id(first)]
    assert memory.stats().memories == 1
    (fact,) = memory.about("Ben").facts
    assert fact.turns == (*first.turns, *second.turns)


SECRETS = [
    ("The password of checkout is Gr8-Otter!77.", "Gr8-Otter!77"),
    ("结算服务的密码是 Xk9-panda!42。", "Xk9-panda!42"),
    ("Ben's credit card is 4111 1111 1111 1111.", "4111 1111 1111 1111"),
    ("The API key of checkout is sk-proj-Zq81ZkQpLr93VtWn55XyAaBb.", "sk-proj-Zq81ZkQpLr93VtWn55XyAaBb"),
]


@pytest.mark.parametrize(("said", "secret"), SECRETS)
def test_a_secret_is_in_no_layer_and_no_byte(
    tmp_path: Path, clock: ManualClock, said: str, secret: str
) -> None:
    seen_by_embedder: list[str] = []

    class Listening(FixedEmbedder):
        def passages(self, texts: Sequence[str]) -> Vectors:
            seen_by_embedder.extend(texts)
            return super().passages(texts)

    with door(tmp_path / "memory.db", clock=clock, embedder=Listening()) as memory:
        receipt = memory.remember(said, importance=0.9, tags=["kept"])
        assert [hidden.turn for hidden in receipt.masked] == list(receipt.turns)
        assert secret not in receipt.model_dump_json()
        assert secret not in all_seen(memory, "checkout", "What is the password and the card?")
        assert secret.lower() not in bytes_of(tmp_path).decode("utf-8", "ignore")
        assert seen_by_embedder
        assert not any(secret in text for text in seen_by_embedder)
    assert secret.lower() not in bytes_of(tmp_path).decode("utf-8", "ignore")


def test_a_secret_that_is_not_worth_keeping_is_masked_in_its_turn_too(memory: Mnemic) -> None:
    receipt = memory.remember("ok, my password is Gr8-Otter!77")
    assert receipt.masked
    assert "Otter" not in receipt.model_dump_json() + str(rows(memory))


def test_an_analysis_stores_nothing(memory: Mnemic) -> None:
    memory.remember("Ben lives in Berlin.")
    before = rows(memory), memory.stats()
    analysis = memory.analyse("Ben lives in Paris. My password is Gr8-Otter!77.")
    assert "Otter" not in analysis.text
    assert (rows(memory), memory.stats()) == before
