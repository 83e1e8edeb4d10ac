import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

import pytest
from pydantic import ValidationError
from rich.console import Console

from benchmarks import scenarios
from benchmarks.checks import Verdict
from benchmarks.fake import FakeMemory
from benchmarks.form import Check, Scenario
from benchmarks.harness import Fold, Place
from benchmarks.scenarios import Outcome, Score, load, play, run, show_failed
from mnemic.graph.clock import ManualClock

EMPTY: Mapping[str, object] = {"do": "recall", "query": "q", "nothing": True}
MISSED: Mapping[str, object] = {"do": "recall", "query": "q", "expect": ["t1"]}


def scenario(*checks: Mapping[str, object], name: str = "case-0") -> Scenario:
    def turn(number: int, hour: int) -> Mapping[str, object]:
        at = f"2026-03-02T{hour:02}:00:00+08:00"
        text, speaker = f"text {number}", "Ann"
        return {
            "id": f"t{number}",
            "session": "s",
            "at": at,
            "speaker": speaker,
            "role": "user",
            "text": text,
        }

    return Scenario.model_validate(
        {
            "id": name,
            "language": "en",
            "category": "gate",
            "note": "why",
            "dictionary": [{"name": "Orion", "kind": "project"}],
            "turns": [turn(1, 9), turn(2, 11)],
            "checks": checks,
        }
    )


@pytest.fixture
def fake_stores(monkeypatch: pytest.MonkeyPatch) -> None:
    @contextmanager
    def fresh(
        self: Place, case: str, clock: ManualClock, dictionary: Sequence[Mapping[str, object]]
    ) -> Iterator[FakeMemory]:
        yield FakeMemory()

    monkeypatch.setattr(Place, "fresh", fresh)


def test_turns_and_checks_come_in_the_order_of_time() -> None:
    early = {**EMPTY, "query": "early", "at": "2026-03-02T10:00:00+08:00"}
    late = {**EMPTY, "query": "late"}
    told, memory, clock = scenario(late, early), FakeMemory(), ManualClock(datetime(2020, 1, 1, tzinfo=UTC))
    moments = [(outcome.check.query, clock.now.hour) for outcome in play(told, memory, clock)]
    assert moments == [("early", 10), ("late", 12)]
    assert [argument for _, argument in memory.calls] == ["text 1", "early", "text 2", "late"]


def test_a_check_at_the_moment_of_a_turn_is_asked_after_it_and_absent_comes_last() -> None:
    at = "2026-03-02T11:00:00+08:00"
    told = scenario({"do": "absent", "text": "x", "at": at}, {**EMPTY, "at": at})
    kinds = [event.do if isinstance(event, Check) else event.id for event in told.in_time()]
    assert kinds == ["t1", "t2", "recall", "absent"]


@pytest.mark.usefixtures("fake_stores")
def test_the_score_counts_by_category_language_and_kind() -> None:
    score = run([scenario(EMPTY, MISSED), scenario(EMPTY, name="case-1")], Place(), quiet=True)
    assert score.as_json(with_failed=True) == {
        "total": {"passed": 2, "checks": 3},
        "category": {"gate": {"passed": 2, "checks": 3}},
        "language": {"en": {"passed": 2, "checks": 3}},
        "kind": {"recall": {"passed": 2, "checks": 3}},
        "failed": [{"id": "case-0", "check": dict(MISSED), "got": []}],
    }
    assert score.as_json(with_failed=False)["failed"] == []


def test_an_error_names_its_scenario(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object) -> Iterator[Outcome]:
        raise RuntimeError("broken")

    @contextmanager
    def fresh(*_: object) -> Iterator[FakeMemory]:
        yield FakeMemory()

    monkeypatch.setattr(Place, "fresh", fresh)
    monkeypatch.setattr(scenarios, "play", broken)
    with pytest.raises(RuntimeError) as caught:
        run([scenario(EMPTY)], Place(), quiet=True)
    assert caught.value.__notes__ == ["in scenario case-0"]


def test_a_failed_check_is_shown_with_its_turns_and_what_came() -> None:
    console = Console(record=True, width=200)
    told = scenario(MISSED)
    score = Score()
    score.count(Outcome(told, told.checks[0], Verdict(False, ["[red]nothing[/red]"])))
    show_failed(score, console)
    shown = console.export_text()
    assert all(words in shown for words in ("case-0", "why", "text 2", "expect", "[red]nothing[/red]"))


def write(folder: Path, *told: Scenario) -> None:
    lines = [one.model_dump_json(by_alias=True, exclude_unset=True) for one in told]
    (folder / "en.jsonl").write_text("\n".join(lines), encoding="utf-8")


def test_scenarios_are_loaded_by_fold(tmp_path: Path) -> None:
    told = [scenario(EMPTY, name=f"case-{number}") for number in range(12)]
    write(tmp_path, *told)
    assert load(tmp_path) == told
    assert [one.id for one in load(tmp_path, ["en"], Fold.BLIND)] == ["case-5", "case-8", "case-10"]


def test_an_unknown_field_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "en.jsonl").write_text(json.dumps({"id": "x", "surprise": 1}), encoding="utf-8")
    with pytest.raises(ValidationError, match="surprise"):
        load(tmp_path)


@pytest.mark.usefixtures("fake_stores")
def test_failures_of_the_blind_fold_are_neither_shown_nor_written(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write(tmp_path, scenario(MISSED, name="case-5"))
    out = tmp_path / "out.json"
    scenarios.main(tmp_path, fold=Fold.BLIND, failed=True, json=out, quiet=True)
    assert json.loads(out.read_text(encoding="utf-8"))["failed"] == []
    assert "text 1" not in capsys.readouterr().out
    scenarios.main(tmp_path, fold=Fold.ALL, failed=True, json=out, quiet=True)
    assert len(json.loads(out.read_text(encoding="utf-8"))["failed"]) == 1
    assert "text 1" in capsys.readouterr().out
