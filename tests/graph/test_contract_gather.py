"""Contract of gather: what each channel nominates, what filters keep out, what the statistics say."""

from dataclasses import replace
from math import log
from random import Random
from typing import Any

import numpy as np
import pytest

from mnemic.errors import EmbedderMismatch
from mnemic.graph.model import Kind, Layer, Memory, State
from mnemic.graph.store import Corpus, Probe, Store
from tests.graph.builders import (
    DIMENSION,
    candidate,
    day,
    delta,
    embedded,
    entity,
    memory,
    mentions,
    nominated,
    turn,
    vector,
    view,
)

CHANNELS = ("words", "vector", "entities", "time", "salient")


def everything(**rest: Any) -> Probe:
    """Return a probe that every channel of the memory layer answers."""
    probe = Probe(terms=("plan",), vector=vector(1), entities=("e1",), since=day(-9999), salient=True)
    return replace(probe, **rest)


def numbered(count: int, *, owner: str = "ada", prefix: str = "m", first: int = 0) -> list[Any]:
    """Return memories that every channel likes equally, a day apart, with their vectors."""
    rows: list[Any] = []
    for number in range(first, first + count):
        row = memory(f"{prefix}{number:03}", number, owner, terms=("plan",), mentions=mentions("e1"))
        rows += [row, embedded(row.id, vector(1))]
    return rows


# -- channels -----------------------------------------------------------------------------------------


def test_an_empty_probe_nominates_nothing_and_still_counts(store: Store) -> None:
    store.apply(delta(memory("m1", terms=("plan", "plan", "b")), memory("m2")))
    found = store.gather(view(), Probe())

    assert found.candidates == ()
    assert found.corpus == Corpus(size=2, length=3, frequency={}, centre=None)


def test_an_empty_store_answers_with_nothing(bare_store: Store) -> None:
    for layer in Layer:
        assert bare_store.gather(view(), everything(layer=layer)).candidates == ()


def test_a_candidate_carries_its_row_its_vectors_and_its_channels(store: Store) -> None:
    row = memory("m1", terms=("plan",), mentions=mentions("e1"))
    store.apply(
        delta(entity("e1"), row, embedded("m1", vector(1), vector(1, 1)), memory("m2", terms=("plan",)))
    )
    found = store.gather(view(), everything())

    first, second = candidate(found, "m1"), candidate(found, "m2")
    assert len(found.candidates) == 2
    assert (first.row, first.channels) == (row, frozenset(CHANNELS))
    assert first.summary is not None
    assert first.detail is not None
    np.testing.assert_allclose(first.summary, vector(1), atol=1e-3)
    np.testing.assert_allclose(first.detail, vector(1, 1), atol=1e-3)
    assert (second.summary, second.detail) == (None, None)
    assert second.channels == {"words", "time", "salient"}


def test_words_nominate_what_holds_any_term(store: Store) -> None:
    store.apply(
        delta(memory("m1", terms=("a", "b")), memory("m2", terms=("b",)), memory("m3", terms=("ab",)))
    )

    assert nominated(store.gather(view(), Probe(terms=("a",))), "words") == {"m1"}
    assert nominated(store.gather(view(), Probe(terms=("b", "x", "b"))), "words") == {"m1", "m2"}
    assert nominated(store.gather(view(), Probe(terms=("x", ""))), "words") == set()


def test_a_question_may_be_as_long_as_a_chapter(store: Store) -> None:
    terms = tuple(f"term{number}" for number in range(1500))
    store.apply(delta(memory("m1", terms=terms), memory("m2", 1, terms=("other",))))
    assert nominated(store.gather(view(), Probe(terms=terms)), "words") == {"m1"}


def test_words_prefer_the_rarer_term(store: Store) -> None:
    common = [memory(f"m{number}", number, terms=("common",)) for number in range(9)]
    store.apply(delta(*common, memory("rare", terms=("rare",))))

    assert nominated(store.gather(view(), Probe(terms=("common", "rare"), limit=1)), "words") == {"rare"}


