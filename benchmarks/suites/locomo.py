"""LoCoMo (Maharana et al., 2024): long chats of two friends, and questions with the turns that answer them."""

import json
import re
from collections.abc import Iterator
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from benchmarks.form import Told
from benchmarks.suites.case import Case, Query, dated, spaced

_EVIDENCE = re.compile(r"D:?(\d+):(\d+)")
_CATEGORIES = {1: "1 multi-hop", 2: "2 temporal", 3: "3 open-domain", 4: "4 single-hop"}


def load(folder: Path) -> Iterator[Case]:
    """Yield the conversations; adversarial questions are left out, as nothing says what answers them."""
    for path in sorted(folder.glob("locomo*.json")):
        for sample in json.loads(path.read_text(encoding="utf-8")):
            if isinstance(sample, dict) and "conversation" in sample:
                yield _case(sample)


def _case(sample: dict[str, Any]) -> Case:
    turns = list(_turns(sample["conversation"]))
    asked = turns[-1].at + timedelta(days=1)
    known = {turn.id for turn in turns}
    queries = [_query(entry, asked, known) for entry in sample["qa"] if entry["category"] in _CATEGORIES]
    return Case(id=sample["sample_id"], turns=turns, queries=queries)


def _query(entry: dict[str, Any], asked: datetime, known: set[str]) -> Query:
    found = {f"D{s}:{int(t)}" for s, t in _EVIDENCE.findall(" ".join(entry.get("evidence", [])))}
    groups = (_CATEGORIES[entry["category"]],)
    return Query(text=entry["question"], at=asked, gold=frozenset(found & known), groups=groups)


def _turns(conversation: dict[str, Any]) -> Iterator[Told]:
    numbers = sorted(int(key.split("_")[1]) for key in conversation if re.fullmatch(r"session_\d+", key))
    for number in numbers:
        start = dated(conversation[f"session_{number}_date_time"], "%I:%M %p on %d %B, %Y")
        for place, turn in enumerate(conversation[f"session_{number}"]):
            caption = f" [image: {turn['blip_caption']}]" if turn.get("blip_caption") else ""
            yield Told(
                id=turn["dia_id"], session=f"session {number}", at=spaced(start, place),
                speaker=turn["speaker"], role="user", text=turn["text"] + caption,
            )  # fmt: skip
