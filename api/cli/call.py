"""What all commands share: whose memory is meant, how results and errors are shown, examples in the help."""

import inspect
import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import wraps
from typing import Annotated, Any, Concatenate, ParamSpec

import typer
from rich.console import Console, RenderableType
from rich.markup import escape

from mnemic.api.cli.errors import as_document, as_line, exit_code
from mnemic.api.facade import Mnemic
from mnemic.api.modelled import model_meant
from mnemic.api.opening import require_made
from mnemic.api.settings import Environment, configure, require_well_spelt
from mnemic.errors import MnemicError

P = ParamSpec("P")

_PANEL = "Whose memory, and where"
_COMMON: dict[str, Any] = {
    "path": Annotated[
        str | None,
        typer.Option(help="The store: a file, a folder, or neo4j://host:7687. Default: MNEMIC_PATH, else ./memory.db.", rich_help_panel=_PANEL),
    ],
    "user": Annotated[
        str | None,
        typer.Option(help="Whose memory it is. Default: MNEMIC_USER, else your login name.", rich_help_panel=_PANEL),
    ],
    "tenant": Annotated[
        str | None,
        typer.Option(help="The customer it belongs to. Default: MNEMIC_TENANT, else 'default'.", rich_help_panel=_PANEL),
    ],
    "key": Annotated[
        str | None,
        typer.Option(
            help="Encrypts the file. Default: MNEMIC_KEY, which other users of this machine cannot see.",
            rich_help_panel=_PANEL,
        ),
    ],
    "embedder": Annotated[
        str | None,
        typer.Option(
            help="e5-small-q4, none … Default: MNEMIC_EMBEDDER, else what the store was filled with.",
            rich_help_panel=_PANEL,
        ),
    ],
    "session": Annotated[
        str | None,
        typer.Option(help="The session of turns that name none. Default: MNEMIC_SESSION.", rich_help_panel=_PANEL),
    ],
}  # fmt: skip
_JSON = Annotated[
    bool, typer.Option("--json", help="Print one JSON document; errors are one on standard error.")
]


@dataclass(frozen=True, slots=True)
class Call:
    """One call of a command: the environment with the options laid over it, and the form of the output."""

    environment: Environment
    as_json: bool

    def memory(self) -> Mnemic:
        """Open the memory that is meant."""
        environment = self.environment
        return Mnemic(
            environment.path,
            user=environment.user,
            tenant=environment.tenant,
            key=environment.key.get_secret_value() if environment.key else None,
            embedder=environment.embedder,
            session=environment.session,
            model=model_meant(),
        )

    def existing(self) -> Mnemic:
        """Open the memory that is meant, or raise ``InvalidInput`` where it is not there yet."""
        require_made(self.environment.path, self.environment.tenant)
        return self.memory()

    def show(self, document: Any, picture: Callable[[], RenderableType]) -> None:
        """Print ``document`` for a machine, else ``picture`` for a person."""
        if self.as_json:
            print_json(document)
        else:
            console().print(picture())


def print_json(document: Any, *, err: bool = False) -> None:
    """Print results, or plain data, as one JSON document; ``err`` prints it on standard error."""
    typer.echo(json.dumps(document, ensure_ascii=False, indent=2, default=_plain), err=err)


def console(*, stderr: bool = False) -> Console:
    """Return a console that takes every text as it is: no markup, no emoji codes."""
    return Console(stderr=stderr, markup=False, emoji=False, highlight=False)


def command(
    app: typer.Typer, name: str, *examples: str, options: Sequence[str] = tuple(_COMMON)
) -> Callable[[Callable[Concatenate[Call, P], None]], Callable[..., None]]:
    """Make a function a command: with common options in place of its ``Call``, and ``examples`` in its help.

    Errors of mnemic become a line on stderr, or with ``--json`` a document there, and an exit code.
    """

    def register(function: Callable[Concatenate[Call, P], None]) -> Callable[..., None]:
        @wraps(function)
        def run(*args: Any, **kwargs: Any) -> None:
            as_json, context = kwargs.pop("as_json"), kwargs.pop("context")
            given = {option: kwargs.pop(option) for option in options}
            try:
                require_well_spelt()
                configure(context.find_root().obj)
                chosen = {option: value for option, value in given.items() if value is not None}
                function(Call(Environment(**chosen), as_json), *args, **kwargs)
            except MnemicError as error:
                if as_json:
                    print_json(as_document(error), err=True)
                else:
                    typer.echo(as_line(error), err=True)
                raise typer.Exit(exit_code(error)) from error

        run.__signature__ = _signature(function, options)  # type: ignore[attr-defined]
        app.command(name, epilog=_epilog(examples))(run)
        return run

    return register


def _signature(function: Callable[..., None], options: Sequence[str]) -> inspect.Signature:
    """Return the signature without its ``Call``, and with these common options."""
    own = list(inspect.signature(function).parameters.values())[1:]
    common = [
        inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=None, annotation=_COMMON[name])
        for name in options
    ]
    context = inspect.Parameter("context", inspect.Parameter.KEYWORD_ONLY, annotation=typer.Context)
    machine = inspect.Parameter("as_json", inspect.Parameter.KEYWORD_ONLY, default=False, annotation=_JSON)
    return inspect.Signature([*own, context, machine, *common])


def _epilog(examples: Sequence[str]) -> str:
    return "\n\n".join(["Examples:", *(escape(example) for example in examples)])


def _plain(value: Any) -> Any:
    return value.model_dump(mode="json")
