"""A view and a probe as the parameters of a statement."""

from datetime import UTC, datetime
from typing import Any

from mnemic.graph.store import Probe
from mnemic.graph.view import View

_BEGINNING, _END = datetime.min.replace(tzinfo=UTC), datetime.max.replace(tzinfo=UTC)


def of_view(tenant: str, view: View) -> dict[str, Any]:
    """Return what decides whether the view shows a row, as parameters."""
    return {
        "tenant": tenant,
        "owners": sorted(view.owners),
        "states": sorted(view.states),
        "valid": view.valid,
        "known": view.known,
    }


def of_probe(probe: Probe) -> dict[str, Any]:
    """Return what the filters and the span of ``probe`` ask of a row, as parameters."""
    return {
        "kinds": sorted(probe.kinds),
        "tags": sorted(probe.tags),
        "sessions": sorted(probe.sessions),
        "speakers": sorted(probe.speakers),
        "since": probe.since or _BEGINNING,
        "until": probe.until or _END,
        "limit": max(probe.limit, 0),
    }
