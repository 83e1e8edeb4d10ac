"""How index terms are written for the full-text index, so that a term is found exactly or not at all.

The index splits at white space alone, and a query is read by Lucene's parser. So a term becomes one word
of letters, digits and ``_``: nothing in it splits, and nothing in it means anything to the parser. It
begins with a mark of its tenant and owner: matches and frequencies are per owner by construction, and
what others store costs nothing.
"""

import re
from collections.abc import Iterable

from mnemic.graph.ids import digest

_SPECIAL = re.compile(r"[\W_]")
_LONGEST = 200
"""Lucene cuts a word at 255 units of UTF-16; a longer one stands by its digest."""


def mark(tenant: str, owner: str) -> str:
    """Return what the words of an owner begin with."""
    return digest("owner", tenant, owner)[:12] + "x"


def write_word(mark: str, term: str) -> str:
    """Return the word that stands for ``term`` of the owner with this ``mark``."""
    word = _SPECIAL.sub(_hexadecimal, term)
    return mark + (word if _fits(word) else f"_{digest('term', term)}")


def _fits(word: str) -> bool:
    """Tell whether ``word`` is short enough, where a letter beyond 16 bits counts twice."""
    return 2 * len(word) <= _LONGEST or len(word.encode("utf-16-le", "surrogatepass")) <= 2 * _LONGEST


def write_words(mark: str, terms: Iterable[str]) -> str:
    """Return ``terms`` as the text that the index splits into their words."""
    return " ".join([write_word(mark, term) for term in dict.fromkeys(terms)])


def _hexadecimal(found: re.Match[str]) -> str:
    return f"_{ord(found[0]):x}_"
