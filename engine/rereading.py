"""Reading the history again where a name has come or gone, as if it had been known, or not, from the start."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from mnemic.engine.core import Core
from mnemic.engine.linking import Aside
from mnemic.engine.retelling import Place, Retelling, place_of
from mnemic.engine.takeback import Taken, unspoken_of
from mnemic.engine.touched import Change, Forms, Progress, Sessions, touched
from mnemic.extraction.text import fold
from mnemic.graph.ids import canonical
from mnemic.graph.model import Entity, GraphDelta, Memory, Turn
from mnemic.graph.moving import batches
from mnemic.graph.store import Store
from mnemic.graph.view import View

_AT_ONCE = 50
"""So many turns are told again in one transaction, with what depends on them."""

_HANDLES = 500
_CHANGES = 1_000

Called = set[tuple[str, str]]
"""Folded names with the folded words by which somebody called them so."""


def quietly(step: str, done: int, total: int) -> None:
    """Show nothing."""


@dataclass(slots=True)
class Rereading:
    """Reads one owner's history again for some ``forms``.

    Turns are told again
    in the order of their telling, some at a time, each part in a transaction of its own: what was stopped is
    run again, and to run it twice is to run it once.
    """

    core: Core
    view: View
    forms: Forms
    change: Change
    progress: Progress = quietly
    sessions: Sessions = field(init=False)
    aside: Aside = field(init=False)
    counts: Counter[str] = field(default_factory=Counter)
    _called: Called = field(default_factory=set)
    _named: set[str] = field(default_factory=set)
    _told: set[str] = field(default_factory=set)
    _done: frozenset[str] = frozenset()
    _heard: int = 0

    def __post_init__(self) -> None:
        self.sessions = Sessions(self.core.store, self.view, self.core.settings.context_lines)
        self.aside = Aside()

    @property
    def owner(self) -> str:
        """Whose history it is."""
        (owner,) = self.view.owners
        return owner

    def run(self) -> None:
        """Find the turns that matter and tell them again."""
        store = self.core.store
        self._heard = store.head().sequence
        old = frozenset(entity.id for entity in self._entities(store))
        self.aside = Aside(old, self.change.forms_lost)
        self.sessions.look(self.forms, self.progress, store.stats().turns)
        self._tell(store, self.sessions.found)
        self._done = frozenset(self._told)

    def finish(self, store: Store) -> None:
        """Read, inside a running transaction, what was told meanwhile; then clear away what nothing rests on."""
        late = [turn for turn in self._told_meanwhile(store) if turn.id not in self._done]
        for turn in late:
            self.sessions.insert(turn)
        self._tell(store, [turn for turn in late if self.forms.stand_in(turn)])
        self._clear(store)

    def _tell(self, store: Store, found: Sequence[Turn]) -> None:
        self.counts["found"] += len(found)
        places = sorted(self._matters(found))
        done = 0
        for part in batches(places, _AT_ONCE):
            self._part(store, [place[3] for place in part])
            done += len(part)
            self.progress("reading", done, len(places))

    def _matters(self, found: Sequence[Turn]) -> Iterator[Place]:
        """Yield the places of the turns whose reading changes, and note what things are called in all of them."""
        total = len(self.sessions.near(found))
        for number, (reading, matters) in enumerate(touched(self.sessions, found, self.change), 1):
            self._called |= {
                (fold(mention.name), fold(mention.text))
                for unit in reading.analysis.units
                for mention in unit.mentions
            }
            self._called |= {
                (fold(each.mention.name), fold(each.alias))
                for each in reading.analysis.introduced
                if each.alias
            }
            if matters:
                yield place_of(reading.turn)
            if number % _AT_ONCE == 0:
                self.progress("comparing", number, total)

    def _part(self, store: Store, turns: Sequence[str]) -> None:
        again = set(self.aside.again)

        def work(inside: Store) -> tuple[Taken, list[Memory]]:
            self.aside.again = set(again)  # a transaction may run more than once
            taken = Retelling(
                self.core, inside, self.view, self.sessions, self.change.after, self.aside
            ).tell(turns)
            told = inside.memories(self.view, turns=sorted(taken.turns)) if taken.turns else []
            return taken, told

        taken, told = store.transact(self.owner, work)
        self._named = (self._named | taken.named) - {m.entity for memory in told for m in memory.mentions}
        self._told |= taken.turns
        self.counts["told"] = len(self._told)
        self.counts.update(left=len(taken.left), before=len(taken.memories), after=len(told))

    def _told_meanwhile(self, store: Store) -> list[Turn]:
        """Return the turns of the owner that were written since the history was looked through."""
        ids: set[str] = set()
        since, more = self._heard, True
        while more:
            changes = store.changes(since, limit=_CHANGES)
            more = len(changes) == _CHANGES
            since = changes[-1].sequence if changes else since
            ids |= {each.id for each in changes if each.kind == "turn" and each.owner == self.owner}
        return store.turns(self.view, ids=sorted(ids)) if ids else []

    def _entities(self, store: Store) -> list[Entity]:
        """Return the owner's entities that go by one of the forms."""
        return [
            entity
            for part in batches(sorted(self.forms.folded), _HANDLES)
            for entity in store.entities(self.view, handles=part)
        ]

    def _clear(self, store: Store) -> None:
        """Erase the entities that nothing speaks of any more, and the aliases that nobody uses."""
        known = {entity.id for entity in self._entities(store)} | self._named | self.aside.old
        known -= self.aside.again
        orphans = unspoken_of(store, self.view, known)
        if orphans:
            store.erase(entities=orphans)
        left = [entity for entity in self._entities(store) if entity.id not in orphans]
        mended = [row for row in map(self._with_used_names, left) if row is not None]
        if mended:
            store.apply(GraphDelta(entities=tuple(mended)))

    def _with_used_names(self, entity: Entity) -> Entity | None:
        """Return an entity without the forms that it is called by no more; None where it is called by all."""
        own = {canonical(entity.key), fold(entity.name)}
        unused = {
            fold(alias)
            for alias in entity.aliases
            if fold(alias) in self.forms.folded - own
            and not any((name, fold(alias)) in self._called for name in own)
        }
        if not unused:
            return None
        return replace(
            entity,
            aliases=tuple(alias for alias in entity.aliases if fold(alias) not in unused),
            handles=tuple(handle for handle in entity.handles if handle not in unused),
        )
