"""Commands for the keys of a service: create, list, rotate, revoke."""

from collections.abc import Sequence
from datetime import timedelta
from typing import Annotated

import typer
from rich.table import Table

from mnemic.api.cli.app import app
from mnemic.api.cli.call import Call, command
from mnemic.api.service import keys as made
from mnemic.api.service.keys import Key, NewKey

keys = typer.Typer(help="Who may ask a service, for whom, and what they may do.", no_args_is_help=True)
app.add_typer(keys, name="keys")

_WHERE = ("path", "tenant", "key", "embedder")
_PLAIN = Annotated[bool, typer.Option("--plain", help="Print the key alone, for scripts.")]
_DAYS = Annotated[float | None, typer.Option(help="It works for so many days; without end unless told.")]
_ID = Annotated[str, typer.Argument(help="The id of the key, as `mnemic keys list` shows it.")]


@command(
    keys,
    "create",
    "mnemic keys create --user ada --plain",
    "mnemic keys create --may read --days 30 --name dashboard",
    "mnemic keys create --any-user --name backend",
)
def create(
    call: Call,
    may: Annotated[
        str,
        typer.Option(
            "--may", help="Some of read, write, admin, parted by commas; the higher hold the lower."
        ),
    ] = "write",
    any_user: Annotated[
        bool, typer.Option("--any-user", help="For a backend of many users, whom each call names.")
    ] = False,
    name: Annotated[str, typer.Option(help="What it is for.")] = "",
    days: _DAYS = None,
    plain: _PLAIN = False,
) -> None:
    """Make a key; it is shown this once, and only its hash is kept."""
    with call.memory() as memory:
        user = None if any_user else memory.scope.user
        new = made.create(
            memory.core,
            memory.scope.tenant,
            user=user,
            may=[word.strip() for word in may.split(",")],
            name=name,
            days=days,
        )
    _show(call, new, plain)


@command(keys, "list", "mnemic keys list", "mnemic keys list --tenant acme --json", options=_WHERE)
def list_keys(call: Call) -> None:
    """List the tenant's keys, without their secrets."""
    with call.existing() as memory:
        found = made.keys(memory.core)
    call.show([key.model_dump(mode="json") for key in found], lambda: _table(found))


@command(keys, "rotate", "mnemic keys rotate 3f9c2a71b04d --grace 24 --plain", options=_WHERE)
def rotate(
    call: Call,
    id: _ID,
    grace: Annotated[float, typer.Option(min=0, help="The old one works for so many hours more.")] = 0.0,
    days: _DAYS = None,
    plain: _PLAIN = False,
) -> None:
    """Make a key like this one in its place."""
    with call.existing() as memory:
        new = made.rotate(memory.core, id, grace=timedelta(hours=grace), days=days)
    _show(call, new, plain)


@command(keys, "revoke", "mnemic keys revoke 3f9c2a71b04d", options=_WHERE)
def revoke(call: Call, id: _ID) -> None:
    """End a key at once."""
    with call.existing() as memory:
        ended = made.revoke(memory.core, id)
    call.show(ended, lambda: _table([ended]))


def _show(call: Call, new: NewKey, plain: bool) -> None:
    if plain:
        typer.echo(new.plain)
        return
    call.show(new, lambda: f"{new.plain}\nkeep it now: it is shown this once (id {new.id})")


def _table(found: Sequence[Key]) -> Table:
    table = Table("id", "user", "rights", "name", "made", "until")
    for key in found:
        end = key.revoked_at or key.expires_at
        state = "revoked " if key.revoked_at else ""
        until = f"{state}{end:%Y-%m-%d %H:%M}" if end else ""
        table.add_row(
            key.id,
            key.user or "any",
            ", ".join(key.rights),
            key.name,
            f"{key.created_at:%Y-%m-%d %H:%M}",
            until,
        )
    return table
