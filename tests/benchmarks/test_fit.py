import json
import math
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks.fit.__main__ import best_parting, best_threshold
from benchmarks.fit.histories import conversations, messages, told
from benchmarks.fit.logistic import Example, average_precision, fit, held_out
from benchmarks.fit.overrule import settled
from tests.engine.told import door, tell


def examples(count: int = 40) -> list[Example]:
    """Half of them true: those with the feature "good"; "noise" says nothing."""
    return [
        Example({"good": float(i % 2), "noise": float(i % 3)}, bool(i % 2), group=str(i % 8))
        for i in range(count)
    ]


def test_the_telling_feature_gets_the_weight() -> None:
    fitted = fit(examples(), penalty=0.1)
    assert fitted.weights["good"] > 2 > abs(fitted.weights["noise"])
    assert fitted.logit({"good": 1.0}) > 0 > fitted.logit({})


def test_rare_features_are_left_out() -> None:
    rows = [*examples(), Example({"once": 1.0}, True, group="x")]
    assert "once" not in fit(rows, penalty=0.1, least=2).weights


def test_a_heavier_penalty_makes_smaller_weights() -> None:
    light, heavy = (fit(examples(), penalty=p).weights["good"] for p in (0.1, 10.0))
    assert 0 < heavy < light


def test_held_out_scores_come_from_other_groups() -> None:
    """A group whose features mean the opposite is judged by what the others say."""
    rows = [*examples(), *(Example({"good": 1.0}, False, group="odd") for _ in range(5))]
    assert all(
        score > 0 for score, row in zip(held_out(rows, penalty=0.1), rows, strict=True) if row.group == "odd"
    )


@pytest.mark.parametrize(
    ("scores", "labels", "expected"),
    [
        ([3.0, 2.0, 1.0], [True, True, False], 1.0),
        ([3.0, 2.0, 1.0], [False, True, True], (1 / 2 + 2 / 3) / 2),
        ([1.0], [False], 0.0),
    ],
)
def test_average_precision(scores: list[float], labels: list[bool], expected: float) -> None:
    assert average_precision(scores, labels) == pytest.approx(expected)


def test_the_best_threshold_rather_keeps_too_much() -> None:
    assert best_threshold([2.0, 1.0, 0.5, -1.0], [True, True, False, False]) == 1.0
    assert best_threshold([2.0, 1.0, 0.5, -1.0], [True, False, True, False]) == 0.5


def test_the_parting_keeps_answers_before_it_hides_misses() -> None:
    assert best_parting([(1.0, True), (0.5, True), (0.2, False), (-1.0, False)]) == 0.5
    assert best_parting([(1.0, True), (-1.0, True), (0.5, False)]) == -1.0


@given(st.lists(st.booleans(), min_size=4, max_size=30))
def test_fitting_is_deterministic_and_finite(labels: list[bool]) -> None:
    rows = [Example({"x": float(i)}, label, group=str(i)) for i, label in enumerate(labels)]
    first, second = fit(rows, penalty=1.0, least=1), fit(rows, penalty=1.0, least=1)
    assert first == second
    assert math.isfinite(first.bias)


def test_a_conversation_is_told_a_minute_apart(tmp_path: Path) -> None:
    turns = [
        {"id": "1", "speaker": "Ada", "role": "user", "text": "Ben lives in Berlin."},
        {"id": "2", "speaker": "Ben", "role": "user", "text": "贝恩搬到柏林了。", "note": "not for us"},
    ]
    session = {"id": "s", "at": "2026-03-02T09:00:00+08:00", "turns": turns}
    raw = {"id": "c", "dictionary": [], "sessions": [session], "questions": []}
    tmp_path.joinpath("conversations").mkdir()
    tmp_path.joinpath("conversations", "c.json").write_text(json.dumps(raw), encoding="utf-8")
    (conversation,) = conversations(tmp_path)
    with told(conversation, embedder="none") as (memory, clock):
        assert clock.now.isoformat() == "2026-03-02T09:01:00+08:00"
        assert memory.recall("Where does Ben live?").items
    assert messages([conversation]) == {"Ada: Ben lives in Berlin.", "Ben: 贝恩搬到柏林了。"}


def test_what_users_settled_is_read_as_they_exported_it(tmp_path: Path) -> None:
    file = tmp_path / "taught.jsonl"
    with door() as memory:
        _, second = tell(memory, "Ben lives in Berlin.", "Ben lives in Paris.")
        memory.unreplace(second.replaced[0].newer)
        file.write_text("\n".join(json.dumps(row) for row in memory.taught()) + "\n", encoding="utf-8")
    (example,) = settled(file)
    assert not example.label
    assert example.features["same slot"] == 1.0
