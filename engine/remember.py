"""The write path: messages in, one atomic delta a message, a receipt out."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime

from mnemic.engine.conflict import Manner, Verdict, give_way, is_current, same_value, slot_verdicts
from mnemic.engine.core import Core, as_line
from mnemic.engine.draft import Draft, Drafter, Dropped
from mnemic.engine.forget import forget_spoken
from mnemic.engine.linking import Linker
from mnemic.engine.message import Declared, Message
from mnemic.engine.oblique import oblique_verdicts
from mnemic.engine.profile import refreshed_profiles
from mnemic.engine.results import (
    Forgotten,
    Hidden,
    Ignored,
    Receipt,
    Reinforced,
    Replaced,
    Said,
    Stored,
)
from mnemic.engine.suppress import DOUBT
from mnemic.engine.target import find_target
from mnemic.extraction.model import Analysis, Line, Mention
from mnemic.extraction.terms import terms
from mnemic.graph.ids import told_id, told_ids
from mnemic.graph.model import Embedded, GraphDelta, Layer, Memory, Name, Replaces, State, Turn, Vector
from mnemic.graph.store import Store
from mnemic.graph.view import Scope, View


@dataclass(slots=True)
class Ledger:
    """What the messages of one call did, gathered for the receipt."""

    turns: list[str] = field(default_factory=list)
    known: list[str] = field(default_factory=list)
    stored: list[Stored] = field(default_factory=list)
    ignored: list[Ignored] = field(default_factory=list)
    replaced: list[Replaced] = field(default_factory=list)
    reinforced: list[Reinforced] = field(default_factory=list)
    masked: list[Hidden] = field(default_factory=list)
    forgotten: list[Forgotten] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    def receipt(self) -> Receipt:
        """Return the receipt of the call."""
        return Receipt(
            turns=told_ids(self.turns),
            known=told_ids(self.known),
            stored=tuple(self.stored),
            ignored=tuple(self.ignored),
            replaced=tuple(self.replaced),
            reinforced=tuple(self.reinforced),
            masked=tuple(self.masked),
            forgotten=_merged(self.forgotten),
            notes=tuple(self.notes),
        )


@dataclass(frozen=True, slots=True)
class Heard:
    """A message with what was understood of it, and the vectors of its turn (None without an embedder)."""

    message: Message
    analysis: Analysis
    speaker: Mention
    before: str
    summary: Vector | None
    detail: Vector | None


def remember(
    core: Core, scope: Scope, owner: str, messages: Sequence[Message], declared: Declared
) -> Receipt:
    """Store ``messages`` for ``owner`` and return what was understood, kept, replaced and masked.

    All or nothing: when one message cannot be stored, none is. A turn id that is known is left alone.
    """
    view = core.view(scope)
    known = _known(core.store, view, messages)
    heard = {item.message.id: item for item in _hear(core, owner, [m for m in messages if m.id not in known])}

    def work(store: Store) -> Ledger:
        ledger = Ledger()
        known = _known(store, view, messages)
        for message in messages:
            ledger.turns.append(message.id)
            if message.id in known or message.id not in heard:
                ledger.known.append(message.id)
            else:
                _Writing(core, store, view, owner, declared, ledger).write(heard[message.id])
        return ledger

    return core.store.transact(owner, work).receipt()


def _known(store: Store, view: View, messages: Sequence[Message]) -> set[str]:
    """Return the keys of the messages that are stored already."""
    return {turn.id for turn in store.turns(view, ids=[message.id for message in messages])} if messages else set()


def _hear(core: Core, owner: str, messages: Sequence[Message]) -> list[Heard]:
    """Analyse and embed the messages in order; each session's earlier lines are its context."""
    analyser = core.analyser()
    view = View(owners=frozenset({owner}), valid=core.clock(), known=core.clock())
    sessions: dict[str, list[Line]] = {}
    understood: list[tuple[Message, Analysis, list[Line]]] = []
    for message in messages:
        if message.session not in sessions:
            last = core.store.turns(view, session=message.session, last=core.settings.context_lines)
            sessions[message.session] = [as_line(turn) for turn in last if turn.id != message.id]
        before = sessions[message.session][-core.settings.context_lines :]
        line = Line(speaker=message.speaker, text=message.text, at=message.at, role=message.role)
        analysis = analyser.analyse(line, before)
        understood.append((message, analysis, before))
        sessions[message.session].append(replace(line, text=analysis.text))
    own = [f"{message.speaker}: {analysis.text}" for message, analysis, _ in understood]
    whole = [_with_before(before, text) for (_, _, before), text in zip(understood, own, strict=True)]
    vectors = core.embed([*own, *whole])
    return [
        Heard(
            message,
            analysis,
            analyser.speaker(message.speaker),
            _last(before),
            vectors[i],
            vectors[i + len(own)],
        )
        for i, (message, analysis, before) in enumerate(understood)
    ]


