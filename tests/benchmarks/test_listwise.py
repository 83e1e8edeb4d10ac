from collections.abc import Mapping

import numpy as np
import pytest

from benchmarks.fit.adapter import Lesson, as_data, fit_adapters, without_each
from benchmarks.fit.listwise import fit_lists
from benchmarks.fit.logistic import Fitted
from mnemic.engine.adapter import Adapter

Row = tuple[Mapping[str, float], bool]


def listed(shift: float) -> list[Row]:
    """One question: its true row is the best by "good"; "shift" lifts all rows of the question alike."""
    return [({"good": good, "level": shift}, good == 0.9) for good in (0.1, 0.5, 0.9)]


def test_the_order_within_a_question_is_learnt_and_not_the_questions_level() -> None:
    fitted = fit_lists([listed(shift) for shift in (0.0, 1.0, 2.0, 3.0)], penalty=0.01)
    assert fitted.weights["good"] > 1 > abs(fitted.weights["level"])
    for rows in (listed(0.0), listed(7.0)):
        best = max(rows, key=lambda row: fitted.logit(row[0]))
        assert best[1]


def test_the_weights_are_log_odds() -> None:
    rows: list[Row] = [({"good": 1.0}, True), ({"good": 0.0}, False), ({"good": 0.0}, False)]
    fitted: Fitted = fit_lists([rows] * 20, penalty=0.01)
    assert fitted.logit({"good": 1.0}) > 0 > fitted.logit({"good": 0.0})


def test_lists_without_a_choice_are_borne() -> None:
    alone: list[list[Row]] = [[({"good": 0.3}, False)], [({"good": 0.3}, True)]]
    assert fit_lists([listed(0.0), *alone], penalty=0.01).weights["good"] > 0


def lesson(group: str) -> Lesson:
    """Questions lie along one axis, their answers along the next."""
    turns = np.eye(6)
    return Lesson(group, turns[:5], {"summary": turns, "detail": turns}, [[n + 1] for n in range(5)])


def test_a_map_learns_where_answers_lie() -> None:
    adapters = fit_adapters([lesson("a"), lesson("b")])
    for n in range(5):
        query = np.eye(6, dtype=np.float32)[n]
        plain, turned = query @ np.eye(6)[n + 1], adapters["summary"].turned(query) @ np.eye(6)[n + 1]
        assert turned > plain
    assert set(as_data(adapters["detail"])) == {"rank", "down", "up"}


def test_every_conversation_gets_adapters_that_never_saw_it(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[set[str]] = []

    def note(lessons: list[Lesson]) -> dict[str, Adapter]:
        seen.append({one.group for one in lessons})
        return {}

    monkeypatch.setattr("benchmarks.fit.adapter.fit_adapters", note)
    groups = [lesson(str(n)) for n in range(6)]
    assert set(without_each(groups)) == {str(n) for n in range(6)}
    assert all(len(one) < 6 for one in seen)
