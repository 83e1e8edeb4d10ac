"""Which slots of a shelf hold a token: looked up in the word index once, then kept up with what is put there."""

from collections.abc import Callable, Iterable

import numpy as np

from mnemic.graph.embedded.vectors import Slots

KEPT = 2_000_000
"""So many slots of all tokens together are kept; beyond it, all are forgotten."""

_NONE: Slots = np.zeros(0, np.intp)


class Postings:
    """The slots of tokens, in no order: of those that were asked for, or, where ``whole``, of every token."""

    def __init__(self, *, whole: bool = False) -> None:
        self._whole = whole
        self._slots: dict[str, Slots] = {}
        self._added: dict[str, list[int]] = {}
        self._size = 0

    def find(self, token: str, look_up: Callable[[str], Slots], *, keep: bool) -> Slots:
        """Return the slots that hold ``token``; what ``look_up`` gives is kept where it may be."""
        slots = self._slots.get(token)
        if slots is None:
            if self._whole:
                return _NONE
            slots = look_up(token)
            if keep:
                self._keep(token, slots)
        elif added := self._added[token]:
            self._slots[token] = slots = np.append(slots, added)
            self._added[token] = []
        return slots

    def add(self, slot: int, tokens: Iterable[str]) -> None:
        """Note a new row: ``slot`` holds ``tokens``."""
        for token in set(tokens):
            if self._whole:
                self._slots.setdefault(token, _NONE)
                self._added.setdefault(token, [])
            if token in self._added:
                self._added[token].append(slot)

    def forget(self) -> None:
        """Forget everything."""
        self._slots.clear()
        self._added.clear()
        self._whole, self._size = False, 0

    def _keep(self, token: str, slots: Slots) -> None:
        if self._size > KEPT:
            self.forget()
        self._size += len(slots) + 1
        self._slots[token], self._added[token] = slots, []
