"""Telling that is put off: kept durably at once, told by a worker later, exactly once and in order."""

from collections.abc import Mapping
from dataclasses import replace
from datetime import timedelta
from typing import Any

from mnemic.engine.core import Core
from mnemic.engine.listing import MOST
from mnemic.engine.message import Message
from mnemic.engine.order import JOB, Order, as_job, lane_of, order_of
from mnemic.engine.results import Job, Page
from mnemic.engine.telling import Teller, Telling
from mnemic.errors import Conflict, InvalidInput, NotFound, TooManyRequests, UnknownName
from mnemic.extraction.secrets import mask
from mnemic.graph.clock import BEGINNING
from mnemic.graph.ids import digest
from mnemic.graph.records import DEAD, DONE, OPEN, Record, Which
from mnemic.graph.view import Scope, View

STATES = {"waiting": OPEN, "running": OPEN, "done": DONE, "dead": DEAD}
"""The states of a job, and those of its record."""

_LOOKED_AT = 20
"""So many finished jobs tell how long one takes."""

_SOONEST, _LATEST = 1.0, 60.0
"""Seconds after which a caller may be asked to come again."""

_TRIES = 10


def submit(core: Core, scope: Scope, arguments: Mapping[str, Any]) -> Job:
    """Keep what ``Mnemic.remember`` would be told by ``arguments``, to be told by a worker; durable on return.

    What ``remember`` would refuse at once is refused here, by the same errors. Secrets are masked before
    anything is kept. The same messages with the same ids are the same job, and one that was given up is
    tried again. Calls of one session are told in the order in which they came; a call with messages of several
    sessions keeps its place in that of the first. Raises ``TooManyRequests`` where too many wait already.
    """
    telling = _masked(core, scope, Teller(core, scope).tell(**arguments))
    now = core.clock()
    id = _id_of(scope, telling)
    if (known := _found(core, scope, id)) is not None:
        return retry(core, scope, id) if known.state == DEAD else as_job(known, now)
    _require_room(core)
    order = Order(created_at=now, tenant=scope.tenant, telling=telling)
    record = Record(
        kind=JOB, id=id, owner=scope.user, body=order.written(), lane=lane_of(telling), state=OPEN, due=now
    )
    kept = core.store.keep(record, version=0)
    return as_job(kept, now) if kept is not None else job(core, scope, id)


def job(core: Core, scope: Scope, id: str) -> Job:
    """Return a job of this scope's user; ``NotFound`` for any other id, and when it has been forgotten."""
    return as_job(_own(core, scope, id), core.clock())


def jobs(
    core: Core, scope: Scope, *, state: str | None = None, limit: int = 50, cursor: str = ""
) -> Page[Job]:
    """Return the jobs of this scope's user, the newest first, in pages of at most ``limit``."""
    if state is not None and state not in STATES:
        raise UnknownName("state", state, STATES)
    if not 1 <= limit <= MOST:
        raise InvalidInput("limit", f"is {limit}", f"choose 1 to {MOST:,}")
    which = Which(owners=[scope.user], states=None if state is None else [STATES[state]])
    after = _place(cursor) if cursor else None
    now, found = core.clock(), list[Record]()
    while len(found) <= limit:
        page = core.store.kept(JOB, which, after=after, limit=limit + 1, newest=True)
        found += [each for each in page if state in (None, as_job(each, now).state)]
        if len(page) <= limit:
            break
        after = page[-1].born
    items = tuple(as_job(each, now) for each in found[:limit])
    return Page(items=items, next=str(found[limit - 1].born) if len(found) > limit else None)


def retry(core: Core, scope: Scope, id: str) -> Job:
    """Have a job that was given up tried again from the start; raises ``Conflict`` for one that was not."""
    for _ in range(_TRIES):
        record = _own(core, scope, id)
        if record.state != DEAD:
            raise Conflict(
                f"job {id} is {as_job(record, core.clock()).state}; only a dead one is tried again"
            )
        now = core.clock()
        order = replace(order_of(record), attempts=0, version=record.version + 1, reason="", finished_at=None)
        new = replace(record, state=OPEN, due=now, body=order.written())
        if (kept := core.store.keep(new, version=record.version)) is not None:
            return as_job(kept, now)
    raise Conflict(f"job {id} is being changed by others; look at it, and try again")


