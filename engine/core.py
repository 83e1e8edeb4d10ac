"""What every part of the engine works with: store, embedder, clock, settings, names, a language model if there is one."""

from collections.abc import Iterable, Mapping, Set
from datetime import datetime
from threading import Lock

from mnemic.engine.adapter import shipped_adapters
from mnemic.engine.answers import Answers
from mnemic.engine.centre import centres_of
from mnemic.engine.settings import Settings
from mnemic.errors import EmbedderMismatch
from mnemic.extraction.analyse import Analyser
from mnemic.extraction.embedders.base import Embedder
from mnemic.extraction.lexicon import Entry, Lexicon
from mnemic.extraction.llm.base import LanguageModel
from mnemic.extraction.model import Line
from mnemic.extraction.names import shipped_lexicon
from mnemic.extraction.shortnames import with_short_forms
from mnemic.graph.clock import Clock, require_aware
from mnemic.graph.model import Name, Turn, Vector
from mnemic.graph.store import Around, Corpus, Store
from mnemic.graph.view import Scope, View

_CHANGES = 1_000


class Core:
    """The engine's tools, handed in once. Safe to share between threads.

    ``adapters`` turn a question's vector to where its answers lie, by kind of vector; ``answers`` are kept ready.
    Raises ``EmbedderMismatch`` when the store was filled by another embedder than ``embedder``.
    """

    def __init__(
        self,
        store: Store,
        embedder: Embedder | None,
        clock: Clock,
        settings: Settings,
        model: LanguageModel | None = None,
    ) -> None:
        self.store, self.embedder, self.clock, self.settings = store, embedder, clock, settings
        self.adapters = shipped_adapters(embedder.name) if embedder is not None else {}
        self.model = model
        self.answers = Answers(store, clock, settings.answers)
        self._lock = Lock()
        self._tenant: Lexicon | None = None
        self._analysers: dict[frozenset[str], Analyser] = {}
        self._heard = 0
        self._agree()

    def view(
        self, scope: Scope, valid_as_of: datetime | None = None, known_as_of: datetime | None = None
    ) -> View:
        """Return the view of a scope; both moments default to the present."""
        now = self.clock()
        return View(
            owners=scope.readable,
            valid=require_aware(valid_as_of or now, "valid_as_of"),
            known=require_aware(known_as_of or now, "known_as_of"),
        )

    def analyser(self, owners: frozenset[str]) -> Analyser:
        """Return the analyser for the names that ``owners`` may know, as they are now in whatever process.

        The tenant's names are one layer, what the owners added for themselves another above it.
        """
        with self._lock:
            self._follow_names()
            return self._analyser(owners)

    def known_analyser(self, owners: frozenset[str]) -> Analyser:
        """Return the analyser for the names as they were last heard of, which asks the store for nothing new."""
        with self._lock:
            return self._analyser(owners)

    def analyser_of(self, names: Iterable[Name]) -> Analyser:
        """Return an analyser for a dictionary that the store need not have."""
        rows = list(names)
        tenant = Lexicon(_entries(name for name in rows if not name.owner), base=shipped_lexicon())
        own = _entries(name for name in rows if name.owner)
        return Analyser(Lexicon(own, base=tenant) if own else tenant)

    @property
    def heard(self) -> int:
        """The number of the last change that the analysers know of."""
        return self._heard

    def hear(self, around: Around, owners: frozenset[str]) -> bool:
        """Take in the changes of names that an answer tells of; tell whether the analyser of ``owners`` is old."""
        with self._lock:
            self._forget(around.renamed)
            self._heard = max(self._heard, around.sequence)
            return bool(around.renamed & (owners | {""}))

    def _analyser(self, owners: frozenset[str]) -> Analyser:
        if self._tenant is None:
            self._tenant = Lexicon(_entries(self.store.names()), base=shipped_lexicon())
        if owners not in self._analysers:
            view = View(owners=owners, valid=self.clock(), known=self.clock())
            own = [name for name in self.store.names(view) if name.owner]
            lexicon = Lexicon(_entries(own), base=self._tenant) if own else self._tenant
            self._analysers[owners] = Analyser(lexicon)
        return self._analysers[owners]

    def centres(self, corpus: Corpus) -> Mapping[str, Vector]:
        """Return by language what to take away from the vectors of a layer before they are compared."""
        return centres_of(self.embedder.name, corpus) if self.embedder is not None else {}

    def _follow_names(self) -> None:
        """Follow the change log, and let go of what was made of names that have changed since."""
        more = True
        while more:
            changes = self.store.changes(self._heard, limit=_CHANGES)
            more = len(changes) == _CHANGES
            self._heard = changes[-1].sequence if changes else self._heard
            self._forget({change.owner for change in changes if change.kind == "name"})

    def _forget(self, renamed: Set[str]) -> None:
        """Let go of the analysers that know old names of these owners."""
        if "" in renamed:
            self._tenant = None
            self._analysers.clear()
        for owners in [owners for owners in self._analysers if owners & renamed]:
            del self._analysers[owners]

    def _agree(self) -> None:
        head = self.store.head()
        self._heard = head.sequence  # no names are known yet: what changed before is not news
        if self.embedder is None:
            return
        if not head.embedder:
            self.store.adopt(self.embedder.name, self.embedder.dimension)
        elif (head.embedder, head.dimension) != (self.embedder.name, self.embedder.dimension):
            raise EmbedderMismatch(
                f"embedder: this store was filled by {head.embedder!r} ({head.dimension} dimensions), not by "
                f"{self.embedder.name!r} ({self.embedder.dimension}); open it with that one, or run `mnemic reembed`"
            )


def as_line(turn: Turn) -> Line:
    """Return a stored turn as the analyser reads it."""
    return Line(speaker=turn.speaker, text=turn.text, at=turn.at, role=turn.role)


def _entries(names: Iterable[Name]) -> list[Entry]:
    return with_short_forms([Entry(name=n.name, kind=n.kind, aliases=n.aliases) for n in names if n.kind])
