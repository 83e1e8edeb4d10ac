"""Writing messages inside a transaction: turns, memories, what they overrule, profiles."""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime

from mnemic.engine import outright
from mnemic.engine.closing import closed_task
from mnemic.engine.conflict import (
    Manner,
    Verdict,
    doubt,
    has_ended,
    known_twin,
    opposite_verdicts,
    slot_verdicts,
    successor,
)
from mnemic.engine.core import Core
from mnemic.engine.draft import Draft, Drafter
from mnemic.engine.embedding import embed_rows
from mnemic.engine.facets import of_its_side
from mnemic.engine.forget import forget_spoken, just_said
from mnemic.engine.hearsay import note_of
from mnemic.engine.ledger import Ledger
from mnemic.engine.linking import Aside, Linker
from mnemic.engine.meaning import Meaning
from mnemic.engine.message import Declared, Message
from mnemic.engine.oblique import oblique_verdicts
from mnemic.engine.profile import refreshed_profiles
from mnemic.engine.results import Hidden
from mnemic.engine.returning import confirmed, gone_again, stood_between
from mnemic.engine.standing import correcting, noted, overruled, standing
from mnemic.engine.target import find_target
from mnemic.engine.undone import not_undone
from mnemic.errors import InvalidInput
from mnemic.extraction.model import Analysis, Line, Mention, Unit
from mnemic.extraction.predicates import shipped_inventory
from mnemic.extraction.terms import terms
from mnemic.extraction.text import fold
from mnemic.graph.ids import told_id
from mnemic.graph.model import (
    DOUBT,
    TEAM,
    UNDONE,
    Embedded,
    GraphDelta,
    Layer,
    Memory,
    Name,
    Replaces,
    State,
    Turn,
    Vector,
)
from mnemic.graph.store import Store
from mnemic.graph.view import View

Vectors = tuple[Vector, Vector] | None
"""The summary and the detail vector of a row; None without an embedder."""


@dataclass(frozen=True, slots=True)
class Heard:
    """A message with what was understood of it, the vectors of its turn, and what each of its units means."""

    message: Message
    analysis: Analysis
    speaker: Mention
    before: Line | None
    vectors: Vectors
    meanings: Sequence[Meaning | None]
    made: Mapping[str, Vectors] = field(default_factory=dict)
    """The vectors of its memories that are known already, by text."""
    summaries: Mapping[str, str] = field(default_factory=dict)


