"""Jobs: what is told later is told once, in order, as if it had been told at once."""

import json
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import datetime, timedelta, timezone
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mnemic import Conflict, FixedEmbedder, InvalidInput, Job, ManualClock, Mnemic, NotFound, Settings
from mnemic.engine.jobs import discard, drop_finished, job, jobs, retry, submit
from mnemic.engine.message import Declared, Message
from mnemic.engine.order import JOB, Order, order_of
from mnemic.engine.telling import Telling
from mnemic.engine.working import run_next
from mnemic.errors import EmbedderError, MnemicError, TooManyRequests, UnknownName
from mnemic.extraction.embedders.base import Vectors
from mnemic.graph.model import Kind
from mnemic.graph.records import Record, Which
from tests.engine.test_bad_input import TEXTS, WRONG
from tests.engine.told import START, as_user, bytes_of, day, door, rows

ALL = Which(owners=None)


def put_off(memory: Mnemic, message: Any, **options: Any) -> Job:
    return submit(memory.core, memory.scope, {"message": message, **options})


def work(memory: Mnemic) -> list[Job]:
    """Do all that is to be done now."""
    done = []
    while (one := run_next(memory.core, chance=lambda: 1.0)) is not None:
        done.append(one)
    return done


def seen(memory: Mnemic, one: Job) -> Job:
    return job(memory.core, memory.scope, one.id)


def texts(memory: Mnemic) -> list[str]:
    return [row["text"] for row in sorted(rows(memory, "turn"), key=lambda row: row["position"])]


class Hooked(FixedEmbedder):
    """Does something else while a message is being understood."""

    name = "hooked"

    def __init__(self) -> None:
        super().__init__()
        self.hook: Callable[[], object] = lambda: None

    def passages(self, texts: Sequence[str]) -> Vectors:
        hook, self.hook = self.hook, lambda: None
        hook()
        return super().passages(texts)


class Failing(FixedEmbedder):
    """Fails so many times."""

    name = "failing"
    left = 0

    def passages(self, texts: Sequence[str]) -> Vectors:
        if self.left:
            self.left -= 1
            raise EmbedderError("out of paper")
        return super().passages(texts)


# -- as if it had been told at once -------------------------------------------------------------------

CALLS: list[dict[str, Any]] = [
    {"message": "Ben lives in Berlin."},
    {"message": "Ben lives in Bonn now. 🏡", "id": "m1", "session": "家"},
    {"message": "Ben lives in Bonn now. 🏡", "id": "m1", "session": "家"},
    {"message": "结算服务从 MySQL 迁移到 PostgreSQL。", "visibility": "team", "tags": ["db"], "speaker": "王小明"},
    {
        "message": [
            {"role": "user", "content": "Lea's card is 4111 1111 1111 1111", "at": "2026-03-01T10:00:00+08:00"},
            {"role": "assistant", "content": None, "tool_calls": [{"id": "x"}]},
            {"role": "assistant", "content": "Noted.", "id": "a7"},
        ],
        "metadata": {"token": "hunter2abc!", "deep": [1, {"a": None}]},
    },
    {"message": "The checkout runs on port 8080.", "kind": "decision", "importance": 0.9, "confidence": 0.5},
    {"message": "The checkout runs on port 9090.", "replaces": "The checkout runs on port 8080."},
    {"message": "My password is sunflower99"},
    {"message": {"role": "tool", "content": None}},
    {"message": "Forget what I just said."},
]  # fmt: skip


def test_a_job_gives_the_receipt_and_the_memory_that_telling_at_once_gives() -> None:
    with door(clock=ManualClock(START)) as later, door(clock=ManualClock(START)) as now:
        expected = [now.remember(**call) for call in CALLS]
        submitted = [submit(later.core, later.scope, call) for call in CALLS]
        assert {each.state for each in submitted} == {"waiting"}
        done = {each.id: each for each in work(later)}
        assert {each.state for each in done.values()} == {"done"}
        assert rows(later) == rows(now)
        receipts = [done[each.id].receipt for each in submitted]
        assert receipts[1] == receipts[2] == expected[1], "the same job twice is one job"
        receipts[2] = expected[2]
        assert receipts == expected
        assert expected[-1].forgotten.turns == expected[-3].turns
        with pytest.raises(NotFound):
            seen(later, submitted[-3])
        assert seen(later, submitted[-1]) == done[submitted[-1].id]


@pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS)
def test_a_text_that_telling_refuses_is_refused_at_once(memory: Mnemic, text: Any) -> None:
    same_refusal(memory, {"message": text})
    same_refusal(memory, {"message": [{"content": "Ben lives in Berlin."}, {"content": text}]})


@pytest.mark.parametrize(
    "arguments",
    [
        *({"message": "x", option: value} for option, wrong in WRONG.items() for value, _ in wrong),
        {},
        {"message": "x", "colour": "red"},
        {"message": []},
        {"message": [{"content": "a", "id": "1"}, {"content": "b", "id": "1"}]},
        {"message": "x", "id": "sk-proj-abcdefghijklmnopqrstuvwxyz0123456789ABCDEF"},
        {"message": "x", "session": "my password is hunter2abc!"},
    ],
    ids=str,
)
def test_arguments_that_telling_refuses_are_refused_at_once(
    memory: Mnemic, arguments: dict[str, Any]
) -> None:
    if arguments.get("replaces") == "nothing like it":
        pytest.skip("what it names may be told by a job before it")
    same_refusal(memory, arguments)


def same_refusal(memory: Mnemic, arguments: dict[str, Any]) -> None:
    with pytest.raises(MnemicError) as at_once:
        memory.remember(**arguments)
    with pytest.raises(MnemicError) as later:
        submit(memory.core, memory.scope, arguments)
    assert (type(later.value), str(later.value)) == (type(at_once.value), str(at_once.value))
    assert memory.stats().records == {}


def test_what_was_submitted_is_as_of_its_own_moment(memory: Mnemic, clock: ManualClock) -> None:
    put_off(memory, "Ben lives in Berlin since yesterday.")
    clock.now = day(30)
    work(memory)
    (turn,) = rows(memory, "turn")
    assert (turn["at"], turn["recorded_at"]) == (day(0).isoformat(), day(30).isoformat())


OFFSETS = st.integers(-86_000, 86_000).map(lambda seconds: timezone(timedelta(seconds=seconds)))
NAMES = st.text(min_size=1, max_size=20)
JSON = st.recursive(
    st.none() | st.booleans() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=6,
)


@given(
    message=st.builds(
        Message,
        id=NAMES,
        session=NAMES,
        speaker=NAMES,
        role=NAMES,
        text=st.text(),
        at=st.datetimes(timezones=OFFSETS),
        masked=st.lists(NAMES, max_size=2).map(tuple),
    ),
    declared=st.builds(
        Declared,
        replaces=st.none() | NAMES,
        kind=st.none() | st.sampled_from(Kind),
        importance=st.none() | st.floats(0, 1),
        confidence=st.none() | st.floats(0, 1),
        tags=st.lists(NAMES, max_size=3).map(tuple),
        metadata=st.dictionaries(st.text(), JSON, max_size=3),
        masked=st.lists(st.tuples(NAMES, NAMES), max_size=2).map(tuple),
    ),
    silent=st.lists(st.integers(0, 9), max_size=2).map(tuple),
)
def test_what_is_told_comes_back_as_it_was(
    message: Message, declared: Declared, silent: tuple[int, ...]
) -> None:
    order = Order(
        created_at=START, tenant="acme", telling=Telling("ada", (message,), declared, silent), reason="r"
    )
    back = order_of(Record(kind=JOB, id="j", body=order.written()))
    assert back == order
    assert back.telling is not None
    assert back.telling.messages[0].at.utcoffset() == message.at.utcoffset()


# -- secrets ------------------------------------------------------------------------------------------


def test_a_secret_reaches_no_byte_and_is_told_in_the_receipt(tmp_path: Path) -> None:
    with door(tmp_path / "a.db") as memory:
        one = put_off(
            memory,
            "The wifi password is sunflower99!x",
            metadata={"pin": "4711-secret"},
            replaces="The wifi password is daisychain77!",
        )
        for secret in (b"sunflower99", b"daisychain77"):
            assert secret not in bytes_of(tmp_path)
        put_off(memory, "Ben lives in Berlin.", metadata={"api_key": "sk-abcdefghij0123456789"})
        assert b"sk-abcdefghij0123456789" not in bytes_of(tmp_path)
        work(memory)
        assert seen(memory, one).state == "dead"
        two = put_off(memory, "The wifi password is sunflower99!x")
        work(memory)
        receipt = seen(memory, two).receipt
        assert receipt is not None
        assert [(each.kind, each.field) for each in receipt.masked] == [("password", "text")]
        assert b"sunflower99" not in bytes_of(tmp_path)


