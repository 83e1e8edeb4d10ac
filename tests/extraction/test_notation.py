import re
from collections.abc import Iterator
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mnemic.extraction.notation import (
    Choice,
    Item,
    Slot,
    Tongue,
    Word,
    anchors,
    literal_length,
    parse,
    phrases,
    slots,
    tongue,
)

WORDS = {"use": ("use", "rely on"), "to": ("换成", "换到")}
JOINED = Tongue(r"\s*", r"\s*")


def expression(source: str, how: Tongue) -> re.Pattern[str]:
    items = parse(source, WORDS)
    fill = {slot: f"(?P<{slot.name}>.+?)" if slot.name else ".+?" for slot in slots(items)}
    return re.compile(how.sequence(items, fill), re.IGNORECASE)


def spelled(items: tuple[Item, ...]) -> Iterator[str]:
    """Yield all that a pattern without slots can say: the slow and plain reading of the notation."""
    ways: list[list[str]] = []
    for item in items:
        lead = " " if item.spaced else ""
        if isinstance(item, Word):
            ways.append([lead + item.text])
        elif isinstance(item, Choice):
            said = [lead + way for part in item.parts for way in spelled(part)]
            ways.append([*said, ""] if item.optional else said)
    yield from map("".join, product(*ways))


@pytest.mark.parametrize(
    ("source", "text", "matches"),
    [
        ("we moved", "we moved", True),
        ("we moved", "we removed", False),
        ("is", "this", False),
        ("is", "isn't", False),
        ("a.b", "axb", False),
        ("we (moved|went) away", "we went away", True),
        ("we (moved|went) away", "we away", False),
        ("we [all] left", "we left", True),
        ("we [all] left", "we all left", True),
        ("we <use> it", "we rely on it", True),
        ("从 <to>", "从换到", True),
        ("^ over", "over", True),
        ("^ over", "all over", False),
        ("over $", "it's over!", True),
        ("over $", "over there", False),
    ],
)
def test_what_a_pattern_matches(source: str, text: str, matches: bool) -> None:
    how = tongue("en" if source.isascii() else "zh", ())
    assert (expression(source, how).search(text) is not None) == matches


def test_slots_have_names_types_and_marks() -> None:
    found = list(slots(parse("{s} (uses|[maybe] {o!:tech|name}) {_} {old:date}", WORDS)))
    assert [(slot.name, slot.types, slot.marked) for slot in found] == [
        ("s", (), False),
        ("o", ("tech", "name"), True),
        ("", (), False),
        ("old", ("date",), False),
    ]


def test_an_open_object_takes_words_as_they_stand() -> None:
    plain = [slot.is_plain for slot in slots(parse("{s} {o} {o:text} {o:tech} {_}", WORDS))]
    assert plain == [False, True, True, False, False]


def test_full_width_signs_are_written_as_frames_show_them() -> None:
    assert parse("（好）", {}) == parse("(好)".replace("(", "（").replace(")", "）"), {})
    (word,) = parse("（好）", {})
    assert isinstance(word, Word)
    assert word.text == "(好)"


def test_phrases_are_the_runs_of_words() -> None:
    assert list(phrases(parse("can't stand {o} at all", WORDS))) == ["can't stand", "at all"]
    assert set(phrases(parse("{s} (no longer|never) <use>", WORDS))) == {
        "no longer",
        "never",
        "use",
        "rely on",
    }


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("{s} uses {o}", [("uses",)]),
        ("{s} is based in {o}", [("based",), ("is",), ("in",)]),
        ("{s} (lives|stays) in {o}", [("lives", "stays"), ("in",)]),
        ("{s} [now] at {o}", [("at",)]),
        ("{s} {o}", []),
        ("{s} (lives|[now]) {o}", []),
        ("^ {o:date} $", []),
        ("Due {o}", [("due",)]),
    ],
)
def test_anchors_are_words_that_must_occur(source: str, expected: list[tuple[str, ...]]) -> None:
    assert anchors(parse(source, WORDS)) == expected


def test_long_literals_count_more() -> None:
    lengths = [
        literal_length(parse(source, WORDS)) for source in ("{s} {o}", "{s} at {o}", "{s} is based {o}")
    ]
    assert lengths == sorted(set(lengths))


def test_skipped_words_and_dates_may_stand_between_parts() -> None:
    how = tongue("en", ["now"])
    found = re.compile(how.sequence(parse("we moved", WORDS), {}), re.IGNORECASE)
    assert found.search("we moved")
    assert found.search("we \ue140now\ue141 moved")
    assert found.search("we the moved")
    assert not found.search("we never moved")


sources = st.recursive(
    st.sampled_from(("we", "can't", "no longer", "换成", "<use>", "<to>", "a.b", "C++")),
    lambda inner: (
        st.lists(inner, min_size=1, max_size=3).map(" ".join)
        | st.lists(inner, min_size=1, max_size=3).map(lambda parts: f"({'|'.join(parts)})")
        | st.tuples(inner, inner).map(lambda parts: f"{parts[0]} [{parts[1]}]")
    ),
    max_leaves=6,
)


@given(sources)
def test_a_pattern_matches_all_that_it_says(source: str) -> None:
    found = expression(source, JOINED)
    assert all(found.search(said) for said in spelled(parse(source, WORDS)))


@given(sources)
def test_one_of_each_set_of_anchors_is_in_all_that_it_says(source: str) -> None:
    items = parse(source, WORDS)
    assert all(
        any(anchor in said.lower() for anchor in words) for said in spelled(items) for words in anchors(items)
    )


def test_a_subject_may_be_marked_as_left_out() -> None:
    said, unsaid = (next(slots(parse(source, WORDS))) for source in ("{s:person} at", "{s?:person} at"))
    assert (said.unsaid, unsaid.unsaid) == (False, True)
    assert said.name == unsaid.name == "s"


@given(sources)
def test_slots_of_a_pattern_are_named_where_they_stand(source: str) -> None:
    found = list(slots(parse(f"{{s}} {source} {{o:tech}}", WORDS)))
    assert [slot.name for slot in found] == ["s", "o"]
    assert all(isinstance(slot, Slot) for slot in found)


@given(
    st.lists(
        st.sampled_from(("on", "one", "on hold", "c", "c++", "can't", "换", "换成", "用 on", "5g")),
        min_size=1,
    ),
    st.text(st.sampled_from("onec+ 'tholdag5换成用"), max_size=20),
)
def test_words_that_share_their_boundaries_are_found_as_each_alone(words: list[str], text: str) -> None:
    how = tongue("zh", ["了"], ["换成"])
    each = re.compile("|".join(map(how.word, words)))
    assert [m.span() for m in re.finditer(how.any_word(words), text)] == [
        m.span() for m in each.finditer(text)
    ]
