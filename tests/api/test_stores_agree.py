"""The same conversation told to a file and to a server: every answer is the same, check by check."""

from collections.abc import Callable, Iterator
from importlib.resources import as_file
from itertools import pairwise
from typing import Any
from uuid import uuid4

import pytest

from mnemic import Explored, FixedEmbedder, ManualClock, Mnemic
from mnemic.api.demo import USER, dictionary, messages, stops, tell
from mnemic.engine.results import Result
from tests.servers.shared import SERVERS, Access

QUESTIONS = (
    "What does the payment service run on?",
    "Who owns the payment service?",
    "支付服务现在用什么数据库？",
    "灯塔项目谁负责？",
    "Where does Maya live?",
    "What did we decide about the release?",
    "What happened last month?",
    "以前用过什么数据库？",
    "Which cloud provider do we host on?",
    "hello",
)
NAMES = ("灯塔", "payment service", "Maya", "PostgreSQL", "周小满", USER)
DECIMALS = 5
"""To so many decimals scores agree: sums are added up in another order."""


def plain(value: Any) -> Any:
    """Return a result as data whose numbers are rounded."""
    if isinstance(value, Result):
        return plain(value.model_dump(mode="json"))
    if isinstance(value, dict):
        return {key: plain(each) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return [plain(each) for each in value]
    return round(value, DECIMALS) if isinstance(value, float) else value


def unordered(result: Result) -> Any:
    """Return a result with the edges of a subgraph in a settled order: a walk has none."""
    told = plain(result)
    return {**told, "edges": sorted(told["edges"], key=repr)} if isinstance(result, Explored) else told


def checks(memory: Mnemic, clock: ManualClock) -> Iterator[tuple[str, Any]]:
    """Tell the conversation, ask about it, and yield what came back by what was asked."""
    told = list(tell(memory, clock, messages()))
    for number, each in enumerate(told):
        yield f"receipt {number}", each.receipt
    for stop in stops(memory, told):
        yield stop.call, unordered(stop.result)
    ids = [row.id for row in memory.memories(hidden=True).items]
    rows = [*ids[::5], *(row.id for row in memory.turns(limit=5).items)]
    for question in QUESTIONS:
        for depth in ("warm", "deep"):
            yield f"{depth} {question}", memory.recall(question, depth=depth)
        for row in rows:
            yield f"why {question} {row}", memory.why(question, row)
    for name in NAMES:
        yield f"about {name}", memory.about(name)
        yield f"history {name}", memory.history(name)
        yield f"explore {name}", unordered(memory.explore(name, hops=2))
    for one, other in pairwise(NAMES):
        yield f"path {one} {other}", memory.path(one, other)
    yield "export", [row for row in memory.export() if row["type"] != "turn"]


def answers(where: str, **access: Any) -> dict[str, Any]:
    clock = ManualClock(messages()[0]["at"])
    with (
        as_file(dictionary()) as names,
        Mnemic(
            where,
            user=USER,
            tenant=f"acme-{uuid4()}",
            clock=clock,
            dictionary=names,
            embedder=FixedEmbedder(48),
            **access,
        ) as memory,
    ):
        return {name: plain(result) for name, result in checks(memory, clock)}


@pytest.fixture(scope="module")
def in_memory() -> dict[str, Any]:
    return answers(":memory:")


@pytest.mark.parametrize("name", SERVERS)
def test_a_server_answers_as_a_file_does(
    name: str, server: Callable[[str], Access], in_memory: dict[str, Any]
) -> None:
    access = server(name)
    found = answers(access.address, credentials=(access.user, access.password))

    assert found.keys() == in_memory.keys()
    assert len(found) > 80
    different = [check for check, answer in found.items() if answer != in_memory[check]]
    assert different == []