def test_a_secret_that_the_line_before_gives_away_is_masked_while_that_still_waits(tmp_path: Path) -> None:
    lines = ["What is your passport number?", "X1234567", "Thanks."]
    with door(tmp_path / "a.db") as later, door() as now:
        expected = [now.remember(line, session="s").masked for line in lines]
        assert expected[1], "this test needs a secret that is known by the line before it"
        put_off(later, lines[0], session="s")
        put_off(later, "X1234567 other", session="another session")
        put_off(later, lines[1], session="s")
        bodies = [row.body for row in later.core.store.kept(JOB, ALL)]
        assert ["X1234567" in body for body in bodies] == [False, True, False]


# -- once ---------------------------------------------------------------------------------------------


def test_submitting_twice_is_submitting_once(memory: Mnemic, clock: ManualClock) -> None:
    call: dict[str, Any] = {"message": "Ben lives in Berlin.", "id": "m1", "at": day(0)}
    first = submit(memory.core, memory.scope, call)
    assert submit(memory.core, memory.scope, call) == first
    work(memory)
    clock.now = day(1)
    assert submit(memory.core, memory.scope, call) == seen(memory, first)
    assert work(memory) == []
    assert memory.stats().records == {JOB: 1}
    assert put_off(as_user(memory, "bob"), "Ben lives in Berlin.", id="m1", at=day(0)).id != first.id


def test_a_worker_that_does_not_come_back_is_replaced_and_tells_nothing_later(
    clock: ManualClock,
) -> None:
    embedder = Hooked()
    with door(clock=clock, embedder=embedder) as memory:
        put_off(memory, "Ben lives in Berlin.")

        def meanwhile() -> None:
            clock.now += timedelta(seconds=61)
            (other,) = work(memory)
            assert (other.state, other.attempts) == ("done", 2)

        embedder.hook = meanwhile
        slow = run_next(memory.core)
        assert slow is not None
        assert texts(memory) == ["Ben lives in Berlin."]
        assert seen(memory, slow).attempts == 2
        assert len(rows(memory, "memory")) == 1


@pytest.mark.parametrize("way", ["erased", "discarded"])
def test_what_is_taken_away_while_it_is_told_is_not_told(clock: ManualClock, way: str) -> None:
    embedder = Hooked()
    with door(clock=clock, embedder=embedder) as memory:
        one = put_off(memory, "Ben lives in Berlin.")
        embedder.hook = (
            (lambda: memory.core.store.erase(owners=["ada"]))
            if way == "erased"
            else (lambda: discard(memory.core, memory.scope, one.id))
        )
        assert len(work(memory)) == 1
        assert rows(memory, "turn", "memory", "entity") == []
        assert memory.stats().records == {}


def test_a_lease_is_as_long_as_what_is_told(clock: ManualClock) -> None:
    embedder = Hooked()
    with door(clock=clock, embedder=embedder) as memory:
        long = put_off(memory, "Ben lives in Berlin. " * 5000)

        def look() -> None:
            clock.now += timedelta(seconds=200)
            assert run_next(memory.core) is None
            assert (seen(memory, long).state, seen(memory, long).attempts) == ("running", 1)

        embedder.hook = look
        (done,) = work(memory)
        assert (done.state, done.attempts) == ("done", 1)


# -- in order -----------------------------------------------------------------------------------------


