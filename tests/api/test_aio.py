import inspect
from collections.abc import AsyncIterator, Awaitable, Callable
from datetime import datetime
from pathlib import Path
from threading import get_ident
from typing import Any

import anyio
import pytest

from mnemic import AsyncMnemic, InvalidInput, Mnemic, StoreError
from mnemic.api import aio
from mnemic.graph.clock import system_clock

MOVED = "We moved the payment service from MySQL to PostgreSQL."


def public(door: type) -> dict[str, Any]:
    """The public methods, besides the one that opens nothing, and so has nothing to await."""
    members = inspect.getmembers(door, callable)
    return {name: each for name, each in members if not name.startswith("_") and name != "within"}


def parameters(method: Callable[..., Any]) -> list[inspect.Parameter]:
    return list(inspect.signature(method).parameters.values())


def run(work: Callable[[AsyncMnemic], Awaitable[None]]) -> None:
    async def main() -> None:
        async with AsyncMnemic(":memory:", user="ada", embedder="none") as memory:
            await work(memory)

    anyio.run(main)


def test_both_doors_have_the_same_methods_with_the_same_parameters() -> None:
    doors = public(Mnemic), public(AsyncMnemic)
    assert set(doors[0]) == set(doors[1])
    for name, method in doors[0].items():
        assert parameters(method) == parameters(doors[1][name]), name
        assert inspect.getdoc(method), name
    assert parameters(Mnemic.__init__) == parameters(AsyncMnemic.__init__)


def test_what_was_remembered_is_recalled() -> None:
    async def work(memory: AsyncMnemic) -> None:
        receipt = await memory.remember(MOVED)
        found = await memory.recall("What does the payment service run on?")
        assert found.items[0].turns == receipt.turns
        assert (await memory.stats()).turns == 1
        assert memory.scope.user == "ada"

    run(work)


def test_an_export_is_iterated(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(aio, "_ROWS", 8)

    async def work(memory: AsyncMnemic) -> None:
        await memory.remember([{"role": "user", "content": f"message {number}"} for number in range(20)])
        rows = memory.export()
        assert isinstance(rows, AsyncIterator)
        assert len([row async for row in rows if row["type"] == "turn"]) == 20

    run(work)


def test_errors_come_through() -> None:
    async def work(memory: AsyncMnemic) -> None:
        with pytest.raises(InvalidInput, match="content"):
            await memory.remember(" ")

    run(work)


def test_calls_run_beside_the_event_loop_and_beside_each_other() -> None:
    threads: list[int] = []

    def clock() -> datetime:
        threads.append(get_ident())
        return system_clock()

    async def main() -> None:
        async with AsyncMnemic(":memory:", user="ada", embedder="none", clock=clock) as memory:
            async with anyio.create_task_group() as group:
                for number in range(5):
                    group.start_soon(memory.remember, f"I prefer tea number {number}.")
            assert (await memory.stats()).turns == 5
        assert threads
        assert get_ident() not in threads

    anyio.run(main)


def test_a_memory_that_is_not_open_says_how_to_open_it(tmp_path: Path) -> None:
    memory = AsyncMnemic(tmp_path / "memory.db", user="ada")
    with pytest.raises(StoreError, match="async with"):
        anyio.run(memory.stats)
    assert not list(tmp_path.iterdir())


def test_it_is_closed_behind_the_block_and_may_be_closed_again() -> None:
    async def main() -> None:
        async with AsyncMnemic(":memory:", user="ada", embedder="none") as memory:
            pass
        await memory.close()
        with pytest.raises(StoreError):
            await memory.stats()

    anyio.run(main)
