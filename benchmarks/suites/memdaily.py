"""MemDaily (MemSim, Zhang et al., 2024): what a Chinese speaker tells day by day, and a question over it."""

import json
from collections.abc import Iterator, Sequence
from datetime import datetime
from itertools import chain, zip_longest
from pathlib import Path
from random import Random
from typing import Any

from benchmarks.form import Told
from benchmarks.suites.case import Case, Query, dated

STRANGERS = 300
"""So many messages of other people are mixed into each history."""

_SPEAKER = "我"


def load(folder: Path) -> Iterator[Case]:
    """Yield the histories, one of each file in turn, so that the first ones are of all kinds."""
    files = [_file(path) for path in sorted(folder.glob("*.json"))]
    return (case for case in chain.from_iterable(zip_longest(*files)) if case is not None)


def mixed(folder: Path) -> Iterator[Case]:
    """Yield the same histories, each among messages of others, drawn by the number of the case.

    Others speak under names of their own: what one says of "my" shoes tells nothing of another's.
    """
    cases = list(load(folder))
    for number, case in enumerate(cases):
        said = [turn for other in cases if other is not case for turn in other.turns]
        foreign = Random(number).sample(said, min(STRANGERS, len(said)))
        renamed = [
            turn.model_copy(update={"id": f"other:{n}", "session": f"other:{n}", "speaker": f"路人{n}"})
            for n, turn in enumerate(foreign)
        ]
        turns = sorted([*case.turns, *renamed], key=lambda turn: turn.at)
        yield Case(id=case.id, turns=turns, queries=case.queries)


def _file(path: Path) -> list[Case]:
    kind = path.stem.split("_")[1]
    entries = json.loads(path.read_text(encoding="utf-8"))
    return [_case(entry, f"{path.stem}-{entry['tid']}", kind) for entry in entries]


def _case(entry: dict[str, Any], id: str, kind: str) -> Case:
    turns = [
        Told(
            id=str(said["mid"]), session=said["time"][:11], at=_at(said["time"]),
            speaker=_SPEAKER, role="user", text=said["message"],
        )
        for said in entry["message_list"]
    ]  # fmt: skip
    return Case(id=id, turns=turns, queries=[_query(asked, kind) for asked in _asked(entry)])


def _asked(entry: dict[str, Any]) -> Sequence[dict[str, Any]]:
    return [asked for asked in entry["question_list"] if asked["target_step_id"]]


def _query(asked: dict[str, Any], kind: str) -> Query:
    gold = frozenset(str(step) for step in asked["target_step_id"])
    return Query(text=asked["question"], at=_at(asked["time"]), gold=gold, groups=(kind,))


def _at(text: str) -> datetime:
    """Read ``2024年04月01日 周一 08:30``."""
    day, _, time = text.split()
    return dated(f"{day} {time}", "%Y年%m月%d日 %H:%M")
