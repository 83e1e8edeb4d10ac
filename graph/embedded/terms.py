"""How index terms are written for the full-text index, so that a term is found exactly or not at all.

The index's tokeniser ``ascii`` knows two kinds of characters: letters, digits and everything beyond
ASCII make tokens (capitals are folded), the rest splits them. So every ASCII character that would be
split at or folded is moved into a private-use block, and what stood there already is escaped. Each
term begins with its owner's number: matches and frequencies are per owner by construction.
"""

import re
from collections.abc import Iterable

_PLAIN = frozenset(map(ord, "abcdefghijklmnopqrstuvwxyz0123456789"))
_BLOCK = 0xE000
_ESCAPE = chr(_BLOCK + 0x80)
_WRITE = {code: chr(_BLOCK + code) for code in range(0x80) if code not in _PLAIN} | {
    code: _ESCAPE + chr(code) for code in range(_BLOCK, _BLOCK + 0x81)
}
_MOVED = re.compile(f"{_ESCAPE}(.)|[{chr(_BLOCK)}-{chr(_BLOCK + 0x7F)}]")


def write_term(owner: int, term: str) -> str:
    """Return the token that stands for ``term`` of the owner with this number."""
    return f"{owner}x{term.translate(_WRITE)}"


def write_terms(owner: int, terms: Iterable[str]) -> str:
    """Return ``terms`` as the text that the index splits back into their tokens."""
    prefix = f"{owner}x"
    return " ".join([prefix + term.translate(_WRITE) for term in terms])


def read_terms(written: str) -> tuple[str, ...]:
    """Return the terms behind what :func:`write_terms` wrote."""
    if not written:
        return ()
    prefix = written[: written.index("x") + 1]
    tokens = written[len(prefix) :].replace(f" {prefix}", " ").split(" ")
    if written.isascii() or _MOVED.search(written) is None:
        return tuple(tokens)
    return tuple([_MOVED.sub(_original, token) for token in tokens])


def _original(found: re.Match[str]) -> str:
    escaped: str | None = found[1]
    return escaped or chr(ord(found[0]) - _BLOCK)
