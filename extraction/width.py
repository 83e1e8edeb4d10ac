"""Width: full-width and styled letters, digits and signs as plain ones, one for one, so that offsets stay.

Unlike :mod:`mnemic.extraction.text` this keeps the case and the length: values and secrets are looked
for in it with regular expressions, and what they find is a span of the original.
"""

import unicodedata

_KEPT = "，：；！？（）"
"""Full-width punctuation ends a phrase in Chinese, where a plain comma may stand inside a number."""


class _Table(dict[int, int]):
    """What each code point becomes, worked out when it is first asked for (`str.translate` asks)."""

    def __missing__(self, code: int) -> int:
        self[code] = plain = ord(_plain(chr(code)))
        return plain


def narrow(text: str) -> str:
    """Return ``text`` with plain forms for wide ones; as many characters as before.

    >>> narrow("ｖ２．３，密码：Ｈｚ＃77")
    'v2.3，密码：Hz#77'
    """
    return text if text.isascii() else text.translate(_TABLE)


def _plain(character: str) -> str:
    """Return the ASCII form of one character where it has one that says the same."""
    decimal = unicodedata.decimal(character, None)
    if decimal is not None:
        return str(decimal)
    compatible = unicodedata.normalize("NFKC", character)
    same = len(compatible) == 1 and compatible.isascii() and unicodedata.category(character) != "No"
    return compatible if same and character not in _KEPT else character


_TABLE = _Table()
