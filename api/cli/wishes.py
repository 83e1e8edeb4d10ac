"""What a caller may say about an answer: the options that ``recall`` and ``why`` share."""

from datetime import datetime
from typing import Annotated

import typer

from mnemic.api.moments import parse_moment

DATE = "an ISO date (its midnight here) or time"
Query = Annotated[str, typer.Argument(help="A question, or words to look for.")]
ValidAsOf = Annotated[
    str | None, typer.Option(help=f"What was true then: {DATE}. Default: now.", metavar="WHEN")
]
KnownAsOf = Annotated[
    str | None, typer.Option(help=f"What was known then: {DATE}. Default: now.", metavar="WHEN")
]
Limit = Annotated[int, typer.Option(help="So many items at most.")]
Depth = Annotated[str, typer.Option(help="warm (memories), deep (raw turns) or auto.")]
Profile = Annotated[str, typer.Option(help="The weights to rank with.")]
Since = Annotated[str | None, typer.Option(help=f"Not before: {DATE}.", metavar="WHEN")]
Until = Annotated[str | None, typer.Option(help=f"Before: {DATE}.", metavar="WHEN")]
Kinds = Annotated[list[str] | None, typer.Option(help="Only this kind; several times for more.")]
Entities = Annotated[list[str] | None, typer.Option(help="About this entity; several times for more.")]
Tags = Annotated[list[str] | None, typer.Option(help="Only with this tag; several times for more.")]
Within = Annotated[str | None, typer.Option(help="Only what was told in this session.")]
Budget = Annotated[int | None, typer.Option(help="Tokens that the text for a model may have.")]
Heard = Annotated[
    list[str] | None,
    typer.Option(help="A line before the question, which may lean on it; several times for more."),
]


def moment(written: str | None, field: str) -> datetime | None:
    """Return the moment that an option names, None where it was not given."""
    return parse_moment(written, field) if written is not None else None
