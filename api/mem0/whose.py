"""Whose memory a call means: mem0's ``user_id``, ``agent_id`` and ``run_id`` as users, sessions and tags; and its ids."""

from base64 import urlsafe_b64decode, urlsafe_b64encode
from binascii import Error as NotBase64
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Self

from mnemic.errors import InvalidInput, MissingScope

WHOSE = ("user_id", "agent_id", "run_id")
_AGENT = "agent:"


@dataclass(frozen=True, slots=True)
class Whose:
    """The ids of a call, of which one must be there. ``owner`` is the user of mnemic whose memory it is.

    That is the user; where only an agent or a run is named, these have a memory of their own.
    """

    user: str | None
    agent: str | None
    run: str | None

    @classmethod
    def told(cls, **ids: object) -> Self:
        """Return the ids as they were passed; raises ``MissingScope`` where there is none."""
        checked = [_checked(name, ids.get(name)) for name in WHOSE]
        if not any(checked):
            raise MissingScope("user_id", "is missing", "name one of user_id, agent_id and run_id")
        return cls(*checked)

    @property
    def owner(self) -> str:
        """The user whose memory it is."""
        return self.user or (f"agent:{self.agent}" if self.agent else f"run:{self.run}")

    @property
    def tags(self) -> tuple[str, ...]:
        """By what an agent's memories are found among a user's."""
        return (f"{_AGENT}{self.agent}",) if self.agent else ()


def whose_in(filters: Mapping[str, Any] | None, **ids: object) -> tuple[Whose, dict[str, Any]]:
    """Return whose memory a reading call means, by arguments or filters, and the filters that are left."""
    left = dict(filters or {})
    named = {name: left.pop(name, None) for name in WHOSE}
    for name, value in ids.items():
        if value is not None and named[name] not in (None, value):
            raise InvalidInput(name, "is told twice, and differently", "name it once")
    return Whose.told(**{name: named[name] if ids.get(name) is None else ids[name] for name in WHOSE}), left


def agent_of(tags: tuple[str, ...]) -> str | None:
    """Return the agent that tags name."""
    return next((tag.removeprefix(_AGENT) for tag in tags if tag.startswith(_AGENT)), None)


def public_id(owner: str, id: str) -> str:
    """Return an id that says whose memory it is of, as mem0's calls by id name nobody."""
    return f"{urlsafe_b64encode(owner.encode()).decode().rstrip('=')}.{id}"


def private_id(memory_id: object) -> tuple[str, str] | None:
    """Return owner and id, None for what is no id of ours."""
    if not isinstance(memory_id, str):
        raise InvalidInput(
            "memory_id", f"is {type(memory_id).__name__}", "pass an id that add or search gave"
        )
    coded, dot, id = memory_id.partition(".")
    try:
        owner = urlsafe_b64decode(coded + "=" * (-len(coded) % 4)).decode()
    except (NotBase64, UnicodeError, ValueError):
        return None
    return (owner, id) if dot and id and owner and public_id(owner, id) == memory_id else None


def _checked(name: str, value: object) -> str | None:
    if value is None:
        return None
    text = str(value) if isinstance(value, int) and not isinstance(value, bool) else value
    if not isinstance(text, str):
        raise InvalidInput(name, f"is {type(value).__name__}", "pass a string")
    text = text.strip()
    if not text:
        raise MissingScope(name, "is empty", "say whose memory this is")
    if any(letter.isspace() for letter in text) or text == "*":
        raise InvalidInput(name, f"{text!r} names nobody", "pass an id without blanks")
    return text
