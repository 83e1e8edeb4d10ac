"""The front door: ``Mnemic``, wired from a path, a user and the names of an embedder and a dictionary."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from pathlib import Path as FilePath
from types import TracebackType
from typing import Any, Self

from mnemic.api.opening import Credentials, open_core
from mnemic.engine.about import about
from mnemic.engine.asking import Wish
from mnemic.engine.beside import require_storable
from mnemic.engine.checking import checked
from mnemic.engine.core import Core, as_line
from mnemic.engine.doomed import doomed
from mnemic.engine.edit import edit
from mnemic.engine.explore import explore, path
from mnemic.engine.find import resolve
from mnemic.engine.forget import forget
from mnemic.engine.history import history, tasks
from mnemic.engine.listing import entities, memories, memory, turn, turns
from mnemic.engine.message import LONGEST_NAME, Told, checked_text
from mnemic.engine.names import learn, read_again, unlearn
from mnemic.engine.proposals import accept, proposals, reject
from mnemic.engine.recall import recall
from mnemic.engine.remember import remember
from mnemic.engine.rereading import quietly
from mnemic.engine.results import (
    About,
    Doomed,
    Explained,
    Explored,
    Forgotten,
    Found,
    History,
    Page,
    Path,
    Proposal,
    Receipt,
    Remembered,
    Reread,
    Spoken,
    Task,
    Thing,
    Unreplaced,
)
from mnemic.engine.settings import Settings
from mnemic.engine.target import find_row
from mnemic.engine.taught import taught
from mnemic.engine.telling import SESSION, Teller
from mnemic.engine.touched import Progress
from mnemic.engine.transfer import export
from mnemic.engine.unreplace import unreplace
from mnemic.engine.why import why
from mnemic.engine.wish import wish
from mnemic.errors import InvalidInput
from mnemic.extraction.embedders.base import Embedder
from mnemic.extraction.llm.base import LanguageModel
from mnemic.extraction.model import Analysis, Line
from mnemic.extraction.names import load_names
from mnemic.graph.clock import Clock, system_clock
from mnemic.graph.model import Memory, Name, Turn
from mnemic.graph.store import Stats
from mnemic.graph.view import Scope, View


class Mnemic:
    """A memory for one user, in a file (or ``":memory:"``) or on a Neo4j server, shared with their team where they say so.

    Args:
        where: a path, a folder that holds one file per tenant, ``":memory:"``, or a Neo4j server's address
            (``neo4j://host:7687``, ``bolt://…``, each also with ``+s`` or ``+ssc``).
        user: whose memory it is; what is private belongs to them.
        tenant: the hard wall between customers.
        session: the session of turns that name none.
        embedder: a registered name, such as ``e5-small-q4`` or ``none``, or an embedder of your own; None
            takes what the store was filled with, else the default.
        key: encrypts the file at rest.
        credentials: a server's user and password; None takes ``MNEMIC_NEO4J_USER`` and ``MNEMIC_NEO4J_PASSWORD``.
        database: a server's database; None takes ``MNEMIC_NEO4J_DATABASE``, else the server's default.
        clock: tells the present, the machine's unless injected. "Today" is meant in its offset, and the days in
            ``recall(…).text`` and its notes are written in it (a turn's in the offset that it was told in).
        dictionary: the user's own names: a YAML, JSON or CSV file, or rows with name, kind, aliases.
        settings: thresholds and bounds.
        model: a language model beside the rules, such as an ``Endpoint``; none unless given.

    Raises:
        MissingScope: no user or tenant is named.
        InvalidInput: another argument cannot be used; the message names it.
        StoreError: the store cannot be opened; the message says why and what to do.

    >>> with Mnemic(":memory:", user="ada", embedder="none") as memory:
    ...     receipt = memory.remember("We moved the payment service from MySQL to PostgreSQL.")
    ...     memory.recall("What does the payment service run on?").items[0].said.value
    'PostgreSQL'

    """

    @checked
    def __init__(
        self,
        where: str | FilePath,
        *,
        user: str,
        tenant: str = "default",
        session: str | None = None,
        embedder: str | Embedder | None = None,
        key: str | None = None,
        credentials: Credentials | None = None,
        database: str | None = None,
        clock: Clock = system_clock,
        dictionary: str | FilePath | Sequence[Mapping[str, Any]] | None = None,
        settings: Settings | None = None,
        model: LanguageModel | None = None,
    ) -> None:
        self.scope = Scope(tenant=tenant, user=user, session=session)
        self._core = open_core(
            str(where), tenant=tenant, embedder=embedder, key=key, credentials=credentials, database=database,
            clock=clock, settings=settings, model=model,
        )  # fmt: skip
        try:
            if dictionary is not None and dictionary not in ([], ()):  # no names yet is an answer here
                self.learn(dictionary)
        except BaseException:
            self.close()
            raise

    @classmethod
    def within(cls, core: Core, scope: Scope) -> Self:
        """Return the door of ``scope`` to an engine that is open already, of that scope's tenant.

        Many doors may share one engine; closing any of them closes it for all.
        """
        memory = cls.__new__(cls)
        memory.scope, memory._core = scope, core
        return memory

    # -- writing --------------------------------------------------------------------------------------

    @checked
    def remember(
        self,
        message: Told,
        *,
        speaker: str | None = None,
        role: str = "user",
        session: str | None = None,
        at: datetime | None = None,
        id: str | None = None,
        replaces: str | None = None,
        kind: str | None = None,
        importance: float | None = None,
        confidence: float | None = None,
        tags: Sequence[str] = (),
        visibility: str = "private",
        metadata: Mapping[str, Any] | None = None,
    ) -> Receipt:
        """Store a text or OpenAI-style messages, and return what was understood, kept and replaced.

        What the caller says outright (``replaces`` an id or a text, ``kind``, ``importance`` …) wins over
        what was worked out. Telling the same turn again changes nothing. Raises ``InvalidInput`` naming
        the field; then nothing of the call is stored.
        """
        telling = Teller(self._core, self.scope).tell(
            message, speaker=speaker, role=role, session=session, at=at, id=id, replaces=replaces, kind=kind,
            importance=importance, confidence=confidence, tags=tags, visibility=visibility, metadata=metadata,
        )  # fmt: skip
        return remember(self._core, self.scope, telling)

    @checked
    def edit(self, id: str, text: str, *, version: str | None = None) -> Receipt:
        """Have ``text`` replace the memory ``id``; its kind, importance, tags and metadata stay.

        Raises ``NotFound``, or ``Conflict`` where the memory no longer counts, or a ``version`` is given (that of
        :meth:`memory`) and somebody has changed it since; then nothing is changed.
        """
        checked_text(text, "text", self._core.settings.max_text)
        return edit(self._core, self.scope, self.memory(id), text, version)

    @checked
    def forget(self, *pointers: str, version: str | None = None) -> Forgotten:
        """Physically remove memories, named by id or by their words, with the turns they came from.

        A turn can be named as well, with all that only it told; also one of which no memory was made.
        Raises ``NotFound`` for what names none, ``Conflict`` where a ``version`` is given (that of
        :meth:`memory`) and somebody has changed the memory since; then nothing is removed.
        """
        view = self._core.view(self.scope)
        chosen = self._pointed_at(view, pointers)
        parts = [
            forget(self._core, view, owner, [row for row in chosen if row.owner == owner], version)
            for owner in sorted({row.owner for row in chosen})
        ]
        return Forgotten(
            memories=tuple(id for part in parts for id in part.memories),
            turns=tuple(id for part in parts for id in part.turns),
            rows=sum(part.rows for part in parts),
        )

    @checked
    def unreplace(self, newer: str, older: str | None = None) -> Unreplaced:
        """Take back that the memory ``newer`` replaced ``older``: that one holds again as if it never had been.

        Each is named by its id or its words; ``older`` may be left out where one alone was replaced. The two
        count as not about the same from then on: saying either again, in other words too, joins them no more,
        and nothing doubts one for the other's sake. ``remember(…, replaces=…)`` still does. Raises ``NotFound``
        where nothing is named so, ``InvalidInput`` where nothing was replaced; then nothing is changed.
        """
        return unreplace(self._core, self._core.view(self.scope), newer, older)

    def taught(self) -> Iterator[dict[str, Any]]:
        """Yield the pairs that were settled outright as examples: ids, features, whether the newer one overrules.

        They are what was undone, and what was told with ``replaces=``; no words stand in them.
        ``python -m benchmarks.fit overrule FOLDER --taught FILE`` fits the scorer on them too.
        """
        return taught(self._core, self._core.view(self.scope))

    @checked
    def doomed(self, *pointers: str) -> Doomed:
        """Return what :meth:`forget` would remove for the same pointers, in words; removes nothing."""
        view = self._core.view(self.scope)
        return doomed(self._core, view, self._pointed_at(view, pointers))

    def _pointed_at(self, view: View, pointers: Sequence[str]) -> list[Memory | Turn]:
        if not pointers:
            raise InvalidInput("pointers", "are missing", "name a memory or a turn by its id or its words")
        return [find_row(self._core, self.scope, view, pointer) for pointer in pointers]

    # -- reading --------------------------------------------------------------------------------------

    @checked
    def recall(
        self,
        query: str,
        *,
        limit: int = 5,
        depth: str = "auto",
        profile: str = "assistant",
        valid_as_of: datetime | None = None,
        known_as_of: datetime | None = None,
        since: datetime | None = None,
        until: datetime | None = None,
        kinds: Sequence[str] = (),
        entities: Sequence[str] = (),
        tags: Sequence[str] = (),
        session: str | None = None,
        budget: int | None = None,
        conversation: Sequence[str] = (),
    ) -> Found:
        """Return what fits ``query``: items with their reasons, and ``text`` ready to put before a model.

        ``depth`` is ``warm`` (memories), ``deep`` (the raw turns) or ``auto`` (deep where warm has nothing).
        ``conversation`` holds the lines before the question, oldest first: "where is it?" leans on them; they
        are kept nowhere. An answer without items is a good answer; ``nothing`` says why.
        """
        view, wanted = self._wanted(
            query, valid_as_of, known_as_of, limit=limit, depth=depth, profile_name=profile, since=since,
            until=until, kinds=kinds, entities=entities, tags=tags, session=session, budget=budget,
            conversation=conversation,
        )  # fmt: skip
        question = ("recall", self.scope.user, query, repr(wanted), valid_as_of, known_as_of)
        return self._core.answers.give(view.owners, question, lambda: recall(self._core, view, query, wanted))

    @checked
    def why(
        self,
        query: str,
        item: str,
        *,
        limit: int = 5,
        depth: str = "auto",
        profile: str = "assistant",
        valid_as_of: datetime | None = None,
        known_as_of: datetime | None = None,
        since: datetime | None = None,
        until: datetime | None = None,
        kinds: Sequence[str] = (),
        entities: Sequence[str] = (),
        tags: Sequence[str] = (),
        session: str | None = None,
        budget: int | None = None,
        conversation: Sequence[str] = (),
    ) -> Explained:
        """Return why :meth:`recall` with the same arguments returns a memory or a turn, or what keeps it out.

        ``item`` is its id or its words, whether it is returned, overruled, or was never looked at. The recall is
        done once more, wider where no channel brought the item. Raises ``NotFound`` where nothing is meant.
        """
        view, wanted = self._wanted(
            query, valid_as_of, known_as_of, limit=limit, depth=depth, profile_name=profile, since=since,
            until=until, kinds=kinds, entities=entities, tags=tags, session=session, budget=budget,
            conversation=conversation,
        )  # fmt: skip
        return why(self._core, self.scope, view, query, item, wanted)

    def _wanted(
        self, query: str, valid_as_of: datetime | None, known_as_of: datetime | None, **told: Any
    ) -> tuple[View, Wish]:
        """Return what a recall may see and what its caller wishes, checked."""
        longest = self._core.settings.max_text
        checked_text(query, "query", longest)
        vectors = self._core.embedder is not None
        wanted = wish(vectors=vectors, present=valid_as_of is None, max_text=longest, **told)
        return self._core.view(self.scope, valid_as_of, known_as_of), wanted

    @checked
    def prepare(
        self,
        query: str,
        *,
        limit: int = 5,
        depth: str = "auto",
        profile: str = "assistant",
        session: str | None = None,
        budget: int | None = None,
        conversation: Sequence[str] = (),
    ) -> None:
        """Work out what :meth:`recall` with the same arguments will say, while its asker still types.

        Where ``Settings.answers`` keeps answers ready, the recall itself then takes no time; what is written in
        between counts all the same.
        """
        self.recall(
            query, limit=limit, depth=depth, profile=profile, session=session, budget=budget,
            conversation=conversation,
        )  # fmt: skip

    @checked
    def about(
        self, name: str, *, valid_as_of: datetime | None = None, known_as_of: datetime | None = None
    ) -> About:
        """Return profile, current facts, changes, neighbours, tasks and timeline of an entity."""
        view = self._core.view(self.scope, valid_as_of, known_as_of)
        question = ("about", self.scope.user, name, valid_as_of, known_as_of)
        return self._core.answers.give(view.owners, question, lambda: about(self._core, view, name))

    @checked
    def explore(
        self,
        name: str,
        *,
        hops: int = 2,
        limit: int = 50,
        valid_as_of: datetime | None = None,
        known_as_of: datetime | None = None,
    ) -> Explored:
        """Return the subgraph within ``hops`` edges of an entity."""
        return explore(self._core, self._core.view(self.scope, valid_as_of, known_as_of), name, hops, limit)

    @checked
    def path(
        self,
        source: str,
        target: str,
        *,
        max_hops: int = 4,
        valid_as_of: datetime | None = None,
        known_as_of: datetime | None = None,
    ) -> Path:
        """Return how two entities are connected."""
        return path(
            self._core, self._core.view(self.scope, valid_as_of, known_as_of), source, target, max_hops
        )

    @checked
    def history(
        self,
        name: str,
        *,
        predicate: str | None = None,
        valid_as_of: datetime | None = None,
        known_as_of: datetime | None = None,
    ) -> History:
        """Return all that the slots of an entity held, oldest first, on both clocks.

        ``valid_as_of`` leaves out what began later; by default nothing, not even what is still to come.
        """
        view = self._core.view(self.scope, valid_as_of, known_as_of)
        return history(self._core, view, name, predicate, until=valid_as_of)

    @checked
    def tasks(
        self, *, valid_as_of: datetime | None = None, known_as_of: datetime | None = None
    ) -> tuple[Task, ...]:
        """Return the open tasks, oldest first."""
        return tasks(self._core, self._core.view(self.scope, valid_as_of, known_as_of))

    @checked
    def resolve(self, name: str) -> Thing:
        """Return the entity, told of or in the dictionary, that a name or alias means.

        ``NotFound`` carries the nearest names.
        """
        return resolve(self._core, self.scope, name)

    @checked
    def analyse(
        self, text: str, *, speaker: str | None = None, at: datetime | None = None, session: str | None = None
    ) -> Analysis:
        """Return what extraction understands of a text in a session's context; stores nothing."""
        checked_text(text, "text", self._core.settings.max_text)
        view = self._core.view(self.scope)
        last = self._core.settings.context_lines
        turns = self._core.store.turns(view, session=session or self.scope.session or SESSION, last=last)
        for field, value in (("speaker", speaker), ("session", session)):
            if value is not None:
                checked_text(value, field, self._core.settings.max_text)
        line = Line(speaker=speaker or self.scope.user, text=text, at=at or self._core.clock())
        return self._core.analyser(self.scope.readable).analyse(line, [as_line(turn) for turn in turns])

    # -- listing --------------------------------------------------------------------------------------

    @checked
    def memories(self, *, hidden: bool = False, limit: int = 100, cursor: str = "") -> Page[Remembered]:
        """Return a page of what this user may read of memories: those that count now, or all with ``hidden``.

        They come in an order of their own, that of their ids; ``cursor`` is ``next`` of the page before.
        """
        view = self._core.view(self.scope)
        return memories(self._core, view, hidden=hidden, limit=limit, cursor=cursor)

    @checked
    def memory(self, id: str) -> Remembered:
        """Return the memory with this id, also one that no longer counts; raises ``NotFound``."""
        return memory(self._core, self._core.view(self.scope), checked_text(id, "id", LONGEST_NAME))

    @checked
    def turns(self, *, session: str | None = None, limit: int = 100, cursor: str = "") -> Page[Spoken]:
        """Return a page of the turns that this user may read; those of a ``session`` in its order."""
        view = self._core.view(self.scope)
        return turns(self._core, view, session=session, limit=limit, cursor=cursor)

    @checked
    def turn(self, id: str) -> Spoken:
        """Return the turn that this user told under ``id``; raises ``NotFound``."""
        view = self._core.view(self.scope)
        return turn(self._core, self.scope, view, checked_text(id, "id", LONGEST_NAME))

    @checked
    def entities(self, *, limit: int = 100, cursor: str = "") -> Page[Thing]:
        """Return a page of the entities that this user and the team were told of."""
        return entities(self._core, self._core.view(self.scope), limit=limit, cursor=cursor)

    # -- the dictionary -------------------------------------------------------------------------------

    def names(self) -> tuple[Name, ...]:
        """Return the tenant's own names, and those that this user introduced."""
        known = self._core.store.names(self._core.view(self.scope))
        return tuple(name for name in known if name.kind)

    @checked
    def learn(
        self,
        dictionary: str | FilePath | Sequence[Mapping[str, Any]],
        *,
        reread: bool = True,
        progress: Progress = quietly,
    ) -> tuple[Name, ...]:
        """Add names to the tenant's dictionary, and read the history again where they matter.

        What this user and the team were told is then remembered as if the names had always been known; other
        users of the tenant call :meth:`reread`. ``reread=False`` puts it off: then they count from the next
        sentence on. ``progress`` is told what is being done, how many turns of it are done, and of how many.
        """
        if isinstance(dictionary, (str, FilePath)):
            require_storable(str(dictionary), "dictionary")
            entries = load_names(dictionary)
            return learn(self._core, self.scope, entries, reread=reread, progress=progress)
        return learn(self._core, self.scope, dictionary, reread=reread, progress=progress)

    @checked
    def unlearn(self, name: str, *, reread: bool = True, progress: Progress = quietly) -> None:
        """Remove a name from the tenant's dictionary, and take back what was understood by it alone.

        Raises ``NotFound`` where it is not in it. ``reread`` and ``progress`` are those of :meth:`learn`.
        """
        unlearn(self._core, self.scope, name, reread=reread, progress=progress)

    @checked
    def reread(self, *names: str, progress: Progress = quietly) -> Reread:
        """Read what this user and the team were told again for ``names``, or for the whole dictionary.

        For who learnt with ``reread=False``, and for the tenant's other users. A name that is in the dictionary
        no longer is read as unknown. Reading twice changes nothing more.
        """
        return read_again(self._core, self.scope, names, progress=progress)

    @checked
    def proposals(self, *, limit: int = 50, progress: Progress = quietly) -> tuple[Proposal, ...]:
        """Return words that keep appearing where names stand, those of most turns first, with their evidence.

        They are worked out of the turns that are stored now; what was forgotten is proposed no more.
        """
        return proposals(self._core, self.scope, limit=limit, progress=progress)

    @checked
    def accept(
        self, kinds: Mapping[str, str], *, reread: bool = True, progress: Progress = quietly
    ) -> tuple[Name, ...]:
        """Take proposed words into this user's own dictionary, each with its kind, as :meth:`learn` does.

        >>> with Mnemic(":memory:", user="ada", embedder="none") as memory:
        ...     [name.owner for name in memory.accept({"Zephyr": "service"})]
        ['ada']
        """
        return accept(self._core, self.scope, kinds, reread=reread, progress=progress)

    @checked
    def reject(self, *names: str) -> tuple[str, ...]:
        """Have this user asked no more about words that name nothing; returns those that are no names."""
        return reject(self._core, self.scope, names)

    # -- upkeep ---------------------------------------------------------------------------------------

    def export(self) -> Iterator[dict[str, Any]]:
        """Yield everything this user may read as plain rows, ready for JSON."""
        return export(self._core, self._core.view(self.scope))

    @property
    def core(self) -> Core:
        """The engine behind the door, for tools that work below it."""
        return self._core

    def stats(self) -> Stats:
        """Return counts of what the store holds, and its embedder."""
        return self._core.store.stats()

    def close(self) -> None:
        """Release the store."""
        self._core.store.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
