"""The command line's one application; the modules beside this one put their commands into it."""

import typer

app = typer.Typer(
    name="mnemic",
    help="A memory for assistants that remembers in a graph, knows what has been replaced, and says why.",
    no_args_is_help=True,
    rich_markup_mode="rich",
    pretty_exceptions_show_locals=False,
    add_completion=False,
)
