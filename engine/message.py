"""What a caller hands in, checked: strings or OpenAI-style messages become messages with all fields known."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from mnemic.engine.beside import checked_metadata, checked_tags, require_storable
from mnemic.engine.content import BESIDE, is_silent, require_parts, words_of
from mnemic.errors import InvalidInput, UnknownName
from mnemic.extraction.secrets import secret_kind
from mnemic.graph.clock import require_aware
from mnemic.graph.ids import told_id, turn_id, turn_key
from mnemic.graph.model import Kind

ROLES = ("user", "assistant", "system", "tool")
VISIBILITIES = ("private", "team")
LONGEST_NAME = 200
"""Characters that a name, a session or an id may have."""

_KEYS = frozenset({"role", "content", "name", "id", "at", "session"})
Told = str | Mapping[str, Any] | Sequence[Mapping[str, Any]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Message:
    """One turn as it came in; ``id`` is its key, which no other owner can use.

    ``masked`` are the kinds of the secrets that are masked in its text already.
    """

    id: str
    session: str
    speaker: str
    role: str
    text: str
    at: datetime
    masked: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Declared:
    """What the caller says outright about a write; it wins over what was worked out.

    ``version``: of what ``replaces`` names, as the caller saw it last.
    """

    replaces: str | None = None
    version: str | None = None
    kind: Kind | None = None
    importance: float | None = None
    confidence: float | None = None
    tags: tuple[str, ...] = ()
    metadata: Mapping[str, Any] = field(default_factory=dict)
    masked: tuple[tuple[str, str], ...] = ()
    """The secrets that were masked in tags and metadata: field and kind."""

    @property
    def outright(self) -> bool:
        """Tell whether the caller wants the message kept, whatever the gate thinks of it."""
        return self.importance is not None or self.kind is not None or self.replaces is not None


def declare(
    *,
    replaces: str | None,
    kind: str | None,
    importance: float | None,
    confidence: float | None,
    tags: Sequence[str],
    metadata: Mapping[str, Any] | None,
) -> Declared:
    """Return the caller's words, checked; raises ``InvalidInput`` naming the field."""
    for name, value in (("importance", importance), ("confidence", confidence)):
        if value is not None and not 0.0 <= value <= 1.0:
            raise InvalidInput(name, f"{value!r} is out of range", "choose a number from 0 to 1")
    if kind is not None and kind not in tuple(Kind):
        raise UnknownName("kind", kind, (k.value for k in Kind))
    if replaces is not None and not replaces.strip():
        raise InvalidInput("replaces", "is empty", "name a memory by its id or its words, or leave it out")
    if replaces is not None:
        require_storable(replaces, "replaces")
    in_tags: list[str] = []
    in_metadata: list[str] = []
    kept_tags = checked_tags(tags, in_tags)
    kept_metadata = checked_metadata(metadata or {}, in_metadata)
    return Declared(
        replaces=replaces,
        kind=Kind(kind) if kind is not None else None,
        importance=importance,
        confidence=confidence,
        tags=kept_tags,
        metadata=kept_metadata,
        masked=(
            *(("tags", kind) for kind in in_tags),
            *(("metadata", kind) for kind in in_metadata),
        ),
    )


def read_messages(
    told: Told,
    *,
    owner: str,
    teller: str,
    speaker: str,
    role: str,
    session: str,
    at: datetime,
    id: str | None,
    max_text: int,
) -> tuple[list[Message], list[int]]:
    """Return the messages of one call, and the places of those without words, which are left out.

    A message without an id gets one made from what it is, so that the same call twice is one turn. Raises
    ``InvalidInput`` naming message and field.
    """
    rows = rows_of(told, id)
    equal: Counter[tuple[str, ...]] = Counter()
    messages: list[Message] = []
    silent = []
    for number, row in enumerate(rows):
        where = f"messages[{number}]." if len(rows) > 1 else ""
        checked = _checked(row, where, speaker, role, session, at, max_text)
        if not checked["text"]:
            silent.append(number)
            continue
        same = (checked["session"], checked["speaker"], checked["at"].isoformat(), checked["text"])
        made = turn_id(owner, *same, equal[same])
        equal[same] += 1
        given = _word(row["id"], f"{where}id") if row.get("id") is not None else made
        messages.append(Message(id=turn_key(owner, teller, given), **checked))
    _require_distinct([told_id(message.id) for message in messages])
    return messages, silent


