"""LongMemEval (Wu et al., 2024): a user's chats with an assistant, and a question over some or many of them."""

import json
from collections.abc import Iterator, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any

from benchmarks.form import Told
from benchmarks.suites.case import Case, Query, dated, spaced

_DATE = "%Y/%m/%d (%a) %H:%M"


def load(folder: Path) -> Iterator[Case]:
    """Yield a case for each haystack; the turns marked ``has_answer`` are the evidence."""
    for path in sorted(folder.glob("*.json")):
        for number, entry in enumerate(json.loads(path.read_text(encoding="utf-8"))):
            yield _case(entry, f"{path.stem}-{number}")


def _case(entry: dict[str, Any], id: str) -> Case:
    sessions = sorted(
        zip(entry["haystack_dates"], entry["haystack_session_ids"], entry["haystack_sessions"], strict=True),
        key=lambda session: dated(session[0], _DATE),
    )
    turns, marked = [], {}
    for date, session, said in sessions:
        for place, turn in enumerate(said):
            told = _told(session, place, turn, spaced(dated(date, _DATE), place))
            if told.text.strip():
                turns.append(told)
                if turn.get("has_answer"):
                    marked[told.id] = session
    return Case(id=id, turns=turns, queries=list(_queries(entry, marked)))


def _told(session: str, place: int, turn: dict[str, Any], at: datetime) -> Told:
    role = turn["role"]
    return Told(
        id=f"{session}:{place}", session=session, at=at, speaker=role, role=role, text=turn["content"]
    )


def _queries(entry: dict[str, Any], marked: dict[str, str]) -> Iterator[Query]:
    """Yield the one question, or each of several over one haystack, with the marked turns of its sessions."""
    questions: Sequence[str] = entry.get("questions") or [entry["question"]]
    wanted = entry["answer_session_ids"] if "questions" in entry else [entry["answer_session_ids"]]
    for question, sessions in zip(questions, wanted, strict=True):
        gold = frozenset(turn for turn, session in marked.items() if session in sessions)
        groups = (entry["question_type"],)
        yield Query(text=question, at=dated(entry["question_date"], _DATE), gold=gold, groups=groups)
