"""A view and a probe as the parameters of a statement."""

import json
from collections.abc import Collection, Iterable, Mapping
from typing import Any

import apsw

from mnemic.graph.embedded import queries
from mnemic.graph.embedded.codec import AFTER_ALL, BEFORE_ALL
from mnemic.graph.encoding import instant
from mnemic.graph.store import Probe
from mnemic.graph.view import View

Parameters = Mapping[str, Any]


def owners_of(db: apsw.Connection, view: View) -> dict[int, str]:
    """Return the view's owners by number; an owner who never stored anything has none."""
    numbers = {name: db.execute(queries.OWNER_NUMBER, (name,)).get for name in sorted(view.owners)}
    return {number: name for name, number in numbers.items() if number is not None}


def of_view(view: View, owners: Collection[int]) -> Parameters:
    """Return what decides whether the view shows a row; ``owners`` are its owners' numbers."""
    return {
        "owners": _between_commas(map(str, owners)),
        "states": _between_commas(view.states),
        "valid": instant(view.valid),
        "known": instant(view.known),
    }


def of_probe(probe: Probe) -> Parameters:
    """Return what the filters and the span of ``probe`` ask of a row."""
    return {
        "kinds": json_list(probe.kinds) if probe.kinds else None,
        "tags": json_list(probe.tags) if probe.tags else None,
        "sessions": json_list(probe.sessions) if probe.sessions else None,
        "speakers": json_list(probe.speakers) if probe.speakers else None,
        "since": BEFORE_ALL if probe.since is None else instant(probe.since),
        "until": AFTER_ALL if probe.until is None else instant(probe.until),
    }


def _between_commas(words: Iterable[str]) -> str:
    return f",{','.join(words)},"


def json_list(strings: Collection[str]) -> str:
    """Return ``strings`` as a JSON array in a settled order."""
    return json.dumps(sorted(strings))
