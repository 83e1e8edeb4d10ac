"""Code written for mem0's ``Memory`` runs on an embedded memory and on a service, and each user's is their own."""

import inspect
import re
from collections.abc import Iterator
from contextlib import redirect_stdout
from datetime import UTC, datetime, timedelta
from io import StringIO
from pathlib import Path
from typing import Any

import pytest

from mnemic import Client, Forbidden, InvalidInput, MissingScope, Mnemic, UnknownName
from mnemic.api.mem0 import Memory
from tests.api.client.conftest import World, clock, core, portal, tenant, world
from tests.engine.told import START, door

__all__ = ["clock", "core", "portal", "tenant", "world"]  # fixtures

ROOT = Path(__file__).parents[3]
LIVES, MOVED = "Ben lives in Berlin.", "Ben moved to Rome."


@pytest.fixture(params=["embedded", "served"])
def memory(request: pytest.FixtureRequest) -> Iterator[Memory]:
    if request.param == "embedded":
        behind: Any = door()
        now = behind.core.clock
    else:
        world, tenant = request.getfixturevalue("world"), request.getfixturevalue("tenant")
        request.getfixturevalue("core")
        behind, now = Client(world.url, f"{tenant}..write"), world.clock
    with Memory(memory=behind, clock=now) as memory:
        yield memory


def tick(memory: Memory) -> None:
    """Let a day pass."""
    now: Any = memory._shelf._clock
    now.now += timedelta(days=1)


def texts(answer: dict[str, Any]) -> list[str]:
    return sorted(row["memory"] for row in answer["results"])


def test_the_example_of_the_documentation_says_what_stands_below_it() -> None:
    code, output = re.findall(r"```(?:python)?\n(.*?)```", (ROOT / "docs/mem0.md").read_text("utf-8"), re.S)[
        :2
    ]
    said = StringIO()
    with redirect_stdout(said):
        exec(code, {})
    assert said.getvalue() == output


def test_what_is_added_is_found_listed_and_got(memory: Memory) -> None:
    added = memory.add(LIVES, user_id="alex", metadata={"topic": "people"})["results"]
    assert [(row["memory"], row["event"]) for row in added] == [(LIVES, "ADD")]
    (found,) = memory.search("Where does Ben live?", user_id="alex")["results"]
    (listed,) = memory.get_all(filters={"user_id": "alex"})["results"]
    got = memory.get(added[0]["id"])
    assert got == listed == {name: value for name, value in found.items() if name != "score"}
    assert 0 < found["score"] < 2
    assert got["metadata"] == {"topic": "people"}
    assert (got["user_id"], got["updated_at"], got["hash"]) == ("alex", None, got["hash"])
    assert datetime.fromisoformat(got["created_at"]) == START


def test_messages_are_taken_in_each_form(memory: Memory) -> None:
    row = {"role": "user", "content": LIVES}
    forms: list[Any] = [LIVES, row, [row, {"role": "assistant", "content": "Noted."}]]
    for number, messages in enumerate(forms):
        results = memory.add(messages, user_id=f"user{number}")["results"]
        assert [(each["memory"], each["event"]) for each in results] == [(LIVES, "ADD")]
    for wrong in (5, [], [5], [{"content": 5}], "", None):
        with pytest.raises(InvalidInput):
            memory.add(wrong, user_id="alex")  # type: ignore[arg-type]


def test_what_is_said_again_is_known_and_what_is_overruled_is_gone(memory: Memory) -> None:
    (first,) = memory.add(LIVES, user_id="alex")["results"]
    tick(memory)
    assert memory.add(LIVES, user_id="alex")["results"] == [{**first, "event": "NONE"}]
    events = {row["event"]: row for row in memory.add(MOVED, user_id="alex")["results"]}
    assert events["DELETE"]["id"] == first["id"]
    assert memory.get(first["id"]) is None
    assert (
        texts(memory.get_all(user_id="alex"))
        == texts(memory.search("Where does Ben live?", user_id="alex"))
        == [MOVED]
    )
    assert [row["event"] for row in memory.history(first["id"])] == ["ADD", "DELETE"]


