"""Who looks, and from which moments: the filter that every read carries."""

from dataclasses import dataclass, field, replace
from datetime import datetime
from unicodedata import category

from mnemic.errors import InvalidInput, MissingScope
from mnemic.graph.clock import require_aware
from mnemic.graph.model import TEAM, Memory, State, Turn


@dataclass(frozen=True, slots=True, kw_only=True)
class Scope:
    """Who a call is for. ``tenant`` is a hard wall, ``user`` owns what is private to them.

    Raises ``MissingScope`` when tenant or user is empty, ``InvalidInput`` for the reserved user ``team``
    and for what is too long or no text.
    """

    tenant: str
    user: str
    session: str | None = None

    def __post_init__(self) -> None:
        for name, value, most in (("tenant", self.tenant, 1000), ("user", self.user, 200)):
            if not isinstance(value, str) or not value.strip():
                raise MissingScope(name, "is missing", f"say whose memory this is, e.g. {name}='ada'")
            if len(value) > most:
                raise InvalidInput(name, f"has {len(value):,} characters", f"keep it to {most:,}")
            if any(category(letter) == "Cc" for letter in value):
                raise InvalidInput(name, "holds a control character", "pass a name that can be read")
            if any("\ud800" <= letter <= "\udfff" for letter in value):
                raise InvalidInput(name, "holds a lone surrogate", "pass text")
        if self.user == TEAM:
            raise InvalidInput(
                "user", f"{TEAM!r} is reserved for what all users share", "choose another name"
            )

    @property
    def readable(self) -> frozenset[str]:
        """Return the owners whose memories this scope may read."""
        return frozenset({self.user, TEAM})


@dataclass(frozen=True, slots=True, kw_only=True)
class View:
    """What a read may see: the owners, and a moment on each of the two clocks.

    ``states`` are the states that count as present; times decide the rest, so that a view of the past
    shows what has been superseded since. Raises ``MissingScope`` when no owner is named.
    """

    owners: frozenset[str]
    valid: datetime
    known: datetime
    states: frozenset[State] = field(default=frozenset({State.ACTIVE, State.SUPERSEDED}))

    def __post_init__(self) -> None:
        if not self.owners:
            raise MissingScope("owners", "is empty", "name the owners whose memories may be read")
        require_aware(self.valid, "valid_as_of")
        require_aware(self.known, "known_as_of")

    def shows(self, memory: Memory) -> bool:
        """Tell whether ``memory`` is readable, believed and true at this view's moments.

        This is the meaning that each store's own filter must have.
        """
        return (
            memory.owner in self.owners and memory.state in self.states and self.reason_hidden(memory) == ""
        )

    def heard(self, turn: Turn) -> bool:
        """Tell whether ``turn`` had been said and was known at this view's moments."""
        return turn.at <= self.valid and turn.recorded_at <= self.known

    def as_known(self, memory: Memory) -> Memory:
        """Return ``memory`` as it was believed at this view's moment: without what was learnt later."""
        if memory.closed_at is not None and memory.closed_at > self.known:
            memory = replace(memory, valid_to=None, closed_at=None, state=State.ACTIVE)
        if memory.retired_at is not None and memory.retired_at > self.known:
            memory = replace(memory, retired_at=None, state=State.ACTIVE)
        return memory

    def reason_hidden(self, memory: Memory) -> str:
        """Return why the clocks hide ``memory`` (``unknown retired future ended expired``), or nothing."""
        if memory.recorded_at > self.known:
            return "unknown"
        if memory.retired_at is not None and memory.retired_at <= self.known:
            return "retired"
        if memory.valid_from > self.valid:
            return "future"
        learnt = memory.closed_at is None or memory.closed_at <= self.known
        if memory.valid_to is not None and learnt and memory.valid_to <= self.valid:
            return "ended"
        if memory.expires_at is not None and memory.expires_at <= self.valid:
            return "expired"
        return ""
