"""Names that no dictionary knows and that keep appearing: proposed with counts and evidence, taken in or turned down.

Nothing is counted when messages are written: proposals are worked out of the stored turns when they are asked
for, so what is forgotten is proposed no more. Only what was turned down is kept, as a name of no kind.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from mnemic.engine.core import Core
from mnemic.engine.message import LONGEST_NAME, checked_text
from mnemic.engine.names import change_names, checked_name
from mnemic.engine.rereading import quietly
from mnemic.engine.results import Evidence, Proposal
from mnemic.engine.touched import Progress
from mnemic.extraction.analyse import Analyser
from mnemic.extraction.automaton import Automaton
from mnemic.extraction.model import Mention, Source
from mnemic.extraction.secrets import mask
from mnemic.extraction.spans import is_free
from mnemic.extraction.standing import Standing, small_words, standing
from mnemic.extraction.text import fold, visible
from mnemic.graph.ids import told_id
from mnemic.graph.model import GraphDelta, Layer, Name, Turn
from mnemic.graph.store import SCAN_PAGE
from mnemic.graph.view import Scope

_SHOWN = 3
"""So many turns are shown as evidence."""

_SMALL = 0.2
"""A word that is written small in so large a share of its places is no name."""

_AGAIN = 2
"""In so many turns a Chinese form must stand as a name for all others to be counted in which it stands."""

_AROUND = 60


@dataclass(slots=True)
class _Tally:
    """What is known of one form so far."""

    forms: Counter[str] = field(default_factory=Counter)
    held: set[str] = field(default_factory=set)
    sure: int = 0
    sessions: set[str] = field(default_factory=set)
    why: Counter[str] = field(default_factory=Counter)
    kinds: Counter[str] = field(default_factory=Counter)
    evidence: list[tuple[str, Standing]] = field(default_factory=list)

    def add(self, turn: Turn, found: Sequence[Standing]) -> None:
        """Take in a turn in which the form stands."""
        self.count(turn)
        self.sure += any(each.surely for each in found)
        for each in found:
            self.forms[each.form] += 1
            self.why[each.why] += 1
            if each.kind:
                self.kinds[each.kind] += 1
        if len(self.evidence) < _SHOWN:
            self.evidence.append((turn.id, next((e for e in found if e.surely), found[0])))

    def count(self, turn: Turn) -> None:
        """Take in a turn that holds the form, wherever."""
        self.held.add(turn.id)
        self.sessions.add(turn.session)

    @property
    def turns(self) -> int:
        """In how many turns the form stands."""
        return len(self.held)


def proposals(
    core: Core, scope: Scope, *, limit: int = 50, progress: Progress = quietly
) -> tuple[Proposal, ...]:
    """Return what may be a name, what stands in most turns first.

    Counted are the turns of users that the scope may read. A form must stand in ``propose_turns`` of them, in
    ``propose_sessions`` sessions (see ``Settings``), and may not be known or turned down.
    """
    names = core.store.names(core.view(scope))
    refused = {fold(name.name) for name in names if not name.kind}
    looked = _Looked(core, scope, progress)
    often = {form: tally for form, tally in looked.often().items() if form not in refused}
    chosen = sorted(often.items(), key=lambda pair: (-pair[1].turns, pair[0]))
    whole = [(form, tally) for form, tally in chosen if not _is_part(form, tally, often)]
    rows = {id for _, tally in whole[:limit] for id, _ in tally.evidence}
    turns = {t.id: t for t in core.store.turns(core.view(scope), ids=sorted(rows))} if rows else {}
    return tuple(_proposal(form, tally, looked.speakers, turns) for form, tally in whole[:limit])


class _Looked:
    """What going through the history showed: the forms, who speaks, and which words are written small."""

    def __init__(self, core: Core, scope: Scope, progress: Progress) -> None:
        self._core, self._view, self._progress = core, core.view(scope), progress
        self._analyser = core.analyser(scope.readable)
        self._total = core.store.stats().turns
        self._tallies: dict[str, _Tally] = {}
        self._small: Counter[str] = Counter()
        self.speakers: Counter[str] = Counter()
        for turn in self._turns():
            self.speakers[fold(turn.speaker)] += 1
            self._small.update(set(small_words(turn.text)))
            for form, found in _unknown(turn, self._analyser).items():
                self._tallies.setdefault(form, _Tally()).add(turn, found)
        self._look_again()

    def often(self) -> dict[str, _Tally]:
        """Return the forms that stand often enough as names do, and are neither common words nor secrets."""
        return {
            form: tally
            for form, tally in self._tallies.items()
            if _is_enough(self._core, tally) and not _is_word(form, tally, self._small) and not mask(form)[1]
        }

    def _look_again(self) -> None:
        """Count where else the Chinese forms stand that stand as names more than once: there is nothing around most."""
        settings = self._core.settings
        few = {
            form: tally
            for form, tally in self._tallies.items()
            if not form.isascii() and tally.sure >= _AGAIN and not _is_enough(self._core, tally)
        }
        if not few or settings.propose_turns <= _AGAIN:
            return
        finder = Automaton({form: form for form in few})
        for turn in self._turns():
            for form in {form for _, form in finder.hits(fold(turn.text))}:
                few[form].count(turn)

    def _turns(self) -> Iterator[Turn]:
        for number, turn in enumerate(self._core.store.scan(self._view, Layer.TURN), 1):
            if isinstance(turn, Turn) and turn.role == "user":
                yield turn
            if number % SCAN_PAGE == 0:
                self._progress("looking", number, max(number, self._total))


def accept(
    core: Core, scope: Scope, kinds: Mapping[str, str], *, reread: bool = True, progress: Progress = quietly
) -> tuple[Name, ...]:
    """Take names into the user's own dictionary, each with its kind, and read the history again with them."""
    names = tuple(
        checked_name({"name": n, "kind": k}, number, scope.user)
        for number, (n, k) in enumerate(kinds.items())
    )
    known = core.store.names(core.view(scope))
    changed = tuple(name for name in names if name not in known)
    if changed:
        change_names(core, scope, GraphDelta(names=changed), reread=reread, progress=progress)
    return names


