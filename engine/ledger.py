"""What one call of ``remember`` did, gathered step by step for its receipt."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from mnemic.engine.draft import Draft, Dropped
from mnemic.engine.results import Asked, Forgotten, Hidden, Ignored, Receipt, Reinforced, Replaced, Stored
from mnemic.graph.ids import told_id, told_ids
from mnemic.graph.model import Memory, Replaces


@dataclass(slots=True)
class Ledger:
    """What the messages of one call did, gathered for the receipt."""

    silent: tuple[int, ...] = ()
    turns: list[str] = field(default_factory=list)
    known: list[str] = field(default_factory=list)
    stored: list[Stored] = field(default_factory=list)
    ignored: list[Ignored] = field(default_factory=list)
    replaced: list[Replaced] = field(default_factory=list)
    reinforced: list[Reinforced] = field(default_factory=list)
    masked: list[Hidden] = field(default_factory=list)
    forgotten: list[Forgotten] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    doubts: list[tuple[str, str]] = field(default_factory=list)
    asked: list[Asked] = field(default_factory=list)

    def store(self, memory: Memory, draft: Draft) -> None:
        """Note a memory that was written."""
        self.stored.append(_stored(memory, draft))

    def ignore(self, dropped: Dropped, turn: str) -> None:
        """Note a unit that did not become a memory."""
        self.ignored.append(_ignored(dropped, turn))

    def replace(self, older: Memory, edge: Replaces) -> None:
        """Note an overruled memory."""
        self.replaced.append(
            Replaced(
                newer=edge.newer,
                older=older.id,
                older_text=older.text,
                turns=told_ids(older.sources),
                reason=edge.reason,
                cue=edge.cue,
                score=edge.score,
                features=dict(edge.features),
            )
        )

    def reinforce(self, known: Memory, turn: str) -> None:
        """Note a known memory that was said again."""
        self.reinforced.append(Reinforced(id=known.id, text=known.text, turn=told_id(turn)))

    def receipt(self) -> Receipt:
        """Return the receipt of the call."""
        return Receipt(
            turns=told_ids(self.turns),
            silent=self.silent,
            known=told_ids(self.known),
            stored=tuple(self.stored),
            ignored=tuple(self.ignored),
            replaced=tuple(self.replaced),
            reinforced=tuple(self.reinforced),
            masked=tuple(self.masked),
            forgotten=_merged(self.forgotten),
            notes=tuple(self.notes),
            asked=tuple(self.asked),
        )


def _stored(memory: Memory, draft: Draft) -> Stored:
    return Stored(
        id=memory.id,
        kind=memory.kind.value,
        text=memory.text,
        said=draft.said,
        state=memory.state.value,
        importance=memory.importance,
        features=dict(draft.features),
        turns=told_ids(memory.sources),
    )


def _ignored(dropped: Dropped, turn: str) -> Ignored:
    return Ignored(
        text=dropped.unit.text,
        reason=dropped.reason,
        importance=dropped.importance,
        features=dict(dropped.features),
        turn=told_id(turn),
    )


def _merged(parts: Sequence[Forgotten]) -> Forgotten:
    return Forgotten(
        memories=tuple(id for part in parts for id in part.memories),
        turns=tuple(id for part in parts for id in part.turns),
        rows=sum(part.rows for part in parts),
    )
