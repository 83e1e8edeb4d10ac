"""Sentences into statements: values, what gives way, how each is meant, and where it stands."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mnemic.extraction.analyse import shipped_grammar
from mnemic.extraction.outline import Outline
from mnemic.extraction.statements import read_sentence
from tests.extraction.reading import brief, messages, passage, patient, shifts, statements


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Atlas runs on Kubernetes", ("Atlas", "runs_on", "Kubernetes", "asserted")),
        ("Atlas isn’t written in Go", ("Atlas", "written_in", "Go", "negated")),
        ("we don’t use Redis in Atlas", ("Atlas", "uses", "Redis", "negated")),
        ("we’ll move Atlas to Kubernetes", ("Atlas", "runs_on", "Kubernetes", "planned")),
        ("Atlas no longer uses Redis", ("Atlas", "uses", "Redis", "ended")),
        ("Atlas 不用 MySQL 了，性能太差", ("Atlas", "uses", "MySQL", "ended")),
        ("Atlas will move to Kubernetes on 2026-05-01", ("Atlas", "runs_on", "Kubernetes", "planned")),
        ("is Atlas written in Go?", ("Atlas", "written_in", "Go", "asked")),
        ("Tomas says Priya owns Atlas", ("Atlas", "owner", "Priya", "reported")),
        ("if we had time, we would rewrite Atlas in Rust", ("Atlas", "written_in", "Rust", "hypothetical")),
        ("林悦负责支付系统", ("支付系统", "owner", "林悦", "asserted")),
        ("我对花生过敏", ("Ada", "avoids", "花生", "asserted")),
        ("Ａｔｌａｓ ｒｕｎｓ ｏｎ Ｌｉｎｕｘ", ("Atlas", "runs_on", "Linux", "asserted")),
    ],
)
def test_what_a_sentence_states(text: str, expected: tuple[str, str, str, str]) -> None:
    assert expected in brief(text)


@pytest.mark.parametrize(
    ("text", "value", "old"),
    [
        ("We switched Atlas from MySQL to PostgreSQL.", "PostgreSQL", "MySQL"),
        ("支付系统从MySQL换成PG了", "PostgreSQL", "MySQL"),
        ("支付系统用PG而不是MySQL", "PostgreSQL", "MySQL"),
        ("Atlas runs on Linux instead of Windows", "Linux", "Windows"),
    ],
)
def test_what_gives_way_is_named(text: str, value: str, old: str) -> None:
    (found,) = statements(text)
    assert (found.value, found.replaces) == (value, old)


def test_what_is_set_against_a_value_is_denied_or_corrected() -> None:
    assert brief("Atlas uses Redis, not Memcached") == [
        ("Atlas", "uses", "Redis", "asserted"),
        ("Atlas", "uses", "Memcached", "negated"),
    ]
    (found,) = statements("sorry, Atlas uses Redis, not Memcached")
    assert (found.value, found.replaces) == ("Redis", "Memcached")


def test_each_clause_states_its_own() -> None:
    assert brief("I live in Berlin and I hate celery") == [
        ("Ada", "lives_in", "Berlin", "asserted"),
        ("Ada", "dislikes", "celery", "asserted"),
    ]


def test_who_was_named_in_passing_is_meant_afterwards() -> None:
    found = brief("My sister Milo lives in Lyon. She hates celery")
    assert ("Milo", "dislikes", "celery", "asserted") in found


def test_a_subject_is_taken_from_what_was_told_before() -> None:
    assert brief("it runs on Linux", ("Ada", "Atlas is doing fine")) == [
        ("Atlas", "runs_on", "Linux", "asserted")
    ]


@pytest.mark.parametrize("text", ["", "…", "nice", "what a day", "哈哈哈", "👍", "\ud800"])
def test_small_talk_states_nothing(text: str) -> None:
    assert statements(text) == []


@patient
@given(messages)
def test_statements_lie_in_their_sentence_and_say_something(text: str) -> None:
    seen = passage(text)
    read = read_sentence(Outline(seen, shipped_grammar()), seen.focus)
    assert (read.start, read.end) == seen.span
    for statement in read.statements:
        assert seen.span[0] <= statement.start < statement.end <= seen.span[1]
        assert statement.subject.name.strip()
        assert statement.value.strip()
        assert statement.value != statement.replaces
        assert statement.predicate in shipped_grammar().inventory.predicates
    assert list(read.statements) == sorted(read.statements, key=lambda s: (s.start, s.end, s.predicate))


TOLD = (
    "Atlas no longer uses Redis",
    "we don’t use Redis in Atlas",
    "支付系统从MySQL换成PG了",
    "Priya owns Atlas now",
    "the spare key is in the drawer",
    "我对花生过敏",
)


@patient
@given(shifts, st.sampled_from(TOLD))
def test_what_stands_on_the_line_before_moves_a_statement_and_changes_nothing(before: str, text: str) -> None:
    lead = len(before) + 1
    plain = statements(text)
    moved = statements(f"{before}\n{text}")
    assert [(s.subject.name, s.predicate, s.value, s.modality, s.replaces) for s in moved] == [
        (s.subject.name, s.predicate, s.value, s.modality, s.replaces) for s in plain
    ]
    assert [(s.start - lead, s.end - lead) for s in moved] == [(s.start, s.end) for s in plain]


@pytest.mark.parametrize("text", [text for text in TOLD if text.isascii() or "’" in text])
def test_full_width_letters_say_the_same(text: str) -> None:
    wide = "".join(chr(ord(sign) + 0xFEE0) if "!" <= sign <= "~" else sign for sign in text)
    known = [(predicate, meant) for _, predicate, _, meant in brief(text)]
    assert [(predicate, meant) for _, predicate, _, meant in brief(wide)] == known


@pytest.mark.parametrize(
    "text", ["Our new service is called Zephyr", "we have a new project named Zephyr", "我们的新项目叫北斗"]
)
def test_an_introduction_says_no_more_than_that_there_is_such_a_thing(text: str) -> None:
    assert [each for each in brief(text) if each[1] == "name"] == []


@pytest.mark.parametrize(
    "text",
    [
        "Ben goes to Lincoln School.",
        "I went to Japan in April.",
        "We went to the beach on Sunday.",
        "Tomas goes to Baylor College.",
        "小明去年去了日本",
    ],
)
def test_who_goes_somewhere_is_owned_by_nobody_and_decided_nothing(text: str) -> None:
    assert not {"owner", "decided"} & {predicate for _, predicate, _, _ in brief(text)}


def test_what_goes_to_somebody_is_theirs() -> None:
    assert ("review", "owner", "Priya", "asserted") in brief("The review goes to Priya next.")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("支付系统林悦不管了，以后陈默来维护", ("支付系统", "owner", "陈默")),
        ("支付系统不用MySQL了，换成TiDB", ("支付系统", "uses", "TiDB")),
        ("Atlas doesn't use MySQL anymore, switched to TiDB", ("Atlas", "uses", "TiDB")),
    ],
)
def test_what_takes_the_place_of_what_a_sentence_ends_is_told_in_its_next_clause(
    text: str, expected: tuple[str, str, str]
) -> None:
    assert [(s.subject.name, s.predicate, s.value) for s in statements(text)] == [expected]
    assert statements(text)[0].replaces


@pytest.mark.parametrize("text", ["Atlas feeds Marlin every night", "Atlas feeds Marlin on Mondays"])
def test_what_happens_again_and_again_is_no_plan(text: str) -> None:
    assert [s.modality.value for s in statements(text)] == ["asserted"]


@pytest.mark.parametrize("text", ["陈默想把支付系统拿 Go 重写", "林悦想用 Go 重写支付系统"])
def test_what_somebody_would_like_to_do_is_not_done(text: str) -> None:
    assert "asserted" not in [s.modality.value for s in statements(text) if s.value == "Go"]


@pytest.mark.parametrize("text", ["Priya is in Berlin for the next three months", "接下来几个月林悦住在北京"])
def test_what_goes_on_for_long_from_now_is_no_plan(text: str) -> None:
    assert [s.modality.value for s in statements(text) if s.predicate == "lives_in"] == ["asserted"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("支付系统的负责人又换了，这次是陈默", ("支付系统", "owner", "陈默")),
        ("支付系统换人了，现在归林悦", ("支付系统", "owner", "林悦")),
        ("支付系统这摊我交出去了，陈默接手", ("支付系统", "owner", "陈默")),
        ("支付系统缓存又换了，这回用 Redis", ("支付系统", "uses", "Redis")),
        ("Priya took Atlas off my hands", ("Atlas", "owner", "Priya")),
        ("Atlas's lead changed, it's Tomas now", ("Atlas", "owner", "Tomas")),
    ],
)
def test_that_it_changed_and_to_what_is_one_statement(text: str, expected: tuple[str, str, str]) -> None:
    assert [(s.subject.name, s.predicate, s.value) for s in statements(text)] == [expected]
