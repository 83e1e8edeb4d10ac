"""The patterns of a few predicates on frames: what is matched, in which order, and that nothing gets lost."""

import re
from dataclasses import replace
from functools import cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mnemic.extraction.analyse import shipped_grammar
from mnemic.extraction.cues import shipped_cues
from mnemic.extraction.frame import MARKS, Frame
from mnemic.extraction.patterns import PatternBook, skipper
from mnemic.extraction.predicates import Predicate, shipped_inventory
from tests.extraction.reading import frame, messages

EN = {
    "runs_on": (
        "{s} (runs|lives) on {o:platform}",
        "{s} (no longer|never) (runs|run) on {o!:platform}",
        "{s} moved from {old:platform} to {o:platform}",
    ),
    "written_in": ("{s} written in {o:language}", "{s!} (became|is now) {o:thing}", "{s} , in {o:language}"),
    "knows": ("{s:person} (can't|can) {o:text}",),
}
ZH = {"runs_on": ("{s} 跑在 {o:platform}",), "written_in": ("{s} 用 {o:language} 写",), "knows": ()}
QUESTIONS = {"runs_on": ("where {_} {s} run",), "written_in": (), "knows": ()}


@cache
def book() -> PatternBook:
    inventory = shipped_inventory()

    def worded(name: str) -> Predicate:
        wordings = {"en": EN[name], "zh": ZH[name]}
        return replace(inventory[name], patterns=wordings, questions={"en": QUESTIONS[name], "zh": ()})

    return PatternBook(replace(inventory, predicates={name: worded(name) for name in EN}), shipped_cues())


def shaded(text: str) -> Frame:
    return frame(text).shaded(shipped_grammar().skip)


def found(text: str, *, asking: bool = False) -> list[tuple[str, str]]:
    return [
        (pattern.predicate.name, pattern.source) for pattern, _ in book().match(shaded(text), asking=asking)
    ]


@pytest.mark.parametrize(
    ("text", "sources"),
    [
        ("Atlas runs on Linux", [EN["runs_on"][0]]),
        ("Atlas finally runs on Linux", [EN["runs_on"][0]]),
        ("Atlas runs on MySQL", []),
        ("Atlas 跑在 Linux", list(ZH["runs_on"])),
        ("支付用 Go 写", list(ZH["written_in"])),
        ("Atlas moved from AWS to Linux", [EN["runs_on"][2]]),
        ("where does Atlas run", []),
    ],
)
def test_what_is_matched(text: str, sources: list[str]) -> None:
    assert [source for _, source in found(text)] == sources


def test_questions_are_matched_only_when_asked_for() -> None:
    assert found("where does Atlas run", asking=True) == [("runs_on", QUESTIONS["runs_on"][0])]


def test_a_subject_of_any_kind_may_be_left_out_at_the_start_of_a_clause() -> None:
    assert found("runs on Linux") == [("runs_on", EN["runs_on"][0])]
    assert found("whatever it is it runs on Linux") != []


def test_typed_slots_come_before_words() -> None:
    ranks = {pattern.source: pattern.rank for pattern in book().patterns}
    assert ranks[EN["runs_on"][2]] > ranks[EN["runs_on"][0]] > ranks[EN["knows"][0]]
    order = [pattern.rank for pattern, _ in book().match(shaded("Priya can run, it runs on Linux"))]
    assert order == sorted(order, reverse=True)


def test_what_a_wording_says_of_itself() -> None:
    by_source = {pattern.source: pattern for pattern in book().patterns}
    ends, renames = by_source[EN["runs_on"][1]], by_source[EN["written_in"][1]]
    assert (ends.ends, ends.renames, ends.asks, ends.spans) == (True, False, False, False)
    assert (renames.ends, renames.renames) == (False, True)
    assert by_source[QUESTIONS["runs_on"][0]].asks
    assert by_source[EN["written_in"][2]].spans
    assert {"no longer", "never"} <= set(ends.loaded)
    assert by_source[EN["runs_on"][0]].loaded == ()
    assert by_source[EN["runs_on"][0]].needs == (frozenset({"platform"}),)


def test_a_match_may_stand_more_than_once() -> None:
    assert len(found("Atlas runs on Linux and Marlin runs on AWS")) == 2


def test_what_fills_an_open_slot_is_looked_for_by_kind() -> None:
    (by_mark,) = book().fillings(shipped_inventory()["runs_on"], ("platform",), "en")
    text = frame("well, on Linux I guess").text
    match = by_mark.search(text)
    assert match is not None
    assert match["o"] == MARKS["platform"]
    (by_words,) = book().fillings(shipped_inventory()["located_at"], ("text",), "en")
    near = by_words.search(frame("in the drawer").text)
    assert near is not None
    assert near["o"].endswith("drawer")


def test_the_skipper_finds_words_that_may_be_passed_over() -> None:
    words = {word for _, word in skipper(shipped_inventory()).iter("finally it 已经 works")}
    assert {"finally", "已经"} <= words


@settings(deadline=None, max_examples=60)
@given(
    messages
    | st.lists(
        st.sampled_from(
            ("Atlas", "支付", "runs on", "跑在", "用", "Linux", "Go", "写", "moved from", "to", "never", ",", "can", "Priya", "now")
        ),
        max_size=8,
    ).map(" ".join)
)  # fmt: skip
def test_no_match_is_lost_by_looking_at_anchors_first(text: str) -> None:
    """The plain version tries every pattern of a tongue that the text has letters of."""
    seen = shaded(text)
    tongues = {
        tongue
        for tongue, letters in (("en", "[a-zA-Z]"), ("zh", "[\u4e00-\u9fff]"))
        if re.search(letters, seen.words)
    }
    plain = {
        pattern.source
        for pattern in book().patterns
        if not pattern.asks and not pattern.phrases and pattern.tongue in (tongues or {"en", "zh"})
        if pattern.regex.search(seen.text)
    }
    assert plain == {pattern.source for pattern, _ in book().match(seen) if not pattern.phrases}
