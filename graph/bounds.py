"""How long the texts may be by which rows are found: the same in every store, so that each takes what another does."""

from mnemic.errors import InvalidInput
from mnemic.graph.model import GraphDelta
from mnemic.graph.records import Record
from mnemic.graph.store import INDEXED

_LONGEST_STATE = 30
"""Characters that the state of a record may have."""


def require_indexable(tenant: str, delta: GraphDelta) -> None:
    """Raise ``InvalidInput``, naming the field, for a text that a server could not index beside ``tenant``.

    More than ``INDEXED`` bytes may not stand in one entry of an index.
    """
    room = INDEXED - len(tenant.encode())
    for turn in delta.turns:
        _require(room, owner=turn.owner, id=turn.id)
        _require(room, owner=turn.owner, session=turn.session)
    for entity in delta.entities:
        _require(room, owner=entity.owner, id=entity.id)
        _require(room, owner=entity.owner, key=entity.key)
        for handle in entity.handles:
            _require(room, owner=entity.owner, handles=handle)
    for memory in delta.memories:
        _require(room, owner=memory.owner, id=memory.id)
        _require(room, subject=memory.subject, predicate=memory.predicate)
    for name in delta.names:
        _require(room, owner=name.owner, name=name.name)


def require_keepable(tenant: str, record: Record) -> None:
    """Raise ``InvalidInput``, naming the field, for a record that no store can find again."""
    for field in ("kind", "id", "state"):
        if not getattr(record, field).strip():
            raise InvalidInput(field, "is empty", "give the record one")
    if len(record.state) > _LONGEST_STATE:
        raise InvalidInput("state", f"has {len(record.state):,} characters", f"keep it to {_LONGEST_STATE}")
    room = INDEXED - len(tenant.encode())
    _require(room, kind=record.kind, id=record.id)
    _require(room, owner=record.owner, kind=record.kind)
    _require(room, kind=record.kind, lane=record.lane)


def _require(room: int, **texts: str) -> None:
    if 4 * sum(map(len, texts.values())) <= room:
        return
    sizes = {field: len(text.encode()) for field, text in texts.items()}
    if (size := sum(sizes.values())) > room:
        beside = " and ".join(f"the {field}" for field in ("tenant", *texts))
        raise InvalidInput(
            max(sizes, key=lambda field: sizes[field]),
            f"is too long: {beside} have {size + INDEXED - room:,} bytes",
            f"keep them to {INDEXED:,} together",
        )