def test_a_term_of_any_script_finds_itself_and_nothing_else(store: Store) -> None:
    words = [
        "c",
        "c++",
        "c#",
        "net",
        ".net",
        "n",
        "a+",
        "aa",
        "a",
        "A",
        "ä",
        "Ä",
        "é",
        "e\u0301",
        "e",
        "or",
        "NEAR",
    ]
    words += [
        "数",
        "据",
        "数据",
        "ไ",
        "ไทย",
        "السلام",
        "🎉👩‍💻",
        '"',
        "*",
        "a b",
        "b",
        "\ue02a",
        "\ue02b",
        "+",
        "\x00",
        "",
    ]
    store.apply(delta(*(memory(f"m{number}", terms=("x", word)) for number, word in enumerate(words))))

    for number, word in enumerate(words):
        found = store.gather(view(), Probe(terms=(word,)))
        assert (nominated(found, "words"), found.corpus.frequency) == ({f"m{number}"}, {word: 1})


@pytest.mark.parametrize("letter", ["a", "数", "\U00020000", "_", "🎉"])
def test_long_terms_that_differ_at_the_end_alone_are_told_apart(store: Store, letter: str) -> None:
    """A server cuts words into pieces of 255 units of UTF-16; a letter beyond 16 bits takes two."""
    terms = [letter * length + end for length in (110, 125, 190, 250) for end in "bc"]
    store.apply(delta(*(memory(f"m{number}", terms=(term,)) for number, term in enumerate(terms))))

    for number, term in enumerate(terms):
        found = store.gather(view(), Probe(terms=(term,)))
        assert (nominated(found, "words"), found.corpus.frequency) == ({f"m{number}"}, {term: 1})


def test_vectors_nominate_the_nearest_in_their_context(store: Store) -> None:
    store.apply(
        delta(
            *(memory("m1"), memory("m2", 1), memory("m3", 2), memory("m4", 3)),
            embedded("m1", vector(1), vector(0, 1)),
            embedded("m2", vector(0, 1), vector(1)),
            embedded("m3", vector(1, 1), vector(1, 2)),
        )
    )
    found = store.gather(view(), Probe(vector=vector(1), limit=2))

    assert nominated(found, "vector") == {"m2", "m3"}


def test_a_query_of_another_dimension_is_refused(store: Store) -> None:
    with pytest.raises(EmbedderMismatch, match=str(DIMENSION)):
        store.gather(view(), Probe(vector=np.ones(3, np.float32)))


def test_entities_nominate_the_latest_that_mention_any(store: Store) -> None:
    store.apply(
        delta(
            *(entity("e1"), entity("e2"), entity("e3")),
            memory("m1", 1, mentions=mentions("e1", "e2", "e1")),
            memory("m2", 2, mentions=mentions("e2")),
            memory("m3", 3, mentions=mentions("e1")),
            memory("m4", 4, mentions=mentions("e3")),
        )
    )
    assert nominated(store.gather(view(), Probe(entities=("e1", "e2", "x"))), "entities") == {
        "m1",
        "m2",
        "m3",
    }
    assert nominated(store.gather(view(), Probe(entities=("e1", "e2"), limit=2)), "entities") == {"m2", "m3"}


@pytest.mark.parametrize(
    ("since", "until", "expected"),
    [
        (2, 4, {"m2", "m3"}),
        (2, None, {"m2", "m3", "m4"}),
        (None, 3, {"m1", "m2"}),
        (5, 9, set()),
        (3, 3, set()),
    ],
)
def test_time_nominates_the_half_open_span_and_restricts_no_other_channel(
    store: Store, since: int | None, until: int | None, expected: set[str]
) -> None:
    store.apply(delta(*(memory(f"m{number}", number, terms=("plan",)) for number in (1, 2, 3, 4))))
    begin, end = (None if number is None else day(number) for number in (since, until))
    found = store.gather(view(), Probe(terms=("plan",), since=begin, until=end))

    assert nominated(found, "time") == expected
    assert nominated(found, "words") == {"m1", "m2", "m3", "m4"}


def test_time_nominates_the_latest_first(store: Store) -> None:
    store.apply(delta(*(memory(f"m{number}", number) for number in range(9))))
    assert nominated(store.gather(view(), Probe(until=day(7), limit=2)), "time") == {"m5", "m6"}


def test_salient_nominates_the_most_important(store: Store) -> None:
    store.apply(delta(*(memory(f"m{number}", importance=number / 10) for number in range(9))))
    assert nominated(store.gather(view(), Probe(salient=True, limit=2)), "salient") == {"m7", "m8"}