def test_without_inferring_all_is_kept(memory: Memory) -> None:
    said = "It rained a bit, whatever."
    assert memory.add(said, user_id="alex")["results"] == []
    assert memory.add(f"{said} Really.", user_id="alex", infer=False)["results"]


@pytest.mark.parametrize("call", ["add", "search", "get_all", "delete_all"])
@pytest.mark.parametrize(
    "whose", [{}, {"user_id": ""}, {"user_id": "  "}, {"user_id": "a b"}, {"user_id": "*"}, {"run_id": None}]
)
def test_who_names_nobody_is_refused(memory: Memory, call: str, whose: dict[str, Any]) -> None:
    memory.add(LIVES, user_id="alex")
    words = {"add": ("x",), "search": ("x",)}.get(call, ())
    with pytest.raises(InvalidInput) as caught:
        getattr(memory, call)(*words, **whose)
    assert isinstance(caught.value, ValueError)
    named = any(value and value.strip() for value in whose.values())
    assert (type(caught.value) is MissingScope) == (not named)
    if call in ("search", "get_all"):
        with pytest.raises(InvalidInput):
            getattr(memory, call)(*words, filters={"topic": "x", **whose})
    assert texts(memory.get_all(user_id="alex")) == [LIVES]


def test_users_agents_and_runs_are_parted(memory: Memory) -> None:
    told: dict[str, dict[str, Any]] = {
        "Ben lives in Berlin.": {"user_id": "alex"},
        "Lea lives in Rome.": {"user_id": "alex", "agent_id": "bot"},
        "Sam lives in Oslo.": {"user_id": "alex", "run_id": "r1"},
        "赵敏住在上海。": {"user_id": "bob"},
        "王小明住在北京。": {"agent_id": "bot"},
        "李雷住在广州。": {"run_id": "r1"},
    }
    for text, whose in told.items():
        (added,) = memory.add(text, **whose)["results"]
        row = memory.get(added["id"])
        assert row is not None
        assert {
            name: value for name, value in row.items() if name in ("user_id", "agent_id", "run_id")
        } == whose
    alex = list(told)[:3]
    assert texts(memory.get_all(user_id="alex")) == alex
    for text, whose in told.items():
        wanted = alex if whose == {"user_id": "alex"} else [text]
        assert texts(memory.get_all(**whose)) == texts(memory.get_all(filters=whose)) == wanted
        found = texts(memory.search(f"Where does {text[:3]} live? {text[:3]}住在哪里", **whose))
        assert set(found) <= set(wanted)
        assert text in found
    memory.delete_all(user_id="alex", agent_id="bot")
    assert texts(memory.get_all(user_id="alex")) == [alex[0], alex[2]]
    memory.delete_all(user_id="alex", run_id="r1")
    assert texts(memory.get_all(user_id="alex")) == [alex[0]]
    memory.delete_all(agent_id="bot")
    left: list[dict[str, Any]] = [{"agent_id": "bot"}, {"run_id": "r1"}, {"user_id": "bob"}]
    assert [texts(memory.get_all(**whose)) for whose in left] == [[], ["李雷住在广州。"], ["赵敏住在上海。"]]


