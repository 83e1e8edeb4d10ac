"""Answers that are kept ready: never stale after a write of whatever kind, by whatever process, and never another's."""

from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, rule

from mnemic import ManualClock, Mnemic, NotFound, Settings
from mnemic.engine.answers import FRESH
from mnemic.engine.recall import recall
from tests.engine.told import NAMES, START, as_user

SENTENCES = (
    "Ben owns Atlas.",
    "Lea owns Atlas now.",
    "Ben lives in Bern.",
    "Ben moved to Basel.",
    "小王住在成都。",
    "The checkout runs on MySQL.",
    "We moved the checkout from MySQL to PostgreSQL.",
    "Forget that Ben lives in Bern.",
)
QUESTIONS = ("Who owns Atlas?", "Where does Ben live?", "小王住哪儿？", "What does the checkout run on?")
ABOUT = ("Ben", "Atlas", "checkout")


def opened(where: Path | str, user: str, clock: ManualClock, answers: int) -> Mnemic:
    return Mnemic(where, user=user, embedder="none", clock=clock, settings=Settings(answers=answers))


def about(memory: Mnemic, name: str) -> Any:
    try:
        return memory.about(name)
    except NotFound as error:
        return str(error)


class Kept(RuleBasedStateMachine):
    """Two users and a writer elsewhere, whose every answer is that of a door that keeps none."""

    folder: Path

    @initialize()
    def begin(self) -> None:
        self.clock = ManualClock(START)
        where = self.folder / f"{id(self)}-{len(list(self.folder.iterdir()))}.db"
        self.kept = opened(where, "ada", self.clock, 8)
        self.plain = opened(where, "ada", self.clock, 0)
        self.kept.learn(NAMES)
        self.ids: list[str] = []

    @rule(
        sentence=st.sampled_from(SENTENCES),
        user=st.sampled_from(("ada", "bob")),
        visibility=st.sampled_from(("private", "team")),
        here=st.booleans(),
    )
    def tell(self, sentence: str, user: str, visibility: str, here: bool) -> None:
        self.clock.now += timedelta(seconds=1)
        door = as_user(self.kept if here else self.plain, user)
        receipt = door.remember(sentence, visibility=visibility)
        if user == "ada":
            self.ids += [stored.id for stored in receipt.stored]

    @rule(number=st.integers(0, 5))
    def forget(self, number: int) -> None:
        if number < len(self.ids):
            try:
                self.plain.forget(self.ids.pop(number))
            except NotFound:
                return

    @rule(name=st.sampled_from(("Basel", "Bern")))
    def learn(self, name: str) -> None:
        self.plain.learn([{"name": name, "kind": "place"}])

    @rule(question=st.sampled_from(QUESTIONS), user=st.sampled_from(("ada", "bob")))
    def ask(self, question: str, user: str) -> None:
        assert as_user(self.kept, user).recall(question) == as_user(self.plain, user).recall(question)

    @rule(name=st.sampled_from(ABOUT), user=st.sampled_from(("ada", "bob")))
    def look(self, name: str, user: str) -> None:
        assert about(as_user(self.kept, user), name) == about(as_user(self.plain, user), name)

    def teardown(self) -> None:
        if hasattr(self, "kept"):
            self.kept.close()
            self.plain.close()


@pytest.fixture(scope="module")
def stated(tmp_path_factory: pytest.TempPathFactory) -> type[Kept]:
    Kept.folder = tmp_path_factory.mktemp("answers")
    return Kept


def test_no_answer_is_stale_after_a_write(stated: type[Kept]) -> None:
    case = stated.TestCase
    case.settings = settings(max_examples=25, stateful_step_count=25, deadline=None)
    case("runTest").runTest()


@pytest.fixture
def counted(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What is really worked out."""
    asked: list[str] = []

    def counting(core: Any, view: Any, query: str, wanted: Any) -> Any:
        asked.append(query)
        return recall(core, view, query, wanted)

    monkeypatch.setattr("mnemic.api.facade.recall", counting)
    return asked


def test_an_answer_is_worked_out_once_while_nothing_changes(clock: ManualClock, counted: list[str]) -> None:
    with opened(":memory:", "ada", clock, 8) as memory:
        memory.learn(NAMES)
        memory.remember("Ben owns Atlas.")
        memory.prepare("Who owns Atlas?", limit=3)
        assert memory.recall("Who owns Atlas?", limit=3).items
        assert len(counted) == 1
        memory.recall("Who owns Atlas?", limit=4)
        as_user(memory, "bob").recall("Who owns Atlas?", limit=3)
        assert len(counted) == 3
        as_user(memory, "bob").remember("Lea owns Atlas.")
        memory.recall("Who owns Atlas?", limit=3)
        assert len(counted) == 3
        clock.now += FRESH
        memory.recall("Who owns Atlas?", limit=3)
        assert len(counted) == 4


def test_no_more_than_the_bound_are_kept(clock: ManualClock, counted: list[str]) -> None:
    with opened(":memory:", "ada", clock, 2) as memory:
        for question in ("a?", "b?", "c?", "c?", "b?", "a?"):
            memory.recall(question)
        assert counted == ["a?", "b?", "c?", "a?"]