def test_a_session_is_told_in_order_by_many_workers(tmp_path: Path) -> None:
    with door(tmp_path / "a.db") as memory:
        for number in range(12):
            put_off(memory, f"Line number {number} of it.", session=f"s{number % 3}")
            put_off(memory, f"Team line {number}.", session=f"s{number % 3}", visibility="team")
        with ThreadPoolExecutor(4) as pool:
            list(pool.map(lambda _: work(memory), range(4)))
        work(memory)
        told = sorted(rows(memory, "turn"), key=lambda row: row["position"])
        for session in range(3):
            for owner, form in (("ada", "Line number {} of it."), ("team", "Team line {}.")):
                lines = [
                    row["text"] for row in told if (row["owner"], row["session"]) == (owner, f"s{session}")
                ]
                assert lines == [form.format(number) for number in range(session, 12, 3)]


def test_a_lane_waits_for_one_that_is_tried_again_and_not_for_one_that_is_dead(
    memory: Mnemic, clock: ManualClock
) -> None:
    embedder = Failing()
    with door(clock=clock, embedder=embedder) as memory:
        embedder.left = 1
        first = put_off(memory, "Ben lives in Berlin.")
        second = put_off(memory, "Ben moved to Bonn.")
        hopeless = put_off(memory, "And so on.", replaces="nothing like it")
        last = put_off(memory, "Lea lives in Rome.")
        assert [each.state for each in work(memory)] == ["waiting"]
        assert seen(memory, first).reason == "out of paper"
        assert seen(memory, second).state == "waiting"
        clock.now += timedelta(seconds=1)
        assert [each.id for each in work(memory)] == [each.id for each in (first, second, hopeless, last)]
        dead = seen(memory, hopeless)
        assert dead.state == "dead"
        assert "nothing like it" in dead.reason
        assert dead.finished_at == clock.now
        assert seen(memory, last).state == "done"


# -- failures -----------------------------------------------------------------------------------------


def test_what_fails_for_now_is_tried_later_and_later_and_then_given_up(clock: ManualClock) -> None:
    embedder = Failing()
    with door(clock=clock, embedder=embedder) as memory:
        embedder.left = 10**6
        one = put_off(memory, "Ben lives in Berlin.")
        waits = []
        while seen(memory, one).state != "dead":
            before = clock.now
            while run_next(memory.core, chance=lambda: 1.0) is None:
                clock.now += timedelta(seconds=1)
            waits.append((clock.now - before).total_seconds())
            assert seen(memory, one).attempts == len(waits)
        assert waits == [0, 1, 2, 4, 8, 16, 32, 64]
        assert seen(memory, one).reason == "out of paper"
        clock.now += timedelta(days=9)
        assert work(memory) == []

        embedder.left = 0
        again = retry(memory.core, memory.scope, one.id)
        assert (again.state, again.attempts, again.reason, again.finished_at) == ("waiting", 0, "", None)
        assert [each.state for each in work(memory)] == ["done"]
        assert texts(memory) == ["Ben lives in Berlin."]


@pytest.mark.parametrize(("drawn", "seconds"), [(0.0, 0.5), (0.5, 0.75), (1.0, 1.0)])
def test_attempts_are_spread_by_chance(clock: ManualClock, drawn: float, seconds: float) -> None:
    embedder = Failing()
    with door(clock=clock, embedder=embedder) as memory:
        embedder.left = 1
        put_off(memory, "Ben lives in Berlin.")
        run_next(memory.core, chance=lambda: drawn)
        (record,) = memory.core.store.kept(JOB, ALL)
        assert record.due == clock.now + timedelta(seconds=seconds)


def test_a_job_whose_workers_never_come_back_is_given_up(memory: Mnemic, clock: ManualClock) -> None:
    one = put_off(memory, "Ben lives in Berlin.")
    for number in range(8):
        assert memory.core.store.take(JOB, now=clock.now, until=clock.now + timedelta(1)) is not None
        assert (seen(memory, one).state, seen(memory, one).attempts) == ("running", number + 1)
        clock.now += timedelta(1)
        assert seen(memory, one).state == "waiting"
    (dead,) = work(memory)
    assert (dead.state, dead.attempts) == ("dead", 8)
    assert "ended before it was done" in dead.reason
    assert retry(memory.core, memory.scope, one.id).attempts == 0
    assert [each.state for each in work(memory)] == ["done"]


