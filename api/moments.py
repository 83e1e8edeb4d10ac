"""Moments as people write them, made aware: the edge where an offset that is missing gets filled in."""

from datetime import UTC, datetime, tzinfo

from mnemic.errors import InvalidInput


def parse_moment(written: str, field: str, default_offset: tzinfo | None = None) -> datetime:
    """Return an ISO 8601 date or time as an aware moment; a date alone means its midnight.

    Without an offset it is meant in ``default_offset``; None is the machine's own at that moment. Raises
    ``InvalidInput`` naming ``field``.
    """
    try:
        moment = datetime.fromisoformat(written)
    except ValueError as error:
        raise InvalidInput(
            field, f"{written!r} is no ISO 8601 date or time", "write 2026-03-02 or 2026-03-02T10:00+08:00"
        ) from error
    return at_home(moment, field, default_offset)


def at_home(moment: datetime, field: str, default_offset: tzinfo | None = None) -> datetime:
    """Return ``moment`` as it is if it is aware, else in ``default_offset`` or the machine's own.

    Raises ``InvalidInput`` for what lies outside the calendar when told in UTC.
    """
    try:
        if moment.tzinfo is None:
            moment = moment.replace(tzinfo=default_offset) if default_offset else moment.astimezone()
        moment.astimezone(UTC)
    except (ValueError, OverflowError) as error:
        raise InvalidInput(
            field, f"{moment.isoformat()} lies outside the calendar", "correct the year"
        ) from error
    return moment
