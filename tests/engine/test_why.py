"""Why a row is in an answer, and every way of being kept out of one: `why` says what the recall itself did."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

from mnemic import Explained, FixedEmbedder, InvalidInput, ManualClock, Mnemic, NotFound
from mnemic.engine.reasons import _SENTENCES, Out
from mnemic.engine.scorer import probability
from mnemic.engine.settings import Settings
from mnemic.graph.model import GraphDelta, State
from tests.engine.told import START, as_user, day, door, stored_id, tell

MOVED = ("The checkout runs on MySQL.", "We moved the checkout from MySQL to PostgreSQL.")
ASKED = "What does the checkout run on?"
DOUBTING = Settings(keep_from=0.0, doubt_from=0.02, overrule_from=1.0)
PARKED = (
    "Guests park behind the barn, on the gravel.",
    "Guests park in front of the barn now, not on the gravel.",
)
LAUNCHES = [f"The launch of Atlas number {n} is planned well." for n in range(6)]


def change(memory: Mnemic, id: str, **fields: Any) -> None:
    """Write a memory with other fields into the store, as its upkeep would."""
    [row] = memory.core.store.memories(memory.core.view(memory.scope), ids=[id])
    memory.core.store.apply(GraphDelta(memories=(replace(row, **fields),)))


def kept(memory: Mnemic, text: str, **declared: Any) -> str:
    return stored_id(memory.remember(text, **{"kind": "fact", **declared}))


def check(told: Explained, kept_out: str) -> None:
    assert told.kept_out == kept_out, (told.kept_out, told.because)
    assert not told.returned
    assert told.because


def test_what_is_returned_says_where_it_stands_and_why(memory: Mnemic) -> None:
    tell(memory, *MOVED, "Ben owns the checkout.")
    [first, *_] = memory.recall(ASKED).items
    told = memory.why(ASKED, first.id)
    assert told.returned
    assert (told.place, told.kept_out, told.score) == (1, "", first.score)
    assert (told.seed, told.path, told.turns, told.text) == (
        first.why.seed,
        first.why.path,
        first.turns,
        first.text,
    )
    words = next(channel for channel in told.channels if channel.name == "words")
    assert words.nominated
    assert 1 <= words.place <= words.of
    assert words.score == first.why.channels["words"]


def test_what_was_overruled_names_what_overruled_it(memory: Mnemic) -> None:
    old, new = tell(memory, *MOVED)
    told = memory.why(ASKED, stored_id(old))
    check(told, "replaced")
    assert (told.by, told.by_text) == (stored_id(new), MOVED[1])
    assert MOVED[1] in told.because
    assert told.channels


def test_what_is_in_doubt_names_what_may_have_replaced_it(clock: ManualClock) -> None:
    with Mnemic(":memory:", user="ada", embedder="none", clock=clock, settings=DOUBTING) as memory:
        old, new = tell(memory, *PARKED)
        told = memory.why("Where do guests park?", stored_id(old))
        check(told, "possibly out of date")
        assert (told.by, told.by_text) == (stored_id(new), PARKED[1])


def test_what_another_item_says_names_that_item(memory: Mnemic) -> None:
    receipt = memory.remember("The checkout runs on MySQL and Ben owns the checkout.")
    ids = {each.id for each in receipt.stored}
    found = memory.recall("What does the checkout run on and who owns it?")
    [twin] = [back.id for back in found.suppressed]
    told = memory.why("What does the checkout run on and who owns it?", twin)
    check(told, "said by another item")
    assert {told.by} == {item.id for item in found.items} == ids - {twin}


@pytest.mark.parametrize(
    ("fields", "reason"),
    [
        ({"state": State.QUARANTINED}, "quarantined"),
        ({"state": State.MERGED}, "merged"),
        ({"state": State.ARCHIVED}, "archived"),
        ({"retired_at": day(1)}, "retired"),
        ({"valid_to": day(1), "closed_at": day(1)}, "ended"),
        ({"expires_at": day(1)}, "expired"),
    ],
)
def test_what_is_hidden_says_how(
    memory: Mnemic, clock: ManualClock, fields: dict[str, Any], reason: str
) -> None:
    id = kept(memory, "The checkout runs on MySQL.")
    clock.now = day(2)
    change(memory, id, **fields)
    check(memory.why(ASKED, id), reason)
    check(memory.why(ASKED, "the checkout runs on MySQL"), reason)


def test_what_was_told_or_known_later_says_so(memory: Mnemic, clock: ManualClock) -> None:
    clock.now = day(10)
    id = kept(memory, "The checkout runs on MySQL.")
    check(memory.why(ASKED, id, valid_as_of=day(5)), "future")
    check(memory.why(ASKED, id, known_as_of=day(5)), "unknown")
    turn = memory.memory(id).turns[0]
    check(memory.why(ASKED, turn, valid_as_of=day(5), depth="deep"), "future")


def test_asked_how_it_was_what_took_its_place_is_kept_out(memory: Mnemic) -> None:
    _, new = tell(memory, *MOVED)
    check(memory.why("What did the checkout previously run on?", stored_id(new)), "present")


@pytest.mark.parametrize(
    ("wishes", "bound"),
    [
        ({"since": day(1)}, "since"),
        ({"until": START}, "until"),
        ({"session": "elsewhere"}, "session"),
        ({"kinds": ("decision",)}, "kinds"),
        ({"tags": ("b",)}, "tags"),
        ({"entities": ("Ben",)}, "entities"),
    ],
)
def test_what_the_callers_own_bounds_leave_out_says_which(
    memory: Mnemic, clock: ManualClock, wishes: dict[str, Any], bound: str
) -> None:
    id = kept(memory, "The checkout runs on MySQL.", tags=["a"])
    kept(memory, "Ben owns the ledger.")
    clock.now = day(2)
    told = memory.why(ASKED, id, **wishes)
    check(told, Out.FILTERED)
    assert f" {bound} " in told.because
    assert told.score > 0.0
    assert memory.why(ASKED, id).returned


def test_a_layer_that_was_not_asked_says_how_to_ask_it(memory: Mnemic) -> None:
    receipt = memory.remember("The checkout runs on MySQL.")
    [turn], id = receipt.turns, stored_id(receipt)
    told = memory.why(ASKED, turn)
    check(told, Out.NOT_ASKED)
    assert "depth deep" in told.because
    assert memory.why(ASKED, turn, depth="deep").returned
    told = memory.why(ASKED, id, depth="deep")
    check(told, Out.NOT_ASKED)
    assert "depth warm" in told.because
    assert memory.why(ASKED, id, depth="warm").returned


def test_an_assistants_words_and_a_question_answer_only_when_raw_words_are_asked_for(memory: Mnemic) -> None:
    said = memory.remember("The checkout might well run on something else.", role="assistant").turns[0]
    asked = memory.remember("Where would the checkout run best?").turns[0]
    for turn, reason in ((said, Out.ASSISTANT), (asked, Out.QUESTION)):
        check(memory.why(ASKED, turn), reason)
        assert memory.why(ASKED, turn, depth="deep").kept_out != reason


def test_below_the_floor_says_by_how_much(memory: Mnemic) -> None:
    id = kept(memory, "Lea talked about lunch.", kind="event", importance=0.0)
    query = "Who won the big race of the year at lunch?"
    told = memory.why(query, id, depth="warm")
    check(told, Out.FLOOR)
    found = memory.recall(query, depth="warm")
    assert found.nothing is not None
    assert (told.score, told.takes) == (found.nothing.score, found.nothing.floor)
    assert f"{told.takes - told.score:.4f}" in told.because


def test_beside_the_best_what_says_little_is_too_faint(memory: Mnemic) -> None:
    tell(memory, "The checkout runs on MySQL.")
    id = kept(memory, "Let's run.", importance=0.0)
    told = memory.why(ASKED, id)
    check(told, Out.FAINT)
    best = memory.recall(ASKED).items[0]
    assert told.score < told.takes == pytest.approx(best.score / 5)


def test_beyond_the_limit_says_in_which_place(memory: Mnemic) -> None:
    for text in LAUNCHES:
        kept(memory, text)
    query = "How is the launch of Atlas planned?"
    whole = memory.recall(query, limit=20).items
    assert len(whole) == len(LAUNCHES)
    for place, item in enumerate(whole, 1):
        told = memory.why(query, item.id, limit=2)
        assert told.place == place
        assert (told.kept_out, told.returned) == (("", True) if place <= 2 else (Out.LIMIT, False))


def test_beyond_the_budget_it_is_an_item_and_not_in_the_text(memory: Mnemic) -> None:
    for text in LAUNCHES:
        kept(memory, text)
    query = "How is the launch of Atlas planned?"
    found = memory.recall(query, budget=40)
    told = {item.id: memory.why(query, item.id, budget=40) for item in found.items}
    assert all(each.returned for each in told.values())
    assert {id for id, each in told.items() if each.kept_out == Out.BUDGET} == {
        item.id for item in found.items if item.text not in found.text
    }
    assert {each.kept_out for each in told.values()} == {"", Out.BUDGET}


def test_what_no_channel_brought_says_what_would_have(memory: Mnemic) -> None:
    tell(memory, "The checkout runs on MySQL.", "Lea likes tea.")
    told = memory.why(ASKED, "Lea likes tea.")
    check(told, Out.UNSEEN)
    assert any("checkout, run" in each for each in told.missing)
    assert any("embedder" in each for each in told.missing)
    assert any("names in the question: checkout" in each for each in told.missing)
    assert any("2 steps" in each for each in told.missing)


def test_what_came_too_late_in_every_channel_says_in_which_place() -> None:
    settings, clock = Settings(seeds=2, hops=0), ManualClock(START)
    with Mnemic(":memory:", user="ada", embedder=FixedEmbedder(32), clock=clock, settings=settings) as memory:
        for number in range(12):
            kept(memory, f"The lamp in room {number} is on the long wall.", session=f"s{number}")
        seen = {item.id for item in memory.recall("Where is the lamp?", limit=50).items}
        told = [memory.why("Where is the lamp?", row.id, limit=50) for row in memory.memories().items]
        unseen = [each for each in told if each.kept_out == Out.UNSEEN]
        assert unseen
        assert {each.id for each in told if each.returned} == seen
        for each in unseen:
            assert each.score > 0.0
            words = next(channel for channel in each.channels if channel.name == "words")
            assert words.place > 2
            assert any(f"place {words.place} by words" in lack for lack in each.missing)


def test_behind_too_many_others_says_how_many(memory: Mnemic) -> None:
    for number in range(70):
        kept(memory, f"The lamp in room {number} is on the long wall.", session=f"s{number}")
    told = [
        memory.why("Where is the lamp in the room?", turn.id, depth="deep", limit=100)
        for turn in memory.turns().items
    ]
    crowd = [each for each in told if each.kept_out == Out.CROWD]
    for each in crowd:
        assert int(each.because.split()[0]) >= 60
    assert sum(each.returned for each in told) <= 62


@pytest.mark.parametrize(
    ("query", "reason"), [("hello!", "small talk: needs no memory"), ("?!", "no word is asked")]
)
def test_where_nothing_was_looked_for_it_says_so(memory: Mnemic, query: str, reason: str) -> None:
    id = kept(memory, "The checkout runs on MySQL.")
    told = memory.why(query, id)
    check(told, reason)
    assert told.channels == ()


def test_an_item_is_meant_by_its_id_its_very_words_or_most_of_them(memory: Mnemic) -> None:
    old, new = (stored_id(receipt) for receipt in tell(memory, *MOVED))
    for pointer, id in (
        (old, old),
        (MOVED[0], old),
        ("the checkout runs on mysql.", old),
        ("ＴＨＥ checkout runs on MySQL.", old),
        ("moved checkout PostgreSQL", new),
    ):
        assert memory.why(ASKED, pointer).id == id, pointer
    with pytest.raises(NotFound):
        memory.why(ASKED, "nothing of the kind was ever told here")
    for bad in ("", "   ", "\ud800"):
        with pytest.raises(InvalidInput, match="item"):
            memory.why(ASKED, bad)


def test_nobody_learns_of_anothers_memory_not_even_that_it_is_there(memory: Mnemic, bob: Mnemic) -> None:
    id = kept(memory, "The checkout runs on MySQL.")
    turn = memory.memory(id).turns[0]
    for pointer in (id, turn, "The checkout runs on MySQL."):
        with pytest.raises(NotFound) as theirs:
            bob.why(ASKED, pointer)
        with pytest.raises(NotFound) as nobodys:
            as_user(memory, "carol").why(ASKED, pointer)
        assert str(theirs.value) == str(nobodys.value)


def test_the_options_are_checked_as_those_of_recall(memory: Mnemic) -> None:
    id = kept(memory, "The checkout runs on MySQL.")
    for wishes, field in (
        ({"limit": 0}, "limit"),
        ({"depth": "abyss"}, "depth"),
        ({"kinds": ("x",)}, "kinds"),
    ):
        with pytest.raises(InvalidInput, match=field):
            memory.why(ASKED, id, **wishes)


def test_it_writes_nothing(memory: Mnemic) -> None:
    tell(memory, *MOVED, "Lea likes tea.")
    before = list(memory.export()), memory.stats()
    for row in memory.memories(hidden=True).items:
        memory.why(ASKED, row.id)
    assert (list(memory.export()), memory.stats()) == before


STORY = (
    *MOVED,
    "Ben owns the checkout.",
    "I heard that Tom lives in Lisbon.",
    "Lea likes tea.",
    "Lea no longer likes tea, she likes coffee.",
    "小王住在北京",
    "小王搬到上海了",
    "The launch of Atlas is on Thursday.",
    "Actually, the launch of Atlas is on Friday.",
    "ok thanks",
)
QUESTIONS = (
    ASKED,
    "Who owns the checkout?",
    "Where does Tom live?",
    "What does Lea like?",
    "小王住在哪里？",
    "When is the launch of Atlas?",
    "What did the checkout previously run on?",
    "Who won the cup?",
)


@pytest.fixture(scope="module", params=["none", "fixed"])
def story(request: pytest.FixtureRequest) -> Iterator[Mnemic]:
    with door(
        clock=ManualClock(START), embedder="none" if request.param == "none" else FixedEmbedder(32)
    ) as memory:
        tell(memory, *STORY)
        memory.remember("The checkout could run anywhere.", role="assistant")
        yield memory


@pytest.mark.parametrize("depth", ["auto", "warm", "deep"])
@pytest.mark.parametrize("query", QUESTIONS)
def test_of_every_row_it_says_what_the_answer_says(story: Mnemic, query: str, depth: str) -> None:
    for limit in (1, 5):
        found = story.recall(query, depth=depth, limit=limit)
        items = {item.id: item for item in found.items}
        back = {each.id: each for each in found.suppressed}
        rows = [row.id for row in story.memories(hidden=True).items] + [row.id for row in story.turns().items]
        for id in rows:
            told = story.why(query, id, depth=depth, limit=limit)
            assert told.returned == (id in items)
            assert bool(told.kept_out) != told.returned
            if id in items:
                assert (told.score, told.place) == (items[id].score, list(items).index(id) + 1)
                assert found.explain(id) is items[id]
            elif id in back:
                assert (told.kept_out, told.score) == (back[id].reason, back[id].score)
                assert told.by == back[id].by or not back[id].by
            if told.parts and not told.inherited:
                total = told.base + sum(part.adds for part in told.parts)
                assert probability(total) == pytest.approx(told.score, abs=2e-4), id
            for part in told.parts:
                assert part.adds == pytest.approx(part.value * part.weight)


def test_an_answer_explains_what_it_holds_and_sends_on_for_the_rest(story: Mnemic) -> None:
    found = story.recall(ASKED)
    [back, *_] = found.suppressed
    assert found.explain(back.id) is back
    with pytest.raises(NotFound):
        found.explain("m0")


@pytest.mark.parametrize("tongue", ["en", "zh"])
def test_every_reason_has_its_sentence_in_both_languages(tongue: str) -> None:
    assert set(_SENTENCES[tongue]) == set(_SENTENCES["en"])
    assert set(Out) <= set(_SENTENCES[tongue])


def test_in_a_chinese_question_the_reasons_are_chinese(memory: Mnemic) -> None:
    id = stored_id(tell(memory, "小王住在北京", "小王搬到上海了")[0])
    told = memory.why("小王住在哪里？", id)
    check(told, "replaced")
    assert "取代" in told.because
