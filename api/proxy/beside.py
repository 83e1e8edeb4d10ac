"""The memory beside a chat: asked before, told after, and never in the way of it."""

import logging
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any, Protocol, TypeVar

from anyio import fail_after

from mnemic.api.facade import Mnemic
from mnemic.api.proxy.chat import Chat
from mnemic.engine.results import Found, Receipt
from mnemic.errors import StoreBusy
from mnemic.graph.view import Scope

logger = logging.getLogger(__name__)

R = TypeVar("R")


class Door(Protocol):
    """Who calls: their scope, and how work is done with their memory."""

    @property
    def scope(self) -> Scope:
        """For whom the call is."""
        ...

    async def do(self, action: str, work: Callable[[Mnemic], R]) -> R:
        """Do ``work``, which is what ``action`` says."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Habits:
    """How the memory is used: ``limit`` items of ``budget`` tokens, asked with the last ``lines`` of the conversation.

    A chat waits ``seconds`` for the memory and goes on without it, unless ``strict``: then it fails with it.
    """

    limit: int = 8
    budget: int = 800
    lines: int = 6
    seconds: float = 5.0
    strict: bool = False


@dataclass(slots=True)
class Beside:
    """The memory of one chat; ``recalled`` items were found, ``failed`` names the error that it had."""

    door: Door
    chat: Chat
    habits: Habits
    recall: bool = True
    remember: bool = True
    recalled: int = 0
    failed: str = field(default="", init=False)

    async def body(self) -> bytes:
        """Return the body to send on: with what is remembered, or as it came where that is nothing."""
        if not (self.recall and self.chat.question.strip()):
            return self.chat.raw
        found = await self._tried("recall", lambda: self.door.do("recall", self._asked))
        if found is None or not found.text:
            return self.chat.raw
        self.recalled = len(found.items)
        return self.chat.with_memory(found.text)

    async def keep(self, answer: str) -> None:
        """Remember the question and the answer, the question alone where there is no answer."""
        if self.remember and self.chat.question.strip():
            await self._tried(
                "remember", lambda: self.door.do("remember", lambda memory: self._told(memory, answer))
            )

    def _asked(self, memory: Mnemic) -> Found:
        return memory.recall(
            self.chat.asked,
            limit=self.habits.limit,
            budget=self.habits.budget,
            conversation=self.chat.before(self.habits.lines),
        )

    def _told(self, memory: Mnemic, answer: str) -> Receipt:
        return memory.remember(self.chat.told(answer), session=self.chat.session)

    async def _tried(self, action: str, work: Callable[[], Awaitable[R]]) -> R | None:
        """Do ``work`` in time; where it fails and the chat may go on without it, say so and return None."""
        try:
            with fail_after(self.habits.seconds):
                return await work()
        except Exception as error:
            late = isinstance(error, TimeoutError)
            told: Any = StoreBusy(f"{action} took longer than {self.habits.seconds:g} s") if late else error
            self.failed = type(told).__name__
            logger.warning(
                "a chat goes without its memory: %s failed with %s", action, self.failed, exc_info=error
            )
            if self.habits.strict:
                raise told from error
            return None
