"""Labelled messages, and how a reading of one is marked against its label.

``keep`` counts the messages worth keeping, ``mentions`` surface forms, ``statements`` one to one
(``agreement.py``); ``modality``, ``replaces`` and ``time`` are judged on the statements that were found.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field

from pydantic import AwareDatetime

from benchmarks.agreement import OBJECT_FLOOR, Said, agree, pair, plain, tells
from benchmarks.form import Form, Name
from benchmarks.harness import Overlap, Rate


class Before(Form):
    """A message of the context."""

    speaker: str
    text: str


class Label(Form):
    """A statement as the annotator wrote it down."""

    subject: str
    predicate: str
    object: str
    modality: str
    replaces: str = ""
    time: str = ""

    def said(self) -> Said:
        """Return what is compared; the time is judged apart."""
        return Said(
            subject=self.subject,
            predicate=self.predicate,
            object=self.object,
            modality=self.modality,
            replaces=self.replaces,
        )


class Row(Form):
    """A labelled message."""

    id: str
    language: str
    speaker: str
    at: AwareDatetime
    dictionary: tuple[Name, ...] = ()
    context: tuple[Before, ...] = ()
    text: str
    keep: bool
    statements: tuple[Label, ...] = ()
    mentions: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Read:
    """What the memory understood of a message."""

    kept: bool
    mentions: frozenset[str]
    statements: tuple[Said, ...]


@dataclass(slots=True)
class Marks:
    """How readings agree with labels, over some messages."""

    keep: Overlap = field(default_factory=Overlap)
    mentions: Overlap = field(default_factory=Overlap)
    statements: Overlap = field(default_factory=Overlap)
    replaces: Overlap = field(default_factory=Overlap)
    modality: Rate = field(default_factory=Rate)
    time: Rate = field(default_factory=Rate)

    def figures(self) -> dict[str, dict[str, float]]:
        """Return all figures."""
        return {
            "keep": self.keep.figures(),
            "mentions": self.mentions.figures(),
            "statements": self.statements.figures(),
            "modality": {"accuracy": round(self.modality.share, 4)},
            "replaces": self.replaces.figures(),
            "time": {"accuracy": round(self.time.share, 4)},
        }


@dataclass(slots=True)
class Score:
    """Marks in all and by file, agreement by predicate, modalities as labelled and as read."""

    marks: dict[str, Marks] = field(default_factory=lambda: defaultdict(Marks))
    predicate: dict[str, Overlap] = field(default_factory=lambda: defaultdict(Overlap))
    confusion: dict[str, Counter[str]] = field(default_factory=lambda: defaultdict(Counter))

    def count(self, file: str, row: Row, read: Read) -> bool:
        """Take in one message; tell whether the reading agrees with its label in all."""
        pairs = pair([label.said() for label in row.statements], read.statements)
        labelled = frozenset(plain(mention) for mention in row.mentions)
        for marks in (self.marks["all"], self.marks[file]):
            marks.keep.add(both=row.keep and read.kept, found=read.kept, expected=row.keep)
            marks.mentions.add(
                both=len(labelled & read.mentions), found=len(read.mentions), expected=len(labelled)
            )
            marks.statements.add(both=len(pairs), found=len(read.statements), expected=len(row.statements))
            for i, j in pairs:
                _mark_found(marks, row.statements[i], read.statements[j])
        self._by_predicate(row, read, pairs)
        whole = len(pairs) == len(row.statements) == len(read.statements) and all(
            _agrees(row.statements[i], read.statements[j]) for i, j in pairs
        )
        return whole and row.keep == read.kept and labelled == read.mentions

    def _by_predicate(self, row: Row, read: Read, pairs: Iterable[tuple[int, int]]) -> None:
        for label in row.statements:
            self.predicate[label.predicate].expected += 1
        for said in read.statements:
            self.predicate[said.predicate].found += 1
        for i, j in pairs:
            label, said = row.statements[i], read.statements[j]
            self.predicate[label.predicate].both += 1
            self.confusion[label.modality][said.modality] += 1

    def as_json(self) -> dict[str, object]:
        """Return all figures; ``confusion`` counts modalities, first as labelled, then as read."""
        return {
            **{name: marks.figures() for name, marks in self.marks.items()},
            "predicate": {name: overlap.figures() for name, overlap in sorted(self.predicate.items())},
            "confusion": {name: dict(counts) for name, counts in sorted(self.confusion.items())},
        }


def _mark_found(marks: Marks, label: Label, said: Said) -> None:
    """Judge modality, replaced value and time of a statement that was found."""
    marks.modality.count(label.modality == said.modality)
    marks.replaces.add(
        both=_same_replaced(label, said), found=bool(said.replaces), expected=bool(label.replaces)
    )
    if label.time:
        marks.time.count(tells(said.moment, label.time))


def _same_replaced(label: Label, said: Said) -> bool:
    return bool(label.replaces) and agree(label.replaces, said.replaces, OBJECT_FLOOR)


def _agrees(label: Label, said: Said) -> bool:
    """Tell whether a statement that was found is right in the rest of it, too."""
    replaced = _same_replaced(label, said) if label.replaces else not said.replaces
    timed = not label.time or tells(said.moment, label.time)
    return label.modality == said.modality and replaced and timed
