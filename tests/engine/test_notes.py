"""Notes tell in the question's language what is in doubt, of what is shown, and who disagrees."""

import pytest

from mnemic import Found, ManualClock, Mnemic
from mnemic.engine.settings import Settings
from tests.engine.told import NAMES, START, day

CHANGES = [
    (
        "Guests park behind the barn, on the gravel.",
        "Guests park in front of the barn now, not on the gravel.",
        "Where do guests park?",
        "may be out of date",
    ),
    ("请假要提前三天跟组长说。", "请假现在要提前五天跟组长说了。", "请假要提前几天说？", "可能已过时"),
]
DISAGREEMENTS = [
    (
        "Refunds are possible for 30 days.",
        "Refunds are possible for 14 days.",
        "How many days are refunds possible?",
        "these disagree",
    ),
    ("食堂的饭卡里至少要留20块钱。", "食堂的饭卡里至少要留50块钱。", "饭卡里至少要留多少钱？", "说法不一"),
    ("请假要提前3天跟组长说。", "请假要提前5天跟组长说。", "请假要提前几天说？", "说法不一"),
]


def doubtful(*told: tuple[str, str], asked: str) -> Found:
    """Ask a memory that takes nothing away where only the pair scorer says so."""
    settings = Settings(keep_from=0.0, doubt_from=0.02, overrule_from=1.0)
    with Mnemic(
        ":memory:",
        user="ada",
        embedder="none",
        clock=ManualClock(day(9)),
        dictionary=NAMES,
        settings=settings,
    ) as memory:
        for number, (speaker, text) in enumerate(told):
            memory.remember(text, speaker=speaker, at=day(number))
        return memory.recall(asked)


@pytest.mark.parametrize(("old", "new", "asked", "words"), CHANGES)
def test_a_doubt_names_both_sides_with_their_dates(old: str, new: str, asked: str, words: str) -> None:
    found = doubtful(("ada", old), ("ada", new), asked=asked)
    (note,) = found.notes
    assert words in note
    assert (
        note.index(old) < note.index(f"{START:%Y-%m-%d}") < note.index(new) < note.index(f"{day(1):%Y-%m-%d}")
    )
    assert note in found.text


@pytest.mark.parametrize(("one", "other", "asked", "words"), DISAGREEMENTS)
def test_two_people_who_disagree_are_both_shown(one: str, other: str, asked: str, words: str) -> None:
    found = doubtful(("Ben", one), ("Lea", other), asked=asked)
    assert {item.text for item in found.items} == {one, other}
    (note,) = found.notes
    assert note.startswith(words)
    for part in (one, other, "Ben", "Lea", f"{day(1):%Y-%m-%d}"):
        assert part in note


def test_nothing_is_noted_of_what_is_not_shown() -> None:
    old, new, _, _ = CHANGES[0]
    told = [("ada", old), ("ada", new), ("ada", "Ben lives in Berlin.")]
    assert doubtful(*told, asked="Where does Ben live?").notes == ()
