"""Commands that account for what was done: erase a user, check its report, check the audit log."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer
from pydantic import ValidationError
from rich.table import Table

from mnemic.api.cli.app import app
from mnemic.api.cli.call import Call, command, print_json
from mnemic.api.erasing import Erasure, erase_user, is_genuine
from mnemic.api.opening import plain_files
from mnemic.api.service.audit import Chain, entries, verify
from mnemic.api.settings import service_environment
from mnemic.errors import InvalidInput

audit = typer.Typer(
    help="The record of who read, wrote and erased what through a service.", no_args_is_help=True
)
app.add_typer(audit, name="audit")

_FOLDER = Annotated[Path | None, typer.Argument(help="The folder of the log. Default: MNEMIC_SERVICE_AUDIT.")]


@command(
    app,
    "erase",
    "mnemic erase ada --user ada > report.json",
    "mnemic erase --check report.json",
)
def erase(
    call: Call,
    name: Annotated[
        str, typer.Argument(help="The user, once more, so that nobody is erased by a slip.")
    ] = "",
    check: Annotated[
        Path | None, typer.Option(help="Erase nobody: tell whether this report is genuine.")
    ] = None,
) -> None:
    """Erase everything that a user owns, and print the signed report. It cannot be undone."""
    with call.existing() as memory:
        if check is not None:
            genuine = is_genuine(memory, _report(check))
            call.show({"genuine": genuine}, lambda: "genuine" if genuine else "not made here, or changed")
            raise typer.Exit(0 if genuine else 1)
        key = call.environment.key.get_secret_value() if call.environment.key else None
        files = plain_files(call.environment.path, memory.scope.tenant, key)
        print_json(erase_user(memory, name, files).model_dump(mode="json"))


@command(audit, "verify", "mnemic audit verify ./audit", "mnemic audit verify ./audit --json", options=())
def verify_log(call: Call, folder: _FOLDER = None) -> None:
    """Check every chain of the log; the exit code is 1 where one is broken."""
    chains = verify(_folder(folder))
    call.show([chain.model_dump(mode="json") for chain in chains], lambda: _table(chains))
    if any(chain.broken for chain in chains):
        raise typer.Exit(1)


@command(audit, "show", "mnemic audit show ./audit --of ada", options=())
def show_log(
    call: Call,
    folder: _FOLDER = None,
    of: Annotated[str | None, typer.Option(help="Only what concerns this user.")] = None,
) -> None:
    """Print the entries, as lines of JSON."""
    for entry in entries(_folder(folder)):
        if of is None or entry.get("user") == of:
            typer.echo(json.dumps(entry, ensure_ascii=False))


def _folder(folder: Path | None) -> Path:
    told = folder or service_environment().audit
    if told is None:
        raise InvalidInput("folder", "is missing", "name the folder of the log, or set MNEMIC_SERVICE_AUDIT")
    return Path(told)


def _report(file: Path) -> Erasure:
    try:
        return Erasure.model_validate_json(file.read_text("utf-8"))
    except (OSError, UnicodeError, ValidationError) as error:
        raise InvalidInput(
            "check", f"{file} is no report", "name the JSON that `mnemic erase` printed"
        ) from error


def _table(chains: Sequence[Chain]) -> Table:
    table = Table("file", "entries", "state", "head")
    for chain in chains:
        state = f"broken at entry {chain.broken}" if chain.broken else "whole"
        table.add_row(chain.file, str(chain.entries), state, chain.head[:16])
    return table
