"""Long conversations of people and of teams, Chinese and English, with questions asked in plain and in other words."""

import json
from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from benchmarks.form import Name, Told
from benchmarks.suites.case import Case, Query


def load(folder: Path) -> Iterator[Case]:
    """Yield the conversations."""
    for path in sorted(folder.glob("*.json")):
        yield _case(json.loads(path.read_text(encoding="utf-8")))


def strangers(folder: Path) -> Iterator[Case]:
    """Yield the conversations, each asked its own questions and those of the next one in its language.

    Questions of the group ``stranger`` belong to another history, those of ``near miss`` to this one though
    nobody told what they ask for; what has an answer counts in both.
    """
    cases = list(load(folder))
    for n, case in enumerate(cases):
        others = (other for other in (*cases[n + 1 :], *cases[:n]) if _tongue(other) == _tongue(case))
        other = next(others, None)
        foreign = other.queries if other is not None else ()
        at = max(query.at for query in case.queries)
        asked = [replace(q, groups=_groups(q)) for q in case.queries]
        asked += [Query(text=q.text, at=at, groups=("stranger",)) for q in foreign if q.gold]
        yield replace(case, queries=asked)


def _groups(query: Query) -> tuple[str, ...]:
    return ("stranger", "near miss") if query.gold else ("near miss",)


def _tongue(case: Case) -> str:
    return case.queries[0].groups[0]


def _case(raw: dict[str, Any]) -> Case:
    turns = list(_turns(raw))
    last = turns[-1].at + timedelta(days=1)
    queries = [
        Query(
            text=entry["q"],
            at=datetime.fromisoformat(entry["at"]) if entry.get("at") else last,
            gold=frozenset(entry["evidence"]),
            groups=(raw["language"], entry["category"], entry.get("style") or "unstyled"),
        )
        for entry in raw["questions"]
    ]
    names = [Name(**name) for name in raw["dictionary"]]
    return Case(id=raw["id"], turns=turns, queries=queries, dictionary=names)


def _turns(raw: dict[str, Any]) -> Iterator[Told]:
    """Yield the turns, those of one session a minute apart."""
    for session in raw["sessions"]:
        start = datetime.fromisoformat(session["at"])
        for number, turn in enumerate(session["turns"]):
            said = {key: turn[key] for key in ("id", "speaker", "role", "text")}
            yield Told(session=session["id"], at=start + timedelta(minutes=number), **said)
