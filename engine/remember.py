"""The write path: messages in, a receipt out; each message is analysed first and then written as one step."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from mnemic.engine.advice import Adviser
from mnemic.engine.core import Core, as_line
from mnemic.engine.embedding import embed_rows
from mnemic.engine.ledger import Ledger
from mnemic.engine.meaning import meanings
from mnemic.engine.message import Message
from mnemic.engine.opinions import settle_doubts
from mnemic.engine.results import Receipt
from mnemic.engine.target import find_target
from mnemic.engine.telling import Telling
from mnemic.engine.version import require_version
from mnemic.engine.writing import Heard, Writing
from mnemic.extraction.analyse import Analyser
from mnemic.extraction.model import Analysis, Line
from mnemic.graph.model import TEAM
from mnemic.graph.store import Store
from mnemic.graph.view import Scope, View

_Understood = tuple[Message, Analysis, list[Line], Mapping[str, str]]
"""A message, what was understood of it, and the lines before it."""


Also = Callable[[Store, Ledger], None]
"""What is to be done with a write, in its transaction, when all the rest of it is done."""


def _nothing(store: Store, ledger: Ledger) -> None:
    pass


def remember(core: Core, scope: Scope, telling: Telling, also: Also = _nothing) -> Receipt:
    """Store what is told and return what was understood, kept, replaced and masked.

    All or nothing: when one message cannot be stored, or ``also`` fails, none is. A turn id that is known is
    left alone.
    """
    owner, messages = telling.owner, telling.messages
    view = core.view(scope)
    known = _known(core.store, view, messages)
    adviser = Adviser(core, frozenset({owner, TEAM}), {scope.user: "person"})
    new = [message for message in messages if message.id not in known]
    heard = {item.message.id: item for item in _hear(core, owner, new, adviser)}

    def work(store: Store) -> Ledger:
        ledger = Ledger(silent=telling.silent)
        if telling.declared.replaces is not None and telling.declared.version is not None:
            require_version(
                find_target(core, store, view, telling.declared.replaces), telling.declared.version
            )
        known = _known(store, view, messages)
        writing = Writing(core, store, view, owner, telling.declared, ledger)
        writing.expect(heard.values())
        for message in messages:
            ledger.turns.append(message.id)
            if message.id in known or message.id not in heard:
                ledger.known.append(message.id)
            else:
                writing.write(heard[message.id])
        writing.finish()
        also(store, ledger)
        return ledger

    ledger = core.store.transact(owner, work)
    settle_doubts(core, view, owner, ledger, adviser)
    ledger.asked.extend(adviser.asked)
    return ledger.receipt()


def _known(store: Store, view: View, messages: Sequence[Message]) -> set[str]:
    """Return the keys of the messages that are stored already."""
    return (
        {turn.id for turn in store.turns(view, ids=[message.id for message in messages])}
        if messages
        else set()
    )


def _hear(core: Core, owner: str, messages: Sequence[Message], adviser: Adviser) -> list[Heard]:
    """Analyse and embed the messages in order; each session's earlier lines are its context."""
    analyser = core.analyser(frozenset({owner, TEAM}))
    view = View(owners=frozenset({owner}), valid=core.clock(), known=core.clock())
    sessions: dict[str, list[Line]] = {}
    summaries: dict[str, dict[str, str]] = {}
    understood: list[_Understood] = []
    for message in messages:
        if message.session not in sessions:
            last = core.store.turns(view, session=message.session, last=core.settings.context_lines)
            sessions[message.session] = [as_line(turn) for turn in last if turn.id != message.id]
        before = sessions[message.session][-core.settings.context_lines :]
        line = Line(speaker=message.speaker, text=message.text, at=message.at, role=message.role)
        analysis = analyser.analyse(line, before)
        if core.model is not None:
            analysis = adviser.reading(analysis, line, message.id, analyser.speaker(message.speaker))
            summaries[message.id] = adviser.summaries(analysis, line, message.id)
        understood.append((message, analysis, before, summaries.get(message.id, {})))
        if analysis.introduced:
            analyser = analyser.learning(analysis.introduced)
        sessions[message.session].append(replace(line, text=analysis.text))
    return _with_vectors(core, analyser, understood)


def _with_vectors(core: Core, analyser: Analyser, understood: Sequence[_Understood]) -> list[Heard]:
    """Return what was understood with the vectors of its turns, all made together."""
    lines = [
        Line(speaker=message.speaker, text=analysis.text, at=message.at, role=message.role)
        for message, analysis, _, _ in understood
    ]
    befores = [before[-1] if before else None for _, _, before, _ in understood]
    vectors = embed_rows(core, [*zip(lines, befores, strict=True)])
    units = [analysis.units for _, analysis, _, _ in understood]
    own = [pair[0] if pair is not None else None for pair in vectors]
    senses = meanings(core, [*zip(lines, units, own, strict=True)])
    return [
        Heard(message, analysis, analyser.speaker(message.speaker), before, pair, sense, summaries=brief)
        for (message, analysis, _, brief), before, pair, sense in zip(
            understood, befores, vectors, senses, strict=True
        )
    ]