def test_submitting_again_what_is_dead_tries_it_again(memory: Mnemic) -> None:
    call: dict[str, Any] = {
        "message": "It is 9090.",
        "id": "m1",
        "replaces": "The checkout runs on port 8080.",
    }
    one = submit(memory.core, memory.scope, call | {"at": day(0)})
    assert [each.state for each in work(memory)] == ["dead"]
    memory.remember("The checkout runs on port 8080.")
    again = submit(memory.core, memory.scope, call | {"at": day(0)})
    assert (again.id, again.state) == (one.id, "waiting")
    assert [each.state for each in work(memory)] == ["done"]


@pytest.mark.parametrize("state", ["waiting", "done"])
def test_only_a_dead_job_is_tried_again(memory: Mnemic, state: str) -> None:
    one = put_off(memory, "Ben lives in Berlin.")
    if state == "done":
        work(memory)
    with pytest.raises(Conflict, match=f"is {state}"):
        retry(memory.core, memory.scope, one.id)


def test_too_many_are_refused_with_the_time_to_come_again(clock: ManualClock) -> None:
    settings = Settings(backlog=3)
    with Mnemic(":memory:", user="ada", embedder="none", clock=clock, settings=settings) as memory:
        for number in range(3):
            put_off(memory, f"Line {number}.")
        kept = put_off(memory, "Line 0.")
        assert kept.state == "waiting", "what is there already needs no room"
        for user in ("ada", "bob"):
            with pytest.raises(TooManyRequests) as refused:
                put_off(as_user(memory, user), "One more.")
            assert 1.0 <= refused.value.retry_after <= 60.0
        assert memory.stats().records == {JOB: 3}
        for _ in range(3):
            clock.now += timedelta(seconds=30)
            run_next(memory.core)
            put_off(memory, f"At {clock.now}.")
        with pytest.raises(TooManyRequests) as refused:
            put_off(memory, "One more.")
        assert refused.value.retry_after == 30.0


# -- whose --------------------------------------------------------------------------------------------


def test_a_job_is_its_users_alone(memory: Mnemic, bob: Mnemic) -> None:
    mine, team = put_off(memory, "Ben lives in Berlin."), put_off(memory, "We ship.", visibility="team")
    unknown = []
    for id in (mine.id, team.id, "j0"):
        for call in (job, retry, discard):
            with pytest.raises(NotFound) as caught:
                call(bob.core, bob.scope, id)
            unknown.append(str(caught.value).replace(id, ""))
    assert len(set(unknown)) == 1
    assert jobs(bob.core, bob.scope).items == ()
    assert {each.id for each in jobs(memory.core, memory.scope).items} == {mine.id, team.id}
    assert {each.state for each in work(bob)} == {"done"}, "a worker works for all"
    assert [row["text"] for row in rows(bob, "turn")] == ["We ship."]


def test_jobs_are_listed_newest_first_in_pages(memory: Mnemic, clock: ManualClock) -> None:
    told = [put_off(memory, f"Line {number}.", session=f"s{number}") for number in range(7)]
    put_off(memory, "x", session="hopeless", replaces="nothing like it")
    work(memory)
    told += [put_off(memory, f"Line {number}.", session=f"s{number}") for number in range(7, 12)]
    assert memory.core.store.take(JOB, now=clock.now, until=clock.now + timedelta(1)) is not None

    def listed(state: str | None, limit: int) -> list[str]:
        found, cursor = list[str](), ""
        while True:
            page = jobs(memory.core, memory.scope, state=state, limit=limit, cursor=cursor)
            assert len(page.items) <= limit
            found += [each.id for each in page.items]
            if page.next is None:
                return found
            cursor = page.next

    newest = [each.id for each in reversed(told)]
    for limit in (1, 2, 3, 5, 50):
        assert listed("done", limit) == newest[5:]
        assert listed("waiting", limit) == newest[:4]
        assert listed("running", limit) == newest[4:5]
        assert len(listed("dead", limit)) == 1
        assert len(listed(None, limit)) == 13


@pytest.mark.parametrize(
    "wrong", [{"state": "open"}, {"state": ""}, {"limit": 0}, {"limit": 1001}, {"cursor": "x"}, {"cursor": "-1"}, {"cursor": "9" * 40}]
)  # fmt: skip
def test_a_list_that_cannot_be_asked_for_is_refused(memory: Mnemic, wrong: dict[str, Any]) -> None:
    with pytest.raises((InvalidInput, UnknownName)) as caught:
        jobs(memory.core, memory.scope, **wrong)
    assert caught.value.field in wrong


