"""Parts that statements are made of: the times of a row, and the filters that every read carries.

``r`` is the node or edge that a part speaks of. Parameters that the filters need: ``tenant``, ``owners``,
``states``, ``valid``, ``known``, and of a probe ``kinds tags sessions speakers`` (empty: no such filter).
Times are the server's own datetimes in the graph and microseconds since 1970 on the wire, because the
driver takes 70 µs for one datetime.
"""

from mnemic.graph.model import Layer

LABEL = {Layer.MEMORY: "Memory", Layer.TURN: "Turn"}
TIME = {Layer.MEMORY: "valid_from", Layer.TURN: "at"}

_MEMORY_TIMES = frozenset(
    {"at", "recorded_at", "valid_from", "retired_at", "valid_to", "closed_at", "expires_at"}
    | {"last_accessed_at"}
)
_TURN_TIMES = frozenset({"at", "recorded_at"})
_ENTITY_TIMES = frozenset({"profile_updated_at"})

_MOMENT = "datetime({{epochSeconds: {0}.{1}[0], nanosecond: {0}.{1}[1]}})"


def moments(node: str, times: str, names: frozenset[str]) -> str:
    """Return what sets the times ``names`` of ``node`` from pairs of seconds and nanoseconds in ``times``."""
    return ", ".join(
        f"{node}.{name} = CASE WHEN {times}.{name} IS NULL THEN null ELSE {_MOMENT.format(times, name)} END"
        for name in sorted(names)
    )


SET_TIMES = {
    Layer.MEMORY: moments("r", "row.times", _MEMORY_TIMES),
    Layer.TURN: moments("r", "row.times", _TURN_TIMES),
}
SET_ENTITY_TIMES = moments("r", "row.times", _ENTITY_TIMES)

SHOWN = {
    # the meaning of View.shows; never null, so that it can be negated
    Layer.MEMORY: """(
        r.state IN $p.states
        AND r.recorded_at <= $p.known AND (r.retired_at IS NULL OR r.retired_at > $p.known)
        AND r.valid_from <= $p.valid
        AND (r.valid_to IS NULL OR r.valid_to > $p.valid OR (r.closed_at IS NOT NULL AND r.closed_at > $p.known))
        AND (r.expires_at IS NULL OR r.expires_at > $p.valid))""",
    Layer.TURN: "(r.at <= $p.valid)",
}

PASSING = {
    Layer.MEMORY: """(
        (size($p.kinds) = 0 OR r.kind IN $p.kinds)
        AND (size($p.sessions) = 0 OR r.session IN $p.sessions)
        AND (size($p.speakers) = 0 OR r.speaker IN $p.speakers)
        AND (size($p.tags) = 0 OR any(tag IN r.tags WHERE tag IN $p.tags)))""",
    # a turn has neither kind nor tags
    Layer.TURN: """(
        size($p.kinds) = 0 AND size($p.tags) = 0
        AND (size($p.sessions) = 0 OR r.session IN $p.sessions)
        AND (size($p.speakers) = 0 OR r.speaker IN $p.speakers))""",
}
