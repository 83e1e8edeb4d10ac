"""``Memory``: the methods of mem0's class on an embedded memory or on a client."""

import logging
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from types import TracebackType
from typing import Any, Self

from mnemic.api.mem0.filters import fits
from mnemic.api.mem0.opening import opened
from mnemic.api.mem0.shape import (
    OWN,
    events,
    history_rows,
    id_of,
    memory_dict,
    metadata_of,
    words_of,
)
from mnemic.api.mem0.shelf import Door, Shelf, unknown
from mnemic.api.mem0.whose import Whose, private_id, whose_in
from mnemic.errors import InvalidInput, NotFound
from mnemic.graph.clock import Clock, system_clock

logger = logging.getLogger(__name__)

_MOST = 1_000
_MORE = 5
"""How many times as many memories are recalled as asked for, where filters leave some out."""


class Memory:
    """What mem0's ``Memory`` does, done by mnemic: no model, no key; ``docs/mem0.md`` tells what differs.

    Args:
        config: as :meth:`from_config` takes it; None takes what the environment names.
        memory: an open ``Mnemic``, or a ``Client`` whose key serves the users of the calls; it is closed with this.
        clock: tells the present, by which a memory counts or no longer does.

    Each call names a ``user_id``, ``agent_id`` or ``run_id``, or raises ``MissingScope``, or it names a memory
    by an id, which says whose it is. Errors are ``MnemicError``s; those of arguments are ``ValueError``s too.

    >>> memory = Memory({"mnemic": {"where": ":memory:", "embedder": "none"}})
    >>> _ = memory.add("I love tennis.", user_id="alex")
    >>> [found["memory"] for found in memory.search("What does Alex love?", user_id="alex")["results"]]
    ['I love tennis.']

    """

    def __init__(
        self,
        config: Mapping[str, Any] | None = None,
        *,
        memory: Door | None = None,
        clock: Clock = system_clock,
    ) -> None:
        self._shelf = Shelf(memory if memory is not None else opened(config), clock)

    @classmethod
    def from_config(cls, config_dict: Mapping[str, Any]) -> Self:
        """Open the memory that ``{"mnemic": {…}}`` names; mem0's own sections are passed over, and logged."""
        return cls(config_dict)

    def add(
        self,
        messages: str | Mapping[str, Any] | Sequence[Mapping[str, Any]],
        *,
        user_id: str | None = None,
        agent_id: str | None = None,
        run_id: str | None = None,
        metadata: Mapping[str, Any] | None = None,
        timestamp: int | float | str | datetime | None = None,
        infer: bool = True,
        memory_type: str | None = None,
        prompt: str | None = None,
    ) -> dict[str, Any]:
        """Remember a text or messages; returns ``{"results": [{"id", "memory", "event"}]}``.

        ``event`` is ``ADD`` for what came, ``NONE`` for what was known, ``DELETE`` for what it overruled.
        ``infer=False`` keeps all that a user says, whatever it is worth. ``timestamp`` is when it was said.
        """
        whose = Whose.told(user_id=user_id, agent_id=agent_id, run_id=run_id)
        if memory_type is not None:
            raise InvalidInput("memory_type", f"{memory_type!r} is not kept here", "leave it out")
        if metadata is not None and OWN in metadata:
            raise InvalidInput(
                "metadata", f"has the key {OWN!r}, which is kept for this class", "name it otherwise"
            )
        if prompt is not None:
            logger.warning("passed over: prompt, since no model is asked")
        receipt = self._shelf.door(whose.owner).remember(
            messages,
            session=whose.run,
            at=_moment(timestamp),
            importance=None if infer else 1.0,
            tags=whose.tags,
            metadata=metadata,
        )
        return {"results": events(whose.owner, receipt)}

    def search(
        self,
        query: str,
        *,
        user_id: str | None = None,
        agent_id: str | None = None,
        run_id: str | None = None,
        limit: int = 20,
        top_k: int | None = None,
        filters: Mapping[str, Any] | None = None,
        threshold: float | None = None,
        rerank: bool = False,
    ) -> dict[str, Any]:
        """Return what fits ``query``, best first, each with its ``score``: ``{"results": […]}``.

        Who is meant is named by arguments or in ``filters``. ``threshold`` leaves out lower scores. ``rerank`` changes
        nothing: all that is found is in order.
        """
        whose, left = whose_in(filters, user_id=user_id, agent_id=agent_id, run_id=run_id)
        fits({}, left)  # wrong filters are told even where nothing is found
        most = _checked_limit(limit if top_k is None else top_k)
        asked = min(_MOST, most * _MORE) if left else most
        found = self._shelf.door(whose.owner).recall(query, limit=asked, tags=whose.tags, session=whose.run)
        shown: dict[str, dict[str, Any]] = {}
        for item in found.items:
            row = self._shelf.found(whose, item, left)
            if row is not None and (threshold is None or item.score >= threshold):
                shown.setdefault(row["id"], row | {"score": item.score})
        return {"results": [*shown.values()][:most]}

    def get(self, memory_id: str) -> dict[str, Any] | None:
        """Return the memory with this id, None where there is none that counts now."""
        known = private_id(memory_id)
        if known is None:
            return None
        try:
            row = self._shelf.door(known[0]).memory(known[1])
        except NotFound:
            return self._shelf.message(memory_id)
        alone = self._shelf.counts(row) and id_of(row) == memory_id
        versions = [row] if alone else self._shelf.versions(memory_id)
        return next((memory_dict(row) for row in reversed(versions) if self._shelf.counts(row)), None)

    def get_all(
        self,
        *,
        user_id: str | None = None,
        agent_id: str | None = None,
        run_id: str | None = None,
        filters: Mapping[str, Any] | None = None,
        limit: int = 100,
        top_k: int | None = None,
    ) -> dict[str, Any]:
        """Return the memories that count now: ``{"results": […]}``."""
        whose, left = whose_in(filters, user_id=user_id, agent_id=agent_id, run_id=run_id)
        fits({}, left)
        rows = (row for row in self._shelf.rows(whose) if fits(metadata_of(row), left))
        shown: dict[str, dict[str, Any]] = {}
        most = _checked_limit(limit if top_k is None else top_k)
        for row in rows:
            shown.setdefault(id_of(row), memory_dict(row))
            if len(shown) == most:
                break
        return {"results": [*shown.values()]}

    def update(
        self,
        memory_id: str,
        text: str | None = None,
        metadata: Mapping[str, Any] | None = None,
        *,
        data: str | None = None,
    ) -> dict[str, Any]:
        """Have ``text`` (or ``data``) take the place of what a memory says; its id stays. Metadata are added to the old.

        Raises ``InvalidInput`` (a ``ValueError``) for an id that is not known, and for metadata without other words.
        """
        versions = self._shelf.versions(memory_id)
        current = [row for row in versions if self._shelf.counts(row)]
        words = text if text is not None else data
        if not current:
            raise unknown(memory_id)
        old = current[-1]
        if words is None or words == words_of(old):
            raise InvalidInput("text", "says nothing new", "pass what the memory shall say instead")
        own = {
            "id": memory_id,
            "created_at": memory_dict(old)["created_at"],
            "text": words,
            "number": len(versions),
        }
        for row in current:  # several, where the last words were several statements
            self._shelf.door(old.owner).remember(
                words, id=f"{row.id}-{own['number']}", replaces=row.id, kind=old.kind, importance=old.importance,
                tags=old.tags, session=old.session, speaker=old.speaker,
                metadata={**metadata_of(old), **(metadata or {}), OWN: own},
            )  # fmt: skip
        return {"message": "Memory updated successfully!"}

    def delete(self, memory_id: str) -> dict[str, Any]:
        """Remove a memory for good, in all its versions, with the messages that told it."""
        known, ids = private_id(memory_id), [row.id for row in self._shelf.versions(memory_id)]
        if known is None or not (ids or self._shelf.message(memory_id)):
            raise unknown(memory_id)
        self._shelf.door(known[0]).forget(*(ids or known[1:]))
        return {"message": "Memory deleted successfully!"}

    def delete_all(
        self, user_id: str | None = None, agent_id: str | None = None, run_id: str | None = None
    ) -> dict[str, Any]:
        """Remove everything of whom the ids name together: memories, and messages where no agent is named."""
        whose = Whose.told(user_id=user_id, agent_id=agent_id, run_id=run_id)
        self._shelf.clear(whose)
        return {"message": "Memories deleted successfully!"}

    def history(self, memory_id: str) -> list[dict[str, Any]]:
        """Return how a memory came and changed, oldest first; nothing of one that was deleted."""
        versions = self._shelf.versions(memory_id)
        return history_rows(memory_id, versions, over=not any(map(self._shelf.counts, versions)))

    def close(self) -> None:
        """Release what is behind."""
        self._shelf.behind.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def _checked_limit(limit: int) -> int:
    if not isinstance(limit, int) or isinstance(limit, bool) or not 1 <= limit <= _MOST:
        raise InvalidInput("limit", f"is {limit!r}", f"choose from 1 to {_MOST:,}")
    return limit


def _moment(timestamp: float | str | datetime | None) -> datetime | None:
    """Return when something was said: seconds since 1970, ISO 8601, or a moment."""
    if timestamp is None or isinstance(timestamp, datetime):
        return timestamp
    try:
        if isinstance(timestamp, str):
            return datetime.fromisoformat(timestamp)
        return datetime.fromtimestamp(timestamp, UTC)
    except (ValueError, OverflowError, OSError, TypeError) as error:
        raise InvalidInput(
            "timestamp", f"{timestamp!r} is no moment", "pass seconds since 1970, or ISO 8601"
        ) from error
