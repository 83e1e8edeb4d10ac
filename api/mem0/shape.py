"""Memories and messages in mem0's dicts."""

import hashlib
from collections.abc import Mapping
from typing import Any

from mnemic.api.mem0.whose import agent_of, public_id
from mnemic.engine.results import Receipt, Remembered, Spoken

OWN = "mem0"
"""The key in a memory's metadata under which stands what an update must not change: id, beginning, the words, and their number."""


def id_of(row: Remembered) -> str:
    """Return the public id of a memory, which stays the same when it is updated."""
    return str(row.metadata[OWN]["id"]) if OWN in row.metadata else public_id(row.owner, row.id)


def words_of(row: Remembered) -> str:
    """Return what a memory says, in the words of its last update."""
    return str(row.metadata[OWN]["text"]) if OWN in row.metadata else row.text


def number_of(row: Remembered) -> int:
    """Return how many versions of a memory there were before this one."""
    return int(row.metadata[OWN]["number"]) if OWN in row.metadata else 0


def metadata_of(row: Remembered | Spoken) -> dict[str, Any]:
    """Return the caller's own metadata."""
    return {name: value for name, value in row.metadata.items() if name != OWN}


def memory_dict(row: Remembered) -> dict[str, Any]:
    """Return a memory as mem0 gives it."""
    changed = row.metadata.get(OWN)
    begun = changed["created_at"] if changed else row.recorded_at.isoformat()
    shown = _dict(row, id_of(row), words_of(row), begun, row.recorded_at.isoformat() if changed else None)
    agent = agent_of(row.tags)
    return shown | ({"agent_id": agent} if agent and "agent_id" not in shown else {})


def message_dict(row: Spoken) -> dict[str, Any]:
    """Return a message of which no memory was made as mem0 gives memories."""
    return _dict(row, public_id(row.owner, row.id), row.text, row.recorded_at.isoformat(), None)


def _dict(row: Remembered | Spoken, id: str, text: str, created: str, updated: str | None) -> dict[str, Any]:
    metadata = metadata_of(row)
    kind, _, name = row.owner.partition(":")
    whose = {f"{kind}_id": name} if kind in ("agent", "run") and name else {"user_id": row.owner}
    if row.session != "default":
        whose["run_id"] = row.session
    shown: dict[str, Any] = {
        "id": id,
        "memory": text,
        "hash": hashlib.md5(text.encode(), usedforsecurity=False).hexdigest(),
        "created_at": created,
        "updated_at": updated,
        **whose,
    }
    if row.speaker != row.owner:
        shown["actor_id"] = row.speaker
    return shown | ({"metadata": metadata} if metadata else {})


def events(owner: str, receipt: Receipt) -> list[dict[str, Any]]:
    """Return what a call of ``add`` did: memories that came, that were known, and that gave way."""
    came = [
        {"id": public_id(owner, each.id), "memory": each.text, "event": "ADD"}
        for each in receipt.stored
        if each.state == "active"
    ]
    known = [
        {"id": public_id(owner, each.id), "memory": each.text, "event": "NONE"} for each in receipt.reinforced
    ]
    went = {each.older: each for each in receipt.replaced}
    return [
        *came,
        *known,
        *(
            {"id": public_id(owner, id), "memory": each.older_text, "event": "DELETE"}
            for id, each in went.items()
        ),
    ]


def history_rows(id: str, versions: list[Remembered], *, over: bool) -> list[dict[str, Any]]:
    """Return the versions of a memory, oldest first, as mem0's history; ``over``: it no longer counts."""
    rows: list[dict[str, Any]] = []
    versions = [
        row
        for number, row in enumerate(versions)
        if not number or words_of(row) != words_of(versions[number - 1])
    ]  # an update of several statements is several memories
    for number, row in enumerate(versions):
        rows.append(_change(id, versions[number - 1] if number else None, row, "UPDATE" if number else "ADD"))
    if over and versions:
        rows.append(_change(id, versions[-1], None, "DELETE"))
    return rows


def _change(id: str, old: Remembered | None, new: Remembered | None, event: str) -> dict[str, Any]:
    said = new or old
    assert said is not None
    moment = said.recorded_at if new is not None else said.retired_at or said.until or said.recorded_at
    facts: Mapping[str, Any] = said.metadata.get(OWN, {})
    return {
        "id": f"{id}#{event.lower()}-{said.id}",
        "memory_id": id,
        "old_memory": words_of(old) if old is not None else None,
        "new_memory": words_of(new) if new is not None else None,
        "event": event,
        "created_at": facts.get("created_at", said.recorded_at.isoformat()),
        "updated_at": moment.isoformat() if event != "ADD" else None,
        "is_deleted": event == "DELETE",
    }
