"""2WikiMultihopQA (Ho et al., 2020): passages of an encyclopaedia, and questions that need two to four of them."""

import json
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

from benchmarks.form import Told
from benchmarks.suites.case import Case, Query

_BEGINNING = datetime(2025, 1, 1, tzinfo=UTC)


def load(folder: Path) -> Iterator[Case]:
    """Yield one case: every passage told once, each in a session of its own."""
    corpus = json.loads(folder.joinpath("2wikimultihopqa_corpus.json").read_text(encoding="utf-8"))
    turns = [
        Told(
            id=str(n), session=f"passage {n}", at=_BEGINNING + timedelta(minutes=n), speaker="wiki",
            role="user", text=f"{passage['title']}: {passage['text']}",
        )
        for n, passage in enumerate(corpus)
    ]  # fmt: skip
    number = {passage["title"]: str(n) for n, passage in enumerate(corpus)}
    queries = [
        Query(
            text=entry["question"],
            at=turns[-1].at + timedelta(days=1),
            gold=frozenset(number[title] for title in entry["ground_truth"]),
            groups=(f"{len(entry['ground_truth'])} passages",),
        )
        for path in sorted(folder.glob("questions*.json"))
        for entry in json.loads(path.read_text(encoding="utf-8"))
    ]
    yield Case(id="twowiki", turns=turns, queries=queries)
