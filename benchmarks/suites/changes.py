"""Sets in which something changes, so that an old value must not come before, or instead of, the newest one.

FactConsolidation (MemoryAgentBench, 2025), the knowledge updates of BEAM (2025), and AutoMemoryBench.
"""

import json
import re
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from benchmarks.form import Told
from benchmarks.suites.case import Case, Query, dated, spaced

_BEGINNING = datetime(2025, 1, 1, tzinfo=UTC)
_REFERENCE = re.compile(r"\s*->->.*\Z", re.DOTALL)


def facts(folder: Path) -> Iterator[Case]:
    """Yield the numbered facts of FactConsolidation, told one a minute; of two for one slot the later is true."""
    for path in sorted(folder.glob("*.json")):
        raw = json.loads(path.read_text(encoding="utf-8"))
        turns = [
            Told(
                id=str(fact["serial"]), session="facts", at=_BEGINNING + timedelta(minutes=fact["serial"]),
                speaker="user", role="user", text=fact["text"],
            )
            for fact in raw["facts"]
        ]  # fmt: skip
        asked = turns[-1].at + timedelta(hours=1)
        yield Case(
            id=path.stem, turns=turns, queries=[_of_facts(entry, asked) for entry in raw["single_hop"]]
        )


def _of_facts(entry: dict[str, Any], asked: datetime) -> Query:
    gold = frozenset({str(entry["gold_serial"])})
    stale = frozenset(str(serial) for serial in entry["stale_serials"])
    return Query(text=entry["question"], at=asked, gold=gold, stale=stale)


def beam(folder: Path) -> Iterator[Case]:
    """Yield the chats of BEAM; knowledge updates have stale turns, the other abilities evidence alone."""
    paths = folder.glob("*/probing_questions.json")
    for path in sorted(paths, key=lambda path: path.parent.name.zfill(4)):
        chat = json.loads(path.with_name("chat.json").read_text(encoding="utf-8"))
        turns = list(_beam_turns(chat))
        asked = turns[-1].at + timedelta(days=1)
        probes = json.loads(path.read_text(encoding="utf-8"))
        yield Case(id=f"beam-{path.parent.name}", turns=turns, queries=list(_of_beam(probes, asked)))


def _beam_turns(chat: list[dict[str, Any]]) -> Iterator[Told]:
    said = [(batch, turn) for batch in chat for block in batch["turns"] for turn in block]
    start = _BEGINNING
    for place, (batch, turn) in enumerate(said):
        if turn.get("time_anchor"):
            start = dated(turn["time_anchor"], "%B-%d-%Y")
        text = _REFERENCE.sub("", turn["content"])
        if text:
            yield Told(
                id=str(turn["id"]), session=f"batch {batch['batch_number']}", at=spaced(start, place),
                speaker=turn["role"], role=turn["role"], text=text,
            )  # fmt: skip


def _of_beam(probes: dict[str, list[dict[str, Any]]], asked: datetime) -> Iterator[Query]:
    for ability, entries in probes.items():
        for entry in entries:
            ids: Any = entry.get("source_chat_ids") or []
            updates = ability == "knowledge_update" and isinstance(ids, dict)
            gold = _flat(ids["updated_info"] if updates else ids)
            stale = _flat(ids["original_info"]) - gold if updates else frozenset()
            if gold:
                yield Query(text=entry["question"], at=asked, gold=gold, stale=stale, groups=(ability,))


def _flat(ids: Any) -> frozenset[str]:
    """Return the ids that lists, and objects of lists, hold."""
    if isinstance(ids, dict):
        return frozenset().union(*map(_flat, ids.values()))
    if isinstance(ids, list):
        return frozenset().union(*map(_flat, ids))
    return frozenset({str(ids)})


def contracts(folder: Path) -> Iterator[Case]:
    """Yield the cases of AutoMemoryBench: what may still be used, and what is forbidden to come back."""
    for path in sorted(folder.glob("*.json")):
        raw = json.loads(path.read_text(encoding="utf-8"))
        yield from (_contract(case) for case in raw.get("cases", ()) if isinstance(case, dict))


def _contract(case: dict[str, Any]) -> Case:
    turns = [
        Told(
            id=turn["turn_id"], session=session["session_id"],
            at=spaced(datetime.fromisoformat(session["timestamp"]), place),
            speaker=turn["role"], role="assistant" if turn["role"] == "assistant" else "user",
            text=turn["content"],
        )
        for session in sorted(case["sessions"], key=lambda session: session["timestamp"])
        for place, turn in enumerate(session["turns"])
    ]  # fmt: skip
    sources = {unit["memory_id"]: unit["source_turn_ids"] for unit in case["gold_memory_units"]}
    return Case(
        id=case["case_id"], turns=turns, queries=[_probe(query, sources) for query in case["queries"]]
    )


def _probe(query: dict[str, Any], sources: dict[str, list[str]]) -> Query:
    gold = frozenset(turn for id in query["gold_memory_ids"] for turn in sources.get(id, ()))
    forbidden = frozenset(turn for id in query["forbidden_memory_ids"] for turn in sources.get(id, ()))
    return Query(
        text=query["prompt"],
        at=datetime.fromisoformat(query["timestamp"]),
        gold=gold,
        stale=forbidden - gold,
        groups=(query["task_type"],),
    )
