"""Which turns a name matters to: those that hold one of its forms, and those that lean on them."""

from bisect import bisect_left, insort
from collections.abc import Callable, Container, Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from mnemic.engine.core import as_line
from mnemic.extraction.analyse import Analyser
from mnemic.extraction.automaton import Automaton
from mnemic.extraction.forms import Entry, spellings
from mnemic.extraction.model import Analysis, Mention
from mnemic.extraction.shortnames import with_short_forms
from mnemic.extraction.text import Folded, fold, visible
from mnemic.graph.model import Layer, Name, Turn
from mnemic.graph.moving import batches
from mnemic.graph.store import SCAN_PAGE, Store
from mnemic.graph.view import View

Progress = Callable[[str, int, int], object]
"""Is told what is being done (``looking``, ``comparing`` or ``reading``), how many turns of it are done, and of how many."""


class Forms:
    """All ways to write some names, their short forms among them."""

    def __init__(self, names: Iterable[Name]) -> None:
        entries = (Entry(name.name, name.kind, name.aliases) for name in names if name.kind)
        whole = [each for entry in entries for each in with_short_forms([entry])]
        written = {form for entry in whole for form in (entry.name, *entry.aliases)}
        self.folded = frozenset(map(fold, written))
        self._automaton = Automaton({spelt: spelt for form in written for spelt in spellings(form)})

    def stand_in(self, turn: Turn) -> bool:
        """Tell whether a turn holds one of the forms, or is told by one who goes by it."""
        if fold(turn.speaker) in self.folded:
            return True
        return next(self._automaton.hits(Folded(visible(turn.text)).folded), None) is not None


@dataclass(frozen=True, slots=True)
class Reading:
    """How a turn is understood: after which lines, and who speaks."""

    turn: Turn
    before: tuple[Turn, ...]
    analysis: Analysis
    speaker: Mention


@dataclass(slots=True)
class Sessions:
    """Where one owner's turns stand in their sessions, and which hold a form; rows are fetched when needed."""

    store: Store
    view: View
    lines: int
    places: dict[str, list[tuple[int, str]]] = field(default_factory=dict)
    found: list[Turn] = field(default_factory=list)

    def look(self, forms: Forms, progress: Progress, total: int) -> None:
        """Go through all turns of the owner."""
        for number, turn in enumerate(self.store.scan(self.view, Layer.TURN), 1):
            if isinstance(turn, Turn):
                self.add(turn, forms)
            if number % SCAN_PAGE == 0:
                progress("looking", number, max(number, total))
        for session in self.places.values():
            session.sort()

    def add(self, turn: Turn, forms: Forms) -> None:
        """Take in one turn, and keep it where it holds a form."""
        self.places.setdefault(turn.session, []).append((turn.position, turn.id))
        if forms.stand_in(turn):
            self.found.append(turn)

    def insert(self, turn: Turn) -> None:
        """Take in a turn that came when all others were in place."""
        place, session = (turn.position, turn.id), self.places.setdefault(turn.session, [])
        if place not in session:
            insort(session, place)

    def near(self, turns: Sequence[Turn]) -> list[str]:
        """Return the ids of these turns and of those close enough behind them to lean on them, each once."""
        near: dict[str, None] = {}
        for turn in turns:
            session = self.places.get(turn.session, [])
            at = bisect_left(session, (turn.position, turn.id))
            near |= {id: None for _, id in session[at : at + 1 + self.lines]}
        return list(near)

    def with_context(self, ids: Sequence[str]) -> Iterator[tuple[Turn, tuple[Turn, ...]]]:
        """Yield the turns that are still there, each with the lines before it."""
        turns = self._rows(ids)
        context = {turn.id: self._ids_before(turn) for turn in turns.values()}
        rows = turns | self._rows(sorted({id for before in context.values() for id in before} - turns.keys()))
        for id in ids:
            if id in turns:
                yield turns[id], tuple(rows[each] for each in context[id] if each in rows)

    def _rows(self, ids: Sequence[str]) -> dict[str, Turn]:
        return {turn.id: turn for turn in self.store.turns(self.view, ids=ids)} if ids else {}

    def _ids_before(self, turn: Turn) -> list[str]:
        session = self.places.get(turn.session, [])
        at = bisect_left(session, (turn.position, turn.id))
        return [id for _, id in session[max(0, at - self.lines) : at]]


def read(analyser: Analyser, turn: Turn, before: Sequence[Turn]) -> Reading:
    """Return how a turn is understood with the names that ``analyser`` knows."""
    analysis = analyser.analyse(as_line(turn), [as_line(each) for each in before])
    return Reading(turn, tuple(before), analysis, analyser.speaker(turn.speaker))


def differs(one: Reading, other: Reading) -> bool:
    """Tell whether two readings of a turn would be kept differently."""
    return one.analysis != other.analysis or one.speaker != other.speaker


def speaks_of(reading: Reading, names: Container[str]) -> bool:
    """Tell whether a turn, read so, names or means one of ``names``, or is told by one of them."""
    units = reading.analysis.units
    said = [mention for unit in units for mention in unit.mentions]
    said += [statement.subject for unit in units for statement in unit.statements]
    said += [s.object for unit in units for s in unit.statements if s.object is not None]
    return any(mention.name in names for mention in (*said, reading.speaker))


@dataclass(frozen=True, slots=True)
class Change:
    """How a history was read ``before`` (None: not known) and is read ``after``; the entries that only one knows.

    ``forms_lost`` are folded forms that no entry has any more.
    """

    before: Analyser | None
    after: Analyser
    lost: frozenset[str] = frozenset()
    won: frozenset[str] = frozenset()
    forms_lost: frozenset[str] = frozenset()

    def matters(self, reading: Reading, *, holds: bool) -> bool:
        """Tell whether a turn, read as it is after, is read otherwise than before; ``holds`` a form itself or not.

        What only leans on a turn with a new name matters where it speaks of that.
        """
        if self.before is None or speaks_of(reading, self.won):
            return True
        if not holds and not self.lost:
            return False
        was = read(self.before, reading.turn, reading.before)
        return speaks_of(was, self.lost) or differs(was, reading)


def touched(sessions: Sessions, found: Sequence[Turn], change: Change) -> Iterator[tuple[Reading, bool]]:
    """Yield what the user said in the turns ``found`` and near them, as it is read now, and whether that matters."""
    holding = {turn.id for turn in found}
    for part in batches(sessions.near(found), SCAN_PAGE):
        for turn, lines in sessions.with_context(part):
            if turn.role == "user":
                reading = read(change.after, turn, lines)
                matters = change.matters(reading, holds=turn.id in holding)
                yield reading, matters or reading.analysis.takes_back
