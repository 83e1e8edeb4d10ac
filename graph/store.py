"""The contract that every graph store keeps.

A store holds one tenant. It is coarse, because a server is a round trip away: a write is one
:meth:`Store.apply`, a recall is one :meth:`Store.gather`. A store
*nominates* candidates and returns their rows; scoring happens above it, on the rows, so that every
store ranks the same. Ids are made above the store. All reads take a :class:`View` and never return a
row of an owner that the view does not name.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from types import TracebackType
from typing import Self, TypeVar

from mnemic.graph.model import Embedded, Entity, GraphDelta, Layer, Memory, Name, Replaces, Turn, Vector
from mnemic.graph.records import Record, Which
from mnemic.graph.view import View

T = TypeVar("T")

INDEXED = 8_000
"""So many bytes in UTF-8 may a text by which rows are found (an id, session, key, handle, name, or subject with
predicate) have together with its tenant and owner; it is what a server can index."""

LOG_KEPT = 200_000
"""So many changes are kept in the log; who has followed it no further than before them starts anew."""

SCAN_PAGE = 500
"""A scan reads so many rows at a time and holds nothing open in between."""

MEMORIES_PER_ENTITY = 4
"""An expansion holds at most so many times as many memories as entities."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Probe:
    """What a gather looks for. Each channel that is not empty nominates up to ``limit`` candidates.

    ``terms``: by words (the rarest first where there are many). ``vector``: nearest by the detail
    vectors. ``entities``: memories that mention one of these ids,
    the latest first. ``since``/``until``: the latest rows whose own time lies in the half-open span (a
    memory's ``valid_from``, a turn's ``at``). ``salient``: the most important memories. The filters ``kinds``, ``tags``, ``sessions``
    and ``speakers`` restrict every channel. ``window``: for each nominated turn also its so many
    neighbours before and after in the session (channel ``neighbour``). ``hidden``: up to so many candidates more per words and
    vector channel that the view does not show, for explaining why they are missing.

    A whole recall is one probe. ``handles``: the entities that go by these names join ``entities``; of two of
    the kind ``vague``, one whose handles are all part of another's is left out ("key" beside "spare key").
    ``hops``: how far to walk from all of them, over at most ``spread`` entities (see :meth:`Store.expand`);
    the shown memories that only the walk reached are candidates of the channel ``graph``. ``around``: also
    bring what stands around the candidates. ``heard``: the last change of the log that the asker knows.
    """

    layer: Layer = Layer.MEMORY
    terms: tuple[str, ...] = ()
    vector: Vector | None = None
    entities: tuple[str, ...] = ()
    since: datetime | None = None
    until: datetime | None = None
    salient: bool = False
    kinds: frozenset[str] = frozenset()
    tags: frozenset[str] = frozenset()
    sessions: frozenset[str] = frozenset()
    speakers: frozenset[str] = frozenset()
    limit: int = 100
    window: int = 0
    hidden: int = 0
    handles: tuple[str, ...] = ()
    vague: str = ""
    hops: int | None = None
    spread: int = 200
    around: bool = False
    heard: int = 0

    def passes(self, row: Memory | Turn) -> bool:
        """Tell whether ``row`` passes the filters; this is the meaning that each store's own must have."""
        if (self.sessions and row.session not in self.sessions) or (
            self.speakers and row.speaker not in self.speakers
        ):
            return False
        if isinstance(row, Turn):
            return not self.kinds and not self.tags
        return (not self.kinds or row.kind in self.kinds) and (
            not self.tags or bool(self.tags & set(row.tags))
        )


@dataclass(frozen=True, slots=True)
class Candidate:
    """A nominated row with its vectors (None where it has none) and the channels that nominated it.

    Channels are ``words vector entities time salient neighbour graph``.
    """

    row: Memory | Turn
    channels: frozenset[str]
    summary: Vector | None = None
    detail: Vector | None = None


@dataclass(frozen=True, slots=True)
class Corpus:
    """Statistics of one layer over the view's owners: what word and vector scores are measured against.

    ``size`` rows with ``length`` terms in all; ``frequency``: in how many rows each term of the probe
    stands; ``centre``: the mean of the detail vectors, None where there are none.
    """

    size: int = 0
    length: int = 0
    frequency: Mapping[str, int] = field(default_factory=dict)
    centre: Vector | None = None


@dataclass(frozen=True, slots=True)
class Subgraph:
    """What an expansion reached: ``distance`` maps each entity id to its hops from the nearest seed.

    ``entities`` and ``memories`` are whole rows; edges are the memories' episodes and shared mentions.
    ``degree``: how many memories mention each entity in all, for damping hubs. ``truncated``: a bound
    cut something off.
    """

    entities: Mapping[str, Entity]
    memories: tuple[Memory, ...]
    distance: Mapping[str, int]
    degree: Mapping[str, int]
    truncated: bool = False


