"""The demonstration: half a year of an invented team's talk, told to a memory turn by turn, then asked about.

The clock stands where each turn was said, so that what was known when comes out as it would have then.
"""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from importlib.resources import as_file, files
from importlib.resources.abc import Traversable
from typing import Any

from mnemic.api.facade import Mnemic
from mnemic.api.importing import BadLine, read_log
from mnemic.engine.results import Receipt, Result
from mnemic.errors import InvalidInput
from mnemic.graph.clock import ManualClock
from mnemic.graph.model import TEAM

USER = "林悦"
"""Who looks: the private sessions are hers, the others are the team's."""

_NOW = datetime.fromisoformat("2026-07-13T09:00:00+08:00")
_MARCH = datetime.fromisoformat("2026-03-31T12:00:00+08:00")


@dataclass(frozen=True, slots=True)
class Told:
    """A turn of the conversation and what came of it."""

    message: Mapping[str, Any]
    receipt: Receipt


@dataclass(frozen=True, slots=True)
class Stop:
    """One stop of the tour: what it shows, the call that was made, and what came back."""

    title: str
    call: str
    result: Result
    why: bool = False


def conversation() -> Traversable:
    """Return the conversation that ships with mnemic."""
    return files("mnemic.examples").joinpath("team.jsonl")


def dictionary() -> Traversable:
    """Return the team's own names."""
    return files("mnemic.examples").joinpath("names.yaml")


def messages() -> list[Mapping[str, Any]]:
    """Return the conversation's messages in order."""
    found = read_log(conversation().read_bytes().splitlines(), owner=TEAM, source=conversation().name)
    return [_message(each) for each in found]


@contextmanager
def opened(clock: ManualClock, embedder: str | None) -> Iterator[Mnemic]:
    """Open an empty memory that knows the team's names."""
    with (
        as_file(dictionary()) as names,
        Mnemic(":memory:", user=USER, embedder=embedder, clock=clock, dictionary=names) as memory,
    ):
        yield memory


def tell(memory: Mnemic, clock: ManualClock, conversation: Sequence[Mapping[str, Any]]) -> Iterator[Told]:
    """Tell the memory one message after the other, at its time, and put the clock to the day of the tour."""
    for message in conversation:
        clock.now = message["at"]
        visibility = "private" if message["session"].startswith("private-") else "team"
        yield Told(message, memory.remember(message, visibility=visibility))
    clock.now = _NOW


def stops(memory: Mnemic, told: Sequence[Told]) -> Iterator[Stop]:
    """Ask the memory about what it was told, one kind of question after the other."""
    yield from _receipts(told)
    yield Stop("What is known of a project", 'about("灯塔")', memory.about("灯塔"))
    yield Stop("The graph around a colleague", 'explore("Maya", limit=8)', memory.explore("Maya", limit=8))
    yield Stop(
        "How two things are connected", 'path("周小满", "PostgreSQL")', memory.path("周小满", "PostgreSQL")
    )
    past = memory.history("payment service", predicate="owner")
    yield Stop("Who owned it, and when", 'history("payment service", predicate="owner")', past)
    yield from _questions(memory)


def _receipts(told: Sequence[Told]) -> Iterator[Stop]:
    overruled = next((t for t in told if any(edge.cue for edge in t.receipt.replaced)), None)
    masked = next((t for t in told if t.receipt.masked), None)
    for title, turn in (("A statement that overrules an older one", overruled), ("A secret", masked)):
        if turn is not None:
            yield Stop(title, f"remember({_quoted(turn)})", turn.receipt)


def _questions(memory: Mnemic) -> Iterator[Stop]:
    asked: tuple[tuple[str, str, bool], ...] = (
        ("What holds now, and why it came back", "What does the payment service run on?", True),
        ("The same, asked in Chinese", "支付服务现在用什么数据库？", False),
        ("Told in Chinese, asked in English", "What food am I allergic to?", False),
    )
    for title, query, why in asked:
        yield Stop(title, f'recall("{query}")', memory.recall(query, limit=1), why)
    then = memory.recall("Who owns the payment service?", limit=2, valid_as_of=_MARCH)
    yield Stop("What held then", 'recall("Who owns the payment service?", valid_as_of=31 March)', then)
    unknown = "What colour is my bicycle?"
    yield Stop("Nobody ever said", f'recall("{unknown}")', memory.recall(unknown))


def _quoted(turn: Told) -> str:
    text = str(turn.message["content"])
    return f'"{text}", speaker="{turn.message["name"]}"' if not turn.receipt.masked else "…"


def _message(found: Any) -> Mapping[str, Any]:
    if isinstance(found, BadLine):
        raise InvalidInput(f"{found.file}, line {found.line}", found.reason, "install mnemic again")
    message: Mapping[str, Any] = found.message
    return message
