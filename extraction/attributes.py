"""Words that name a slot of the thing in view: "the deadline", "the new owner", 负责人."""

import re
from functools import cache

from mnemic.extraction.predicates import shipped_inventory
from mnemic.extraction.width import level
from mnemic.extraction.wordlist import any_of

_LEAD = r"\W*(?:(?:and|but|so|now|ok|okay|oh|fyi|update|actually|sorry|no)\W+){0,2}the\s+(?:(?:new|current|final|actual|latest)\s+)?"
_HAN_LEAD = r"\W*(?:现在|目前|那|嗯|新|新的|最新|最新的|最终)?"


def attribute(clause: str) -> str | None:
    """Return the predicate whose slot a clause begins with, unless it tells of what it is the slot."""
    found = _beginning().match(level(clause))
    return shipped_inventory().attributes[found["en"] or found["zh"]] if found is not None else None


@cache
def _beginning() -> re.Pattern[str]:
    words = shipped_inventory().attributes
    latin = any_of(word for word in words if word.isascii())
    return re.compile(
        rf"{_LEAD}(?P<en>{latin})(?![\w'-]|\s+(?:of|for|on|to)\s)|{_HAN_LEAD}(?P<zh>{any_of(words)})(?!的)"
    )
