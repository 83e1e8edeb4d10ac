"""What is told late, corrected, or declared to replace something."""

from itertools import permutations

import pytest

from mnemic import InvalidInput, ManualClock, Mnemic, NotFound
from tests.engine.told import day, door, recalled, stored_id, tell, unchanged, values

BERLIN, PARIS, ROME = (f"Ben lives in {city}." for city in ("Berlin", "Paris", "Rome"))


def lived(memory: Mnemic, *days: float) -> list[list[str]]:
    """Return where Ben lived on these days."""
    return [values(memory, "Ben", "lives_in", valid_as_of=day(number)) for number in days]


# -- told late --------------------------------------------------------------------------------------


def test_a_past_value_told_late_ends_where_the_known_one_begins(memory: Mnemic, clock: ManualClock) -> None:
    clock.now = day(20)
    memory.remember(PARIS, at=day(10))
    memory.remember(ROME, at=day(5))
    assert lived(memory, 4, 5, 9, 10, 20) == [[], ["Rome"], ["Rome"], ["Paris"], ["Paris"]]
    assert memory.about("Ben").profile == {"lives_in": ("Paris",)}
    assert recalled(memory, "Where does Ben live?") == [PARIS]


def test_a_past_value_told_late_ends_the_one_before_it(memory: Mnemic, clock: ManualClock) -> None:
    memory.remember(BERLIN, at=day(0))
    clock.now = day(20)
    memory.remember(PARIS, at=day(10))
    memory.remember(ROME, at=day(5))
    assert lived(memory, 1, 7, 12) == [["Berlin"], ["Rome"], ["Paris"]]


def test_a_known_value_told_for_an_earlier_time_holds_from_then_on(
    memory: Mnemic, clock: ManualClock
) -> None:
    clock.now = day(20)
    memory.remember(PARIS, at=day(10))
    memory.remember(PARIS, at=day(5), id="late")
    assert lived(memory, 7, 12) == [["Paris"], ["Paris"]]


def test_the_order_of_telling_does_not_matter_where_moments_are_given() -> None:
    for order in permutations(enumerate(("Berlin", "Paris", "Rome"))):
        with door(clock=ManualClock(day(20))) as memory:
            for number, city in order:
                memory.remember(f"Ben lives in {city}.", at=day(number))
            assert lived(memory, 0.5, 1.5, 2.5) == [["Berlin"], ["Paris"], ["Rome"]], order
            (chain,) = memory.history("Ben", predicate="lives_in").chains
            assert [v.replaced_by for v in chain.versions] == [*(v.memory for v in chain.versions[1:]), ""], (
                order
            )


def test_what_will_be_true_leaves_what_is_true_until_then(memory: Mnemic, clock: ManualClock) -> None:
    memory.remember(BERLIN)
    memory.remember(PARIS, at=day(5))
    clock.now = day(1)
    assert lived(memory, 1, 6) == [["Berlin"], ["Paris"]]
    assert recalled(memory, "Where does Ben live?") == [BERLIN]
    assert memory.about("Ben").profile == {"lives_in": ("Berlin",)}


# -- corrected --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("wrong", "right", "name", "before", "after"),
    [
        (BERLIN, "Correction: Ben lives in Paris.", "Ben", "Berlin", "Paris"),
        (BERLIN, "Sorry, I meant Ben lives in Paris.", "Ben", "Berlin", "Paris"),
        ("小王住在上海。", "更正：小王住在北京。", "小王", "上海", "北京"),
    ],
)
def test_a_correction_retires_the_mistake_on_the_record_clock(
    memory: Mnemic, clock: ManualClock, wrong: str, right: str, name: str, before: str, after: str
) -> None:
    memory.remember(wrong)
    clock.now = day(10)
    (replaced,) = memory.remember(right).replaced
    assert replaced.reason == "corrected"
    clock.now = day(20)
    assert values(memory, name, "lives_in") == [after]
    assert values(memory, name, "lives_in", known_as_of=day(5)) == [before]
    assert before not in values(memory, name, "lives_in", valid_as_of=day(5))
    (chain,) = memory.history(name, predicate="lives_in").chains
    assert [(v.value, v.retired_at) for v in chain.versions] == [(before, day(10)), (after, None)]


