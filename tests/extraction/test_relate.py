"""Plain sense, where no wording is known: who stands beside whom, with which word."""

import pytest
from hypothesis import given

from mnemic.extraction.analyse import shipped_grammar
from mnemic.extraction.cues import by_class
from mnemic.extraction.relate import Relater
from mnemic.extraction.resolve import Focus
from tests.extraction.reading import ADA, messages, passage, patient, thing


def related(
    text: str, *, focus: Focus | None = None, taken: tuple[str, ...] = ()
) -> list[tuple[str, str, str, str, bool]]:
    grammar = shipped_grammar()
    seen = passage(text, focus)
    relater = Relater(seen, grammar, by_class(grammar.cues.hear(text)))
    return [
        (each.subject.name, each.predicate, each.value, each.replaces, ends)
        for each, ends in relater.related(seen.span, seen.focus, set(taken))
    ]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Atlas = Go", ("Atlas", "written_in", "Go", "", False)),
        ("Atlas: from MySQL to PG", ("Atlas", "uses", "PostgreSQL", "MySQL", False)),
        ("Atlas, maintained since May, Priya maintains", ("Atlas", "owner", "Priya", "", False)),
        ("支付系统从今天起由我负责", ("支付系统", "owner", "Ada", "", False)),
        ("Atlas: MySQL is gone", ("Atlas", "uses", "MySQL", "", True)),
    ],
)
def test_what_follows_from_who_stands_beside_whom(
    text: str, expected: tuple[str, str, str, str, bool]
) -> None:
    assert expected in related(text)


def test_what_has_been_said_is_not_said_again() -> None:
    assert related("Atlas = Go", taken=("Go",)) == []


def test_who_tells_it_is_no_subject() -> None:
    assert not any(subject == "Tomas" for subject, *_ in related("Tomas says Berlin lives"))
    assert not any(value == "Tomas" for _, _, value, *_ in related("Tomas says Atlas is maintained"))


def test_a_thing_in_view_is_the_subject_where_a_change_is_told() -> None:
    focus = Focus(speaker=ADA, thing=thing("Atlas"))
    assert ("Atlas", "uses", "PostgreSQL", "MySQL", False) in related(
        "switched from MySQL to PG", focus=focus
    )
    assert related("MySQL is a database", focus=focus) == []


def test_nothing_is_related_where_nothing_is_named() -> None:
    assert related("nothing to see here") == []
    assert related("") == []


@patient
@given(messages)
def test_what_is_related_lies_in_the_clause(text: str) -> None:
    grammar = shipped_grammar()
    seen = passage(text)
    relater = Relater(seen, grammar, by_class(grammar.cues.hear(text)))
    for clause in seen.clauses():
        for statement, _ in relater.related(clause, seen.focus, set()):
            assert (statement.start, statement.end) == clause
            assert statement.predicate in grammar.inventory.predicates
