"""A history told to a file and to a server: every answer is the same, and a difference would be seen."""

from collections.abc import Callable, Mapping
from datetime import UTC, datetime, timedelta

import pytest

from benchmarks.checks import Verdict
from benchmarks.equal import differing
from benchmarks.form import Scenario
from benchmarks.harness import Place
from benchmarks.scenarios import Outcome, outcomes
from tests.servers.shared import SERVERS, Access

START = datetime(2026, 3, 2, 9, tzinfo=UTC)

ENGLISH = (
    "The ledger service runs on MySQL.",
    "Nadia leads the Heron project and works with Tomas.",
    "We moved the ledger service from MySQL to PostgreSQL.",
    "Tomas moved from Bremen to Porto.",
    "I have to send the tender to Nadia by Friday.",
)
CHINESE = (
    "账本服务用的是MySQL。",
    "苏晴负责白鹭项目，和老秦一起做。",
    "账本服务已经从MySQL换成了PostgreSQL。",
    "老秦从青岛搬到了厦门。",
    "我周五前要把标书发给苏晴。",
)


def _scenario(language: str, texts: tuple[str, ...], checks: list[Mapping[str, object]]) -> Scenario:
    turns = [
        {
            "id": f"t{number}",
            "session": f"s{number // 2}",
            "at": (START + timedelta(days=number)).isoformat(),
            "speaker": "Ann",
            "role": "user",
            "text": text,
        }
        for number, text in enumerate(texts)
    ]
    return Scenario.model_validate(
        {
            "id": f"{language}-equal",
            "language": language,
            "category": "relations",
            "note": "one answer on every store",
            "dictionary": [],
            "turns": turns,
            "checks": checks,
        }
    )


def _checks(service: str, lead: str, friend: str, project: str, question: str) -> list[Mapping[str, object]]:
    return [
        {"do": "recall", "query": question, "expect": ["t2"]},
        {"do": "recall", "query": question, "expect": ["t0"], "valid_as_of": START.isoformat()},
        {"do": "about", "name": service, "include": ["PostgreSQL"]},
        {"do": "about", "name": friend, "include": [lead]},
        {"do": "history", "name": service, "order": ["MySQL", "PostgreSQL"]},
        {"do": "explore", "name": project, "hops": 2, "include": [friend]},
        {"do": "path", "source": project, "target": friend, "max_hops": 3},
        {"do": "open_tasks", "include": ["t4"]},
        {"do": "distinct", "names": [lead, friend]},
    ]


SCENARIOS = {
    "en": _scenario(
        "en",
        ENGLISH,
        _checks("ledger service", "Nadia", "Tomas", "Heron", "What does the ledger service run on?"),
    ),
    "zh": _scenario("zh", CHINESE, _checks("账本服务", "苏晴", "老秦", "白鹭项目", "账本服务用什么数据库？")),
}


@pytest.mark.parametrize("language", SCENARIOS)
@pytest.mark.parametrize("name", [":memory:", *SERVERS])
def test_every_answer_is_the_same_on_every_store(
    name: str, language: str, server: Callable[[str], Access], monkeypatch: pytest.MonkeyPatch
) -> None:
    place = name
    if name != ":memory:":
        access = server(name)
        place = access.address
        monkeypatch.setenv("MNEMIC_NEO4J_USER", access.user)
        monkeypatch.setenv("MNEMIC_NEO4J_PASSWORD", access.password)
    ours = outcomes(SCENARIOS[language], Place("file", "none"))
    theirs = outcomes(SCENARIOS[language], Place(place, "none"))
    assert list(differing(ours, theirs)) == []
    assert sum(outcome.verdict.passed for outcome in ours) > len(ours) / 2


def test_a_difference_is_seen_and_ids_are_made_by_chance() -> None:
    def outcome(got: object, *, passed: bool = True) -> Outcome:
        told = SCENARIOS["en"]
        return Outcome(told, told.checks[0], Verdict(passed, got))

    def differ(one: Outcome, other: Outcome) -> bool:
        return bool(list(differing([one], [other])))

    assert not differ(outcome({"Ann": "x", "Annie": "x"}), outcome({"Ann": "y", "Annie": "y"}))
    assert differ(outcome({"Ann": "x", "Annie": "x"}), outcome({"Ann": "y", "Annie": "z"}))
    assert differ(outcome({"Ann": None}), outcome({"Ann": "y"}))
    assert differ(outcome(["a", "b"]), outcome(["b", "a"]))
    assert differ(outcome([]), outcome([], passed=False))
