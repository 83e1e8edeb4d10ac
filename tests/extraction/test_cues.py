import pytest
from hypothesis import given
from hypothesis import strategies as st

from mnemic.extraction.cues import Cues, by_class, shipped_cues
from mnemic.extraction.width import level
from tests.extraction.reading import messages, patient, shifts

CUES = Cues(
    {
        "end": ("no longer", "not … anymore", "不…了", "stop"),
        "negation": ("no", "not", "n't", "不"),
        "task": ("todo", "to do"),
    }
)


def heard(text: str) -> dict[str, tuple[str, ...]]:
    return by_class(CUES.hear(text))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("we no longer use it", {"end": ("no longer",), "negation": ("no",)}),
        ("nothing to stopper", {}),
        ("don't", {"negation": ("n't",)}),
        ("DON’T", {"negation": ("n't",)}),
        ("ｎｏｔ", {"negation": ("not",)}),
        ("用不到", {"negation": ("不",)}),
        ("not used anymore", {"end": ("not used anymore",), "negation": ("not",)}),
        ("不用它了", {"end": ("不用它了",), "negation": ("不",)}),
        ("不好，走了", {"negation": ("不",)}),
        ("not " + "x" * 20 + " anymore", {"negation": ("not",)}),
        ("knot anymore", {}),
        ("", {}),
    ],
)
def test_what_is_heard(text: str, expected: dict[str, tuple[str, ...]]) -> None:
    assert heard(text) == expected


def test_the_longest_counts_within_a_class_and_all_classes_are_heard() -> None:
    nested = Cues({"a": ("go", "go on"), "b": ("go",)})
    assert [(cue.name, cue.word) for cue in nested.hear("go on")] == [("b", "go"), ("a", "go on")]


def test_a_word_is_heard_as_often_as_it_stands() -> None:
    assert heard("no, no and no") == {"negation": ("no", "no", "no")}


@patient
@given(messages)
def test_cues_are_spans_of_the_text_in_order(text: str) -> None:
    cues = shipped_cues().hear(text)
    assert list(cues) == sorted(cues, key=lambda cue: (cue.start, cue.end, cue.name))
    assert all(level(text)[cue.start : cue.end] == cue.word != "" for cue in cues)


@patient
@given(shifts, st.sampled_from(("we no longer use it", "我们不再用它了", "don’t forget")))
def test_what_stands_before_moves_cues_and_changes_none(before: str, text: str) -> None:
    lead = before + "\n"
    moved = [cue for cue in shipped_cues().hear(lead + text) if cue.start >= len(lead)]
    plain = shipped_cues().hear(text)
    assert [(cue.name, cue.start - len(lead)) for cue in moved] == [(cue.name, cue.start) for cue in plain]
