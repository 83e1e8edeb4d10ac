"""What a service keeps beside the graph, in the tenant's own store: jobs, keys, answers to be given again."""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime

from mnemic.graph.clock import BEGINNING

OPEN, DONE, DEAD = "open", "done", "dead"
"""What a record may be: to be taken, finished, given up. Any other short word is a state that nobody takes."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Record:
    """One thing that a service keeps; within its ``kind`` it has an ``id`` of its own.

    ``owner`` is whose it is (empty: the tenant's). ``body`` is JSON text that the store does not look into.
    Open records of one ``lane`` are taken in their order of arrival; those without a lane by whoever is free.
    ``due``: it is not taken before then. ``about`` names the turns whose words the body repeats: erasing one
    of them erases the record; stores return them sorted. ``version`` counts its changes and ``born`` its arrival; both are the store's.
    """

    kind: str
    id: str
    owner: str = ""
    body: str = "{}"
    lane: str = ""
    state: str = OPEN
    due: datetime = BEGINNING
    about: tuple[str, ...] = ()
    version: int = 0
    born: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Which:
    """Which records of a kind are meant: those that pass every filter; a filter of None lets all pass.

    ``owners`` has to be said: None means the whole tenant's, which is for upkeep. ``ids``, ``states``: one of
    these. ``lane``: the open ones of it. ``before``: due earlier than this moment.
    """

    owners: Collection[str] | None
    ids: Collection[str] | None = None
    states: Collection[str] | None = None
    lane: str | None = None
    before: datetime | None = None
