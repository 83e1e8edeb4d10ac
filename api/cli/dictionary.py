"""The tenant's own names: dictionary add, list, remove, import."""

from collections.abc import Sequence
from dataclasses import asdict
from typing import Annotated

import typer

from mnemic.api.cli.app import app
from mnemic.api.cli.call import Call, command
from mnemic.api.cli.render import names as render
from mnemic.graph.model import Name

names = typer.Typer(help="The names of your own world: what projects, people and places are called.")
app.add_typer(names, name="dictionary", no_args_is_help=True)


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
) -> None:
    """Add a name with its aliases."""
    with call.memory() as memory:
        learnt = memory.learn([{"name": name, "kind": kind, "aliases": alias or []}])
    _show(call, learnt)


@command(names, "list", "mnemic dictionary list", "mnemic dictionary list --json")
def list_names(call: Call) -> None:
    """List the names."""
    with call.existing() as memory:
        known = memory.names()
    _show(call, known)


@command(names, "remove", 'mnemic dictionary remove "payment service"')
def remove(call: Call, name: Annotated[str, typer.Argument(help="The canonical name.")]) -> None:
    """Remove a name; what was remembered of it stays."""
    with call.existing() as memory:
        memory.unlearn(name)
    call.show({"removed": name}, lambda: render.removed(name))


@command(names, "import", "mnemic dictionary import names.yaml", "mnemic dictionary import names.csv --json")
def import_names(
    call: Call, file: Annotated[str, typer.Argument(help="YAML, JSON or CSV with name, kind and aliases.")]
) -> None:
    """Add the names of a file."""
    with call.memory() as memory:
        learnt = memory.learn(file)
    _show(call, learnt)


def _show(call: Call, listed: Sequence[Name]) -> None:
    call.show([asdict(name) for name in listed], lambda: render.names(listed))
