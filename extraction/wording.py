"""One wording of a predicate, read from its line in ``predicates.toml``."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from mnemic.extraction.cues import Cues
from mnemic.extraction.frame import MARKS
from mnemic.extraction.notation import Item, Slot, Tongue, anchors, literal_length, parse, phrases, slots
from mnemic.extraction.predicates import Inventory, Predicate
from mnemic.extraction.slots import SlotBook

_MEANT = frozenset({"negation", "end", "plan", "past", "unchanged"})
"""Cue classes that change how a single statement is meant."""
_MARKS = frozenset(",，-")
_TYPED, _UNSAID, _LOOSE = 6, 20, 2
"""What a typed slot adds to the rank, and what a missing subject or one of plain words takes from it."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Pattern:
    """A wording of a predicate: ``rank`` orders it among others (typed slots and long literals first).

    ``ends``: it says that the object holds no longer. ``renames``: the subject's name gives way.
    ``asks``: it is a question that leaves the object open. ``loaded`` are those of its words that would
    change how a statement is meant if they were not its own ("can't stand"). Of each of ``anchors`` some word,
    of each of ``needs`` some kind must be in a frame; ``phrases`` are the slots that may be filled by plain words. ``spans``: it holds a
    comma or a dash, so it needs several clauses.
    """

    predicate: Predicate
    tongue: str
    source: str
    items: tuple[Item, ...]
    anchors: tuple[frozenset[str], ...]
    needs: tuple[frozenset[str], ...]
    phrases: tuple[str, ...]
    loaded: tuple[str, ...]
    ends: bool
    renames: bool
    asks: bool
    spans: bool
    pronouns: bool
    rank: int
    reader: "Reader"

    @cached_property
    def regex(self) -> re.Pattern[str]:
        """Return the expression; most patterns never meet what they need, so it is made on demand."""
        return re.compile(self.reader.expression(self), re.IGNORECASE)


class Reader:
    """Reads wordings with the words of an inventory."""

    def __init__(
        self, inventory: Inventory, book: SlotBook, tongues: Mapping[str, Tongue], cues: Cues
    ) -> None:
        self._inventory, self._book, self._tongues, self._cues = inventory, book, tongues, cues
        self._heard: dict[str, bool] = {}

    def pattern(self, predicate: Predicate, language: str, source: str, *, asks: bool) -> Pattern:
        """Return the wording ``source`` of a predicate."""
        items = parse(source, self._inventory.words[language])
        places = list(slots(items))
        kinds = {slot.name: self._book.types(slot, predicate) for slot in places if slot.name}
        typed = sum(all(kind in MARKS for kind in slot.types) for slot in places if slot.types)
        rank = _TYPED * typed + literal_length(items)
        rank -= (_UNSAID if "s" not in kinds else 0) + (_LOOSE if "phrase" in kinds.get("s", ()) else 0)
        marked = {slot.name for slot in places if slot.marked}
        return Pattern(
            predicate=predicate,
            tongue=language,
            source=source,
            items=items,
            anchors=tuple(map(frozenset, anchors(items))),
            needs=tuple(self._needs(items[1:] if _drops(items) else items, predicate)),
            phrases=tuple(name for name, types in kinds.items() if "phrase" in types),
            loaded=self._own(items, language),
            ends="o" in marked,
            renames="s" in marked,
            asks=asks,
            spans=any(not _MARKS.isdisjoint(phrase.split()) for phrase in phrases(items)),
            pronouns="pron" in kinds.get("s", ()),
            rank=rank,
            reader=self,
        )

    def expression(self, pattern: Pattern) -> str:
        """Return the regular expression of a wording; where its subject may be dropped, a clause begins with it."""
        items, tongue = pattern.items, self._tongues[pattern.tongue]
        fill = {
            slot: self._book.expression(
                slot,
                pattern.tongue,
                pattern.predicate,
                opens=slot is items[0],
                closes=slot is items[-1],
            )
            for slot in slots(items)
        }
        opening = items[0]
        if not (_drops(items) and isinstance(opening, Slot)):
            return tongue.sequence(items, fill)
        joint = tongue.joint if items[1].spaced else ""
        rest = tongue.sequence(items[1:], fill)
        return f"(?:{fill[opening]}{joint}|{tongue.start}{tongue.joint}){rest}"

    def _needs(self, items: Sequence[Item], predicate: Predicate) -> Iterator[frozenset[str]]:
        """Yield what kinds a frame must hold one of, for each slot that takes only what is known."""
        for slot in items:
            if isinstance(slot, Slot) and (slot.name or slot.types):
                kinds = frozenset(kind.removeprefix("=") for kind in self._book.types(slot, predicate))
                if all(map(self._book.is_known, kinds)):
                    yield kinds

    def _own(self, items: Sequence[Item], language: str) -> tuple[str, ...]:
        """Return the loaded words of a wording, longest first; "isn't" in its place denies whatever it says."""
        words = set(phrases(items))
        if "is" in words:
            words.difference_update(self._inventory.words[language].get("be", ()))
        return tuple(sorted(filter(self._is_loaded, words), key=lambda word: (-len(word), word)))

    def _is_loaded(self, phrase: str) -> bool:
        if phrase not in self._heard:
            self._heard[phrase] = any(cue.name in _MEANT for cue in self._cues.hear(phrase))
        return self._heard[phrase]


def _drops(items: Sequence[Item]) -> bool:
    """Tell whether a wording begins with a subject that may be left out: one of any kind, or marked so."""
    first = items[0]
    return isinstance(first, Slot) and first.name == "s" and (first.unsaid or not first.types)