NOWHERE = Subgraph({}, (), {}, {})
"""What a walk from nothing reaches."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Around:
    """What stands around candidates, whatever the view's clocks and states hide of it.

    ``edges`` touch a candidate, or a memory of a candidate that is a turn, oldest first; they come without
    their features. What overrules a memory among the candidates may have been overruled itself: its chain is
    followed to the end, at most ``CHAIN`` edges far, without those by which nothing gives way. ``memories``, by id: those that overrule
    a candidate so and are none, and those of the turns. ``entities``, by id: those that the
    candidates and these mention. ``renamed``: the owners whose names have changed behind the probe's ``heard``
    (empty: the tenant's); ``sequence`` is the newest change.
    """

    edges: tuple[Replaces, ...] = ()
    memories: Mapping[str, Memory] = field(default_factory=dict)
    entities: Mapping[str, Entity] = field(default_factory=dict)
    renamed: frozenset[str] = frozenset()
    sequence: int = 0


CHAIN = 8
"""So many edges a chain of overruling is followed from a candidate on."""

NOTHING = Around()
"""What stands around nothing."""


@dataclass(frozen=True, slots=True)
class Gathered:
    """The answer to one probe: candidates without order (an id once), and the statistics.

    ``named`` are the entities that the probe's handles name, by id; ``subgraph`` what its walk reached.
    """

    candidates: tuple[Candidate, ...]
    corpus: Corpus
    named: tuple[Entity, ...] = ()
    subgraph: Subgraph = NOWHERE
    around: Around = NOTHING


@dataclass(frozen=True, slots=True)
class Change:
    """One entry of the change log: ``kind`` is ``turn memory entity vector name`` or ``erased``.

    ``id`` is empty for a ``name``, ``owner`` and ``id`` for one who was erased: the log outlives both and may not
    keep what is gone.
    """

    sequence: int
    owner: str
    kind: str
    id: str


@dataclass(frozen=True, slots=True)
class Head:
    """The embedder whose vectors a store holds (empty: none yet), their dimension, and the newest change."""

    embedder: str
    dimension: int
    sequence: int


@dataclass(frozen=True, slots=True)
class Stats:
    """Counts of what the store holds, whose it is, and which embedder filled it (empty name: none yet).

    ``sequence`` is the number of the newest change, ``records`` how many there are of each kind beside the
    graph. ``bytes`` is the room that it takes, 0 where a store
    cannot tell (a server that many share).
    """

    turns: int
    memories: int
    entities: int
    replaces: int
    vectors: int
    names: int
    embedder: str = ""
    dimension: int = 0
    schema: int = 0
    sequence: int = 0
    bytes: int = 0
    owners: tuple[str, ...] = ()
    records: Mapping[str, int] = field(default_factory=dict)


class Store(ABC):
    """**Contract:** one tenant's property graph. Safe to share between threads."""

    # -- writing ------------------------------------------------------------------------------------

    @abstractmethod
    def transact(self, owner: str, work: Callable[["Store"], T]) -> T:
        """Run ``work`` as one atomic, durable step and return its result.

        ``work`` gets a store to read and :meth:`apply` with; it sees its own writes. Two steps of one
        owner never overlap, in whatever process. When ``work`` raises, nothing stays and the error
        passes through. It may run more than once (transient failures), so it has no other effects.
        """

    @abstractmethod
    def apply(self, delta: GraphDelta) -> None:
        """Write ``delta`` whole or not at all; durable when it returns (inside :meth:`transact`, with it).

        Upserts by id. A replaced row's old mentions, episodes, sources and terms are gone. An edge to
        a row that neither the store nor the delta holds raises ``NotFound``. Applying the same delta
        twice equals once. Vectors for a row that is not there raise ``NotFound``; a vector of another
        dimension than the store's embedder raises ``EmbedderMismatch``; a text by which rows are found, of
        more than ``INDEXED`` bytes with tenant and owner, ``InvalidInput``.
        """

    @abstractmethod
    def erase(
        self,
        *,
        owners: Sequence[str] = (),
        memories: Sequence[str] = (),
        turns: Sequence[str] = (),
        entities: Sequence[str] = (),
    ) -> int:
        """Remove rows physically, with their edges and vectors, so that no byte of their text is left.

        ``owners`` removes all that these own, their names and records too; records about a turn go with it. Ids
        that are not there are no-ops. Returns the number of
        rows removed, records not counted. The change log keeps the ids alone, and of
        ``owners`` not even these, nor who they were.
        """

    @abstractmethod
    def adopt(self, embedder: str, dimension: int) -> None:
        """Record ``embedder`` as the one that fills this store, and drop the vectors of any other."""

    # -- recall -------------------------------------------------------------------------------------

    @abstractmethod
    def gather(self, view: View, probe: Probe) -> Gathered:
        """Answer all channels of ``probe`` at once.

        Only rows that the view shows are nominated, besides ``probe.hidden``. A turn is shown from its
        ``at`` on. An owner's candidates never shrink because of other owners' rows. An empty probe
        nominates nothing. Ties are broken by newer time, then by id.
        """

    @abstractmethod
    def expand(self, view: View, seeds: Sequence[str], *, hops: int, limit: int = 200) -> Subgraph:
        """Walk from the entities ``seeds`` over what the view shows, at most ``hops`` edges far.

        An edge joins two entities that one memory relates (an episode). Reaching one owner's view of an
        entity reaches the view's other owners' (same key) with it, at the same distance. ``memories`` holds every memory
        whose episode was walked or that mentions a seed. Bounded by ``limit`` entities and ``MEMORIES_PER_ENTITY``
        times as many memories, nearest and latest first. Unknown seeds are ignored; hops of 0 give the seeds
        and the memories that mention them.
        """

    # -- look-ups -----------------------------------------------------------------------------------

    @abstractmethod
    def entities(
        self, view: View, *, ids: Sequence[str] = (), keys: Sequence[str] = (), handles: Sequence[str] = ()
    ) -> list[Entity]:
        """Return the entities with one of these ids, keys or handles, ordered by id; all when none is given."""

    @abstractmethod
    def memories(
        self, view: View, *, ids: Sequence[str] = (), turns: Sequence[str] = (), hidden: bool = True
    ) -> list[Memory]:
        """Return memories by id or by source turn, ordered by ``valid_from`` then id.

        With ``hidden`` also those that the view's clocks and states hide; never another owner's.
        """

    @abstractmethod
    def turns(
        self, view: View, *, ids: Sequence[str] = (), session: str | None = None, last: int | None = None
    ) -> list[Turn]:
        """Return turns by id, or those of one session (only its ``last`` ones), in session order."""

    @abstractmethod
    def slot(
        self, view: View, subject: str, predicate: str | None = None, *, hidden: bool = True
    ) -> list[Memory]:
        """Return the memories of a slot, by ``valid_from`` then record time.

        Without ``predicate``: of all slots of that subject. With ``hidden`` also what the view hides,
        superseded ones above all.
        """

    @abstractmethod
    def timeline(
        self,
        view: View,
        *,
        entities: Sequence[str] = (),
        since: datetime | None = None,
        until: datetime | None = None,
        kinds: frozenset[str] = frozenset(),
        hidden: bool = False,
        limit: int = 100,
    ) -> list[Memory]:
        """Return memories, newest ``valid_from`` first: of these entities (all when none is named)."""

    @abstractmethod
    def replacements(self, view: View, memories: Sequence[str]) -> list[Replaces]:
        """Return the REPLACES edges that touch these memories, on either end, oldest first."""

    @abstractmethod
    def names(self, view: View | None = None) -> list[Name]:
        """Return the tenant's own dictionary, with a view also what its owners added for themselves.

        Ordered by name, then owner.
        """

    # -- records beside the graph ---------------------------------------------------------------------

    @abstractmethod
    def keep(self, record: Record, *, version: int) -> Record | None:
        """Write ``record`` if the one that is there has this ``version`` (0: if none is there).

        Durable when it returns (inside :meth:`transact`, with it). Returns it as it stands now, with its next
        version; None where it has another version, is gone, or with 0 is there already: nothing is written
        then. A change keeps its place in the order of arrival. Raises ``NotFound`` when it is about a turn
        that is not there, ``InvalidInput`` for a kind or id that is empty or too long. Records are not part
        of the change log.
        """

    @abstractmethod
    def kept(
        self, kind: str, which: Which, *, after: int | None = None, limit: int = 100, newest: bool = False
    ) -> list[Record]:
        """Return records in their order of arrival, or the newest first, from behind the one born ``after``."""

    @abstractmethod
    def count(self, kind: str, which: Which) -> int:
        """Return how many records of a kind there are."""

    @abstractmethod
    def take(self, kind: str, *, now: datetime, until: datetime) -> Record | None:
        """Lease the oldest open record that is due and before which none of its lane is open; None if there is none.

        It is due at ``until`` then and has the next version. Of all who ask at once, in whatever thread and
        process, one gets it; who has not finished it by then may find that another has taken it, and its
        version another one. Not inside :meth:`transact`.
        """

    @abstractmethod
    def drop(self, kind: str, which: Which) -> int:
        """Remove records physically, as :meth:`erase` does, and return how many there were."""

    # -- upkeep -------------------------------------------------------------------------------------

    @abstractmethod
    def scan(
        self, view: View, layer: Layer, *, after: str = "", unembedded: bool = False
    ) -> Iterator[Memory | Turn]:
        """Yield every row of a layer by id, from behind ``after``; hidden ones too.

        ``unembedded``: only rows that have no vectors yet.
        """

    @abstractmethod
    def vectors(self, layer: Layer, ids: Sequence[str]) -> list[Embedded]:
        """Return the vectors of these rows; those without are left out."""

    @abstractmethod
    def changes(self, since: int = 0, *, limit: int = 1000) -> list[Change]:
        """Return the change log behind the sequence number ``since``, oldest first; it keeps the last ``LOG_KEPT``."""

    @abstractmethod
    def head(self) -> Head:
        """Return whose vectors it holds and its newest change, counting nothing: this is asked at every opening."""

    @abstractmethod
    def stats(self) -> Stats:
        """Return counts and the embedder."""

    @abstractmethod
    def close(self) -> None:
        """Release everything; a second call does nothing. Any later use raises ``StoreError``."""

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