def _last(before: Sequence[Line]) -> str:
    return f"{before[-1].speaker}: {before[-1].text}" if before else ""


def _with_before(before: Sequence[Line], text: str) -> str:
    return f"{_last(before)}\n{text}" if before else text


class _Writing:
    """Writes one message inside a transaction."""

    def __init__(
        self, core: Core, store: Store, view: View, owner: str, declared: Declared, ledger: Ledger
    ) -> None:
        self._core, self._store, self._view, self._owner = core, store, view, owner
        self._declared, self._ledger = declared, ledger
        self._now = core.clock()
        self._linker = Linker(store, view, owner)
        self._memories: dict[str, Memory] = {}
        self._edges: list[Replaces] = []
        self._vectors: list[Embedded] = []

    def write(self, heard: Heard) -> None:
        """Store the turn and what is worth keeping of it."""
        message, analysis = heard.message, heard.analysis
        self._ledger.masked.extend(Hidden(kind=m.kind, turn=told_id(message.id)) for m in analysis.masked)
        turn = self._turn(heard)
        if heard.summary is not None and heard.detail is not None:
            self._vectors.append(
                Embedded(layer=Layer.TURN, id=turn.id, summary=heard.summary, detail=heard.detail)
            )
        names = self._introduce(analysis)
        drafter = Drafter(message, analysis, self._linker, self._now, self._core.settings, self._declared)
        self._linker.prepare([heard.speaker, *(m for unit in analysis.units for m in unit.mentions)])
        drafts, dropped = drafter.drafts(heard.speaker, self._owner)
        self._ledger.ignored.extend(_ignored(d, message.id) for d in dropped)
        self._store.apply(GraphDelta(turns=(turn,)))
        for draft, vectors in zip(drafts, self._embedded(drafts, heard), strict=True):
            self._settle(draft, vectors)
        self._finish(names)
        if any("forget" in unit.cues for unit in analysis.units) and message.role == "user":
            self._ledger.forgotten.append(forget_spoken(self._core, self._store, self._view, turn, analysis))

    def _turn(self, heard: Heard) -> Turn:
        message = heard.message
        last = self._store.turns(
            replace(self._view, owners=frozenset({self._owner})), session=message.session, last=1
        )
        return Turn(
            id=message.id,
            owner=self._owner,
            session=message.session,
            position=last[-1].position + 1 if last else 0,
            speaker=message.speaker,
            role=message.role,
            text=heard.analysis.text,
            at=message.at,
            recorded_at=self._now,
            terms=terms(f"{message.speaker} {heard.analysis.text}"),
            metadata=self._declared.metadata,
        )

    def _introduce(self, analysis: Analysis) -> tuple[Name, ...]:
        """Return the names that the message introduces, for the tenant's dictionary."""
        names: list[Name] = []
        for introduction in analysis.introduced:
            mention = introduction.mention
            aliases = (introduction.alias,) if introduction.alias else ()
            names.append(Name(name=mention.name, kind=mention.kind, aliases=aliases))
            if introduction.alias:
                self._linker.add_alias(self._linker.link(mention), introduction.alias)
            self._ledger.notes.append(f"new name: {mention.name} ({mention.kind})")
        return tuple(names)

    def _embedded(self, drafts: Sequence[Draft], heard: Heard) -> list[tuple[Vector | None, Vector | None]]:
        """Return summary and detail vectors of the drafts; a draft of the whole turn shares the turn's."""
        speaker, whole = heard.message.speaker, heard.analysis.text
        texts = [f"{speaker}: {draft.memory.text}" for draft in drafts if draft.memory.text != whole]
        contexts = [f"{heard.before}\n{text}" if heard.before else text for text in texts]
        made = self._core.embed([*texts, *contexts])
        pairs = iter(zip(made[: len(texts)], made[len(texts) :], strict=True))
        return [(heard.summary, heard.detail) if d.memory.text == whole else next(pairs) for d in drafts]

    def _settle(self, draft: Draft, vectors: tuple[Vector | None, Vector | None]) -> None:
        """Reinforce what is known, or add the memory and let what it overrules give way."""
        new = draft.memory
        slot = self._slot(new)
        twin = next((m for m in slot if _says_the_same(m, new)), None)
        if twin is not None:
            self._reinforce(twin, new)
            return
        verdicts = self._verdicts(draft, slot, vectors)
        self._put(_bounded(new, slot, self._now))
        summary, detail = vectors
        if summary is not None and detail is not None:
            self._vectors.append(Embedded(layer=Layer.MEMORY, id=new.id, summary=summary, detail=detail))
        for verdict in verdicts:
            self._overrule(verdict, new)
        self._ledger.stored.append(_stored(self._memories[new.id], draft))
        self._flush()

    def _verdicts(
        self, draft: Draft, slot: Sequence[Memory], vectors: tuple[Vector | None, Vector | None]
    ) -> list[Verdict]:
        entities = {
            e.id: e
            for e in self._store.entities(self._view, ids=[m.object for m in slot if m.object] or [""])
        }
        found = {v.older.id: v for v in slot_verdicts(draft, slot, entities)}
        if self._declared.replaces is not None:
            target = find_target(self._core, self._store, self._view, self._declared.replaces)
            found[target.id] = Verdict(target, Manner.DECLARED)
        for verdict in oblique_verdicts(self._core, self._store, self._view, draft, vectors):
            found.setdefault(verdict.older.id, verdict)
        return [verdict for verdict in found.values() if verdict.older.owner == self._owner]

    def _overrule(self, verdict: Verdict, new: Memory) -> None:
        if verdict.score < self._core.settings.overrule_from:
            self._edges.append(give_way(replace(verdict, manner=Manner.CHANGED), new, self._now)[1])
            self._edges[-1] = replace(self._edges[-1], reason=DOUBT)
            return
        older, edge = give_way(
            replace(verdict, older=self._memories.get(verdict.older.id, verdict.older)), new, self._now
        )
        self._put(older)
        self._edges.append(edge)
        self._ledger.replaced.append(
            Replaced(
                newer=new.id,
                older=older.id,
                older_text=older.text,
                reason=edge.reason,
                cue=edge.cue,
                score=edge.score,
                features=dict(edge.features),
            )
        )

    def _slot(self, new: Memory) -> list[Memory]:
        if not new.subject or not new.predicate:
            return []
        return self._store.slot(
            replace(self._view, owners=frozenset({self._owner})), new.subject, new.predicate
        )

    def _reinforce(self, twin: Memory, new: Memory) -> None:
        """Give a known memory a further source."""
        sources = tuple(dict.fromkeys((*twin.sources, *new.sources)))
        importance = min(1.0, max(twin.importance, new.importance) + 0.05)
        self._put(replace(twin, sources=sources, importance=importance, access_count=twin.access_count + 1))
        self._ledger.reinforced.append(Reinforced(id=twin.id, text=twin.text, turn=told_id(new.sources[0])))
        self._flush()

    def _put(self, memory: Memory) -> None:
        self._memories[memory.id] = memory

    def _flush(self) -> None:
        """Apply what is pending, so that the next draft of the same message sees it."""
        self._store.apply(
            GraphDelta(
                entities=tuple(self._linker.touched.values()),
                memories=tuple(self._memories.values()),
                replaces=tuple(self._edges),
                vectors=tuple(self._vectors),
            )
        )
        self._touched_subjects = {m.subject for m in self._memories.values() if m.subject}
        profiles = refreshed_profiles(self._store, self._view, self._owner, self._touched_subjects, self._now)
        if profiles:
            self._store.apply(GraphDelta(entities=tuple(profiles)))
            for entity in profiles:
                self._linker.put(entity)
        self._linker.touched.clear()
        self._memories.clear()
        self._edges.clear()
        self._vectors.clear()

    def _finish(self, names: tuple[Name, ...]) -> None:
        if self._vectors or self._linker.touched:
            self._flush()
        if names:
            known = {name.name for name in self._store.names()}
            self._store.apply(GraphDelta(names=tuple(n for n in names if n.name not in known)))


def _says_the_same(known: Memory, new: Memory) -> bool:
    """Tell whether a current memory says what the new one says."""
    return is_current(known, new.valid_from) and known.modality == new.modality and same_value(known, new)


def _bounded(new: Memory, slot: Iterable[Memory], now: datetime) -> Memory:
    """End a statement about the past where a later one of its one-valued slot begins."""
    from mnemic.extraction.predicates import shipped_inventory

    if new.modality != "asserted" or not new.predicate or shipped_inventory()[new.predicate].many:
        return new
    later = [m.valid_from for m in slot if m.valid_from > new.valid_from and m.modality == "asserted"]
    if not later:
        return new
    return replace(new, valid_to=min(later), closed_at=now, state=State.SUPERSEDED)


def _stored(memory: Memory, draft: Draft) -> Stored:
    statement = draft.statement
    said = None
    if statement is not None:
        said = Said(
            subject=statement.subject.name,
            predicate=statement.predicate,
            value=statement.value,
            modality=memory.modality,
        )
    return Stored(
        id=memory.id,
        kind=memory.kind.value,
        text=memory.text,
        said=said,
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
