"""Parts that statements are made of: the times of a row, and the filters that every read carries.

``r`` is the node or edge that a part speaks of. Parameters that the filters need: ``tenant``, ``owners``,
``states``, ``valid``, ``known``, and of a probe ``kinds tags sessions speakers`` (empty: no such filter).
Times are the server's own datetimes in the graph and microseconds since 1970 on the wire, because the
driver takes 70 µs for one datetime.
"""

from mnemic.graph.model import Layer

LABEL = {Layer.MEMORY: "Memory", Layer.TURN: "Turn"}
TIME = {Layer.MEMORY: "valid_from", Layer.TURN: "at"}

MEMORY_TIMES = (
    *("at", "recorded_at", "valid_from", "retired_at", "valid_to", "closed_at", "expires_at"),
    "last_accessed_at",
)
TURN_TIMES = ("at", "recorded_at")
ENTITY_TIMES = ("profile_updated_at",)
"""The times of each row, in the order in which they are sent."""


def _moments(names: tuple[str, ...]) -> str:
    """Return what sets the times of ``r`` from ``row.times``: seconds and nanoseconds of each."""
    return ", ".join(
        f"r.{name} = CASE WHEN row.times[{2 * i}] IS NULL THEN null ELSE "
        f"datetime({{epochSeconds: row.times[{2 * i}], nanosecond: row.times[{2 * i + 1}]}}) END"
        for i, name in enumerate(names)
    )


SET_TIMES = {Layer.MEMORY: _moments(MEMORY_TIMES), Layer.TURN: _moments(TURN_TIMES)}
SET_ENTITY_TIMES = _moments(ENTITY_TIMES)

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
