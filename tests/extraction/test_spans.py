from dataclasses import dataclass

from hypothesis import given
from hypothesis import strategies as st

from mnemic.extraction.spans import apart, beginning_in, is_free


@dataclass(frozen=True)
class Stretch:
    start: int
    end: int


stretches = st.lists(
    st.tuples(st.integers(0, 60), st.integers(1, 9)).map(lambda pair: Stretch(pair[0], sum(pair))),
    max_size=30,
)


def overlap(one: Stretch, other: Stretch) -> bool:
    return one.start < other.end and other.start < one.end


@given(stretches)
def test_what_comes_first_keeps_its_place_and_nothing_overlaps(items: list[Stretch]) -> None:
    kept: list[Stretch] = []
    for item in items:
        if not any(overlap(item, other) for other in kept):
            kept.append(item)
    assert list(apart(items)) == sorted(kept, key=lambda item: item.start)


@given(stretches, st.integers(0, 60), st.integers(1, 9))
def test_free_is_what_overlaps_nothing(items: list[Stretch], start: int, size: int) -> None:
    kept, item = apart(items), Stretch(start, start + size)
    assert is_free(item, kept) == (not any(overlap(item, other) for other in kept))


@given(stretches, st.integers(0, 60), st.integers(0, 60))
def test_what_begins_in_a_stretch_is_found(items: list[Stretch], start: int, end: int) -> None:
    kept = apart(items)
    assert list(beginning_in(kept, start, end)) == [item for item in kept if start <= item.start < end]
