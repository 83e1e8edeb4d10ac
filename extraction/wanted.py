"""Which sorts of values a question asks for (a person, a day, a price), and whether a text holds one of a sort."""

import re
import tomllib
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from mnemic.extraction.wordlist import whole_words


@dataclass(frozen=True, slots=True)
class Wanted:
    """A sort of values: its name, what asks for it, what such a value looks like."""

    name: str
    asks: re.Pattern[str]
    holds: re.Pattern[str]

    def stands_in(self, text: str) -> bool:
        """Tell whether ``text`` holds a value of this sort."""
        return self.holds.search(plain(text)) is not None


def wanted(question: str) -> Sequence[Wanted]:
    """Return the sorts of values that ``question`` asks for, in the order of the file; most ask for one or two."""
    text = plain(question)
    return [sort for sort in shipped_wanted() if sort.asks.search(text)]


def plain(text: str) -> str:
    """Return a text in plain width and with plain apostrophes; capitals stay, since names have them."""
    return unicodedata.normalize("NFKC", text).replace("’", "'")


@cache
def shipped_wanted() -> Sequence[Wanted]:
    """Return the sorts of ``dictionaries/wanted.toml``."""
    raw = tomllib.loads(files("mnemic.dictionaries").joinpath("wanted.toml").read_text(encoding="utf-8"))
    return [
        Wanted(
            sort["name"],
            re.compile(whole_words(sort["asks"])),
            re.compile("|".join(f"(?:{pattern})" for pattern in sort["holds"]), re.IGNORECASE),
        )
        for sort in raw["value"]
    ]
