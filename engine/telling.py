"""What one call of ``remember`` tells, read and checked before anything is done with it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from mnemic.engine.checking import checked
from mnemic.engine.core import Core
from mnemic.engine.message import VISIBILITIES, Declared, Message, Told, declare, read_messages
from mnemic.errors import UnknownName
from mnemic.graph.model import TEAM
from mnemic.graph.view import Scope

SESSION = "default"
"""The session of turns that name none."""


@dataclass(frozen=True, slots=True)
class Telling:
    """The messages of a call with all fields known, whose they will be, and what is said outright about them.

    ``silent`` are the places of messages without words, which are left out.
    """

    owner: str
    messages: tuple[Message, ...]
    declared: Declared
    silent: tuple[int, ...] = ()


class Teller:
    """One who tells, within a scope."""

    def __init__(self, core: Core, scope: Scope) -> None:
        self._core, self._scope = core, scope

    @checked
    def tell(
        self,
        message: Told,
        *,
        speaker: str | None = None,
        role: str = "user",
        session: str | None = None,
        at: datetime | None = None,
        id: str | None = None,
        replaces: str | None = None,
        kind: str | None = None,
        importance: float | None = None,
        confidence: float | None = None,
        tags: Sequence[str] = (),
        visibility: str = "private",
        metadata: Mapping[str, Any] | None = None,
    ) -> Telling:
        """Return what ``Mnemic.remember`` is told by the same arguments, or raise ``InvalidInput`` naming the field."""
        if visibility not in VISIBILITIES:
            raise UnknownName("visibility", visibility, VISIBILITIES)
        owner = TEAM if visibility == "team" else self._scope.user
        declared = declare(
            replaces=replaces,
            kind=kind,
            importance=importance,
            confidence=confidence,
            tags=tags,
            metadata=metadata,
        )
        messages, silent = read_messages(
            message,
            owner=owner,
            teller=self._scope.user,
            speaker=speaker or (self._scope.user if role == "user" else role),
            role=role,
            session=session or self._scope.session or SESSION,
            at=at or self._core.clock(),
            id=id,
            max_text=self._core.settings.max_text,
        )
        return Telling(owner, tuple(messages), declared, tuple(silent))
