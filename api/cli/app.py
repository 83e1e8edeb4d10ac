"""The command line's one application; the modules beside this one put their commands into it."""

from importlib.metadata import version as version_of
from typing import Annotated

import typer

from mnemic.api.cli.usage import UsageErrors

app = typer.Typer(
    name="mnemic",
    help="A memory for assistants that remembers in a graph, knows what has been replaced, and says why.",
    cls=UsageErrors,
    no_args_is_help=True,
    rich_markup_mode="rich",
    pretty_exceptions_show_locals=False,
    add_completion=False,
)


def _show_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"mnemic {version_of('mnemic')}")
        raise typer.Exit


@app.callback()
def _before(
    context: typer.Context,
    config: Annotated[
        str | None,
        typer.Option(
            help="A file of settings, TOML or lines of NAME=value, for what the environment leaves open. "
            "Default: MNEMIC_CONFIG."
        ),
    ] = None,
    version: Annotated[
        bool, typer.Option("--version", help="Show the version.", is_eager=True, callback=_show_version)
    ] = False,
) -> None:
    context.obj = config