# -- what stays ---------------------------------------------------------------------------------------


def test_what_is_done_keeps_the_words_in_its_receipt_alone_and_goes_with_its_turn(tmp_path: Path) -> None:
    with door(tmp_path / "a.db") as memory:
        one = put_off(memory, "The xylophone is with Lea Moss in Rome.", id="m1")
        other = put_off(memory, "Sam Reed lives in Oslo.")
        work(memory)
        (record, _) = memory.core.store.kept(JOB, ALL)
        assert json.loads(record.body)["telling"] is None
        assert record.lane == ""
        memory.forget("m1")
        with pytest.raises(NotFound):
            seen(memory, one)
        assert seen(memory, other).state == "done"
        assert b"xylophone" not in bytes_of(tmp_path)


def test_a_receipt_that_repeats_an_overruled_text_goes_with_it(tmp_path: Path) -> None:
    with door(tmp_path / "a.db") as memory:
        memory.remember("The xylophone room is booked for Ben Hill.", id="old", importance=1)
        one = put_off(
            memory,
            "The room is free again.",
            replaces="The xylophone room is booked for Ben Hill.",
        )
        work(memory)
        receipt = seen(memory, one).receipt
        assert receipt is not None
        assert "xylophone" in receipt.replaced[0].older_text
        memory.forget("old")
        assert b"xylophone" not in bytes_of(tmp_path)


def test_an_erased_owner_leaves_nothing_of_jobs_in_any_state(tmp_path: Path) -> None:
    with door(tmp_path / "a.db", user="zoe") as memory:
        put_off(memory, "The xylophone is done.", session="xylophone a")
        put_off(memory, "The xylophone is dead.", replaces="xylophone nowhere", session="xylophone b")
        work(memory)
        put_off(memory, "The xylophone is waiting.", session="xylophone c")
        put_off(as_user(memory, "bob"), "A trumpet.")
        assert b"xylophone" in bytes_of(tmp_path)
        memory.core.store.erase(owners=["zoe"])
        assert b"xylophone" not in bytes_of(tmp_path)
        assert memory.stats().records == {JOB: 1}


def test_what_a_call_forgets_does_not_stay_in_its_own_receipt(tmp_path: Path) -> None:
    with door(tmp_path / "a.db") as memory:
        put_off(
            memory,
            [{"content": "The xylophone is with Lea Moss."}, {"content": "Forget what I just said."}],
        )
        (done,) = work(memory)
        assert done.receipt is not None
        assert done.receipt.forgotten.turns
        assert b"xylophone" not in bytes_of(tmp_path)


def test_what_is_done_is_dropped_after_a_time_and_what_is_dead_stays(
    memory: Mnemic, clock: ManualClock
) -> None:
    done = put_off(memory, "Ben lives in Berlin.")
    dead = put_off(memory, "And so on.", replaces="nothing like it")
    work(memory)
    clock.now += timedelta(hours=23)
    young = put_off(memory, "Lea lives in Rome.")
    work(memory)
    waiting = put_off(memory, "Sam lives in Oslo.")
    clock.now += timedelta(hours=2)
    assert drop_finished(memory.core) == 1
    with pytest.raises(NotFound):
        seen(memory, done)
    assert [seen(memory, each).state for each in (dead, young, waiting)] == ["dead", "done", "waiting"]


def test_a_job_moves_with_its_store(memory: Mnemic) -> None:
    from mnemic.api.copying import copy

    one = put_off(memory, "Ben lives in Berlin.")
    with door(names=None) as target:
        list(copy(memory.core.store, target.core.store))
        assert replace(target.core.store.kept(JOB, ALL)[0], born=0).id == one.id
        assert [each.state for each in work(target)] == ["done"]
        assert texts(target) == ["Ben lives in Berlin."]


def test_a_moment_with_an_offset_is_kept(memory: Mnemic) -> None:
    put_off(memory, "Ben lives in Berlin.", at=datetime.fromisoformat("2026-03-01T10:00:00+05:45"))
    work(memory)
    assert rows(memory, "turn")[0]["at"] == "2026-03-01T10:00:00+05:45"
