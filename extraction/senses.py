"""Plain sense: who stands beside whom in a clause, with which word, states a predicate in any word order.

Patterns ask for a wording; a sense asks only for a subject and an object of the right groups and a word
("Wickerwork = catalog = me", "数据平台组从今天起由我负责"). The words around a name tell whether it is the
value that comes or the one that gives way. All of it is data: ``dictionaries/senses.toml``.
"""

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from mnemic.extraction.cues import Cues
from mnemic.extraction.model import Mention, Value

OLD, NEW = "old", "new"


@dataclass(frozen=True, slots=True)
class Sense:
    """A predicate by groups; ``first``: "I" may be the person. ``worded``: it asks for one of its words."""

    predicate: str
    subject: frozenset[str]
    object: frozenset[str]
    first: bool
    worded: bool


@dataclass(frozen=True, slots=True)
class Senses:
    """All senses, the words that call each, and the words that turn a name old or new."""

    rows: tuple[Sense, ...]
    words: Cues
    before: Mapping[str, tuple[str, ...]]
    after: Mapping[str, tuple[str, ...]]

    def called(self, folded: str) -> list[Sense]:
        """Return the senses that a folded clause calls, in the order of the file."""
        heard = {cue.name for cue in self.words.hear(folded)}
        return [sense for index, sense in enumerate(self.rows) if not sense.worded or str(index) in heard]

    def polarity(self, folded: str, start: int, end: int) -> str:
        """Return ``old``, ``new`` or nothing for the name at ``[start, end)`` of a folded clause."""
        before, after = folded[:start].rstrip(" \"'“「"), folded[end:].lstrip(" \"'”」的")
        scores = {
            turn: max(
                _longest_end(before, self.before[turn]),
                _longest_start(after, self.after[turn]),
            )
            for turn in (OLD, NEW)
        }
        if scores[OLD] == scores[NEW]:
            return ""
        return max((OLD, NEW), key=lambda turn: scores[turn])


@cache
def shipped_senses() -> Senses:
    """Return the shipped senses."""
    raw = tomllib.loads(files("mnemic.dictionaries").joinpath("senses.toml").read_text(encoding="utf-8"))
    rows = tuple(
        Sense(
            predicate=row["predicate"],
            subject=frozenset(row["subject"]),
            object=frozenset(row["object"]),
            first=row.get("first", False),
            worded=bool(row["en"] or row["zh"]),
        )
        for row in raw["sense"]
    )
    words = Cues({str(index): (*row["en"], *row["zh"]) for index, row in enumerate(raw["sense"])})
    polarity = raw["polarity"]
    return Senses(
        rows,
        words,
        {turn: tuple(polarity[turn]["before"]) for turn in (OLD, NEW)},
        {turn: tuple(polarity[turn]["after"]) for turn in (OLD, NEW)},
    )


def _longest_end(text: str, words: Sequence[str]) -> int:
    """Return the length of the longest of ``words`` that ends ``text``, whole where it is Latin."""
    for article in (" the", " our", " a", " an"):
        text = text.removesuffix(article)
    return max((len(word) for word in words if text.endswith(word) and _whole_left(text, word)), default=0)


def _longest_start(text: str, words: Sequence[str]) -> int:
    return max((len(word) for word in words if text.startswith(word) and _whole_right(text, word)), default=0)


def _whole_left(text: str, word: str) -> bool:
    edge = text[: -len(word)][-1:]
    return not (word[0].isascii() and edge.isascii() and edge.isalnum())


def _whole_right(text: str, word: str) -> bool:
    edge = text[len(word) : len(word) + 1]
    return not (word[-1].isascii() and edge.isascii() and edge.isalnum())


Item = Mention | Value
"""What a sense relates: an entity, or a date, an amount, a version."""
