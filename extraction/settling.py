"""Statements of one sentence held against each other: what says the same, what is put for what, what a rule forbids."""

from dataclasses import replace

from mnemic.extraction.filling import forbids
from mnemic.extraction.model import Modality, Statement

DOINGS = frozenset({"done", "happened", "task"})
"""Predicates whose object is words, though they may be a name."""


def settled(found: list[Statement]) -> list[Statement]:
    """Return what is left of the statements of a sentence once each has been held against the others."""
    return _allowed(_told_closer(_merged(found)))


def relates(old: Statement, new: Statement) -> bool:
    """Tell whether ``old`` fills the slot of ``new``, or speaks of the same two; what has ended leaves it empty."""
    two = {old.subject.name, old.value}
    same_slot = old.predicate == new.predicate and old.subject.name == new.subject.name
    fills = same_slot and (old.modality is not Modality.ENDED or old.value == new.value)
    return fills or {new.subject.name, new.value} == two


def covers(old: Statement, new: Statement) -> bool:
    """Tell whether ``old`` leaves nothing for ``new`` to say."""
    same_object = old.value == new.value and old.subject.name == new.subject.name
    overlap = _overlap(old, new)
    if old.predicate == new.predicate and (same_object or (overlap and not _is_listed(old, new))):
        return True
    if overlap and old.object is None and new.object is None and old.value == new.value:
        return True
    if overlap and new.predicate == "rule" and old.modality is Modality.NEGATED:
        return True
    turned = old.subject.name == new.value and old.value == new.subject.name
    inside = old.start <= new.start and new.end <= old.end
    return overlap and (same_object or turned or (inside and (new.object is None or new.predicate in DOINGS)))


def _has_subject(statement: Statement) -> bool:
    """Tell whether the words of a statement hold its subject, which else is taken from what is in view."""
    return statement.start <= statement.subject.start < statement.subject.end <= statement.end


def _told_closer(found: list[Statement]) -> list[Statement]:
    """Return the statements without those of words that another reads more closely, and of something else.

    Where somebody moved to live nothing in view moved, and in what a thing is rewritten is no tool of the writer.
    """
    closer = [s for s in found if s.predicate in ("lives_in", "written_in")]
    return [s for s in found if not any(_is_closer(each, s) for each in closer)]


def _is_closer(close: Statement, loose: Statement) -> bool:
    if close.value != loose.value or not _overlap(close, loose):
        return False
    if close.predicate == "lives_in":
        return loose.predicate == "located_at" and not _has_subject(loose)
    return loose.predicate in ("uses", "knows") and loose.subject.kind == "person"


def _is_listed(one: Statement, other: Statement) -> bool:
    """Tell whether one match has listed the objects of both ("Redis, Kafka and MySQL")."""
    same_match = (one.pattern, one.start, one.end) == (other.pattern, other.start, other.end)
    return same_match and one.object is not None and other.object is not None


def _allowed(found: list[Statement]) -> list[Statement]:
    """Return the statements without those that a rule of the same words forbids: it does not deny them."""
    rules = [s for s in found if is_ban(s)]
    return [
        s for s in found if s.modality is not Modality.NEGATED or not any(_overlap(rule, s) for rule in rules)
    ]


def is_ban(statement: Statement) -> bool:
    """Tell whether a statement is a rule that forbids something."""
    return statement.predicate == "rule" and forbids(statement.value)


def _overlap(one: Statement, other: Statement) -> bool:
    return one.start < other.end and other.start < one.end


def _merged(found: list[Statement]) -> list[Statement]:
    """Return the statements with what ended put as what the new one replaces, where a sentence says both."""
    ended = [s for s in found if s.modality is Modality.ENDED]
    kept: list[Statement] = []
    for statement in found:
        old = next((s for s in ended if _gives_way(s, statement)), None)
        if old is not None and not statement.replaces:
            ended.remove(old)
            statement = replace(statement, replaces=old.value)
        kept.append(statement)
    gone = [s for s in found if s.modality is Modality.ENDED and s not in ended]
    return [s for s in kept if s not in gone]


def _gives_way(old: Statement, new: Statement) -> bool:
    """Tell whether what ``old`` says has ended is what ``new`` puts another value for."""
    if new.modality not in (Modality.ASSERTED, Modality.PLANNED, Modality.PROPOSED, Modality.REPORTED):
        return False
    same_kind = old.object is None or new.object is None or old.object.kind == new.object.kind
    same_slot = old.subject.name == new.subject.name and old.predicate == new.predicate
    return same_slot and same_kind and old.value != new.value
