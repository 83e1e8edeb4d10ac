"""The tenant's own names: dictionary add, list, remove, import."""

from collections.abc import Sequence
from dataclasses import asdict
from typing import Annotated

import typer

from mnemic.api.cli.app import app
from mnemic.api.cli.call import Call, command
from mnemic.api.cli.render import names as render
from mnemic.api.cli.upkeep import shown
from mnemic.graph.model import Name

names = typer.Typer(help="The names of your own world: what projects, people and places are called.")
app.add_typer(names, name="dictionary", no_args_is_help=True)


_REREAD = "Read the history again where the names matter."


@command(
    names,
    "add",
    'mnemic dictionary add "payment service" project --alias 支付服务 --alias pay-svc',
    "mnemic dictionary add 陈博 person --alias 老陈",
)
def add(
    call: Call,
    name: Annotated[str, typer.Argument(help="The canonical name; a known one is replaced.")],
    kind: Annotated[
        str,
        typer.Argument(
            help="person, team, organisation, place, project, service, product, technology … or a word of your own."
        ),
    ],
    *,
    alias: Annotated[
        list[str] | None, typer.Option(help="Another name for it; several times for more.")
    ] = None,
    reread: Annotated[bool, typer.Option(help=_REREAD)] = True,
) -> None:
    """Add a name with its aliases."""
    row = {"name": name, "kind": kind, "aliases": alias or []}
    with call.memory() as memory, shown(call.as_json) as show:
        learnt = memory.learn([row], reread=reread, progress=show)
    _show(call, learnt)


@command(names, "list", "mnemic dictionary list", "mnemic dictionary list --json")
def list_names(call: Call) -> None:
    """List the names."""
    with call.existing() as memory:
        known = memory.names()
    _show(call, known)


@command(names, "remove", 'mnemic dictionary remove "payment service"')
def remove(
    call: Call,
    name: Annotated[str, typer.Argument(help="The canonical name.")],
    *,
    reread: Annotated[bool, typer.Option(help=_REREAD)] = True,
) -> None:
    """Remove a name, and take back what was understood by it alone."""
    with call.existing() as memory, shown(call.as_json) as show:
        memory.unlearn(name, reread=reread, progress=show)
    call.show({"removed": name}, lambda: render.removed(name))


@command(names, "import", "mnemic dictionary import names.yaml", "mnemic dictionary import names.csv --json")
def import_names(
    call: Call,
    file: Annotated[str, typer.Argument(help="YAML, JSON or CSV with name, kind and aliases.")],
    *,
    reread: Annotated[bool, typer.Option(help=_REREAD)] = True,
) -> None:
    """Add the names of a file."""
    with call.memory() as memory, shown(call.as_json) as show:
        learnt = memory.learn(file, reread=reread, progress=show)
    _show(call, learnt)


@command(names, "reread", 'mnemic dictionary reread "payment service"', "mnemic dictionary reread --json")
def reread_names(
    call: Call,
    name: Annotated[
        list[str] | None, typer.Argument(help="Names; all of the dictionary when none is given.")
    ] = None,
) -> None:
    """Read the history again for names that were learnt or removed without doing so, or by another user."""
    with call.existing() as memory, shown(call.as_json) as show:
        told = memory.reread(*(name or ()), progress=show)
    call.show(told, lambda: render.reread(told))


def _show(call: Call, listed: Sequence[Name]) -> None:
    call.show([asdict(name) for name in listed], lambda: render.names(listed))
