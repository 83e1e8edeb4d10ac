"""Usage errors: options and commands that there are not, shown to a machine as it is shown other errors."""

import sys
from collections.abc import Sequence
from typing import Any, cast

import typer
from typer.core import TyperGroup

from mnemic.api.cli.call import print_json

_UsageError = cast("type[typer.BadParameter]", typer.BadParameter.__base__)
"""The base of all usage errors, of which typer exports one."""


class UsageErrors(TyperGroup):
    """A group whose usage errors are a document on standard error where ``--json`` was asked for."""

    def main(self, args: Sequence[str] | None = None, *more: Any, **options: Any) -> Any:
        """Run the command line, and leave with its exit code."""
        given = sys.argv[1:] if args is None else list(args)
        if "--json" not in given:
            return super().main(args, *more, **options)
        try:
            code = super().main(args, *more, **{**options, "standalone_mode": False})
        except _UsageError as error:
            print_json(_document(error), err=True)
            sys.exit(error.exit_code)
        sys.exit(code or 0)


def _document(error: typer.BadParameter) -> dict[str, Any]:
    parameter = getattr(error, "param", None)
    field = parameter.name if parameter else getattr(error, "option_name", "command").lstrip("-")
    command = error.ctx.command_path if error.ctx else "mnemic"
    problem, fix = error.format_message().rstrip("."), f"see `{command} --help`"
    return {
        "error": {
            "type": "UsageError",
            "message": f"{field}: {problem}; {fix}",
            "field": field,
            "problem": problem,
            "fix": fix,
        }
    }
