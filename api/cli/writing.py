"""Commands that change what is remembered: remember, unreplace and forget."""

import sys
from typing import Annotated

import typer
from rich.console import RenderableType

from mnemic.api.cli.app import app
from mnemic.api.cli.call import Call, command, console
from mnemic.api.cli.render import receipt
from mnemic.api.moments import parse_moment
from mnemic.errors import InvalidInput


@command(
    app,
    "remember",
    'mnemic remember "We moved the payment service from MySQL to PostgreSQL."',
    'mnemic remember "支付服务归陈博" --speaker 林悦 --visibility team --at 2026-01-05',
    'mnemic remember "The key is with Mrs Aldous." --replaces "the key is under the flowerpot"',
    "pbpaste | mnemic remember -",
)
def remember(
    call: Call,
    text: Annotated[str, typer.Argument(help="What was said; - reads standard input.")],
    *,
    speaker: Annotated[str | None, typer.Option(help="Who said it; default: the user.")] = None,
    role: Annotated[str, typer.Option(help="user, assistant, system or tool.")] = "user",
    at: Annotated[str | None, typer.Option(help="When it was said, ISO 8601; default: now.")] = None,
    id: Annotated[str | None, typer.Option(help="Its own id; the same id again changes nothing.")] = None,
    replaces: Annotated[str | None, typer.Option(help="The id or the words of what it overrules.")] = None,
    kind: Annotated[
        str | None, typer.Option(help="fact, preference, decision, event, intent or task.")
    ] = None,
    importance: Annotated[float | None, typer.Option(help="0 to 1; wins over what was worked out.")] = None,
    confidence: Annotated[float | None, typer.Option(help="0 to 1.")] = None,
    tag: Annotated[list[str] | None, typer.Option(help="A tag; may be given several times.")] = None,
    visibility: Annotated[str, typer.Option(help="private, or team for all users.")] = "private",
) -> None:
    """Remember what was said, and show what was understood, kept and replaced."""
    said = sys.stdin.read() if text == "-" else text
    with call.memory() as memory:
        done = memory.remember(
            said,
            speaker=speaker,
            role=role,
            at=parse_moment(at, "at") if at else None,
            id=id,
            replaces=replaces,
            kind=kind,
            importance=importance,
            confidence=confidence,
            tags=tag or (),
            visibility=visibility,
        )
    call.show(done, lambda: receipt.receipt(done))


@command(
    app,
    "unreplace",
    "mnemic unreplace m77ab2",
    "mnemic unreplace m77ab2 m1f0c9 --json",
    'mnemic unreplace "the car key is with Ben" "the spare key is under the flowerpot"',
)
def unreplace(
    call: Call,
    newer: Annotated[str, typer.Argument(help="The memory that took another's place, by id or its words.")],
    older: Annotated[
        str | None,
        typer.Argument(help="The one to bring back, by id or its words; not needed for a sole one."),
    ] = None,
) -> None:
    """Take back that one memory replaced another: both hold from then on, and are not joined again.

    The ids stand in what `mnemic remember --json` and `mnemic history --json` print.
    """
    with call.existing() as memory:
        done = memory.unreplace(newer, older)
    call.show(done, lambda: receipt.unreplaced(done))


@command(
    app,
    "forget",
    'mnemic forget "the key under the flowerpot"',
    "mnemic forget m1f0c9 m77ab2 --yes",
)
def forget(
    call: Call,
    memories: Annotated[list[str], typer.Argument(help="Memories or turns, by id or by their words.")],
    *,
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask.")] = False,
) -> None:
    """Remove memories for good, with the turns they came from, or turns; asks first, showing what would go."""
    if call.as_json and not yes:
        raise InvalidInput("yes", "is missing, and with --json nobody is asked", "add --yes")
    with call.existing() as memory:
        doomed = memory.doomed(*memories)
        if not yes:
            _confirm(receipt.doomed(doomed))
            if memory.doomed(*memories) != doomed:  # another process wrote while the question stood
                raise InvalidInput("memories", "mean something else by now", "ask again")
        done = memory.forget(*memories)
    call.show(done, lambda: receipt.forgotten(done))


def _confirm(picture: RenderableType) -> None:
    console(stderr=True).print(picture)
    typer.confirm("Remove this for good?", abort=True, err=True)
