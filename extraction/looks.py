"""How a written secret looks: not like a word, a placeholder, a version, a date or a length."""

import re
from collections.abc import Callable, Mapping, Sequence

from mnemic.extraction.checks import CHECKS, Span
from mnemic.extraction.wordlist import any_of, whole_words

Check = Callable[[str, str], Span | None]
"""Gets the characters that would be masked and the text after them; returns the part that is the secret."""

_SIGNS = re.compile("[!#$%^&*@~+=?|]")
_LETTERS = re.compile("[A-Za-z]")
_LONE_WORD = re.compile("[A-Za-z][A-Za-z_-]{3,}")
_READ_OUT = re.compile("[零〇一二三四五六七八九幺]{4,}")
_CLAUSE_END = re.compile("""[\\s"'”’」』`]*(?:$|[.,;:!?)\\n，。；！？、）]|[^\\x00-\\x7f\ue000])""")


class Looks:
    """The checks that rest on word lists (table ``looks`` of ``sensitive.toml``), beside the arithmetic ones."""

    def __init__(self, words: Mapping[str, Sequence[str]]) -> None:
        self._harmless = re.compile("|".join(f"(?:{pattern})" for pattern in words["harmless"]))
        self._no_values = frozenset(words["not_values"])
        self._no_ending = re.compile(f".*(?:{any_of(words['not_endings'])})", re.IGNORECASE)
        self._follower = re.compile(rf"\s*(?:{any_of(words['not_followed'])})")
        self._spoken = re.compile(whole_words(words["spoken"]))
        self._grammar = re.compile(whole_words(words["grammar"]))

    def check(self, name: str) -> Check:
        """Return the check of this name; an empty name lets everything pass."""
        looks: dict[str, Callable[[str, str], bool]] = {
            "": lambda secret, tail: secret != "",
            "filled": self._is_filled,
            "given": self._is_given,
            "odd": self._is_odd,
            "mixed": lambda secret, tail: bool(_LETTERS.search(secret)) and self._is_odd(secret, tail),
            "words": self._is_words,
            "phrase": lambda secret, tail: not self._grammar.search(secret),
        }
        if name in looks:
            passes = looks[name]
            return lambda secret, tail: (0, len(secret)) if passes(secret, tail) else None
        arithmetic = CHECKS[name]
        return lambda secret, tail: None if self._harmless.fullmatch(secret) else arithmetic(secret)

    def _is_filled(self, secret: str, tail: str) -> bool:
        """Tell a value from a placeholder and from a word about passwords."""
        return (
            len(secret) >= 3
            and not self._harmless.fullmatch(secret)
            and secret.lower() not in self._no_values
        )

    def _is_odd(self, secret: str, tail: str) -> bool:
        """Tell whether letters, figures and signs mix as in no word; a number must not be a length or a count."""
        figures = any("0" <= sign <= "9" for sign in secret)
        counted = secret.isdigit() and self._follower.match(tail)
        mixed = len(secret) >= 4 and (figures or _SIGNS.search(secret))
        return bool(mixed) and not counted and self._is_filled(secret, tail)

    def _is_given(self, secret: str, tail: str) -> bool:
        """Tell whether it may be what the password *is*: odd, or a lone word at the end of its clause."""
        if self._is_odd(secret, tail):
            return True
        adjective = self._no_ending.fullmatch(secret) or self._follower.match(tail)
        lone = _LONE_WORD.fullmatch(secret) and _CLAUSE_END.match(tail) and not adjective
        return bool(lone or _READ_OUT.fullmatch(secret)) and self._is_filled(secret, tail)

    def _is_words(self, secret: str, tail: str) -> bool:
        """Tell words that stand side by side by chance, as in a pass phrase, from those of a sentence."""
        words = re.split("[ -]", secret)
        bent = any(self._no_ending.fullmatch(word) for word in words)
        return not bent and not self._grammar.search(secret) and not self._spoken.search(secret)