def test_an_update_keeps_the_id_and_adds_to_the_metadata(memory: Memory) -> None:
    (added,) = memory.add(LIVES, user_id="alex", metadata={"a": 1, "b": 1}, run_id="r1", agent_id="bot")[
        "results"
    ]
    id = added["id"]
    for words, metadata in (
        ("Ben works in Oslo.", {"b": 2}),
        ("I love tea. Lea lives in Rome.", None),
        ("Hm.", {"c": 3}),
    ):
        assert memory.update(id, words, metadata) == {"message": "Memory updated successfully!"}
        got = memory.get(id)
        assert got is not None
        assert (got["id"], got["memory"]) == (id, words)
        assert (got["run_id"], got["agent_id"]) == ("r1", "bot")
        assert datetime.fromisoformat(got["created_at"]) == START
        assert got["updated_at"] is not None
        assert memory.get_all(user_id="alex")["results"] == [got]
    assert got is not None
    assert got["metadata"] == {"a": 1, "b": 2, "c": 3}
    assert [(row["event"], row["old_memory"], row["new_memory"]) for row in memory.history(id)] == [
        ("ADD", None, LIVES),
        ("UPDATE", LIVES, "Ben works in Oslo."),
        ("UPDATE", "Ben works in Oslo.", "I love tea. Lea lives in Rome."),
        ("UPDATE", "I love tea. Lea lives in Rome.", "Hm."),
    ]
    memory.delete(id)
    assert memory.get(id) is None
    assert memory.history(id) == []
    assert memory.get_all(user_id="alex")["results"] == []


def test_what_was_updated_there_and_back_says_what_it_said_last(memory: Memory) -> None:
    (added,) = memory.add(LIVES, user_id="alex")["results"]
    for words in (MOVED, LIVES, MOVED, LIVES):
        tick(memory)
        memory.update(added["id"], words)
        got = memory.get(added["id"])
        assert got is not None
        assert got["memory"] == words
        assert texts(memory.get_all(user_id="alex")) == [words]
    assert len(memory.history(added["id"])) == 5


def test_an_update_may_be_named_data_and_must_say_something_new(memory: Memory) -> None:
    (added,) = memory.add(LIVES, user_id="alex")["results"]
    memory.update(memory_id=added["id"], data="Ben likes tea.")
    for words, metadata in ((None, {"a": 1}), ("Ben likes tea.", {"a": 1}), (None, None), (" ", None)):
        with pytest.raises(InvalidInput):
            memory.update(added["id"], words, metadata)
    assert texts(memory.get_all(user_id="alex")) == ["Ben likes tea."]


@pytest.mark.parametrize("id", ["", "x", "YWxleA.nothing", "YWxleA.", ".m1", "YWxleA==.m1", "///.m1", "a" * 10_000, "YWxleA.Ben lives in Berlin.", "dGVhbQ.m1"])  # fmt: skip
def test_an_id_that_is_none_finds_and_changes_nothing(memory: Memory, id: str) -> None:
    memory.add(LIVES, user_id="alex")
    try:
        assert memory.get(id) is None
        assert memory.history(id) == []
    except InvalidInput:
        pass  # `team` is nobody's name, and what is too long is no id
    with pytest.raises(InvalidInput):
        memory.update(id, "Ben likes tea.")
    with pytest.raises(InvalidInput):
        memory.delete(id)
    assert texts(memory.get_all(user_id="alex")) == [LIVES]


def test_a_message_of_which_no_memory_was_made_is_found_got_and_deleted(memory: Memory) -> None:
    said = "the quokka parade, oh well"
    if memory.add(said, user_id="alex")["results"]:
        pytest.fail("choose words that are worth nothing")
    (found,) = memory.search("What was the quokka parade?", user_id="alex")["results"]
    assert found["memory"] == said
    got = memory.get(found["id"])
    assert got is not None
    assert got["memory"] == said
    with pytest.raises(InvalidInput):
        memory.update(found["id"], "x y z")
    memory.delete(found["id"])
    assert memory.get(found["id"]) is None
    assert memory.search("What was the quokka parade?", user_id="alex")["results"] == []


def test_deleting_all_of_a_user_takes_the_messages_too(memory: Memory) -> None:
    memory.add(
        [{"role": "user", "content": f"I prefer tea number {number}."} for number in range(60)],
        user_id="alex",
    )
    memory.add("It rained a bit, whatever.", user_id="alex")
    memory.add(LIVES, user_id="bob")
    memory.delete_all(user_id="alex")
    assert memory.get_all(user_id="alex")["results"] == []
    assert memory.search("tea rain", user_id="alex")["results"] == []
    assert texts(memory.get_all(user_id="bob")) == [LIVES]


