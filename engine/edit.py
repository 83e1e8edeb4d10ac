"""Editing: a memory said anew by its owner, which the new words replace."""

from dataclasses import replace

from mnemic.engine.core import Core
from mnemic.engine.hearsay import RESERVED
from mnemic.engine.message import declare, read_messages
from mnemic.engine.remember import remember
from mnemic.engine.results import Receipt, Remembered
from mnemic.engine.telling import Telling
from mnemic.errors import Conflict
from mnemic.graph.view import Scope


def edit(core: Core, scope: Scope, old: Remembered, text: str, version: str | None) -> Receipt:
    """Have ``text`` replace the memory ``old`` for its owner; kind, importance, tags and metadata stay.

    Raises ``InvalidInput`` for words that cannot be stored, ``Conflict`` where the memory no longer counts, or
    is no longer as it was in ``version`` (None: as ``old`` is); then nothing is changed.
    """
    if old.state != "active" or old.until is not None:
        raise Conflict(f"memory {old.id!r} no longer counts; edit the one that took its place")
    own = {key: value for key, value in old.metadata.items() if not key.startswith(RESERVED)}
    declared = declare(
        replaces=old.id, kind=old.kind, importance=old.importance, confidence=None, tags=old.tags, metadata=own,
    )  # fmt: skip
    messages, _ = read_messages(
        text, owner=old.owner, teller=scope.user, speaker=scope.user, role="user", session=old.session,
        at=core.clock(), id=None, max_text=core.settings.max_text,
    )  # fmt: skip
    telling = Telling(old.owner, tuple(messages), replace(declared, version=version or old.version))
    return remember(core, scope, telling)
