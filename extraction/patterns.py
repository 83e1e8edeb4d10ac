"""The patterns of all predicates, matched on frames.

A pattern is tried only on frames that hold what it cannot do without: of each set of its anchors some word
(all words are found at once by Aho-Corasick), and something for each slot that takes only what is known.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from functools import cache, lru_cache

import ahocorasick

from mnemic.extraction.cues import Cues, shipped_cues
from mnemic.extraction.frame import MARKS, Frame, is_whole
from mnemic.extraction.notation import Slot, Tongue, tongue
from mnemic.extraction.predicates import Inventory, Predicate, shipped_inventory
from mnemic.extraction.slots import SlotBook
from mnemic.extraction.wording import Pattern, Reader

_PLACED = {"en": r"(?:in|at|on|under|behind|next to|near|it's|to)", "zh": "(?:放|住|存|坐)?(?:在|到)?"}
"""What may stand before the words of an answer."""
_PARTICLES = str.maketrans("啦咯喽", "了了了")
"""Ways to say 了, letter for letter."""
_LETTERS = {"en": re.compile("[a-zA-Z]"), "zh": re.compile("[\u4e00-\u9fff]")}


class PatternBook:
    """All patterns of an inventory, matched on frames."""

    def __init__(self, inventory: Inventory, cues: Cues) -> None:
        skip = [word for words in inventory.skip.values() for word in words]
        self._tongues = {
            language: tongue(language, skip, inventory.words[language]["whole"])
            for language in inventory.skip
        }
        self._slots = SlotBook(inventory, self._tongues)
        reader = Reader(inventory, self._slots, self._tongues, cues)
        patterns = (
            reader.pattern(predicate, language, source, asks=asks)
            for predicate in inventory.predicates.values()
            for asks, wordings in ((False, predicate.patterns), (True, predicate.questions))
            for language, sources in wordings.items()
            for source in sources
        )
        self.patterns = tuple(sorted(patterns, key=lambda pattern: -pattern.rank))
        common = Counter(word for p in self.patterns for anchors in p.anchors for word in anchors)
        self._wanted: defaultdict[str, list[int]] = defaultdict(list)
        for index, pattern in enumerate(self.patterns):
            rare = min(pattern.anchors, key=lambda words: sum(common[word] for word in words), default=())
            for word in rare:
                self._wanted[word].append(index)
        self._always = [index for index, pattern in enumerate(self.patterns) if not pattern.anchors]
        self._anchors = ahocorasick.Automaton()
        for anchor in common:
            self._anchors.add_word(anchor, anchor)
        self._anchors.make_automaton()

    def match(self, frame: Frame, *, asking: bool = False) -> Iterator[tuple[Pattern, re.Match[str]]]:
        """Yield every match on the frame, patterns of the highest rank first; of questions if ``asking``."""
        text = frame.text.translate(_PARTICLES)
        for pattern in self._fitting(frame, asking):
            position = 0
            while (match := pattern.regex.search(text, position)) is not None:
                if all(
                    self._slots.may_be_phrase(match[name] or "", pattern.pronouns) for name in pattern.phrases
                ):
                    yield pattern, match
                    position = max(match.end(), match.start() + 1)
                else:
                    position = match.start() + 1

    def _fitting(self, frame: Frame, asking: bool) -> Iterator[Pattern]:
        """Yield the patterns for which a frame has all that they need, by rank."""
        words = frame.words.lower().translate(_PARTICLES)
        found = {
            anchor
            for last, anchor in self._anchors.iter(words)
            if is_whole(words, last + 1 - len(anchor), last + 1)
        }
        indexes = set(self._always).union(*(self._wanted.get(anchor, ()) for anchor in found))
        tongues = {language for language, letter in _LETTERS.items() if letter.search(words)} or {*_LETTERS}
        there = {name for name, mark in MARKS.items() if mark in words} | self._slots.lists_in(words)
        for index in sorted(indexes):
            pattern = self.patterns[index]
            if (
                pattern.asks == asking
                and pattern.tongue in tongues
                and not any(map(found.isdisjoint, pattern.anchors))
                and not any(map(there.isdisjoint, pattern.needs))
            ):
                yield pattern

    def fillings(
        self, predicate: Predicate, kinds: Sequence[str], language: str
    ) -> tuple[re.Pattern[str], ...]:
        """Return what finds a filling of the open slot of a question, one of ``kinds``, the first best.

        Marks are found anywhere, words only where they are all of a clause.
        """
        return tuple(
            _filling(self._slots, self._tongues[language], predicate, kind, language) for kind in kinds
        )


@lru_cache(maxsize=512)
def _filling(
    slots: SlotBook, tongue: Tongue, predicate: Predicate, kind: str, language: str
) -> re.Pattern[str]:
    slot = Slot("o", marked=False, types=(kind,), spaced=False)
    body = slots.expression(slot, language, predicate)
    close = "" if kind == "pron" else tongue.close
    near = rf"{tongue.start}{tongue.joint}(?:{_PLACED[language]}{tongue.joint})?{body}{close}"
    return re.compile(body if kind in MARKS else near, re.IGNORECASE)


@cache
def shipped_patterns() -> PatternBook:
    """Return the patterns of the shipped predicates."""
    return PatternBook(shipped_inventory(), shipped_cues())


def skipper(inventory: Inventory) -> ahocorasick.Automaton:
    """Return what finds the words that patterns may pass over, for ``Frame.shaded``."""
    words = ahocorasick.Automaton()
    for skip in inventory.skip.values():
        for word in skip:
            words.add_word(word, word)
    for lists in inventory.words.values():
        for word in (*lists["whole"], *lists["pronoun"]):
            if word not in words:
                words.add_word(word, "")  # found as one word, so that none within it is
    words.make_automaton()
    return words
