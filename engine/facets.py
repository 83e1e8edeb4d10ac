"""Which side of a slot a memory speaks of: somebody's phone, not their mail; their favourite colour, not food.

Values of one side give way to each other, those of two sides stand side by side. The words are data.
"""

import re
from collections.abc import Sequence
from functools import cache

from mnemic.extraction.predicates import shipped_inventory
from mnemic.extraction.recognise import find_values
from mnemic.extraction.sorts import ones, told_apart
from mnemic.extraction.text import fold
from mnemic.extraction.wordlist import whole_words
from mnemic.graph.model import Memory

_PLAIN = frozenset({"email", "url"})
"""Kinds of values that tell by their shape alone what they are, whatever stands beside them."""


def facet(memory: Memory) -> str:
    """Return the side of its slot that a memory speaks of; nothing where its slot has none or it tells none."""
    if memory.predicate == "contact":
        return _address(memory)
    return _favourite(memory) if memory.predicate == "likes" else ""


def of_its_side(new: Memory, held: Sequence[Memory]) -> list[Memory]:
    """Return those of a slot that may speak of the same side of it as ``new``, and of the same thing of its sort."""
    side, named = facet(new), ones(new.text)
    if side:
        held = [memory for memory in held if facet(memory) in ("", side)]
    return [memory for memory in held if not named or not told_apart(ones(memory.text), named)]


def _address(memory: Memory) -> str:
    """Return what sort of address a memory gives, by its shape, else by the last word for one before it."""
    kind = next((value.kind for value in find_values(memory.value, [])), "")
    before, _, _ = fold(memory.text).partition(fold(memory.value))
    words = _addressed().findall(before)
    named = shipped_inventory().sorts["address"][words[-1]] if words else ""
    if kind in _PLAIN and not named.endswith(kind):
        return kind
    return named or ("phone" if kind == "phone" else "")


def _favourite(memory: Memory) -> str:
    """Return of what a memory tells the favourite ("color"), where it tells the one."""
    for wording in shipped_inventory().favourites:
        found = re.search(wording, fold(memory.text))
        if found is not None:
            sort = found["sort"].strip()
            return shipped_inventory().sorts["favourite"].get(sort, sort)
    return ""


@cache
def _addressed() -> re.Pattern[str]:
    return re.compile(whole_words(tuple(shipped_inventory().sorts["address"])))
