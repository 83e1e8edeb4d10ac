from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mnemic.engine.question import Question
from mnemic.engine.spoken import add_turn_features
from mnemic.extraction.terms import terms
from mnemic.graph.model import Turn

AT = datetime(2025, 3, 1, 9, tzinfo=UTC)


def question(text: str, since: datetime | None = None, until: datetime | None = None) -> Question:
    return Question(
        text=text, terms=(), weighty=(), vector=None, handles=(), mentions=(), only=(), predicates=frozenset(),
        first=False, since=since, until=until, former=False, detail=False, chat=False, zone=None,
    )  # fmt: skip


def turn(number: int, text: str = "well", speaker: str = "Ann", session: str = "s") -> Turn:
    return Turn(
        id=str(number), owner="u", session=session, position=number, speaker=speaker, role="user", text=text,
        at=AT + timedelta(days=number), recorded_at=AT, terms=terms(text),
    )  # fmt: skip


def features(
    turns: Sequence[Turn], asked: Question, words: Sequence[float] | None = None
) -> list[dict[str, float]]:
    rows = [{"words": word, "coverage": word} for word in words or [0.0] * len(turns)]
    add_turn_features(asked, turns, rows)
    return rows


def test_the_best_by_words_ranks_first_and_its_neighbours_share_in_it() -> None:
    rows = features([turn(n) for n in range(4)], question("?"), [0.1, 0.0, 0.9, 0.2])
    assert max(rows, key=lambda row: row["rank by words"]) is rows[2]
    assert rows[1]["after: coverage"] == rows[3]["before: coverage"] == 0.9
    assert rows[1]["words around"] > rows[0]["words around"]


def test_a_neighbour_is_of_the_same_session() -> None:
    rows = features([turn(0), turn(1, session="t")], question("?"), [0.9, 0.1])
    assert "before: coverage" not in rows[1]
    assert (rows[0]["session"], rows[1]["session"]) == (0.9, 0.1)


@pytest.mark.parametrize(("asked", "mine"), [("What did Ann buy?", "named"), ("安妮买了什么？", "named")])
def test_whoever_is_asked_about_and_speaks_of_themselves_is_named(asked: str, mine: str) -> None:
    speaker = "Ann" if asked.isascii() else "安妮"
    rows = features(
        [turn(0, "I bought a hat 我", speaker), turn(1, "She did", "Bo"), turn(2, speaker="Annabel")],
        question(asked),
    )
    assert rows[0][mine] == rows[0]["alone named"] == 1.0
    assert rows[0]["named × first person"] > 0
    assert rows[1]["another named"] == 1.0
    assert "named" not in rows[2]


def test_times_and_numbers_count_where_they_are_asked_for() -> None:
    said = [turn(0, "yesterday"), turn(1, "it has three legs"), turn(2, "在 14 号")]
    when, count = features(said, question("When was it?")), features(said, question("有多少个？"))
    assert [row["when × moment"] for row in when] == [1.0, 0.0, 0.0]
    assert [row["count × number"] for row in count] == [0.0, 1.0, 1.0]
    assert "when × moment" not in count[0]


def test_what_was_said_at_the_time_in_question_is_nearest() -> None:
    rows = features([turn(0), turn(5), turn(7)], question("?", AT + timedelta(5), AT + timedelta(6)))
    assert [row["days off"] > 0 for row in rows] == [True, False, True]
    assert [row["soon after"] for row in rows] == [0.0, 0.0, 1.0]


@given(st.lists(st.floats(0, 1), min_size=1, max_size=30))
def test_any_scores_give_finite_features(words: list[float]) -> None:
    for row in features([turn(n) for n in range(len(words))], question("?"), words):
        assert all(-100 < value < 100 for value in row.values())


def test_nothing_to_compare_is_nothing() -> None:
    assert features([], question("?")) == []