def test_filters_on_metadata_choose(memory: Memory) -> None:
    told: dict[str, dict[str, Any]] = {"Ben": {"n": 1, "t": "Work"}, "Lea": {"n": 2.5, "t": "home", "l": ["a"]}, "Sam": {"t": "home"}, "Tom": {}}  # fmt: skip
    for name, row in told.items():
        memory.add(f"{name} lives in Berlin.", user_id="alex", metadata=row)
    wanted: list[tuple[dict[str, Any], str]] = [
        ({}, "Ben Lea Sam Tom"),
        ({"t": "home"}, "Lea Sam"),
        ({"t": {"eq": "home"}}, "Lea Sam"),
        ({"t": {"ne": "home"}}, "Ben Tom"),
        ({"n": {"gt": 1}}, "Lea"),
        ({"n": {"gte": 1, "lt": 2}}, "Ben"),
        ({"n": {"lte": 1}}, "Ben"),
        ({"t": {"gt": 1}}, ""),
        ({"n": {"in": [1, 7]}}, "Ben"),
        ({"n": {"nin": [1, 7]}}, "Lea Sam Tom"),
        ({"t": {"contains": "om"}}, "Lea Sam"),
        ({"t": {"icontains": "WORK"}}, "Ben"),
        ({"l": {"contains": "a"}}, "Lea"),
        ({"n": "*"}, "Ben Lea"),
        ({"OR": [{"n": 1}, {"n": 2.5}]}, "Ben Lea"),
        ({"AND": [{"t": "home"}, {"n": "*"}]}, "Lea"),
        ({"NOT": [{"t": "home"}]}, "Ben Tom"),
        ({"t": "home", "n": 2.5}, "Lea"),
    ]
    for filters, names in wanted:
        rows = memory.get_all(filters={"user_id": "alex", **filters})
        assert [text.split()[0] for text in texts(rows)] == names.split(), filters
        found = memory.search("Who lives in Berlin?", filters={"user_id": "alex", **filters}, top_k=10)
        assert [text.split()[0] for text in texts(found)] == names.split(), filters
    wrong: list[dict[str, Any]] = [
        {"n": {"near": 1}},
        {"OR": []},
        {"AND": {"n": 1}},
        {"NOT": [5]},
        {"n": {"in": "abc"}},
    ]
    for filters in wrong:
        with pytest.raises(InvalidInput):
            memory.search("Berlin?", user_id="nobody", filters=filters)
        with pytest.raises(InvalidInput):
            memory.get_all(user_id="nobody", filters=filters)


def test_limits_and_thresholds_bound_what_comes(memory: Memory) -> None:
    memory.add(
        [{"role": "user", "content": f"I prefer tea number {number}."} for number in range(9)], user_id="alex"
    )
    assert len(memory.get_all(user_id="alex", limit=4)["results"]) == 4
    assert len(memory.search("Which tea?", user_id="alex", top_k=2)["results"]) <= 2
    assert memory.search("Which tea?", user_id="alex", threshold=5.0)["results"] == []
    for wrong in (0, -1, 1_001, True, 2.5, "3"):
        with pytest.raises(InvalidInput):
            memory.get_all(user_id="alex", limit=wrong)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "moment", [1_700_000_000, "2023-11-14T22:13:20+00:00", datetime(2023, 11, 14, 22, 13, 20, tzinfo=UTC)]
)
def test_when_it_was_said_may_be_told(memory: Memory, moment: Any) -> None:
    memory.add("Ben moved to Rome yesterday.", user_id="alex", timestamp=moment)
    assert texts(memory.get_all(user_id="alex"))
    for wrong in ("soon", 10**30, float("nan"), "2023-11-14T22:13:20"):
        with pytest.raises(InvalidInput):
            memory.add(LIVES, user_id="alex", timestamp=wrong)


