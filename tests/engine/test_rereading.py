"""Names learnt and unlearnt late: the history is read again as if they had been known, or not, from the start."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from mnemic import ManualClock, Mnemic, NotFound
from mnemic.engine import retelling
from mnemic.engine.retelling import Retelling
from mnemic.graph.model import GraphDelta, State
from tests.engine.told import NAMES, as_user, clock_of, day, door, recalled, rows, stored_id, tell, values

ZEPHYR: list[dict[str, Any]] = [{"name": "Zephyr", "kind": "service", "aliases": ["zeph", "隼"]}]

DATABASES = ("Kafka", "NATS", "MySQL", "PostgreSQL", "Redis")
PEOPLE = ("Ben", "Lea", "Sam", "李雷")
SAID = (
    "Zephyr uses {db}.", "{who} owns Zephyr.", "Zephyr switched to {db}.", "It runs on {db} now.",
    "We moved Zephyr from {db} to {other}.", "{who} works on zeph.", "隼现在用 {db}。", "隼换成了 {db}。",
    "checkout uses {db}.", "I like zeph.", "Not {db}, sorry: zeph uses {other}.", "No, I was joking.",
    "{who} lives in Bern.", "{who} lives in Rome now.", "Zephyr no longer uses {db}.", "zeph is due on March 5.",
    "Remember that the spare key of Zephyr is with {who}.", "The spare key is with {who} now.",
    "Should we move Zephyr to {db}?", "现在由{who}负责隼。", "Zephyr depends on checkout.", "I restarted zeph, done.",
)  # fmt: skip

Line = tuple[str, str, str]
"""A text with its session and speaker."""

LINES = st.builds(
    lambda text, db, other, who, session, speaker: (
        text.format(db=db, other=other, who=who),
        session,
        speaker,
    ),
    st.sampled_from(SAID),
    st.sampled_from(DATABASES),
    st.sampled_from(DATABASES),
    st.sampled_from(PEOPLE),
    st.sampled_from("ab"),
    st.sampled_from(("ada", "ada", "bob")),
)


def told(names: Sequence[dict[str, Any]], lines: Sequence[Line]) -> Mnemic:
    memory = door(names=[*NAMES, *names], clock=ManualClock(day(0)))
    for number, (text, session, speaker) in enumerate(lines, 1):
        memory.remember(text, session=session, speaker=speaker)
        clock_of(memory).now = day(number / 3)
    return memory


def known(memory: Mnemic) -> list[str]:
    """Return all that is stored, without numbers that depend on how much else is: doubts and their features."""
    kept = []
    for row in rows(memory):
        if row["type"] == "replaces" and row["reason"] == "doubt":
            continue
        left = {k: v for k, v in row.items() if k not in ("profile_updated_at", "features", "score")}
        kept.append(json.dumps(left, sort_keys=True, ensure_ascii=False))
    return sorted(kept)


@settings(max_examples=25, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.lists(LINES, min_size=2, max_size=10))
def test_a_name_learnt_late_gives_what_it_gives_from_the_start_and_unlearnt_what_never_did(
    lines: list[Line],
) -> None:
    with told(ZEPHYR, lines) as early, told([], lines) as late:
        never = known(late)
        late.learn(ZEPHYR)
        assert known(late) == known(early)
        late.reread("Zephyr")
        assert known(late) == known(early), "reading twice is reading once"
        late.unlearn("Zephyr")
        assert known(late) == never


def test_an_alias_learnt_late_joins_two_things_and_is_taken_back() -> None:
    lines = [("Falkon uses MySQL.", "a", "ada"), ("bird switched to Redis.", "b", "ada")]
    plain = [{"name": "Falkon", "kind": "service"}]
    with told(plain, lines) as memory:
        before = known(memory)
        memory.learn([{**plain[0], "aliases": ["bird"]}])
        assert memory.resolve("bird").name == "Falkon"
        assert "Redis" in values(memory, "Falkon", "uses")
        memory.learn(plain)
        assert known(memory) == before
        assert "bird" not in memory.resolve("Falkon").aliases


def test_what_nothing_rests_on_any_more_is_gone(memory: Mnemic) -> None:
    memory.learn(ZEPHYR)
    tell(memory, "隼现在用 MySQL。")
    memory.unlearn("Zephyr")
    with pytest.raises(NotFound):
        memory.about("Zephyr")


def test_what_was_forgotten_does_not_return(memory: Mnemic) -> None:
    first, _ = tell(memory, "Zephyr uses Kafka.", "Zephyr uses Redis.")
    memory.forget(stored_id(first))
    memory.learn(ZEPHYR)
    assert values(memory, "Zephyr", "uses") == ["Redis"]


def test_what_the_caller_declared_stays_declared(memory: Mnemic) -> None:
    old = stored_id(memory.remember("The old plan for lunch is pizza.", importance=0.9))
    memory.remember(
        "zeph lunch is at noon.",
        kind="decision", importance=0.95, confidence=0.7, tags=["food"], metadata={"by": "bot"}, replaces=old,
    )  # fmt: skip
    memory.learn(ZEPHYR)
    kept = next(row for row in rows(memory, "memory") if "noon" in row["text"])
    assert (kept["kind"], kept["importance"], kept["confidence"]) == ("decision", 0.95, 0.7)
    assert (kept["tags"], kept["metadata"]) == (["food"], {"by": "bot"})
    assert [(e["older"], e["reason"]) for e in rows(memory, "replaces")] == [(old, "declared")]


def test_a_pinned_memory_stays_pinned(memory: Mnemic) -> None:
    id = stored_id(memory.remember("Zephyr uses Kafka."))
    store, view = memory.core.store, memory.core.view(memory.scope)
    (row,) = store.memories(view, ids=[id])
    from dataclasses import replace

    store.apply(GraphDelta(memories=(replace(row, pinned=True, access_count=5),)))
    memory.learn(ZEPHYR)
    (again,) = store.memories(view, ids=[id])
    assert (again.pinned, again.access_count) == (True, 5)


def test_what_lives_on_in_a_profile_is_left_as_it_is(memory: Mnemic) -> None:
    from dataclasses import replace

    id = stored_id(memory.remember("Zephyr uses Kafka."))
    store, view = memory.core.store, memory.core.view(memory.scope)
    (row,) = store.memories(view, ids=[id])
    store.apply(GraphDelta(memories=(replace(row, state=State.ARCHIVED),)))
    memory.learn(ZEPHYR, reread=False)
    assert memory.reread("Zephyr").left == 1
    (same,) = store.memories(view, ids=[id])
    assert same == replace(row, state=State.ARCHIVED)


def test_who_puts_it_off_reads_again_later(memory: Mnemic) -> None:
    tell(memory, "隼现在用 MySQL。")
    memory.learn(ZEPHYR, reread=False)
    with pytest.raises(NotFound):
        memory.about("隼换成")
    told_again = memory.reread("Zephyr")
    assert (told_again.found, told_again.told) == (1, 1)
    assert values(memory, "Zephyr", "uses") == ["MySQL"]


def test_another_user_reads_their_own_history_again(memory: Mnemic, bob: Mnemic) -> None:
    bob.remember("隼现在用 MySQL。")
    before = rows(bob, "memory")
    memory.learn(ZEPHYR)
    assert rows(bob, "memory") == before
    bob.reread("Zephyr")
    assert values(bob, "Zephyr", "uses") == ["MySQL"]


def test_who_is_stopped_half_way_does_it_again(memory: Mnemic, monkeypatch: pytest.MonkeyPatch) -> None:
    lines = [(f"Zephyr uses {db}.", "a", "ada") for db in DATABASES]
    with told(ZEPHYR, lines) as early, told([], lines) as late:
        monkeypatch.setattr("mnemic.engine.rereading._AT_ONCE", 2)
        calls = []
        whole = Retelling.tell

        def stops(self: Retelling, turns: Any) -> Any:
            calls.append(turns)
            if len(calls) == 2:
                raise KeyboardInterrupt
            return whole(self, turns)

        monkeypatch.setattr(retelling.Retelling, "tell", stops)
        with pytest.raises(KeyboardInterrupt):
            late.learn(ZEPHYR)
        assert "Zephyr" not in [name.name for name in late.names()]
        late.learn(ZEPHYR)
        assert known(late) == known(early)


def test_learning_what_is_known_reads_nothing(memory: Mnemic) -> None:
    memory.learn(ZEPHYR)
    tell(memory, "Zephyr uses Kafka.")
    seen: list[str] = []
    memory.learn(ZEPHYR, progress=lambda step, done, total: seen.append(step))
    assert seen == []


def test_progress_is_told(memory: Mnemic) -> None:
    tell(memory, "Zephyr uses Kafka.", "zeph uses Redis.")
    seen: list[tuple[str, int, int]] = []
    memory.learn(ZEPHYR, progress=lambda *step: seen.append(step))
    assert ("reading", 2, 2) in seen


@pytest.mark.parametrize(
    "text", ["", "🦜" * 50, "Ｚｅｐｈｙｒ ｕｓｅｓ Ｋａｆｋａ。", "\u202eZephyr\u202c نظام", "zeph\u200b?"]
)
def test_odd_texts_are_read_again(tmp_path: Path, text: str) -> None:
    with door(tmp_path / "m.db") as memory:
        memory.remember(f"Zephyr {text}")
        memory.learn(ZEPHYR)
        memory.unlearn("Zephyr")
        assert recalled(memory, "nothing of that sort") == []


def test_the_team_s_history_is_read_again_too(memory: Mnemic) -> None:
    memory.remember("隼现在用 MySQL。", visibility="team")
    memory.learn(ZEPHYR)
    assert values(as_user(memory, "bob"), "Zephyr", "uses") == ["MySQL"]
