"""How an error leaves the command line: a line or a document, and an exit code."""

from typing import Any

from mnemic.errors import InvalidInput, MnemicError, NotFound, StoreError

BAD_INPUT = 2
_CODES: tuple[tuple[type[MnemicError], int], ...] = (
    (InvalidInput, BAD_INPUT),
    (NotFound, 3),
    (StoreError, 4),
)
_FIELDS = ("field", "problem", "fix", "nearest")


def exit_code(error: MnemicError) -> int:
    """Return 2 for unusable input, 3 for what is not there, 4 for the store, 1 for the rest."""
    return next((code for kind, code in _CODES if isinstance(error, kind)), 1)


def as_line(error: MnemicError) -> str:
    """Return the error on one line for a person."""
    return "error: " + " ".join(str(error).split())


def as_document(error: MnemicError) -> dict[str, Any]:
    """Return the error as a document for a machine: its type, message and what else it knows."""
    known = {name: getattr(error, name) for name in _FIELDS if hasattr(error, name)}
    return {"error": {"type": type(error).__name__, "message": str(error), **known}}