def test_ties_go_to_the_newer_and_then_to_the_lower_id(store: Store) -> None:
    rows = numbered(6)
    same_day = [row for id in ("c", "b", "a") for row in numbered(1, prefix=id, first=3)]
    store.apply(delta(entity("e1"), *same_day, *rows))

    for limit, best in (
        (2, {"m005", "m004"}),
        (4, {"m005", "m004", "a003", "b003"}),
        (6, {"m005", "m004", "a003", "b003", "c003", "m003"}),
    ):
        found = store.gather(view(), everything(limit=limit))
        assert {channel: nominated(found, channel) for channel in CHANNELS} == dict.fromkeys(CHANNELS, best)


def test_each_channel_nominates_up_to_the_limit(store: Store) -> None:
    store.apply(delta(entity("e1"), *numbered(30)))
    found = store.gather(view(), everything(limit=7))
    assert {channel: len(nominated(found, channel)) for channel in CHANNELS} == dict.fromkeys(CHANNELS, 7)
    assert store.gather(view(), everything(limit=0)).candidates == ()


# -- what the view hides ------------------------------------------------------------------------------


def test_hidden_rows_do_not_crowd_out_shown_ones(store: Store) -> None:
    hidden = [
        replace(row, state=State.QUARANTINED, importance=1.0) if hasattr(row, "state") else row
        for row in numbered(50, first=100)
    ]
    store.apply(delta(entity("e1"), *numbered(5), *hidden))
    found = store.gather(view(), everything(limit=5))

    shown = {f"m00{number}" for number in range(5)}
    assert {channel: nominated(found, channel) for channel in CHANNELS} == dict.fromkeys(CHANNELS, shown)


def test_other_owners_rows_do_not_crowd_out_ones_own(store: Store) -> None:
    theirs = [
        replace(row, importance=1.0) if hasattr(row, "state") else row
        for row in numbered(50, owner="bob", first=100)
    ]
    store.apply(delta(entity("e1"), *numbered(5), *theirs))
    found = store.gather(view(), everything(limit=5))

    own = {f"m00{number}" for number in range(5)}
    assert {channel: nominated(found, channel) for channel in CHANNELS} == dict.fromkeys(CHANNELS, own)
    assert (found.corpus.size, found.corpus.length, found.corpus.frequency) == (5, 5, {"plan": 5})


def test_hidden_candidates_come_on_request_by_words_and_vectors_only(store: Store) -> None:
    gone = replace(
        memory("gone", terms=("plan",), mentions=mentions("e1"), importance=1.0), state=State.ARCHIVED
    )
    later = memory("later", 2000, terms=("plan",), mentions=mentions("e1"))
    theirs = memory("theirs", 0, "bob", terms=("plan",))
    store.apply(
        delta(
            *(entity("e1"), gone, later, theirs, memory("m1", terms=("plan",), mentions=mentions("e1"))),
            *(embedded("gone", vector(1)), embedded("theirs", vector(1)), embedded("m1", vector(1, 1))),
        )
    )
    found = store.gather(view(), everything(hidden=5, limit=1))

    assert nominated(found, "words") == {"m1", "gone", "later"}
    assert nominated(found, "vector") == {"m1", "gone"}
    for channel in ("entities", "time", "salient"):
        assert nominated(found, channel) == {"m1"}
    assert nominated(store.gather(view(), everything(hidden=1)), "words") == {"m1", "later"}
    assert nominated(store.gather(view(), everything()), "words") == {"m1"}


