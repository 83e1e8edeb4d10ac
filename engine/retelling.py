"""Telling stored turns once more under another dictionary, as if its names had been known when they were told."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace
from datetime import datetime
from heapq import heappop, heappush

from mnemic.engine.core import Core, as_line
from mnemic.engine.draft import Draft
from mnemic.engine.embedding import embed_rows
from mnemic.engine.hearsay import noted
from mnemic.engine.ledger import Ledger
from mnemic.engine.linking import Aside
from mnemic.engine.meaning import meanings
from mnemic.engine.message import Declared, Message
from mnemic.engine.outright import declared_of
from mnemic.engine.profile import refreshed_profiles
from mnemic.engine.takeback import Taken, declared_replaces, put_back, take_back, unspoken_of, vectors_of
from mnemic.engine.touched import Reading, Sessions, read
from mnemic.engine.writing import Heard, Writing
from mnemic.extraction.analyse import Analyser
from mnemic.graph.model import GraphDelta, Layer, Memory, Turn
from mnemic.graph.store import Store
from mnemic.graph.view import View

_RIVALS = 100
"""A slot that holds more is left as it is when something is told into it late."""

Place = tuple[datetime, datetime, int, str]
"""When a turn was told: turns are told again in this order."""


def place_of(turn: Turn) -> Place:
    """Return when a turn was told."""
    return turn.recorded_at, turn.at, turn.position, turn.id


class Retelling:
    """Tells some turns of one owner again, inside a transaction of ``store``."""

    def __init__(
        self, core: Core, store: Store, view: View, sessions: Sessions, analyser: Analyser, aside: Aside
    ) -> None:
        self._core, self._store, self._view = core, store, view
        (self._owner,) = view.owners
        self._sessions, self._analyser = sessions, analyser
        self._taken = Taken()
        self._waiting: dict[str, Place] = {}
        self._order: list[Place] = []
        self._asked: set[str] = set()
        self._writing = Writing(core, store, view, self._owner, Declared(), Ledger(), aside)

    def tell(self, turns: Iterable[str]) -> Taken:
        """Take back what ``turns`` told and what depends on it, tell all that again, and return what was taken."""
        first = set(turns)
        self._take(first)
        while self._order:
            place = heappop(self._order)
            if self._waiting.pop(place[3], None) == place:
                self._again(place[3], touched=place[3] in first)
        put_back(self._store, self._view, self._taken)
        self._refresh()
        return self._taken

    def _take(self, turns: Iterable[str], spoken: Collection[str] = ()) -> None:
        """Take back what turns told; ``spoken`` are the entities of what is just being told."""
        before = self._taken.named
        chosen = take_back(self._store, self._view, turns, self._taken) - self._waiting.keys()
        self._erase(unspoken_of(self._store, self._view, self._taken.named - before - set(spoken)))
        for turn in self._store.turns(self._view, ids=sorted(chosen)) if chosen else []:
            self._waiting[turn.id] = place_of(turn)
            heappush(self._order, place_of(turn))

    def _erase(self, entities: Sequence[str]) -> None:
        """Erase what nothing speaks of any more: who is spoken of again is made anew."""
        if entities:
            self._store.erase(entities=entities)
            self._writing.let_go(entities)

    def _again(self, id: str, *, touched: bool) -> None:
        for turn, lines in self._sessions.with_context([id]):
            reading = read(self._analyser, turn, lines)
            tags = next((m.tags for m in self._taken.of_turn(id)), ())
            replaces = declared_replaces(self._store, self._view, id, self._taken)
            declared = declared_of(turn, tags, replaces)
            self._note(reading)
            self._writing.again(
                self._heard(reading), turn, declared, self._make_room if touched else _leave_all
            )

    def _note(self, reading: Reading) -> None:
        """Bring the engine's own note on the turn up to date."""
        turn = reading.turn
        metadata = noted(turn.metadata, reading.analysis)
        if metadata != dict(turn.metadata):
            self._store.apply(GraphDelta(turns=(replace(turn, metadata=metadata),)))

    def _heard(self, reading: Reading) -> Heard:
        turn = reading.turn
        before = as_line(reading.before[-1]) if reading.before else None
        known = self._store.vectors(Layer.TURN, [turn.id]) if self._core.embedder is not None else []
        made = {text: (each.summary, each.detail) for text, each in vectors_of(turn.id, self._taken).items()}
        own = (
            (known[0].summary, known[0].detail)
            if known
            else embed_rows(self._core, [(as_line(turn), before)])[0]
        )
        whole = own[0] if own is not None else None
        (sense,) = meanings(self._core, [(as_line(turn), reading.analysis.units, whole)])
        return Heard(_message(turn), reading.analysis, reading.speaker, before, own, sense, made)

    def _make_room(self, drafts: Sequence[Draft]) -> None:
        """Take back, to be told again, what was told later into the slots that drafts newly fill."""
        spoken = {m.entity for draft in drafts for m in draft.memory.mentions}
        for draft in drafts:
            new = draft.memory
            if not new.subject or not new.predicate or new.sources[0] in self._asked:
                continue
            slot = self._store.slot(self._view, new.subject, new.predicate)
            later = {turn for m in slot if m.recorded_at > new.recorded_at for turn in m.sources}
            if later and len(slot) <= _RIVALS and not self._told_before(new):
                self._take(later, spoken)
        self._asked |= {draft.memory.sources[0] for draft in drafts}

    def _told_before(self, new: Memory) -> bool:
        return any(
            (m.subject, m.predicate, m.object, m.value) == (new.subject, new.predicate, new.object, new.value)
            for m in self._taken.of_turn(new.sources[0])
        )

    def _refresh(self) -> None:
        """Bring the profiles of all of whom something was or is said up to date."""
        told = self._store.memories(self._view, turns=sorted(self._taken.turns)) if self._taken.turns else []
        subjects = self._taken.subjects | self._writing.subjects | {m.subject for m in told if m.subject}
        now = self._core.clock()
        view = replace(self._view, valid=now, known=now)
        profiles = refreshed_profiles(self._store, view, self._owner, subjects, now)
        if profiles:
            self._store.apply(GraphDelta(entities=tuple(profiles)))


def _leave_all(drafts: Sequence[Draft]) -> None:
    """Make no room: what is told again only because of others fills no new slot."""


def _message(turn: Turn) -> Message:
    return Message(
        id=turn.id, session=turn.session, speaker=turn.speaker, role=turn.role, text=turn.text, at=turn.at
    )
