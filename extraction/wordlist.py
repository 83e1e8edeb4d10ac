"""Word lists as regular expressions."""

import re
from collections.abc import Iterable, Sequence


def any_of(words: Iterable[str]) -> str:
    """Return a pattern of any of ``words``, the longest first."""
    return "|".join(re.escape(word) for word in sorted(set(words), key=lambda word: (-len(word), word)))


def whole_words(words: Sequence[str]) -> str:
    """Return a pattern of any of ``words`` in any case; Latin ones match as whole words only."""
    latin, other = [word for word in words if word.isascii()], [word for word in words if not word.isascii()]
    whole = rf"(?<![A-Za-z])(?:{any_of(latin)})(?![A-Za-z])" if latin else ""
    return f"(?i:{'|'.join(filter(None, (whole, any_of(other))))})"
