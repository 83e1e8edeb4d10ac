"""Spans that do not overlap, in order: whether one more fits between them, and which begin in a stretch."""

from bisect import bisect_left, bisect_right, insort
from collections.abc import Sequence
from operator import attrgetter
from typing import Protocol, TypeVar

_start = attrgetter("start")


class Spanned(Protocol):
    """Something at ``[start, end)`` of a text."""

    @property
    def start(self) -> int:
        """Where it begins."""

    @property
    def end(self) -> int:
        """Where it ends, exclusive."""


S = TypeVar("S", bound=Spanned)


def apart(items: Sequence[S]) -> tuple[S, ...]:
    """Return the items without overlaps, by position: those that come first in the list keep their place."""
    kept: list[S] = []
    for item in items:
        if is_free(item, kept):
            insort(kept, item, key=_start)
    return tuple(kept)


def is_free(item: Spanned, kept: Sequence[Spanned]) -> bool:
    """Tell whether an item overlaps none of those ``kept``, which are in order and do not overlap."""
    at = bisect_right(kept, item.start, key=_start)
    before = at > 0 and kept[at - 1].end > item.start
    return not before and not (at < len(kept) and kept[at].start < item.end)


def beginning_in(items: Sequence[S], start: int, end: int) -> Sequence[S]:
    """Return those of the items, which are in order, that begin at ``[start, end)``."""
    return items[bisect_left(items, start, key=_start) : bisect_left(items, end, key=_start)]