def test_a_mistake_comes_back_through_no_question(memory: Mnemic) -> None:
    tell(memory, BERLIN, "Correction: Ben lives in Paris.")
    for depth in ("warm", "deep", "auto"):
        assert BERLIN not in recalled(memory, "Where does Ben live? In Berlin?", depth=depth)


# -- declared to replace ----------------------------------------------------------------------------


@pytest.mark.parametrize("pointer", ["id", "Checkout depends on ledger.", "depends on ledger"])
def test_the_caller_says_what_is_replaced_by_id_or_by_words(memory: Mnemic, pointer: str) -> None:
    tell(memory, "Checkout uses Postgres.")
    (older,) = tell(memory, "Checkout depends on ledger.")
    pointer = stored_id(older) if pointer == "id" else pointer
    receipt = memory.remember("Checkout depends on Atlas.", replaces=pointer)
    (replaced,) = receipt.replaced
    assert (replaced.older, replaced.reason, replaced.score) == (stored_id(older), "declared", 1.0)
    assert values(memory, "checkout", "depends_on") == ["Atlas"]
    assert values(memory, "checkout", "uses") == ["PostgreSQL"]


@pytest.mark.parametrize("text", ["Rome it is.", "Thanks!", PARIS, "小王住在北京。", BERLIN])
@pytest.mark.parametrize("pointer", ["mffffffffffffffffffff", "the colour of the bicycle shed", ""])
def test_what_replaces_something_unknown_is_not_stored(memory: Mnemic, text: str, pointer: str) -> None:
    memory.remember(BERLIN)
    with unchanged(memory), pytest.raises((NotFound, InvalidInput)):
        memory.remember(text, replaces=pointer, id="next")


def test_what_replaces_outright_is_kept_however_slight(memory: Mnemic) -> None:
    (older,) = tell(memory, BERLIN)
    (replaced,) = memory.remember("Rome it is.", replaces=stored_id(older)).replaced
    assert replaced.older == stored_id(older)
    assert values(memory, "Ben", "lives_in") == []
    assert recalled(memory, "Where does Ben live?", depth="warm") in ([], ["Rome it is."])


def test_a_known_value_may_replace_another_one_outright(memory: Mnemic) -> None:
    older, _ = tell(memory, "Checkout uses Postgres.", "Checkout uses MySQL.")
    receipt = memory.remember("Checkout uses MySQL.", replaces=stored_id(older))
    assert [replaced.older for replaced in receipt.replaced] == [stored_id(older)]
    assert values(memory, "checkout", "uses") == ["MySQL"]


def test_what_nothing_matches_says_what_is_near(memory: Mnemic) -> None:
    memory.remember(BERLIN)
    with pytest.raises(NotFound) as caught:
        memory.remember(PARIS, replaces="the colour of the bicycle shed of Ben")
    assert caught.value.nearest == (BERLIN,)


@pytest.mark.parametrize(
    ("first", "second", "correction", "before", "then"),
    [
        (
            "I moved to Bern.",
            "I moved to Oslo.",
            "Actually I moved to Basel, not Bern.",
            ["Basel"],
            ["Oslo"],
        ),
        ("I moved to Bern.", "I moved to Oslo.", "Sorry, I never moved to Bern.", [], ["Oslo"]),
        ("我搬到杭州了。", "我搬到苏州了。", "说错了，我没搬到杭州。", [], ["苏州"]),
    ],
)
def test_a_correction_may_mean_what_has_been_replaced_since(
    memory: Mnemic, first: str, second: str, correction: str, before: list[str], then: list[str]
) -> None:
    tell(memory, first, second, correction)
    assert values(memory, "ada", "lives_in", valid_as_of=day(0.5)) == before
    assert values(memory, "ada", "lives_in") == then