# -- filters ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("filters", "expected"),
    [
        ({"kinds": frozenset({"decision"})}, {"decision"}),
        ({"kinds": frozenset({"decision", "task"})}, {"decision"}),
        ({"tags": frozenset({"work"})}, {"tagged"}),
        ({"tags": frozenset({"home", "nothing"})}, {"tagged"}),
        ({"sessions": frozenset({"s1"})}, {"session"}),
        ({"speakers": frozenset({"Bob"})}, {"speaker"}),
        ({"speakers": frozenset({"Bob"}), "sessions": frozenset({"s1"})}, set()),
    ],
)
def test_filters_restrict_every_channel_inside_the_search(
    store: Store, filters: dict[str, frozenset[str]], expected: set[str]
) -> None:
    common: dict[str, Any] = {"terms": ("plan",), "mentions": mentions("e1")}
    special = [
        memory("decision", 0, kind=Kind.DECISION, **common),
        memory("tagged", 0, tags=("work", "home"), **common),
        memory("session", 0, session="s1", **common),
        memory("speaker", 0, speaker="Bob", **common),
    ]
    vectors = [embedded(row.id, vector(1)) for row in special]
    store.apply(delta(entity("e1"), *special, *vectors, *numbered(30, first=1)))

    found = store.gather(view(), everything(limit=1, **filters))
    assert {channel: nominated(found, channel) for channel in CHANNELS} == dict.fromkeys(CHANNELS, expected)


def test_filters_hold_for_hidden_candidates(store: Store) -> None:
    store.apply(
        delta(
            memory("m1", 2000, terms=("plan",), session="s1"),
            memory("m2", 2000, terms=("plan",), session="s2"),
        )
    )
    probe = Probe(terms=("plan",), hidden=9, sessions=frozenset({"s1"}))
    assert nominated(store.gather(view(), probe), "words") == {"m1"}


# -- statistics ---------------------------------------------------------------------------------------


def test_the_corpus_spans_the_views_owners_and_hidden_rows(store: Store) -> None:
    store.apply(
        delta(
            memory("m1", terms=("plan", "plan", "a")),
            memory("m2", terms=("a",), state=State.ARCHIVED),
            memory("m3", owner="team", terms=("plan",)),
            memory("m4", owner="bob", terms=("plan", "a", "b")),
            embedded("m1", vector(1), vector(1)),
            embedded("m3", vector(0, 1), vector(0, 0, 1)),
            embedded("m4", vector(0, 0, 0, 1)),
        )
    )
    corpus = store.gather(view("ada", "team"), Probe(terms=("plan", "a", "b", "plan"))).corpus

    assert (corpus.size, corpus.length) == (3, 5)
    assert corpus.frequency == {"plan": 2, "a": 2, "b": 0}
    assert corpus.centre is not None
    assert corpus.centre.dtype == np.float32
    np.testing.assert_allclose(corpus.centre, (vector(1) + vector(0, 0, 1)) / 2, atol=1e-3)


def test_each_layer_has_its_own_corpus(store: Store) -> None:
    store.apply(delta(memory("m1", terms=("plan",)), turn("t1", terms=("plan", "x")), turn("t2", 1)))
    corpus = store.gather(view(), Probe(layer=Layer.TURN, terms=("plan",))).corpus
    assert (corpus.size, corpus.length, corpus.frequency) == (2, 2, {"plan": 1})


# -- turns --------------------------------------------------------------------------------------------


def test_turns_are_nominated_by_words_vectors_and_time(store: Store) -> None:
    store.apply(
        delta(
            *(turn("t1", 1, terms=("plan",)), turn("t2", 2), turn("t3", 3), memory("m1", terms=("plan",))),
            embedded("t2", vector(1), layer=Layer.TURN),
        )
    )
    probe = Probe(layer=Layer.TURN, terms=("plan",), vector=vector(1), since=day(3), salient=True)
    found = store.gather(view(), probe)

    assert {each.row.id: set(each.channels) for each in found.candidates} == {
        "t1": {"words"},
        "t2": {"vector"},
        "t3": {"time"},
    }


def test_a_turn_is_shown_from_its_time_on(store: Store) -> None:
    store.apply(delta(turn("t1", 5, terms=("plan",)), turn("t2", 6, terms=("plan",))))
    probe = Probe(layer=Layer.TURN, terms=("plan",), since=day(0))

    assert nominated(store.gather(view(valid=4.9), probe), "words") == set()
    assert nominated(store.gather(view(valid=5), probe), "words") == {"t1"}
    assert nominated(store.gather(view(valid=5), probe), "time") == {"t1"}
    assert nominated(store.gather(view(valid=5), replace(probe, hidden=3)), "words") == {"t1", "t2"}