def reject(core: Core, scope: Scope, words: Sequence[str]) -> tuple[str, ...]:
    """Remember for the user that these words name nothing, so that they are not proposed again.

    A name that the user has already stays one.
    """
    for word in words:
        checked_text(word, "names", LONGEST_NAME)
    held = {fold(name.name) for name in core.store.names(core.view(scope)) if name.kind}
    refused = tuple(Name(name=word, kind="", owner=scope.user) for word in words if fold(word) not in held)
    if refused:
        core.store.transact(scope.user, lambda store: store.apply(GraphDelta(names=refused)))
    return tuple(name.name for name in refused)


def _unknown(turn: Turn, analyser: Analyser) -> Mapping[str, list[Standing]]:
    """Return what stands in a turn as names do and is not known, by its folded form."""
    text = visible(turn.text)
    found = list(standing(text))
    mentions = analyser.mentions(text) if found else ()
    known = [mention for mention in mentions if mention.source in (Source.TENANT, Source.SHIPPED)]
    unknown: dict[str, list[Standing]] = {}
    for each in found:
        if is_free(_span(each), known) and analyser.named(each.form) is None:
            unknown.setdefault(fold(each.form), []).append(each)
    return unknown


def _span(each: Standing) -> Mention:
    return Mention(start=each.start, end=each.end, text=each.form, name=each.form, kind="thing")


def _is_enough(core: Core, tally: _Tally) -> bool:
    settings = core.settings
    return (
        tally.turns >= settings.propose_turns
        and len(tally.sessions) >= settings.propose_sessions
        and tally.sure > 0
    )


def _is_word(form: str, tally: _Tally, small: Counter[str]) -> bool:
    """Tell whether a capitalised form is mostly written small, as common words are."""
    written = small[form]
    if all(each == each.lower() for each in tally.forms):
        return False
    return set(tally.why) <= {"capital", *tally.kinds} and written > _SMALL * (written + tally.turns)


def _is_part(form: str, tally: _Tally, often: Mapping[str, _Tally]) -> bool:
    """Tell whether a form is one word of a longer one that stands nearly as often: its short form."""
    return any(
        form != other and form in (other.split()[0], other.split()[-1]) and theirs.turns * 2 > tally.turns
        for other, theirs in often.items()
        if " " in other
    )


def _proposal(form: str, tally: _Tally, speakers: Mapping[str, int], turns: Mapping[str, Turn]) -> Proposal:
    guessed = tally.kinds.most_common(1)
    kind = "person" if speakers.get(form) else guessed[0][0] if guessed else "thing"
    return Proposal(
        name=min(tally.forms, key=lambda written: (-tally.forms[written], written)),
        kind=kind,
        turns=tally.turns,
        sessions=len(tally.sessions),
        why=dict(sorted(tally.why.items(), key=lambda pair: (-pair[1], pair[0]))),
        evidence=tuple(_evidence(turns[id], each) for id, each in tally.evidence if id in turns),
    )


def _evidence(turn: Turn, each: Standing) -> Evidence:
    """Return the words around a form, with where in the turn they and it stand."""
    first, last = max(0, each.start - _AROUND), min(len(turn.text), each.end + _AROUND)
    return Evidence(
        turn=told_id(turn.id),
        at=turn.at,
        speaker=turn.speaker,
        start=each.start,
        end=each.end,
        before=turn.text[first : each.start],
        behind=turn.text[each.end : last],
    )