def test_what_there_is_not_is_refused(memory: Memory) -> None:
    with pytest.raises(InvalidInput, match=r"^memory_type"):
        memory.add(LIVES, user_id="alex", memory_type="procedural_memory")
    with pytest.raises(InvalidInput, match=r"^metadata"):
        memory.add(LIVES, user_id="alex", metadata={"mem0": {"id": "x"}})
    with pytest.raises(InvalidInput, match=r"^user_id"):
        memory.search("x", user_id="alex", filters={"user_id": "bob"})


def test_the_methods_are_those_of_mem0() -> None:
    wanted = {
        "add",
        "search",
        "get",
        "get_all",
        "update",
        "delete",
        "delete_all",
        "history",
        "from_config",
        "close",
    }
    assert {name for name, _ in inspect.getmembers(Memory, callable) if not name.startswith("_")} == wanted
    assert all(inspect.getdoc(getattr(Memory, name)) for name in wanted)


def test_what_the_team_was_told_is_nobodys_here(memory: Memory) -> None:
    behind = memory._shelf.door("alex")
    behind.remember(LIVES, visibility="team")
    assert (
        memory.get_all(user_id="alex")["results"]
        == memory.search("Where does Ben live?", user_id="alex")["results"]
        == []
    )
    memory.delete_all(user_id="alex")
    assert len(behind.memories().items) == 1


def test_a_key_of_one_user_serves_that_one(world: World, core: object, tenant: str) -> None:
    with Memory(memory=Client(world.url, f"{tenant}.alex.write"), clock=world.clock) as memory:
        memory.add(LIVES, user_id="alex")
        with pytest.raises(Forbidden):
            memory.add(LIVES, user_id="bob")


def test_mem0s_own_configuration_is_passed_over_and_what_is_unknown_is_refused(
    caplog: pytest.LogCaptureFixture, tmp_path: Path
) -> None:
    config = {
        "llm": {"provider": "openai"},
        "version": "v1.1",
        "mnemic": {"where": str(tmp_path / "m.db"), "embedder": "none"},
    }
    with caplog.at_level("WARNING"), Memory.from_config(config) as memory:
        memory.add(LIVES, user_id="alex", prompt="Be brief.")
    assert "llm, version" in caplog.text
    assert "prompt" in caplog.text
    with Memory(config) as memory:
        assert texts(memory.get_all(user_id="alex")) == [LIVES]
    unknown: list[dict[str, Any]] = [
        {"lm": {}},
        {"mnemic": {"wher": "x"}},
        {"mnemic": {"url": "u", "kee": "x"}},
    ]
    for wrong in unknown:
        with pytest.raises(UnknownName, match="did you mean"):
            Memory.from_config(wrong)
    unusable: list[Any] = [5, {"mnemic": 5}, {"mnemic": {}}, {"mnemic": {"url": "host"}}]
    for odd in unusable:
        with pytest.raises(InvalidInput):
            Memory.from_config(odd)


def test_without_a_configuration_it_is_what_the_environment_names(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    for name in ("URL", "API_KEY", "TENANT", "KEY"):
        monkeypatch.delenv(f"MNEMIC_{name}", raising=False)
    monkeypatch.setenv("MNEMIC_PATH", str(tmp_path / "m.db"))
    monkeypatch.setenv("MNEMIC_EMBEDDER", "none")
    with Memory() as memory:
        memory.add(LIVES, user_id="alex")
    with Mnemic(tmp_path / "m.db", user="alex", embedder="none") as behind:
        assert behind.recall("Where does Ben live?").items
    monkeypatch.setenv("MNEMIC_URL", "http://127.0.0.1:9")
    monkeypatch.setenv("MNEMIC_API_KEY", "key")
    with Memory() as memory:
        assert isinstance(memory._shelf.behind, Client)