class Writing:
    """Writes the messages of one call inside a transaction; :meth:`finish` ends it."""

    def __init__(
        self,
        core: Core,
        store: Store,
        view: View,
        owner: str,
        declared: Declared,
        ledger: Ledger,
        aside: Aside | None = None,
    ) -> None:
        self._core, self._store, self._owner = core, store, owner
        self._declared, self._ledger = declared, ledger
        self._now, self._view = view.known, view
        self._own = replace(view, owners=frozenset({owner}))
        self._linker = Linker(store, view, owner, aside)
        self._positions: dict[str, int] = {}
        self._jokes: list[Memory] = []
        self._turns: list[Turn] = []
        self._memories: dict[str, Memory] = {}
        self._edges: list[Replaces] = []
        self._reverted: list[tuple[str, str]] = []
        self._vectors: list[Embedded] = []
        self._names: list[Name] = []
        self._subjects: set[str] = set()

    @property
    def subjects(self) -> frozenset[str]:
        """The entities of which something was said."""
        return frozenset(self._subjects)

    def expect(self, messages: Iterable[Heard]) -> None:
        """Look up all that the messages name at once."""
        self._linker.prepare(mention for heard in messages for mention in _named(heard))

    def write(self, heard: Heard) -> None:
        """Store the turn and what is worth keeping of it."""
        self._stand_at(self._core.clock())
        message, analysis = heard.message, heard.analysis
        kinds = (*message.masked, *(each.kind for each in analysis.masked))
        self._ledger.masked.extend(Hidden(kind=kind, turn=told_id(message.id)) for kind in kinds)
        self._ledger.masked.extend(
            Hidden(kind=kind, turn=told_id(message.id), field=field) for field, kind in self._declared.masked
        )
        turn = self._turn(heard)
        self._turns.append(turn)
        self._add_vectors(Layer.TURN, turn.id, heard.vectors)
        self._introduce(analysis)
        self._keep(self._understood(heard, turn), heard)
        if analysis.request is not None and analysis.request.kind == "forget":
            done = forget_spoken(self._core, self._store, self._view, turn, analysis.request)
            self._ledger.forgotten.append(done)
            self._linker = Linker(self._store, self._view, self._owner)  # entities and turns may have gone
            self._positions.clear()

    def _stand_at(self, moment: datetime) -> None:
        """Write and read back as of one moment, so that a write sees itself."""
        self._now = moment
        self._view = replace(self._view, valid=moment, known=moment)
        self._own = replace(self._own, valid=moment, known=moment)

    def again(
        self, heard: Heard, turn: Turn, declared: Declared, before: Callable[[Sequence[Draft]], None]
    ) -> None:
        """Write what is worth keeping of a stored turn of which nothing is kept, as it would have been then.

        ``before`` is called with the drafts before the first of them is written.
        """
        self._stand_at(turn.recorded_at)
        self._declared = declared
        self._further_names(heard.analysis)
        drafts = self._understood(heard, turn)
        before(drafts)
        self._keep(drafts, heard)

    def let_go(self, entities: Collection[str]) -> None:
        """Know nothing any more of entities that were erased."""
        self._linker.let_go(entities)

    def _understood(self, heard: Heard, turn: Turn) -> list[Draft]:
        """Return what is worth keeping of a turn."""
        message, analysis = heard.message, heard.analysis
        takes_back = analysis.takes_back and message.role == "user"
        said = just_said(self._store, self._own, turn) if takes_back else ()
        self._jokes = [row for row in said if isinstance(row, Memory)]
        drafter = Drafter(
            message, analysis, self._linker, self._now, self._core.settings, self._declared, heard.summaries
        )
        drafts, dropped = drafter.drafts(heard.speaker, self._owner, self._closes, heard.meanings)
        for unit in dropped:
            self._ledger.ignore(unit, message.id)
        return drafts

    def _keep(self, drafts: Sequence[Draft], heard: Heard) -> None:
        for draft, vectors in zip(drafts, self._embedded(drafts, heard), strict=True):
            self._settle(draft, vectors)
        self._flush()

    def finish(self) -> None:
        """Bring the profiles of those of whom something was said up to date."""
        profiles = refreshed_profiles(self._store, self._view, self._owner, self._subjects, self._now)
        if profiles:
            self._store.apply(GraphDelta(entities=tuple(profiles)))

    def _turn(self, heard: Heard) -> Turn:
        message = heard.message
        return Turn(
            id=message.id,
            owner=self._owner,
            session=message.session,
            position=self._position(message.session),
            speaker=message.speaker,
            role=message.role,
            text=heard.analysis.text,
            at=message.at,
            recorded_at=self._now,
            terms=terms(f"{message.speaker} {heard.analysis.text}"),
            metadata={
                **self._declared.metadata,
                **note_of(heard.analysis),
                **outright.note_of(self._declared),
            },
        )

    def _position(self, session: str) -> int:
        """Return the next position in a session."""
        if session not in self._positions:
            last = self._store.turns(self._own, session=session, last=1)
            self._positions[session] = last[-1].position + 1 if last else 0
        self._positions[session] += 1
        return self._positions[session] - 1

    def _introduce(self, analysis: Analysis) -> None:
        """Take in the names that the message introduces, for its owner's own dictionary."""
        if not analysis.introduced:
            return
        self._further_names(analysis)
        names = [name for name in self._store.names(self._view) if name.kind]
        known = {fold(form) for name in names for form in (name.name, *name.aliases)}
        for introduction in analysis.introduced:
            mention = introduction.mention
            if fold(mention.name) not in known or (
                introduction.alias and fold(introduction.alias) not in known
            ):
                aliases = (introduction.alias,) if introduction.alias else ()
                self._names.append(
                    Name(name=mention.name, kind=mention.kind, aliases=aliases, owner=self._owner)
                )
                self._ledger.notes.append(f"new name: {mention.name} ({mention.kind})")

    def _further_names(self, analysis: Analysis) -> None:
        """Give what is introduced by two names the second one, too."""
        for introduction in analysis.introduced:
            if introduction.alias:
                self._linker.add_alias(self._linker.link(introduction.mention), introduction.alias)

    def _embedded(self, drafts: Sequence[Draft], heard: Heard) -> list[Vectors]:
        """Return the vectors of the drafts; a draft of the whole turn shares the turn's."""
        whole = heard.analysis.text
        known = {**heard.made, whole: heard.vectors}
        parts = [draft.memory for draft in drafts if draft.memory.text not in known]
        made = iter(embed_rows(self._core, [(memory, heard.before) for memory in parts]))
        return [known[d.memory.text] if d.memory.text in known else next(made) for d in drafts]

    def _add_vectors(self, layer: Layer, id: str, vectors: Vectors) -> None:
        if vectors is not None:
            self._vectors.append(Embedded(layer=layer, id=id, summary=vectors[0], detail=vectors[1]))

    def _settle(self, draft: Draft, vectors: Vectors) -> None:
        """Reinforce what is known, or add the memory and let what it overrules give way."""
        new = draft.memory
        slot = self._slot(new)
        between = stood_between(self._store, self._own, draft, slot)
        found = (*self._verdicts(draft, slot, vectors), *gone_again(between, draft))
        verdicts = list(
            {verdict.older.id: verdict for verdict in self._not_undone(new, vectors, found)}.values()
        )
        twin = known_twin(new, slot)
        left = confirmed(between, twin) if twin is not None else None
        if left is not None:
            twin = None
            self._give_way(*left)
        if twin is not None:
            newer = self._reinforced(twin, new)
        else:
            newer = self._added(new, slot, verdicts)
            self._add_vectors(Layer.MEMORY, new.id, vectors)
        for verdict in verdicts:
            if verdict.older.id != newer.id:
                self._overrule(verdict, newer)
        if twin is None:
            self._ledger.store(self._memories[newer.id], draft)
        self._flush()

    def _added(self, new: Memory, slot: Sequence[Memory], verdicts: Sequence[Verdict]) -> Memory:
        """Put a new memory in its place in time: a correction holds since what it corrects was taken to."""
        corrected = [v.older.valid_from for v in verdicts if v.manner is Manner.CORRECTED and v.older in slot]
        new = correcting(new, min([new.valid_from, *corrected]))
        gone = {verdict.older.id for verdict in verdicts}
        later = successor(new, [m for m in slot if m.id not in gone])
        if later is not None and (new.valid_to is None or later.valid_from < new.valid_to):
            learnt = max(self._now, later.recorded_at)
            given = replace(new, valid_to=later.valid_from, closed_at=learnt, state=State.SUPERSEDED)
            new = noted(given, new)
            self._edges.append(Replaces(newer=later.id, older=new.id, at=learnt, reason=Manner.CHANGED.value))
            known = self._store.replacements(self._own, [later.id]) if verdicts else ()
            undone = {(edge.newer, edge.older) for edge in known if edge.reason == UNDONE}
            self._reverted.extend({(later.id, verdict.older.id) for verdict in verdicts} - undone)
        self._put(new)
        return new

    def _verdicts(self, draft: Draft, slot: Sequence[Memory], vectors: Vectors) -> list[Verdict]:
        objects = sorted({m.object for m in slot if m.object})
        known = self._store.entities(self._view, ids=objects) if objects else []
        found = {v.older.id: v for v in slot_verdicts(draft, slot, {entity.id: entity for entity in known})}
        found.update({v.older.id: v for v in opposite_verdicts(draft, self._opposite(draft.memory))})
        if self._declared.replaces is not None:
            target = self._declared_target(self._declared.replaces)
            found[target.id] = Verdict(target, Manner.DECLARED)
        if not has_ended(draft.memory):
            for verdict in oblique_verdicts(self._core, self._store, self._view, draft, vectors):
                found.setdefault(verdict.older.id, verdict)
        done = closed_task(self._store, self._own, draft.unit, draft.memory.text)
        if done is not None and not set(done.older.sources) & set(draft.memory.sources):
            found[done.older.id] = done
        if draft.unit.start == 0:
            found.update({memory.id: Verdict(memory, Manner.CORRECTED) for memory in self._jokes})
        return [verdict for verdict in found.values() if verdict.older.owner == self._owner]

    def _not_undone(self, new: Memory, vectors: Vectors, found: Sequence[Verdict]) -> list[Verdict]:
        summary = vectors[0] if vectors is not None else None
        return not_undone(self._core, self._store, self._own, new, summary, found)

    def _closes(self, unit: Unit) -> bool:
        """Tell whether a unit closes an open task, or takes back what was said before it."""
        if self._jokes and unit.start == 0:
            return True
        return closed_task(self._store, self._own, unit, unit.text) is not None

    def _declared_target(self, pointer: str) -> Memory:
        """Return the memory that the caller wants replaced; it must be of the same owner."""
        target = find_target(self._core, self._store, self._view, pointer)
        if target.owner != self._owner:
            whose = "the team" if target.owner == TEAM else "you alone"
            fix = "say visibility='team'" if target.owner == TEAM else "say visibility='private'"
            raise InvalidInput("replaces", f"names a memory of {whose}", fix)
        return target

    def _overrule(self, verdict: Verdict, new: Memory) -> None:
        if verdict.score < self._core.settings.overrule_from:
            self._edges.append(doubt(verdict, new, self._now))
            self._ledger.doubts.append((new.id, verdict.older.id))
            return
        self._give_way(verdict, new)
        if verdict.older in self._jokes:
            self._revive(verdict.older)

    def _give_way(self, verdict: Verdict, new: Memory) -> None:
        older, edge = overruled(verdict, new, self._now)
        self._put(older)
        self._edges.append(edge)
        self._ledger.replace(older, edge)

    def _revive(self, joke: Memory) -> None:
        """Put back in force what gave way to a statement that was no more than a joke."""
        edges = [e for e in self._store.replacements(self._own, [joke.id]) if e.newer == joke.id]
        undone = [edge for edge in edges if edge.overrules]
        olders = self._store.memories(self._own, ids=[edge.older for edge in undone]) if undone else []
        for memory in standing(self._store, self._own, olders, undone):
            self._put(memory)
            self._reverted.append((joke.id, memory.id))

    def _slot(self, new: Memory) -> list[Memory]:
        if not new.subject or not new.predicate:
            return []
        return of_its_side(new, self._store.slot(self._own, new.subject, new.predicate))

    def _opposite(self, new: Memory) -> list[Memory]:
        """Return what the subject holds in the slot that excludes this one."""
        opposite = shipped_inventory()[new.predicate].opposite if new.predicate else ""
        return self._slot(replace(new, predicate=opposite)) if opposite else []

    def _reinforced(self, twin: Memory, new: Memory) -> Memory:
        """Give a known memory a further source, and the earlier beginning or the end that this one tells of.

        What is told again is in doubt no longer by what was told before.
        """
        if new.at > twin.at:
            edges = self._store.replacements(self._own, [twin.id])
            self._reverted.extend(
                (e.newer, e.older) for e in edges if e.older == twin.id and e.reason == DOUBT
            )
        if new.valid_to is not None:
            twin = replace(twin, valid_to=new.valid_to, closed_at=self._now)
        known = replace(
            twin,
            sources=tuple(dict.fromkeys((*twin.sources, *new.sources))),
            importance=min(1.0, max(twin.importance, new.importance) + 0.05),
            valid_from=min(twin.valid_from, new.valid_from),
            access_count=twin.access_count + 1,
        )
        self._put(known)
        self._ledger.reinforce(twin, new.sources[0])
        return known

    def _put(self, memory: Memory) -> None:
        self._memories[memory.id] = memory

    def _flush(self) -> None:
        """Apply what is pending, so that what is written next sees it."""
        delta = GraphDelta(
            turns=tuple(self._turns),
            entities=tuple(self._linker.touched.values()),
            memories=tuple(self._memories.values()),
            replaces=tuple(self._edges),
            reverted=tuple(self._reverted),
            vectors=tuple(self._vectors),
            names=tuple(self._names),
        )
        if delta != GraphDelta():
            self._store.apply(delta)
        self._subjects |= {m.subject for m in self._memories.values() if m.subject}
        self._linker.touched.clear()
        self._memories.clear()
        for pending in (self._turns, self._edges, self._reverted, self._vectors, self._names):
            pending.clear()


def _named(heard: Heard) -> Iterator[Mention]:
    """Yield whom and what a message names."""
    yield heard.speaker
    for unit in heard.analysis.units:
        yield from unit.mentions
        for statement in unit.statements:
            yield statement.subject
            if statement.object is not None:
                yield statement.object