def discard(core: Core, scope: Scope, id: str) -> None:
    """Remove a job with all that it says; one that has not been told is not told any more, not by a running worker.

    Raises ``NotFound`` as :func:`job` does.
    """
    _own(core, scope, id)
    core.store.drop(JOB, Which(owners=[scope.user], ids=[id]))


def drop_finished(core: Core) -> int:
    """Remove the jobs that were done longer ago than the settings say; those that were given up stay."""
    before = core.clock() - timedelta(seconds=core.settings.jobs_kept)
    return core.store.drop(JOB, Which(owners=None, states=[DONE], before=before))


def _found(core: Core, scope: Scope, id: str) -> Record | None:
    return next(iter(core.store.kept(JOB, Which(owners=[scope.user], ids=[id]))), None)


def _own(core: Core, scope: Scope, id: str) -> Record:
    if (record := _found(core, scope, id)) is None:
        raise NotFound("job", id)
    return record


def _place(cursor: str) -> int:
    if not cursor.isascii() or not cursor.isdigit() or len(cursor) > 18:
        raise InvalidInput("cursor", f"{cursor!r} is none", "pass the one of the page before")
    return int(cursor)


def _id_of(scope: Scope, telling: Telling) -> str:
    """Return an id made from what is told: the same telling is the same job."""
    told = Order(created_at=BEGINNING, tenant="", telling=telling).written()
    return "j" + digest("job", scope.user, told)


def _require_room(core: Core) -> None:
    waiting, bound = core.store.count(JOB, Which(owners=None, states=[OPEN])), core.settings.backlog
    if waiting >= bound:
        seconds = _pace(core) * max(1, bound // 100)
        raise TooManyRequests(f"{waiting:,} jobs wait already", min(max(seconds, _SOONEST), _LATEST))


def _pace(core: Core) -> float:
    """Return how many seconds lie between two jobs that are done, as far as the last ones tell."""
    last = core.store.kept(JOB, Which(owners=None, states=[DONE]), limit=_LOOKED_AT, newest=True)
    if len(last) < 2:
        return _SOONEST
    ends = [each.due for each in last]
    return (max(ends) - min(ends)).total_seconds() / (len(last) - 1)


def _masked(core: Core, scope: Scope, telling: Telling) -> Telling:
    """Return what is told without its secrets, which the lines before in the session may give away.

    Those may still wait in the same lane, which is readable to whoever tells into it.
    """
    sessions: dict[str, list[str]] = {}
    messages: list[Message] = []
    for message in telling.messages:
        if message.session not in sessions:
            sessions[message.session] = _lines_before(core, scope, telling, message)
        text, hidden = mask(
            message.text, "\n".join(sessions[message.session][-core.settings.context_lines :])
        )
        messages.append(replace(message, text=text, masked=tuple(each.kind for each in hidden)))
        sessions[message.session].append(text)
    replaces = telling.declared.replaces
    shown = mask(replaces)[0] if replaces is not None else None
    return replace(telling, messages=tuple(messages), declared=replace(telling.declared, replaces=shown))


def _lines_before(core: Core, scope: Scope, telling: Telling, message: Message) -> list[str]:
    """Return the last lines of a session: those that are told, and those that wait to be."""
    count, now = core.settings.context_lines, core.clock()
    own = View(owners=frozenset({telling.owner}), valid=now, known=now)
    told = [turn.text for turn in core.store.turns(own, session=message.session, last=count)]
    lane = lane_of(replace(telling, messages=(message,)))
    waiting = core.store.kept(JOB, Which(owners=None, lane=lane), limit=max(count, 1), newest=True)
    tellings = [order_of(each).telling for each in reversed(waiting)]
    return told + [each.text for one in tellings if one is not None for each in one.messages]