def rows_of(told: Told, id: str | None) -> list[Mapping[str, Any]]:
    """Return what was told as rows, not yet looked into; raises ``InvalidInput`` for what is neither text nor rows."""
    if isinstance(told, str):
        return [{"content": told, "id": id}]
    rows: Sequence[Any] = [told] if isinstance(told, Mapping) else told
    if not isinstance(rows, Sequence) or isinstance(rows, (bytes, bytearray)):
        raise InvalidInput("message", f"is {type(told).__name__}", "pass a string or a list of messages")
    if not rows:
        raise InvalidInput("message", "holds no messages", "pass one at least")
    if id is not None and len(rows) != 1:
        raise InvalidInput(
            "id", "names one turn, but there are several messages", "put an id into each message"
        )
    for number, row in enumerate(rows):
        if not isinstance(row, Mapping):
            raise InvalidInput(
                f"messages[{number}]", f"is {type(row).__name__}", "pass {'role': …, 'content': …}"
            )
    return [{**row, "id": row.get("id") or id} for row in rows]


def _checked(
    row: Mapping[str, Any], where: str, speaker: str, role: str, session: str, at: datetime, max_text: int
) -> dict[str, Any]:
    unknown = sorted(map(str, row.keys() - _KEYS - BESIDE))
    if unknown:
        raise UnknownName(f"{where}{unknown[0]}", unknown[0], _KEYS)
    said_role = row.get("role", role)
    if said_role not in ROLES:
        raise UnknownName(f"{where}role", str(said_role), ROLES)
    moment = _moment(row.get("at", at), f"{where}at")
    content, text = row.get("content"), ""
    require_parts(content, f"{where}content")
    if not is_silent(row, said_role):
        said = words_of(content) if isinstance(content, list) else content
        text = checked_text(said, f"{where}content", max_text)
    default = speaker if said_role == role or said_role == "user" else said_role
    return {
        "session": _word(row.get("session") or session, f"{where}session"),
        "speaker": _word(row["name"], f"{where}name") if row.get("name") else _word(default, "speaker"),
        "role": said_role,
        "text": text,
        "at": moment,
    }


def checked_text(text: object, field: str, max_text: int) -> str:
    """Return ``text`` as it is, or raise ``InvalidInput``: a string, not empty, storable, not too long."""
    if not isinstance(text, str):
        raise InvalidInput(field, f"is {type(text).__name__}", "pass a string")
    if not text.strip():
        raise InvalidInput(field, "is empty", "say something")
    if len(text) > max_text:
        raise InvalidInput(
            field, f"has {len(text):,} characters", f"split it; one message may have {max_text:,}"
        )
    require_storable(text, field)
    return text


def _moment(at: object, field: str) -> datetime:
    if isinstance(at, str):
        try:
            at = datetime.fromisoformat(at)
        except ValueError as error:
            raise InvalidInput(
                field, f"{at!r} is no ISO 8601 time", "write 2026-03-02T10:00:00+08:00"
            ) from error
    if not isinstance(at, datetime):
        raise InvalidInput(field, f"is {type(at).__name__}", "pass an aware datetime or ISO 8601 text")
    return require_aware(at, field)


def _word(value: object, field: str) -> str:
    if not isinstance(value, str) or not value.strip():
        raise InvalidInput(field, f"{value!r} is no name", "pass a string that is not empty")
    checked_text(value, field, LONGEST_NAME)
    return without_secret(value, field)


def without_secret(identifier: str, field: str) -> str:
    """Return an id or a name as it is, or raise ``InvalidInput`` where it holds a secret: it is not altered."""
    kind = secret_kind(identifier)
    if kind:
        raise InvalidInput(field, f"holds a secret ({kind})", "name it without the secret")
    return identifier


def _require_distinct(ids: Sequence[str]) -> None:
    twice = [id for id, count in Counter(ids).items() if count > 1]
    if twice:
        raise InvalidInput(
            "id", f"{twice[0]!r} names two messages of one call", "give each message its own id"
        )
