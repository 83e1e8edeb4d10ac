"""Width: full-width and styled letters, digits and signs as plain ones, one for one, so that offsets stay.

Unlike :mod:`mnemic.extraction.text` this keeps the length, and `narrow` the case: values, secrets and cues
are looked for in it, and what is found is a span of the original.
"""

import unicodedata
from collections.abc import Callable

_KEPT = "，：；！？（）"
"""Full-width punctuation ends a phrase in Chinese, where a plain comma may stand inside a number."""


class _Table(dict[int, int]):
    """What ``change`` makes of each code point, worked out when it is first asked for (`str.translate` asks)."""

    def __init__(self, change: Callable[[str], str]) -> None:
        self._change = change

    def __missing__(self, code: int) -> int:
        self[code] = changed = ord(self._change(chr(code)))
        return changed


def narrow(text: str) -> str:
    """Return ``text`` with plain forms for wide ones; as many characters as before.

    >>> narrow("ｖ２．３，密码：Ｈｚ＃77")
    'v2.3，密码：Hz#77'
    """
    return text if text.isascii() else text.translate(_TABLE)


def level(text: str) -> str:
    """Return ``text`` as cues are written: plain width, lower case, straight apostrophes; as many characters.

    >>> level("It’s ＮＯ longer")
    "it's no longer"
    """
    return text.lower() if text.isascii() else narrow(text).translate(_LOWER)


def _plain(character: str) -> str:
    """Return the ASCII form of one character where it has one that says the same."""
    decimal = unicodedata.decimal(character, None)
    if decimal is not None:
        return str(decimal)
    compatible = unicodedata.normalize("NFKC", character)
    same = len(compatible) == 1 and compatible.isascii() and unicodedata.category(character) != "No"
    return compatible if same and character not in _KEPT else character


def _low(character: str) -> str:
    """Return one character in lower case where that is one character too."""
    low = {"’": "'", "‘": "'"}.get(character, character.lower())
    return low if len(low) == 1 else character


_TABLE = _Table(_plain)
_LOWER = _Table(_low)


def columns(text: str) -> int:
    """Return how wide ``text`` is in columns of a terminal: a Chinese letter takes two."""
    return sum(2 if letter > "\u2e80" else 1 for letter in text)