def test_turns_are_filtered_by_session_and_speaker_and_have_neither_kind_nor_tags(store: Store) -> None:
    store.apply(
        delta(
            turn("t1", 1, terms=("plan",), session="s1", speaker="Bob"),
            turn("t2", 2, terms=("plan",), session="s2"),
        )
    )

    def found(**filters: Any) -> set[str]:
        probe = Probe(layer=Layer.TURN, terms=("plan",), **filters)
        return nominated(store.gather(view(), probe), "words")

    assert found(sessions=frozenset({"s1"})) == {"t1"}
    assert found(speakers=frozenset({"Bob"})) == {"t1"}
    assert found(kinds=frozenset({"fact"})) == set()
    assert found(tags=frozenset({"work"})) == set()


def test_neighbours_are_the_turns_around_a_nominated_one_in_its_session(store: Store) -> None:
    session = [turn(f"t{number}", number, terms=("plan",) if number == 4 else ()) for number in range(9)]
    store.apply(
        delta(
            *(row for row in session if row.id != "t5"),
            turn("other", 3, session="elsewhere"),
            turn("theirs", 3, owner="bob"),
        )
    )
    found = store.gather(view(), Probe(layer=Layer.TURN, terms=("plan",), window=2))

    assert nominated(found, "neighbour") == {"t2", "t3", "t6", "t7"}
    assert nominated(found, "words") == {"t4"}


def test_turns_of_one_position_are_neighbours_by_id(store: Store) -> None:
    store.apply(delta(turn("b", 1, terms=("plan",)), turn("a", 1), turn("c", 1), turn("d", 2)))
    found = store.gather(view(), Probe(layer=Layer.TURN, terms=("plan",), window=1))
    assert nominated(found, "neighbour") == {"a", "c"}


def test_hidden_candidates_bring_no_neighbours(store: Store) -> None:
    store.apply(delta(turn("t1", 1), turn("t2", 2, at=day(2000), terms=("plan",)), turn("t3", 3)))
    found = store.gather(view(), Probe(layer=Layer.TURN, terms=("plan",), window=1, hidden=5))
    assert [each.row.id for each in found.candidates] == ["t2"]


def test_a_nominated_turn_may_be_anothers_neighbour_and_never_its_own(store: Store) -> None:
    store.apply(delta(turn("t1", 1, terms=("plan",)), turn("t2", 2, terms=("plan",)), turn("t3", 9)))
    found = store.gather(view(valid=2), Probe(layer=Layer.TURN, terms=("plan",), window=1))

    assert {each.row.id: set(each.channels) for each in found.candidates} == {
        "t1": {"words", "neighbour"},
        "t2": {"words", "neighbour"},
    }


def test_words_nominate_the_best_of_many(store: Store) -> None:
    """Of more rows than a store may rank exactly; those of another, much longer, do not count."""
    random = Random(7)
    words = [f"w{number}" for number in range(40)]
    rows = [
        memory(
            f"m{number:03}", number, terms=tuple(random.choices(words, range(1, 41), k=random.randint(3, 25)))
        )
        for number in range(400)
    ]
    others = [memory(f"n{number}", 0, "bob", terms=tuple(words * 3)) for number in range(50)]
    store.apply(delta(*rows, *others))
    asked = ("w5", "w20", "w38", "w39")

    def score(row: Memory) -> float:
        usual = sum(len(each.terms) for each in rows) / len(rows)
        rarity = {term: sum(term in each.terms for each in rows) for term in asked}
        weight = sum(
            log(1 + (len(rows) - count + 0.5) / (count + 0.5))
            for term, count in rarity.items()
            if term in row.terms
        )
        return weight / (1 + 1.2 * (0.25 + 0.75 * len(row.terms) / usual))

    best = {row.id for row in sorted(rows, key=score, reverse=True)[:10]}
    found = nominated(store.gather(view(), Probe(terms=asked, limit=10)), "words")
    assert len(found) == 10
    assert len(found & best) >= 9


def test_a_filter_that_passes_few_finds_them_among_many(store: Store) -> None:
    rows = [memory(f"m{number:03}", number, terms=("plan", f"w{number}")) for number in range(120)]
    rows += [
        memory(f"s{number}", number, terms=("plan", *(["word"] * 30)), tags=("rare",)) for number in range(3)
    ]
    store.apply(delta(*rows))
    found = store.gather(view(), Probe(terms=("plan",), tags=frozenset({"rare"}), limit=10))
    assert nominated(found, "words") == {"s0", "s1", "s2"}
