"""The text before a model: it never takes more room than it was given."""

from datetime import UTC, datetime, timedelta, timezone

import pytest

from mnemic import Item, ManualClock
from mnemic.engine.pack import estimate_tokens, pack
from mnemic.engine.question import Question, understand
from tests.engine.told import day, door


def asked_for(text: str) -> Question:
    with door() as memory:
        return understand(memory.core, memory.core.view(memory.scope), text)


def items(*texts: str) -> list[Item]:
    """Return one item a text, each a day after the one before it."""
    with door() as memory:
        memory.remember("Ben lives in Berlin.")
        (item,) = memory.recall("Where does Ben live?").items
    return [
        item.model_copy(update={"id": f"m{number}", "text": text, "since": day(number)})
        for number, text in enumerate(texts)
    ]


@pytest.mark.parametrize("asked", ["who?", "谁？"])
def test_items_stay_within_the_budget(asked: str) -> None:
    question = asked_for(asked)
    for word in ("x", "xy", "xyz", "abcd", "数据", "用 MySQL"):
        given = items(*[word * 2] * 12)
        for budget in range(1, 150):
            assert estimate_tokens(pack(question, given, [], budget)[0]) <= budget, (word, budget)


def test_notes_stay_within_the_budget() -> None:
    question, given = asked_for("who?"), items("Ben lives in Berlin.")
    notes = ["possibly out of date: Ben lives in Berlin."] * 3
    whole = estimate_tokens(pack(question, given, notes, None)[0])
    for budget in range(1, whole + 1):
        assert estimate_tokens(pack(question, given, notes, budget)[0]) <= budget


def test_without_a_budget_everything_is_there() -> None:
    text = pack(asked_for("who?"), items(*(f"text {number}" for number in range(50))), ["mind this"], None)[0]
    assert all(f"text {number} " in text for number in range(50))
    assert "mind this" in text


@pytest.mark.parametrize("text", ["", "a", "abcd", "abcde", "数据库", "用 MySQL"])
def test_an_estimate_grows_with_the_text_and_counts_chinese_more(text: str) -> None:
    assert estimate_tokens(text) <= estimate_tokens(text + "x") <= estimate_tokens(text + "库")


def test_a_budget_too_tight_for_all_says_so() -> None:
    with door() as memory:
        for name in ("Ben", "Lea", "Sam"):
            memory.remember(f"{name} lives in Berlin.")
        found = memory.recall("Who lives in Berlin?", budget=30)
        none = memory.recall("Who lives in Berlin?", budget=1)
    assert len(found.items) > found.text.count("\n") > 0
    assert any("budget of 30" in note for note in found.notes)
    assert not none.text
    assert any("room for 0 of" in note for note in none.notes)


def test_preferences_stand_first() -> None:
    given = items("told first", "told last")
    given[1] = given[1].model_copy(update={"kind": "preference"})
    lines = pack(asked_for("who?"), given, [], None)[0].splitlines()
    assert "told last" in lines[1]
    assert "told first" in lines[2]


def test_a_line_says_whom_it_is_about_where_its_words_do_not() -> None:
    (item,) = items("it's Thursday")
    said = item.said
    assert said is not None
    meeting = item.model_copy(
        update={"said": said.model_copy(update={"subject": "demo", "value": "Thursday"})}
    )
    assert "it's Thursday (demo: Thursday)" in pack(asked_for("when?"), [meeting], [], None)[0]
    plain = meeting.model_copy(update={"text": "the demo is on Thursday"})
    assert "(demo" not in pack(asked_for("when?"), [plain], [], None)[0]


CHINA, CALIFORNIA = timezone(timedelta(hours=8)), timezone(timedelta(hours=-8))
EARLY = datetime(2026, 5, 4, 1, 30, tzinfo=CHINA)
"""The third of May still where UTC is kept."""


@pytest.mark.parametrize(
    ("told", "asked"),
    [("Ben lives in Berlin.", "Where does Ben live?"), ("李雷住在西安。", "李雷住在哪里？")],
)
@pytest.mark.parametrize(
    ("zone", "written"), [(CHINA, "2026-05-04"), (UTC, "2026-05-03"), (CALIFORNIA, "2026-05-03")]
)
def test_a_memory_bears_the_day_of_the_one_who_asks(
    told: str, asked: str, zone: timezone, written: str
) -> None:
    clock = ManualClock((EARLY + timedelta(days=2)).astimezone(zone))
    with door(clock=clock) as memory:
        memory.remember(told, at=EARLY)
        assert written in memory.recall(asked).text


def test_a_turn_bears_the_day_on_which_it_was_told() -> None:
    clock = ManualClock((EARLY + timedelta(days=2)).astimezone(CALIFORNIA))
    with door(clock=clock) as memory:
        memory.remember("The zebra crossing looked wet.", at=EARLY)
        assert "2026-05-04" in memory.recall("zebra crossing", depth="deep").text


def test_a_day_that_the_calendar_does_not_reach_in_a_zone_stays_as_it_is() -> None:
    (item,) = items("text")
    last = item.model_copy(update={"since": datetime.max.replace(tzinfo=UTC)})
    clock = ManualClock(EARLY)
    with door(clock=clock) as memory:
        question = understand(memory.core, memory.core.view(memory.scope), "who?")
    assert "9999-12-31" in pack(question, [last], [], None)[0]
