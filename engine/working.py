"""A worker's step: take the next job, tell it, and put down what came of it, in one transaction with the telling.

Who has lost the lease of a job meanwhile, to another worker or because it was discarded or its owner erased,
cannot put it down, and so tells nothing.
"""

import logging
import random
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import timedelta

from mnemic.engine.core import Core
from mnemic.engine.ledger import Ledger
from mnemic.engine.order import JOB, Order, as_job, attempts, order_of
from mnemic.engine.remember import remember
from mnemic.engine.results import Job, Receipt
from mnemic.errors import InvalidInput, NotFound
from mnemic.graph.ids import told_ids
from mnemic.graph.records import DEAD, DONE, Record
from mnemic.graph.store import Store
from mnemic.graph.view import Scope, View

logger = logging.getLogger(__name__)

Chance = Callable[[], float]
"""Draws numbers from 0 to 1; injected."""

_LONGEST_WAIT = 300.0
"""Seconds between two attempts, at most."""

_HOPELESS = (InvalidInput, NotFound)
"""What will not be otherwise another time."""

_CHARACTERS_A_SECOND = 500
"""A lease is longer by a second for each so many characters that are told."""


class _Lost(Exception):
    """The lease is another's by now, or the job is gone."""


def run_next(core: Core, *, chance: Chance = random.random) -> Job | None:
    """Take the next job, tell it, and return it as it stands then; None where none is to be done now.

    What fails for now is tried again, later each time; what fails for good, or too often, is dead and says why.
    An error that mnemic does not raise on purpose is logged, and counts as one for now. Raises ``StoreError``
    where the store fails so that not even that can be put down: the lease runs out, and the job is taken again.
    """
    now = core.clock()
    record = core.store.take(JOB, now=now, until=now + timedelta(seconds=core.settings.jobs_lease))
    if record is None:
        return None
    order = order_of(record)
    made = attempts(record, order)
    if made > core.settings.jobs_attempts:
        reason = order.reason or "its worker ended before it was done, each time"
        return _put_off(core, record, replace(order, attempts=made - 1), reason)
    begun = replace(order, attempts=made)
    try:
        return _told(core, _leased_long(core, record, begun), begun)
    except _Lost:
        logger.warning("job %s: another has it, or it is gone; nothing was told here", record.id)
        return as_job(record, now)
    except _HOPELESS as error:
        return _put_off(core, record, begun, str(error))
    except Exception as error:
        logger.warning("job %s failed, attempt %d", record.id, made, exc_info=error)
        wait = min(core.settings.jobs_backoff * 2.0 ** (made - 1), _LONGEST_WAIT) * (1 + chance()) / 2
        seconds = wait if made < core.settings.jobs_attempts else None
        return _put_off(core, record, begun, str(error) or type(error).__name__, seconds)


def _leased_long(core: Core, record: Record, order: Order) -> Record:
    """Return a record whose lease is long enough for what is told; raises ``_Lost``."""
    assert order.telling is not None
    characters = sum(len(message.text) for message in order.telling.messages)
    if characters < _CHARACTERS_A_SECOND * core.settings.jobs_lease:
        return record
    order = replace(order, attempts=order.attempts - 1, version=record.version)
    due = record.due + timedelta(seconds=characters / _CHARACTERS_A_SECOND)
    kept = core.store.keep(replace(record, due=due, body=order.written()), version=record.version)
    if kept is None:
        raise _Lost
    return kept


def _told(core: Core, record: Record, order: Order) -> Job:
    """Tell a job; raises ``_Lost`` where the lease does not hold to the end, and then nothing is told."""
    assert order.telling is not None
    scope = Scope(tenant=order.tenant, user=record.owner)
    done: list[tuple[Record, Ledger]] = []

    def put_down(store: Store, ledger: Ledger) -> None:
        new = _finished(core, store, core.view(scope), record, order, ledger)
        if (kept := store.keep(new, version=record.version)) is None:
            raise _Lost
        done[:] = [(kept, ledger)]  # a store may run a transaction again

    remember(core, scope, order.telling, put_down)
    ((kept, ledger),) = done
    if core.model is not None:  # it is asked behind the transaction; its part of the receipt may be missed
        new = _finished(core, core.store, core.view(scope), kept, order, ledger)
        kept = core.store.keep(new, version=kept.version) or kept
    return as_job(kept, core.clock())


def _finished(core: Core, store: Store, view: View, record: Record, order: Order, ledger: Ledger) -> Record:
    """Return the record of a job that is done: its words are those of its turns now, and go with them."""
    receipt, now = ledger.receipt(), core.clock()
    memories, turns = repeated(store, view, receipt, ledger.turns)
    done = replace(
        order,
        telling=None,
        version=record.version + 1,
        receipt=_of_what_is_left(receipt, {*memories, *told_ids(turns)}),
        finished_at=now,
    )
    return replace(record, state=DONE, body=done.written(), lane="", due=now, about=tuple(turns))


def repeated(store: Store, view: View, receipt: Receipt, told: Sequence[str]) -> tuple[set[str], list[str]]:
    """Return the memories and the turns, besides those ``told``, whose words a receipt repeats, by the store's ids."""
    ids = [each.id for each in receipt.stored] + [each.id for each in receipt.reinforced]
    ids += [each.older for each in receipt.replaced]
    memories = store.memories(view, ids=ids) if ids else []
    sources = {source for each in memories for source in each.sources}
    turns = store.turns(view, ids=sorted({*told, *sources})) if told or sources else []
    return {each.id for each in memories}, [each.id for each in turns]


def _of_what_is_left(receipt: Receipt, there: set[str]) -> Receipt:
    """Return a receipt without the words of what the same call has forgotten again."""
    return receipt.model_copy(
        update={
            "stored": tuple(each for each in receipt.stored if each.id in there),
            "reinforced": tuple(each for each in receipt.reinforced if each.id in there),
            "replaced": tuple(each for each in receipt.replaced if each.older in there),
            "ignored": tuple(each for each in receipt.ignored if each.turn in there),
        }
    )


def _put_off(core: Core, record: Record, order: Order, reason: str, seconds: float | None = None) -> Job:
    """Have a job tried again after so many seconds, or give it up; it is as it was where another has it by now."""
    now = core.clock()
    dead = seconds is None
    new = replace(order, version=record.version + 1, reason=reason, finished_at=now if dead else None)
    state, due = (DEAD, now) if seconds is None else (record.state, now + timedelta(seconds=seconds))
    kept = core.store.keep(replace(record, state=state, due=due, body=new.written()), version=record.version)
    return as_job(kept or record, now)
